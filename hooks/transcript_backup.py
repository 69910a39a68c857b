"""Copy the transcript before a compaction, in a separate process. Opt-in.

The hook only starts the process (`spawn`), which runs `main`: standard library only, at low
priority, line by line. Invariant: the copy is redacted, mode 0600, and complete or absent.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hooks.context import Context


def spawn(context: Context, sid: str, transcript: str) -> None:
    """Start copying `transcript` without waiting for it. Raises OSError."""
    if not sid or not transcript:
        return
    from hooks import detached

    arguments = [
        transcript,
        context.directory,
        sid,
        context.iso,
        str(context.settings["transcripts.keep_days"]),
    ]
    detached.spawn(__file__, arguments, context.env)


def main(arguments: list[str]) -> None:
    """Remove copies older than `days`, then copy; write errors to the error log."""
    from hooks.errors import note
    from journal.transcript.backup import copy_transcript, remove_expired

    transcript, directory, sid, now, days = arguments
    try:
        os.chdir("/")
        os.nice(10)
        remove_expired(directory, now, int(days))
        copy_transcript(transcript, directory, sid, now)
    except Exception as error:  # noqa: BLE001 (nobody waits for an answer)
        note(os.environ, "backup", error)


if __name__ == "__main__":
    # -I leaves the script's folder out of sys.path; this package must come first.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    main(sys.argv[1:])
