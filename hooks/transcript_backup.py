"""Copy the transcript before a compaction, in a separate process. Opt-in.

The hook only starts the process (`spawn`), which runs `back_up`: standard library only, at low
priority, line by line. Invariant: the copy is redacted, mode 0600, and complete or absent.
"""

from __future__ import annotations

import os

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
    detached.spawn("backup", arguments, context.env)


def back_up(transcript: str, directory: str, sid: str, now: str, days: str) -> None:
    """Remove copies older than `days`, then copy."""
    from journal.transcript.backup import copy_transcript, remove_expired

    os.chdir("/")
    remove_expired(directory, now, int(days))
    copy_transcript(transcript, directory, sid, now)
