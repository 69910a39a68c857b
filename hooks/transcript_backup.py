"""A copy of the transcript before a compaction, made by a process of its own. Opt-in.

The hook only starts that process (`spawn`); `main` is what it runs: standard library alone, nice,
a line at a time. Invariant: what reaches the disk is redacted, 0600, and there whole or not at all.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["main", "spawn"]


def spawn(context: Any, sid: str, transcript: object) -> None:
    """Start the copy of `transcript` and return at once. OSError when no process can be made."""
    if not sid or not isinstance(transcript, str) or not os.path.isabs(transcript):
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
    """Copy, then remove what is older than the days that are kept; faults are noted, not raised."""
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
    # Under -I nothing of the user's is on the path, and nothing may be before this package.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    main(sys.argv[1:])
