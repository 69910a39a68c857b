"""Store which log was read, and how far, so that a lost end or another log in its place is noticed.

Invariant: a seq that any checkpoint beside the log has seen is not given to another record.
"""

from __future__ import annotations

import os

from journal.checkpoint import SNAPSHOT, Checkpoint, Position, read_all, save_in_place
from journal.errors import JournalOffError
from journal.home import cache_of, ensure_directory

REACHED = "reached"
"""The file among the caches that says how far a command has read a log."""


def reached(directory: str) -> tuple[int, str, int]:
    """Return `seen_seq`, and the id and last seq of the log that commands read.

    Unknown values are 0 or "". The checkpoints need not be valid: a log that ends before the seq of
    one has lost its end.
    """
    hooks, commands = (
        read_all(path, slots=2, with_payload=False)
        for path in (f"{directory}/{SNAPSHOT}", f"{cache_of(directory)}/{REACHED}")
    )
    seen = max((found.position.seq for found in (*hooks, *commands)), default=0)
    return seen, *((commands[0].code, commands[0].position.seq) if commands else ("", 0))


def seen_seq(directory: str) -> int:
    """Return the highest seq that a checkpoint beside a log has seen, 0 if there is none."""
    return reached(directory)[0]


def note_reached(directory: str, position: Position) -> None:
    """Store how far a log was read, unless it is another one than before."""
    seen, journal, seq = reached(directory)
    if journal not in ("", position.journal):
        return
    if position.seq > seen or (not journal and position.seq >= seq):
        end = Position(position.segment, position.offset, position.seq, position.end)
        cache = cache_of(directory)
        try:
            ensure_directory(cache)
        except (OSError, JournalOffError):
            return  # a home that cannot be written to can still be read
        save_in_place(f"{cache}/{REACHED}", Checkpoint(end, position.journal, b""))


def forget_reached(directory: str) -> None:
    """Forget how far a log was read, because it is about to be made again."""
    try:
        os.unlink(f"{cache_of(directory)}/{REACHED}")
    except OSError:
        return
