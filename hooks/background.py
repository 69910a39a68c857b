"""Background work at the start of a session: fold, reconcile, import, summarize, compress, prepare.

The end of a turn runs the first two. Claude Code starts this beside the hook that answers and may
kill it at any moment. Invariant: it only appends under the lock and writes caches that can be
deleted; each finished part of an import is recorded; running it twice appends nothing twice; it
prints nothing and ends no session.
"""

from __future__ import annotations

import os

from hooks import errors
from hooks.capture import parsed
from hooks.context import is_switched_off
from journal.errors import JournalError
from journal.history.scope import ProjectScope
from journal.log.append import Busy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def run_background(raw: bytes, env: Mapping[str, str]) -> int:
    """Do the background work of a SessionStart or Stop; return the number of summaries made."""
    data, trouble = parsed(raw)
    cwd = data.get("cwd")
    if (
        is_switched_off(env)
        or trouble
        or data.get("hook_event_name") not in ("SessionStart", "Stop")
        or "agent_id" in data
    ):
        return 0
    scope = ProjectScope(env, cwd=cwd if isinstance(cwd, str) and cwd else None)
    if not scope.exists():
        return 0
    from hooks.packages import ready

    if not ready():
        return 0
    from journal.history.current import catch_up
    from journal.history.reconcile.run import reconcile

    sid = data.get("session_id")
    records = scope.settings["capture.level"] != "off"
    try:
        if records:
            catch_up(scope.directory, scope.iso)
        reconcile(scope)
        if data["hook_event_name"] == "Stop" or not records:
            return 0
        return _at_start(scope, sid if isinstance(sid, str) else "")
    except (Busy, JournalError) as error:
        errors.note(env, "background", error)
        return 0


def _at_start(scope: ProjectScope, sid: str) -> int:
    """Import, summarize, compress, and prepare what commands read; return the number of summaries.

    sid: the starting session.
    """
    from journal.history.new_transcripts import import_new, note_losses
    from journal.history.prepare import prepare_commands
    from journal.history.summaries.backlog import SESSIONS, summarize_waiting
    from journal.home import IMPORTED
    from journal.identity import remember_repo
    from journal.log.seal import compress_waiting
    from journal.log.spool import SPOOL
    from journal.replace_file import remove_left_behind

    directory = scope.directory
    for folder in (scope.home, *(folder for folder, _, _ in os.walk(directory))):
        if os.path.basename(folder) != SPOOL:  # there it may have events: `doctor` counts them
            remove_left_behind(folder)
    if scope.project.root:
        remember_repo(directory, scope.project.root, scope.env)
        import_new(scope)
        note_losses(scope)
    made = summarize_waiting(directory, scope.iso, scope.settings, SESSIONS, leaving=sid)
    compress_waiting(directory, scope.iso)
    compress_waiting(os.path.join(directory, IMPORTED), scope.iso)
    prepare_commands(directory)
    return made
