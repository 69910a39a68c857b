"""Widths, escaping, counts, ages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.codec import dumps
from journal.text import (
    ago,
    clip,
    duration,
    escaped,
    estimate_tokens,
    excerpt,
    listed,
    one_line,
    percent,
    pieces,
    plain_line,
    plural,
    quoted,
    short_count,
    suggestion,
    width,
    wrapped,
)

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@given(TEXT)
def test_clean_is_printable(text):
    """An escaped text is printable but for joiners, and escaping it again changes nothing."""
    assert all(c.isprintable() or c in "\u200c\u200d" for c in escaped(text))
    assert escaped(escaped(text)) == escaped(text)


@pytest.mark.parametrize(
    "text, shown, columns",
    [
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧", 6),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥", 3),
        ("می\u200cشود", "می\u200cشود", 5),
        ("pass\u200dword", "pass\\u200dword", 14),
        ("👨\u200d", "👨\\u200d", 8),
        ("👨\u200d\u200d👩", "👨\\u200d\\u200d👩", 16),
        ("👨\u200d\u202e", "👨\\u200d\\u202e", 14),
    ],
)
def test_a_joiner_stays_only_where_it_joins(text: str, shown: str, columns: int) -> None:
    """Inside an emoji or a word that is not of ASCII a joiner stays; elsewhere it is escaped."""
    assert escaped(text) == shown
    assert width(shown) == columns


@pytest.mark.parametrize(
    ("text", "shown"),
    [("abcdef", "abcdef"), ("abcdefg", "abcde…"), ("abc   g", "abc…"), ("abc def", "abc d…")],
)
def test_an_excerpt_has_no_space_before_its_mark(text: str, shown: str) -> None:
    """A text of six characters is whole; a longer one ends in "…", right behind what it shows."""
    assert excerpt(text, 6) == shown


@given(TEXT, st.integers(1, 40))
def test_clip_fits(text, most):
    """A clipped text fits, and one that fits already is not changed."""
    text = one_line(text)
    assert width(clip(text, most)) <= most
    assert width(text) > most or clip(text, most) == text


@given(TEXT, st.integers(4, 40))
def test_wrapped_loses_nothing(text, columns):
    """Wrapping loses no character but the spaces it breaks at, and every line fits."""
    text = one_line(text)
    lines = wrapped(text, columns, "> ")
    assert all(width(line) <= columns for line in lines)
    assert "".join(line[2:] for line in lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    "text, lines",
    [
        (
            "sessions of other projects: journal sessions --all",
            ["sessions of other projects:", "journal sessions --all"],
        ),
        (
            "add one to it: journal learning add --topic T",
            ["add one to it:", "journal learning add --topic T"],
        ),
        (
            'now type: export PATH="$HOME/bin:$PATH" here',
            ["now type:", 'export PATH="$HOME/bin:$PATH"', "here"],
        ),
        ("the words of prose break where they fit", ["the words of prose break where", "they fit"]),
        ("see journal stage", ["see journal stage"]),
        (
            "the manual page: man journal (in a folder)",
            ["the manual page: man journal", "(in a folder)"],
        ),
    ],
)
def test_a_command_stays_whole(text: str, lines: list[str]) -> None:
    """A command keeps its first argument and its options on one line; prose breaks anywhere."""
    assert wrapped(text, 30) == lines


def test_a_command_without_room_breaks_at_spaces() -> None:
    """A command that is wider than the terminal breaks at spaces, not within words."""
    assert wrapped("see journal stats --all", 11) == ["see journal", "stats --all"]


@pytest.mark.parametrize(
    "text, columns", [("ab", 2), ("端数", 4), ("é", 1), ("e\u0301", 1), ("", 0)]
)
def test_width(text, columns):
    """Wide characters take two columns, combining marks take none."""
    assert width(text) == columns


@given(TEXT, st.integers(2, 40))
def test_plain_line_is_bounded(text, most):
    """A line for Claude has no line break or control character, and at most `most` characters."""
    line = plain_line(text, most)
    assert len(line) <= most
    assert all(c.isprintable() or c in "\u200c\u200d" for c in line)
    assert quoted(text, most)[1:-1].count('"') == 0


@pytest.mark.parametrize(
    "count, text", [(0, "0 entries"), (1, "1 entry"), (2, "2 entries"), (1200, "1,200 entries")]
)
def test_plural(count, text):
    """One is singular, other counts are plural, and thousands are separated."""
    assert plural(count, "entry", "entries") == text
    assert plural(2, "day") == "2 days"


@pytest.mark.parametrize(
    "count, text",
    [(0, "0"), (999, "999"), (1500, "2k"), (42_400, "42k"), (999_500, "1.0M"), (1_240_000, "1.2M")],
)
def test_short_count(count, text):
    """Counts are rounded to thousands and millions."""
    assert short_count(count) == text


@pytest.mark.parametrize("value, text", [(0, "0%"), (99.6, "99%"), (100, "100%"), (150.4, "150%")])
def test_percent(value, text):
    """Values below 100 are rounded down, so only a full one reads 100%."""
    assert percent(value) == text


@pytest.mark.parametrize("ms, text", [
    (0, "0 s"), (42_999, "42 s"), (60_000, "1 min"), (3_600_000, "1 h"), (11_100_000, "3 h 5 min"),
    (187_200_000, "2 d 4 h"),
])  # fmt: skip
def test_duration(ms, text):
    """A duration has two units at most."""
    assert duration(ms) == text


@pytest.mark.parametrize("seconds, text", [
    (0, "0 seconds ago"), (1, "1 second ago"), (119, "119 seconds ago"), (120, "2 minutes ago"),
    (7200, "2 hours ago"), (200_000, "2 days ago"), (-30, "0 seconds ago"), (-61, "in the future"),
])  # fmt: skip
def test_ago(seconds, text):
    """An age is one number, of the largest unit that gives at least 2; a minute ahead counts as now."""
    assert ago(10_000_000, 10_000_000 + 1000 * seconds) == text
    assert ago(None, 0) == "at an unknown time"


def test_listed():
    """A shortened list says how many items it leaves out."""
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
    assert listed(["a", "b"], 2) == "a, b"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 8, 2), ("日本語", 3), ("한국어 ab", 4)],
)
def test_the_estimate_of_tokens(text: str, tokens: int) -> None:
    """Four characters of a Latin script count as one token, any other character as one each."""
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_the_estimate_grows_with_the_text(one: str, two: str) -> None:
    """A joined text takes at least as much as each part, and at most the sum of both."""
    first, second, both = map(estimate_tokens, (one, two, one + two))
    assert max(first, second) <= both <= first + second


def test_the_estimate_of_code() -> None:
    """With three characters a token, JSON counts a third of its characters."""
    assert (estimate_tokens("x" * 9, 3), estimate_tokens("日本 ab", 3)) == (3, 3)


@given(st.text(), st.integers(10, 60))
def test_pieces_fit_and_join_to_the_text(text: str, most: int) -> None:
    """No piece has more JSON than asked for, and none is lost or empty."""
    found = pieces(text, most)
    assert "".join(found) == text
    assert all(len(dumps(piece)) <= most for piece in found)
    assert all(found) or found == [""]


@pytest.mark.parametrize(
    ("typed", "text"),
    [("serch", "did you mean search?"), ("searching", "did you mean search?"), ("xyz", ""),
     ("", "")],
)  # fmt: skip
def test_the_most_similar_name(typed: str, text: str) -> None:
    """A name that resembles none gets no suggestion."""
    assert suggestion(typed, iter(("show", "search", "sessions"))) == text
