"""Trimming by date: which entries stay, which are removed, and that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.workfiles.work_log import digest_of, parse_flow, trim
from tests.support.rows import each


def _log(*headings: str, body: str = "text\n\n") -> str:
    return "# Progress\n\n" + "".join(f"## {heading}\n{body}" for heading in headings)


DAYS = [f"2026-11-{day:02} d{day}" for day in range(1, 16)]
TRIMS = {
    "fifteen-descending": (_log(*reversed(DAYS)), 10, DAYS[5:]),
    "fifteen-ascending": (_log(*DAYS), 10, DAYS[5:]),
    "fifteen-shuffled": (_log(*(DAYS[7:] + DAYS[:7])), 10, DAYS[5:]),
    "exactly-ten": (_log(*DAYS[:10]), 10, DAYS[:10]),
    "five": (_log(*DAYS[:5]), 10, DAYS[:5]),
    "undated-stay": (_log("goal", *DAYS[:3], "notes"), 1, ["goal", DAYS[2], "notes"]),
    "all-undated": (_log("a", "b", "c"), 1, ["a", "b", "c"]),
    "invalid-is-undated": (_log("2026-13-45 a", *DAYS[:2]), 1, ["2026-13-45 a", DAYS[1]]),
    "tie-descending": (_log("2026-11-02 a", "2026-11-02 b", "2026-11-01"), 1, ["2026-11-02 a"]),
    "tie-ascending": (_log("2026-11-01", "2026-11-02 a", "2026-11-02 b"), 1, ["2026-11-02 b"]),
    "tie-no-direction": (_log("2026-11-02 a", "2026-11-02 b"), 1, ["2026-11-02 a", "2026-11-02 b"]),
    "tie-mixed-directions": (
        _log("2026-11-01", "2026-11-03 a", "2026-11-03 b", "2026-11-02"),
        1,
        ["2026-11-03 a", "2026-11-03 b"],
    ),
    "tie-on-times": (_log("2026-11-02 09:00", "2026-11-02 11:00"), 1, ["2026-11-02 11:00"]),
    "same-minute": (_log("2026-11-02 9:00 a", "2026-11-02 9:00 b"), 1, ["2026-11-02 9:00 a", "2026-11-02 9:00 b"]),
    "zones": (_log("2026-11-21T00:30+09:00", "2026-11-20T20:00Z"), 1, ["2026-11-20T20:00Z"]),
    "keep-none": (_log(*DAYS[:3], "x"), 0, ["x"]),
    "japanese": (_log("2026年11月1日", "2026年11月2日"), 1, ["2026年11月2日"]),
    "empty": ("", 10, []),
}  # fmt: skip


@each("text, keep, stay", TRIMS.values(), ids=TRIMS)
def test_the_newest_stay(text: str, keep: int, stay: list[str]) -> None:
    """The newest entries by date stay, and so does every entry whose date leaves it undecided."""
    shorter, removed = trim(text, keep, {})
    assert {entry.heading for entry in parse_flow(shorter)} == set(stay)
    gone = {entry.heading for entry, _ in removed}
    assert gone == {entry.heading for entry in parse_flow(text)} - set(stay)


def test_what_was_seen_dates_an_undated_entry() -> None:
    """An undated entry is dated by when the journal first saw its heading; otherwise it stays."""
    text = _log("one", "two", "three")
    seen = {digest_of("one"): "2026-11-01T08:00:00Z", digest_of("two"): "2026-11-02T08:00:00Z"}
    _, removed = trim(text, 1, seen)
    assert [section for _, section in removed] == ["## one\ntext\n\n"]
    assert trim(text, 1, {}) == (text, [])


def test_entries_first_seen_together_all_stay() -> None:
    """Headings first seen at the same time are not ordered by that, so all stay."""
    text = _log("one", "two", "three")
    seen = {digest_of(name): "2026-11-01T08:00:00Z" for name in ("one", "two", "three")}
    assert trim(text, 1, seen) == (text, [])


def test_line_endings_and_the_rest_stay_as_they_are() -> None:
    """CRLF, odd bytes, the preamble and an h1 between entries are kept to the letter."""
    text = "pre\udc80\r\n\r\n## 2026-11-02\r\nb\r\n# Archive\r\nx\r\n## 2026-11-01\r\n\r\n## note"
    shorter, removed = trim(text, 1, {})
    assert shorter == "pre\udc80\r\n\r\n## 2026-11-02\r\nb\r\n# Archive\r\nx\r\n## note"
    assert [section for _, section in removed] == ["## 2026-11-01\r\n\r\n"]


def test_fenced_headings_go_with_their_section() -> None:
    """A heading in a fence is not an entry and does not end a section."""
    text = "## 2026-11-01\n```\n## 2026-11-09 no\n```\nrest\n## 2026-11-02\n"
    shorter, removed = trim(text, 1, {})
    assert shorter == "## 2026-11-02\n"
    assert removed[0][1] == text[: text.index("## 2026-11-02\n")]


LEANING = {
    "joins-a-paragraph": "## 2026-11-03\ntext\n## 2026-11-01\n2026-11-04 b\n---\n",
    "falls-into-a-list": "## 2026-11-03\n- item\n## 2026-11-01\n  ## 2026-11-04\n",
}


@pytest.mark.parametrize("text", LEANING.values(), ids=LEANING)
def test_an_entry_stays_if_the_next_heading_leans_on_it(text: str) -> None:
    """An entry stays if removing it would swallow the next heading."""
    shorter, _ = trim(text, 2, {})
    assert "2026-11-04" in " ".join(entry.heading.split()[0] for entry in parse_flow(shorter))
    assert shorter == text


def test_of_adjacent_entries_one_stays_if_the_next_heading_leans_on_it() -> None:
    """Each of them could go alone; without both, the heading behind them would join the text."""
    text = "## 2026-11-03\ntext\n## 2026-11-01\n\n## 2026-11-02\n2026-11-04 b\n---\n"
    shorter, removed = trim(text, 2, {})
    assert [entry.heading for entry, _ in removed] == ["2026-11-01"]
    assert [entry.heading for entry in parse_flow(shorter)][-1] == "2026-11-04 b"


def test_an_underlined_heading_behind_a_blank_line_does_not_lean() -> None:
    """If a blank line comes before the underlined heading, the entry above it is removed."""
    text = "## 2026-11-03\ntext\n\n## 2026-11-01\n2026-11-04 b\n---\n"
    assert trim(text, 2, {})[0] == "## 2026-11-03\ntext\n\n2026-11-04 b\n---\n"


PIECES = st.sampled_from(
    [*(f"## 2026-11-{day:02} x" for day in range(1, 7)), "## 2026-11-03 09:00", "## 2026-11-03 10:00",
     "## undated", "2026-11-05 s\n---", "  ## 2026-11-02", "text", "- item", "", "", "# H", "```", "~~~",
     "<!--", "-->", "> q", "---", "Date: 2026-11-04", "### part", "    code", "T\n===", "1. x\n   ```"]
)  # fmt: skip
TEXTS = st.tuples(st.lists(PIECES, max_size=30), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda drawn: drawn[1].join(piece.replace("\n", drawn[1]) for piece in drawn[0]) + drawn[1] * drawn[2]
)  # fmt: skip
SEEN = st.sampled_from([{}, {digest_of("undated"): "2026-11-02T08:00:00Z"}])


@given(TEXTS, st.integers(0, 6), SEEN)
@example("## 2026-11-05\n## 2026-11-03 a\n## 2026-11-03 b\n## 2026-11-01\n## 2026-11-02\n", 2, {})
@example("-->\n## 2026-11-01\nT\n===\n## 2026-11-02 a\n## 2026-11-01\n## 2026-11-02 b", 1, {})
def test_trimming_loses_nothing_and_settles(text: str, keep: int, seen: dict[str, str]) -> None:
    """Kept and removed hold every character once, kept entries read as before, trimming twice is once."""
    before = parse_flow(text)
    shorter, removed = trim(text, keep, seen)
    rebuilt, at = [], 0
    for entry, section in removed:
        assert section == text[entry.start : entry.end]
        rebuilt.append(text[at : entry.start])
        at = entry.end
    rebuilt.append(text[at:])
    assert "".join(rebuilt) == shorter
    assert len(shorter) + sum(len(section) for _, section in removed) == len(text)
    gone = {entry.start for entry, _ in removed}
    kept = [(e.heading, e.date, text[e.start : e.end]) for e in before if e.start not in gone]
    assert [(e.heading, e.date, shorter[e.start : e.end]) for e in parse_flow(shorter)] == kept
    assert trim(shorter, keep, seen) == (shorter, [])


@given(TEXTS, st.integers(0, 6))
def test_nothing_undated_and_nothing_newer_goes(text: str, keep: int) -> None:
    """Every removed entry has a date, and at least `keep` entries that are no older stay."""
    _, removed = trim(text, keep, {})
    gone = {entry.start for entry, _ in removed}
    kept = [entry.date[:10] for entry in parse_flow(text) if entry.start not in gone]
    for entry, _ in removed:
        assert entry.date
        assert sum(date >= entry.date[:10] for date in kept if date) >= keep
