"""One line of the log: framed, checked, cut to fit; and which facts are repeats."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.codec import text
from journal.log.lines import dense
from journal.log.record import frame, is_whole, key_for, seq_of, type_of, unframe, with_time
from tests.support.rows import each

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


# -- repeated facts -------------------------------------------------------------------------------

NOW = "2026-11-21T20:31:13.123Z"
TOOL = "aaaa.tool.1"  # a call with an id happens once
START = "aaaa.start.resume."  # a resume may happen again
ADDED = START + "20261121203113123"


def log(*events: dict) -> bytes:
    """Return a log's last bytes; an event is of session s at 20:31:10 unless it says otherwise."""
    lines = [frame(seq, {"ts": "2026-11-21T20:31:10.000Z", "type": "session.started", "v": 1,
                         "sid": "s", **event}) for seq, event in enumerate(events, 1)]  # fmt: skip
    return b"".join(lines)


@pytest.mark.parametrize(
    ("tail", "kept"),
    [
        (log(), True),
        (log({"key": TOOL}), False),
        (log({"key": TOOL, "ts": "2020-01-01T00:00:00.000Z"}, {"key": "other"}), False),
        (log({"key": TOOL + "2"}), True),
        (log({"text": f'"key":"{TOOL}"'}), True),
    ],
    ids=["new", "there", "there long ago", "a longer key", "quoted in a text"],
)
def test_a_fact_that_happens_once_is_a_repeat_wherever_its_key_stands(
    tail: bytes, kept: bool
) -> None:
    """A tool call or a prompt has an id: the same key in the last bytes is the same call."""
    assert key_for(tail, TOOL, "s", NOW) == (TOOL if kept else "")


def _before(seconds: float) -> str:
    """Return the time that long before NOW, of the same minute."""
    return f"2026-11-21T20:31:{13.123 - seconds:06.3f}Z"


OWN = ("advice.given", "context.injected", "checkpoint.saved", "compact.gathered", "files.changed",
       "flow.trimmed", "segment.opened", "pressure.sampled")  # fmt: skip
RESUMED = {"key": START + "x"}
REPEATS: dict[str, tuple[bytes, bool]] = {
    "right after itself": (log(RESUMED), True),
    "ten seconds later": (log({**RESUMED, "ts": _before(10)}), True),
    "later than that": (log({**RESUMED, "ts": _before(10.001)}), False),
    "an event of the session between": (log(RESUMED, {"type": "prompt.submitted"}), False),
    "one of another session between": (log(RESUMED, {"type": "prompt.submitted", "sid": "t"}), True),
    "one of a subagent between": (log(RESUMED, {"type": "tool.finished", "agent": "x"}), True),
    "what hooks add themselves between": (log(RESUMED, *({"type": kind} for kind in OWN)), True),
    "the status line between": (log(RESUMED, {"type": "pressure.sampled",
                                              "source": "statusline"}), False),
    "another kind of start": (log({"key": "aaaa.start.clear.x"}), False),
    "a time nobody can read": (log({**RESUMED, "ts": "yesterday"}), False),
    "the log's last line is cut": (log(RESUMED)[:-1], True),
}  # fmt: skip


@each("name", REPEATS)
def test_a_fact_that_may_come_again_is_a_repeat_right_after_itself(name: str) -> None:
    """A resume or compaction counts again once the session went on, or after ten seconds."""
    tail, repeat = REPEATS[name]
    assert key_for(tail, START, "s", NOW) == ("" if repeat else ADDED)


def test_the_time_sets_such_keys_apart() -> None:
    """Only a key that ends in a period gets the time."""
    assert with_time(START, NOW) == ADDED
    assert with_time(TOOL, NOW) == TOOL
    assert with_time(START, "no time") == START + "no time"
