"""One line of the log: framed, checked, cut to fit."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.codec import text
from journal.log.lines import dense
from journal.log.record import frame, is_whole, seq_of, type_of, unframe

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
FIELDS = st.dictionaries(
    st.text().filter(lambda name: name not in ("seq", "crc")), VALUES, max_size=5
)


def _plain(value: Any) -> Any:
    return json.loads(text(json.dumps(value, ensure_ascii=False)))


@given(st.integers(0, 10**12), FIELDS)
def test_a_record_is_one_line_that_reads_back(seq: int, fields: dict[str, Any]) -> None:
    """Any fields become one whole line, seq first and crc last, that reads back the same."""
    line = frame(seq, {"ts": "t", "type": "a.b", **fields})
    assert line.endswith(b'"}\n')
    assert line.count(b"\n") == 1
    assert is_whole(line[:-1])
    assert seq_of(line[:-1]) == seq
    back = unframe(line[:-1])
    assert back.pop("seq") == seq
    assert back == _plain({"ts": "t", "type": "a.b", **fields})
    assert json.loads(line)["crc"] == f"{zlib.crc32(line[: line.rindex(b',')]):08x}"


@given(FIELDS, st.data())
def test_no_other_line_is_whole(fields: dict[str, Any], data: st.DataObject) -> None:
    """A record that is cut, extended or has one bit changed is not whole."""
    line = frame(7, {"ts": "t", "type": "a", **fields})[:-1]
    cut = data.draw(st.integers(0, len(line) - 1))
    assert not is_whole(line[:cut])
    assert not is_whole(line + b" ")
    assert not is_whole(b" " + line)
    bit = data.draw(st.integers(0, len(line) * 8 - 1))
    broken = bytearray(line)
    broken[bit // 8] ^= 1 << bit % 8
    assert not is_whole(bytes(broken))


def test_hex_is_compared_as_bytes() -> None:
    """A checksum in upper case does not match, though the number is the same."""
    line = next(
        line for seq in range(100)
        if (line := frame(seq, {"type": "a"})[:-1])[-10:-2] != line[-10:-2].upper()
    )  # fmt: skip
    assert is_whole(line)
    assert not is_whole(line[:-10] + line[-10:-2].upper() + line[-2:])


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (frame(1, {"ts": "2026", "type": "tool.finished", "v": 1})[:-1], "tool.finished"),
        (frame(1, {"ts": "2026", "v": 1})[:-1], ""),
        (frame(1, {"ts": "x" * 200, "type": "late"})[:-1], ""),
        (b"", ""),
    ],
)
def test_the_type_is_read_by_its_place(line: bytes, kind: str) -> None:
    """The type is found only near the beginning of the line."""
    assert type_of(line) == kind


def test_dense_is_whole_and_numbered_without_exception() -> None:
    """`dense` on a batch agrees with the check of each line, also when seqs get one digit longer."""
    lines = [frame(seq, {"type": "a"})[:-1] for seq in range(90, 120)]
    assert dense(lines, 90)
    assert dense(lines[20:], 110)
    assert not dense(lines, 91)
    for place in range(len(lines)):
        for broken in (lines[place][:-1], lines[place] + b" ", b"", lines[place - 1],
                       lines[place].replace(b"a", b"b", 1)):  # fmt: skip
            assert not dense([*lines[:place], broken, *lines[place + 1 :]], 90)
