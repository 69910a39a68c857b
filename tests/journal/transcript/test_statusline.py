"""The status line's input: known values are read, anything else is unknown."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from journal.transcript.statusline import read
from tests.support.rows import each

RECORDED = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "fixtures" / "payloads" / "statusline.jsonl")
    .read_text()
    .splitlines()
]
KNOWN = {
    "input_tokens": 42000,
    "output_tokens": 50,
    "cache_creation_input_tokens": 10,
    "cache_read_input_tokens": 5,
}


def changed(**context: object) -> dict:
    """Return a recorded call with parts of its context window replaced, or removed by `...`."""
    call = copy.deepcopy(RECORDED[1])
    for key, value in context.items():
        if value is ...:
            del call["context_window"][key]
        else:
            call["context_window"][key] = value
    return call


def test_recorded_calls() -> None:
    """Before the first reply and right after a compaction the size is unknown; later it is known."""
    readings = [read(call) for call in RECORDED]
    assert [(r.tokens, r.used_percentage) for r in readings] == [(None, None), (42065, 4)] * 3
    assert {r.window for r in readings} == {1_000_000}
    one = readings[1]
    assert one.session_id == RECORDED[1]["session_id"]
    assert (one.model, one.display_name) == ("claude-opus-5-5", "Opus 5.5")
    assert (one.cwd, one.project_dir, one.version) == (
        "/home/dev/shop",
        "/home/dev/shop",
        "2.1.330",
    )


@pytest.mark.parametrize(
    "source", [None, [], "x", 5, True, {}, {"session_id": 5}, {"session_id": ""}], ids=repr
)
def test_what_names_no_session_is_no_reading(source: object) -> None:
    """Input without a session id gives no reading, because nothing can be attributed."""
    assert read(source) is None


TOKENS = {
    "as recorded": (changed(), 42065),
    "caches left out": (changed(current_usage={"input_tokens": 9, "output_tokens": 1}), 10),
    "totals are not asked when usage is there": (changed(total_input_tokens=9_999_999), 42065),
    "usage null": (changed(current_usage=None), None),
    "usage all zero": (changed(current_usage=dict.fromkeys(KNOWN, 0)), None),
    "usage a string": (changed(current_usage="42000"), None),
    "usage a list": (changed(current_usage=[42000]), None),
    "usage empty": (changed(current_usage={}), None),
    "a part is a string": (changed(current_usage={**KNOWN, "input_tokens": "42000"}), None),
    "a part is negative": (changed(current_usage={**KNOWN, "output_tokens": -1}), None),
    "a part is true": (changed(current_usage={**KNOWN, "cache_read_input_tokens": True}), None),
    "a part is huge": (changed(current_usage={**KNOWN, "input_tokens": 10**18}), None),
    "no usage, totals agree with the percentage": (changed(current_usage=...), 42065),
    "no usage, totals of the whole session": (
        changed(current_usage=..., total_input_tokens=700_000),
        40_000,
    ),
    "no usage, totals past a full window": (
        changed(current_usage=..., total_input_tokens=7_000_000, used_percentage=100),
        1_000_000,
    ),
    "no usage, only a percentage": (
        changed(
            current_usage=..., total_input_tokens=..., total_output_tokens=..., used_percentage=65
        ),
        650_000,
    ),
    "no usage, no percentage": (changed(current_usage=..., used_percentage=None), None),
    "no usage, percentage zero": (changed(current_usage=..., used_percentage=0), None),
    "no usage, no window": (changed(current_usage=..., context_window_size=None), None),
}


@each(("call", "tokens"), TOKENS.values(), ids=TOKENS.keys())
def test_tokens(call: dict, tokens: int | None) -> None:
    """Tokens are the last reply's four parts, or else the client's percentage, or else unknown."""
    assert read(call).tokens == tokens


@pytest.mark.parametrize(
    ("value", "used"),
    [(0, 0), (4, 4), (100, 100), (44.5, 45), (44.4, 44), (None, None), ("4", None), (-1, None), (101, None),
     (10**30, None), (float("inf"), None), (float("nan"), None), (True, None), ([], None)],
    ids=repr,
)  # fmt: skip
def test_used_percentage(value: object, used: int | None) -> None:
    """A number from 0 to 100 is rounded half up; else it is unknown, and tokens are still read."""
    reading = read(changed(used_percentage=value))
    assert (reading.used_percentage, reading.tokens) == (used, 42065)


@pytest.mark.parametrize("value", [None, "200000", 0, -5, 1e6, True, 10**15], ids=repr)
def test_a_window_that_is_none(value: object) -> None:
    """An invalid window is unknown; the tokens are still known."""
    reading = read(changed(context_window_size=value))
    assert (reading.window, reading.tokens) == (None, 42065)


@pytest.mark.parametrize("size", [200_000, 1_000_000, 150_000])
def test_a_window_of_any_plausible_size(size: int) -> None:
    """The client's window is used unchanged."""
    assert read(changed(context_window_size=size)).window == size


@pytest.mark.parametrize(
    "junk", [None, 5, "x", [], {"id": 5, "display_name": None, "project_dir": []}], ids=repr
)
@pytest.mark.parametrize("field", ["model", "workspace", "context_window", "cwd", "version"])
def test_junk_in_one_field_leaves_the_others(field: str, junk: object) -> None:
    """Junk in one field raises nothing, and the other fields are read."""
    reading = read({**RECORDED[1], field: junk})
    assert reading is not None
    assert isinstance(reading.model, str)
    assert isinstance(reading.cwd, str)
    assert (reading.tokens is None) == (field == "context_window")


def test_zeros_after_a_compaction_have_no_percentage_either() -> None:
    """After a compaction, zero percent beside an unknown size is unknown as well."""
    reading = read(changed(current_usage=dict.fromkeys(KNOWN, 0), used_percentage=0))
    assert (reading.tokens, reading.used_percentage) == (None, None)
