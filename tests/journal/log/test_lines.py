"""Splitting bytes into lines, checking many records at once, and what a bad line still tells."""

from __future__ import annotations

import io
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.log import lines
from journal.log.lines import claimed_seq, dense, lines_of, looks_cut, records_in, salvage
from journal.log.record import CAP, frame, is_whole, seq_of
from tests.journal.log.test_record import FIELDS
from tests.support.examples import examples


def framed(seq: int) -> bytes:
    """Return one record without its newline."""
    return frame(seq, {"ts": "", "type": "note", "v": 1, "sid": "s", "text": f"n{seq}"})[:-1]


class Pieces(io.BytesIO):
    """A file that returns a few bytes at a time, as a pipe may."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Return at most seven bytes."""
        return super().read(min(7, size or 7))


@given(st.binary(max_size=60).map(lambda data: data.replace(b"a", b"\n")))
@examples(60)
def test_lines_join_to_the_same_bytes(data: bytes) -> None:
    """However the bytes arrive, the lines are those between newlines, and none is empty at the end."""
    found = list(lines_of(Pieces(data)))
    assert b"".join(line + b"\n" * ended for line, ended in found) == data
    assert all(b"\n" not in line for line, _ in found)
    assert all(ended for _, ended in found[:-1])


@given(st.lists(st.tuples(st.binary(max_size=300), st.integers(1, 99)), min_size=4, max_size=12))
@examples(60)
def test_a_long_line_comes_in_parts_that_cut_no_record(pieces: list[tuple[bytes, int]]) -> None:
    """However long a line is, no part is much longer than allowed, and the parts have all records."""
    line = b"".join(junk.replace(b"\n", b"") + framed(seq) for junk, seq in pieces)
    with patch.object(lines, "_LONGEST", 400):
        parts = list(lines_of(Pieces(line + b"\nlast")))
    assert b"".join(part + b"\n" * ended for part, ended in parts) == line + b"\nlast"
    assert max(len(part) for part, _ in parts) < 600
    assert [found for part, _ in parts for found in records_in(part)] == records_in(line)


@given(st.integers(0, 120), st.integers(1, 12), st.sampled_from(["", "flip", "swap", "skip"]))
@examples(120)
def test_dense_says_what_each_line_says(first: int, count: int, change: str) -> None:
    """One check of many lines equals the check of each, also where the numbers get longer."""
    rows = [framed(seq) for seq in range(first, first + count)]
    if change == "flip":
        rows[-1] = rows[-1].replace(b"note", b"moth")
    elif change == "swap":
        rows = [*rows[1:], rows[0]]
    elif change == "skip":
        rows[-1] = framed(first + count)
    each = all(is_whole(line) and seq_of(line) == seq for seq, line in enumerate(rows, first))
    assert dense(rows, first) == each


@pytest.mark.parametrize(
    ("line", "found"),
    [(framed(1), [framed(1)]), (framed(1) + framed(2), [framed(1), framed(2)]),
     (b"x" + framed(1), [framed(1)]), (framed(1)[:-5], []), (b"", [])],
    ids=["whole", "two in one", "behind rubbish", "cut", "empty"],
)  # fmt: skip
def test_the_records_of_a_line(line: bytes, found: list[bytes]) -> None:
    """A whole line is its record; a bad one gives the whole records inside it."""
    assert records_in(line) == found


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
