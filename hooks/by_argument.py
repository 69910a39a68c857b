"""The handlers that `hooks/run.py` starts by an argument.

`permit` and `background` are hooks. The module runs `record` for an event that it did not hold up
and that its child failed to record. `backup` and `written-files` are jobs that a hook starts
(`hooks/detached.py`). They are not in `run.py` because Python compiles a script at every start.
"""

from __future__ import annotations

import os
import sys


def handle(raw: bytes) -> str:
    """Run the handler that the argument names and return what goes to stdout ("" for silence)."""
    name, *arguments = sys.argv[1:]
    if name == "permit":
        from hooks.permit import permit

        return permit(raw, os.environ)
    if name == "record":
        from hooks.capture import begin
        from hooks.warm.request import Request

        respond = begin(raw, os.environ, Request(None, answers=False))
        return respond() if respond else ""
    os.nice(10)
    if name == "background":
        from hooks.background import run_background

        run_background(raw, os.environ)
    else:
        _run_job(name, arguments)
    return ""


def _run_job(name: str, arguments: list[str]) -> None:
    """Run a job; write errors to the error log, because nobody waits for an answer."""
    try:
        if name == "backup":
            from journal.transcript.backup import copy_transcript, remove_expired

            transcript, directory, sid, now, days = arguments
            os.chdir("/")
            remove_expired(directory, now, int(days))
            copy_transcript(transcript, directory, sid, now)
        else:
            from hooks.written_files import record

            record(*arguments)
    except Exception as error:  # noqa: BLE001 (see above)
        from hooks.errors import note

        note(os.environ, name, error)
