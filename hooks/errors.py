"""Record errors of hooks: a line in `hook-errors.log` of the journal home, and an event."""

from __future__ import annotations

import os

from journal.clock import iso, now_ms
from journal.errors import raised_at
from journal.files import open_regular
from journal.home import HOOK_ERRORS, ensure_directory, journal_home
from journal.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from journal.events.hook_input import Call

_LIMIT = 1024 * 1024
_REDACTED = 4096  # characters of an error that are redacted before it is cut


def note(env: Mapping[str, str], hook: str, error: BaseException) -> bool:
    """Append one line: time, hook, error and where it was raised. The file restarts at 1 MiB.

    Return whether a compiled module that was cut short is removed, so that the call can be
    handled again. Never raises.
    """
    removed = False
    try:
        if isinstance(error, EOFError):
            from journal.bytecode import remove_cut

            removed = remove_cut(error)
        home = journal_home(env)
        ensure_directory(home)
        path = os.path.join(home, HOOK_ERRORS)
        where = f" at {raised_at(error)}" if error.__traceback__ else ""
        what = redact(" ".join(str(error).split())[:_REDACTED])[:300]
        line = f"{iso(now_ms(env))} {hook or '-'} {type(error).__name__}: {what}{where}\n"
        descriptor = open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, linked=True)
        try:
            if os.fstat(descriptor).st_size > _LIMIT:
                os.ftruncate(descriptor, 0)
            os.write(descriptor, line.encode("utf-8", "replace"))
        finally:
            os.close(descriptor)
    except Exception:  # noqa: BLE001, S110 (there is nowhere to write)
        pass
    return removed


def failed_event(call: Call, error: Exception) -> dict[str, Any]:
    """Build the `hook.failed` event of a call."""
    return call.event("hook.failed", "", hook=call.hook, error=describe(error))


def describe(error: Exception) -> str:
    """Return an error's type and text as one line of at most 300 characters."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
