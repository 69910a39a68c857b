"""Inspect a damaged line: its seq, whether it was cut off, the whole records inside it."""

from __future__ import annotations

from journal.log.record import CAP, CRC, HEAD, TAIL, is_whole

_SPAN = 2 * CAP  # bytes a record is searched in; a line is never longer than CAP


def claimed_seq(line: bytes) -> int | None:
    """Return the seq in a damaged line, None if it is unreadable. Spaces are allowed."""
    if not line.lstrip(b"\xef\xbb\xbf \t").startswith(HEAD):
        return None
    start = line.find(HEAD) + len(HEAD)
    number = line[start : start + 24].partition(b",")
    digits = number[0].strip()
    return int(digits) if number[1] and digits.isdigit() else None


def looks_cut(line: bytes) -> bool:
    """Return whether a line can be the beginning of a record that a killed writer left.

    It begins like a record and has no end of one. An end with a flipped bit counts as an end:
    such a line was written whole and damaged later.
    """
    if not 0 < len(line) < CAP or b"\0" in line or not HEAD.startswith(line[: len(HEAD)]):
        return False
    if not line[len(HEAD) : len(HEAD) + 1].isdigit() and len(line) > len(HEAD):
        return False
    end = line[-TAIL:]
    fixed = sum(
        ours == theirs for ours, theirs in zip(CRC + b'"}', end[:8] + end[16:], strict=False)
    )
    return (
        len(end) < TAIL or fixed + sum(byte in b"0123456789abcdef" for byte in end[8:16]) < TAIL - 1
    )


def salvage(line: bytes, limit: int = 4096) -> list[tuple[int, bytes]]:
    """Find the whole records in a bad line, as (offset in the line, record without newline).

    After a splice, a missing newline or a run of NULs some records are still whole. At most `limit`
    checksums are computed, so the time is bounded for any line.
    """
    found: list[tuple[int, bytes]] = []
    start = line.find(HEAD)
    while start >= 0 and limit > 0:
        following = start + 1
        end = line.find(CRC, start, start + _SPAN)
        while end >= 0 and limit > 0:
            limit -= 1
            span = line[start : end + TAIL]
            if is_whole(span):
                found.append((start, span))
                following = start + len(span)
                break
            end = line.find(CRC, end + 1, start + _SPAN)
        start = line.find(HEAD, following)
    return found
