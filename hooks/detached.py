"""Start a job of `hooks/run.py` as a process that outlives the hook, at low priority."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hooks.context import Context

# Enough to find the journal home and the error log; no secrets are passed on.
_ENV = ("HOME", "JOURNAL_HOME", "CLAUDE_CONFIG_DIR", "JOURNAL_NOW", "PATH", "LC_ALL", "LANG")
_RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")


def spawn(job: str, arguments: Sequence[str], env: Mapping[str, str]) -> None:
    """Start a job (see `hooks/by_argument.py`); do not wait for it. Raises OSError."""
    argv = [sys.executable, "-I", "-S", _RUN, job, *arguments]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    environment = {name: env[name] for name in _ENV if name in env}
    # setsid: a signal to the client's process group does not reach it. All other descriptors are
    # close-on-exec. Importing `subprocess` would cost more than the whole hook.
    os.posix_spawn(sys.executable, argv, environment, file_actions=nowhere, setsid=True)


def start_backup(context: Context, sid: str, transcript: str) -> None:
    """Start copying a transcript before its compaction, where the settings ask for it.

    The copy is redacted, mode 0600, and complete or absent. Raises OSError.
    """
    if sid and transcript:
        days = str(context.settings["transcripts.keep_days"])
        arguments = [transcript, context.directory, sid, context.iso, days]
        spawn("backup", arguments, context.env)
