"""Records of a log, and a segment that is damaged or sealed."""

from __future__ import annotations

from journal.log.record import frame
from journal.log.seal import seal
from tests.support.journals import OPENED, SID

NOW = "2026-11-21T12:00:00.000Z"


def record(seq: int, **more) -> bytes:
    """Return a framed record with its newline."""
    return frame(seq, {"ts": NOW, "type": "turn.ended", "v": 1, "sid": SID, **more})


GOOD = [frame(1, {"ts": NOW, **OPENED}), *(record(n, message=f"m{n}") for n in range(2, 8))]


def sealed(journals, count: int = 6):
    """Make a journal with one sealed segment; return the path of its mirror."""
    path = journals.write([{"type": "turn.ended", "message": f"m{n}"} for n in range(count)])
    seal(str(path.parent), NOW, compress=False)
    journals.one("select count(*) from events")
    (mirror,) = (journals.home / "cache").rglob("*.parquet")
    return mirror


def flipped(data: bytes) -> bytes:
    """Return the data with the bytes of its first pages inverted."""
    return data[:4] + bytes(byte ^ 0xFF for byte in data[4:200]) + data[200:]
