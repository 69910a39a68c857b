"""How a record that is too long is shortened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.codec import dumps
from journal.log.record import CAP, frame, is_whole, type_of
from journal.log.truncate import cut_to, shorten
from tests.journal.log.test_record import FIELDS
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Callable


def _nested(within: Callable[[Any], Any]) -> Any:
    value: Any = "q" * 50_000
    for _ in range(700):
        value = within(value)
    return value


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "y" * 50_000},
        {"text": "é" * 30_000, "other": "短" * 9_000},
        {"text": '"\x01\\' * 20_000},
        {"list": ["z" * 200] * 10_000},
        {"numbers": list(range(60_000))},
        {f"name {number}": number for number in range(9_000)},
        {"deep": {"deeper": [{"text": "q" * 9_000}] * 5}},
        {"text": _nested(lambda value: [value])},
        {"text": _nested(lambda value: {"a": value})},
        {"sid": "s" * 40_000},
        {"text": "\ud800" * 20_000},
        {"k" * 20_000: 1},
    ],
    ids=["long", "wide", "escaped", "many", "numbers", "members", "nested", "lists", "objects", "envelope", "surrogates",
         "long name"],
)  # fmt: skip
def test_whatever_is_appended_fits(fields: dict[str, Any]) -> None:
    """Every record becomes a line of at most CAP bytes; a cut text says so."""
    line = frame(10**9, {"ts": "t", "type": "a.b", "v": 1, **fields})
    assert len(line) <= CAP
    assert len(line) > CAP // 2, "more was cut than had to be"
    assert is_whole(line[:-1])
    assert type_of(line) == "a.b"
    assert "…[+" in line.decode()


@examples(50)
@example({"v": ["'\0𐀀"] * 40, "more": [None] * 20}, 400)
@given(FIELDS, st.integers(400, 2000))
def test_fit_keeps_what_fits_and_cuts_the_rest(fields: dict[str, Any], cap: int) -> None:
    """A record that fits is returned itself; a larger one is cut to fit and keeps its type."""
    whole = {"ts": "t", "type": "a", **fields}
    fitted = cut_to(whole, cap - 64)
    if len(dumps(whole)) + 64 <= cap:
        assert fitted is whole
    else:
        assert len(dumps(fitted)) + 64 <= cap
        assert fitted["type"] == whole["type"]


def test_a_cut_text_can_be_recognised() -> None:
    """A cut text is its beginning, the number of bytes removed and a digest of the whole."""
    assert shorten("short", 10) == "short"
    one, other = shorten("a" * 100, 10), shorten("a" * 101, 10)
    assert one.startswith("a" * 10 + "…[+90 bytes, b2:")
    assert one[-17:] != other[-17:]
    assert shorten("é" * 10, 5).startswith("éé…[+16 bytes")
