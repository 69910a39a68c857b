"""What a bad line still tells: its seq, whether it was cut, whole records inside of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.log.bad_line import claimed_seq, looks_cut, salvage
from journal.log.record import CAP, frame
from tests.journal.log.test_record import FIELDS


@pytest.mark.parametrize(
    ("line", "seq"),
    [(b'{"seq":12,"a":1}', 12), (b'{"seq": 12, "a": 1}', 12), (b'\xef\xbb\xbf{"seq":3,', 3),
     (b'{"seq":12', None), (b'{"seq":x,', None), (b"", None), (b'{"a":1,"seq":3}', None)],
)  # fmt: skip
def test_a_damaged_line_claims_a_seq_or_none(line: bytes, seq: int | None) -> None:
    """The seq of a damaged record is read only from its usual place."""
    assert claimed_seq(line) == seq


@given(st.integers(1, 10**6), FIELDS)
def test_a_beginning_looks_cut_and_a_damaged_whole_does_not(
    seq: int, fields: dict[str, Any]
) -> None:
    """A beginning of a record looks cut; a record with a damaged end or middle does not."""
    line = frame(seq, {"ts": "t", "type": "a", **fields})[:-1]
    assert all(looks_cut(line[:size]) for size in range(1, len(line) - 18))
    assert not looks_cut(line[:20] + b"\0" + line[21:-30])
    for place in range(1, 19):
        broken = bytearray(line)
        broken[-place] ^= 2
        assert not looks_cut(bytes(broken))
    assert not looks_cut(b'{"seq": 5, "a": 1}')
    assert not looks_cut(line[:20] + b"x" * CAP)


JUNK = st.binary(max_size=40).filter(lambda junk: b"\n" not in junk)


@given(st.lists(st.tuples(JUNK, st.text(max_size=30)), min_size=1, max_size=5), JUNK)
def test_salvage_finds_every_whole_record(pieces: list[tuple[bytes, str]], end: bytes) -> None:
    """Salvage finds every whole record in a bad line, at its offset, whatever is between them."""
    line = b""
    expected = []
    for seq, (junk, words) in enumerate(pieces, 1):
        line += junk
        record = frame(seq, {"ts": "t", "type": "a", "text": words})[:-1]
        expected.append((len(line), record))
        line += record
    assert salvage(line + end) == expected


def test_salvage_of_a_hostile_line_is_bounded() -> None:
    """A line full of beginnings and ends of records costs bounded work and yields nothing."""
    assert salvage(b'{"seq":,"crc":"' * 5000) == []
    good = frame(1, {"type": "a"})[:-1]
    assert salvage(b'{"seq":' * 50 + good) == [(350, good)]
