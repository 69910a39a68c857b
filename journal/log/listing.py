"""The segments of a log, listed so that one sealed meanwhile is read once; and the log's id."""

from __future__ import annotations

import os
import zlib

from journal.errors import JournalOffError
from journal.log.segment import ACTIVE, Segment, opening, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

__all__ = ["identity", "identity_in", "open_listing"]


def open_listing(directory: str) -> tuple[list[Segment], IO[bytes] | None]:
    """All segments, and the active one opened before they were listed.

    So that a segment which is sealed at this moment is read once: under its new name if it was
    listed under it, else through the file that is open already.
    """
    try:
        active = Segment(os.path.join(directory, ACTIVE), 0, 0).open()
    except FileNotFoundError:
        return [item for item in segments(directory) if item.sealed], None
    except (OSError, JournalOffError):
        return segments(directory), None  # opening it once more says what is wrong
    listed = segments(directory)
    facts = os.fstat(active.fileno())
    newest = next((item for item in reversed(listed) if item.sealed), None)
    try:
        if newest and os.path.samestat(os.stat(newest.path), facts):
            active.close()
            return [item for item in listed if item.sealed], None
    except OSError:
        pass
    return listed, active


def identity_in(listed: list[Segment], active: IO[bytes] | None) -> str:
    """Id of the journal: the active segment's, else that of the newest segment which tells one."""
    if active and (known := opening(active).get("journal")):
        return str(known)
    for segment in reversed(listed):
        try:
            if segment.sealed:
                with segment.open() as file:
                    known = opening(file).get("journal")
                if known:
                    return str(known)
        except (OSError, EOFError, zlib.error, JournalOffError):
            continue
    return ""


def identity(directory: str) -> str:
    """Id of a journal, as a reader of it takes it; "" where none is told."""
    listed, active = open_listing(directory)
    try:
        return identity_in(listed, active)
    finally:
        if active:
            active.close()
