"""Splitting bytes into lines, and checking many records at once."""

from __future__ import annotations

import io
import zlib
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.log import lines
from journal.log.lines import SummedFile, dense, lines_of, records_in
from journal.log.record import frame, is_whole, seq_of
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


def test_a_summed_file_counts_what_it_read() -> None:
    """Checksum, size and end are those of the bytes read, with the head in front."""
    data = bytes(range(256)) * 40
    file = SummedFile(io.BytesIO(data), b"head", zlib.crc32(b"before"))
    read = b""
    while block := file.read(1000):
        read += block
    assert read == b"head" + data
    assert (file.checksum, file.size) == (zlib.crc32(b"before" + read), len(read))
    assert read.endswith(file.tail)
