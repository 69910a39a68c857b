"""Replies that are not imported yet: read before `journal usage` reports, imported afterwards."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from cli.error import warn
from cli.import_.automatic import need_past
from cli.render.progress import progress
from journal.history.importer.lines import without_collector
from journal.history.logs import log_directories
from journal.history.usage.unread import Unread
from journal.text import plural

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.history.tables.database import History

_SECONDS = 20.0  # to read transcripts for; a gigabyte takes some 5


def read_unread(scope: Scope, *, every: bool) -> Unread | None:
    """Read the replies that are not imported yet, and report on stderr if some are missing.

    Return None if the user declines imports.
    """
    if scope.no_import or not scope.settings["import.auto"]:
        return None
    show = progress()
    unread = Unread(scope, every=every)
    with without_collector():
        unread.read(_SECONDS, lambda: show("reading transcripts"))
        gc.freeze()  # otherwise the collector would go through all of it once it is on again
    if not unread.is_whole:
        warn("Not all new replies are read yet, so not all count: run `journal import`.")
    if unread.unreadable:
        what = plural(unread.unreadable, "transcript")
        warn(f"Cannot read {what}, so not all replies count: run `journal import` to see why.")
    return unread


@contextmanager
def open_history(home: str, project: str, unread: Unread | None = None) -> Iterator[History | None]:
    """Open the logs of one project or of all; None without logs. unread: replies to add."""
    if not any(log_directories(home, [project] if project else ())):
        yield None
        return
    from journal.history.tables.database import History

    with closing(History(home, project, progress=progress())) as history:
        if unread is not None and unread.items:
            unread.settle(history)
        yield history


def import_unread(scope: Scope, unread: Unread | None, *, every: bool) -> None:
    """Import what is new after the report is printed; if nobody attends, report what is not."""
    if unread is None:
        if not need_past(scope, every=every):
            _warn_of_uncounted(scope, every=every)
        return
    if not unread.items:
        return
    if scope.is_attended:
        sys.stdout.flush()
        if not need_past(scope, every=every):
            from journal.history.new_transcripts import import_new

            import_new(scope, every=every)
    elif unread.is_first and unread.sessions:
        what = plural(unread.sessions, "past session")
        warn(f"Counted {what} from transcripts that are not imported yet: run `journal import`.")


def _warn_of_uncounted(scope: Scope, *, every: bool) -> None:
    """Report that transcripts changed since the last import."""
    from journal.history.new_transcripts import unread_transcripts

    if count := len(unread_transcripts(scope, every=every)):
        changed = "1 transcript has" if count == 1 else f"{count:,} transcripts have"
        what = f"{changed} changed since the last import; new replies are not counted"
        warn(f"{what}: run `journal import`.")
