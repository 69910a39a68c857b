"""Which lines of Markdown are headings, and that no character is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.workfiles.markdown import fold, headings, list_marker, scan
from journal.workfiles.work_log import parse_flow

LINES = st.sampled_from(
    ["", " ", "## A", "# H", "text", "---", "===", "```", "~~~~", "    ```", "- item", "1. one", "  ## B",
     "> q", "<!--", "-->", "|-|", "\ttab", "* * *", "key: v", "- ```", "   - x", "## 2026-11-21", "-"]
)  # fmt: skip
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])


@given(st.lists(st.tuples(LINES, BREAKS), max_size=25), LINES)
def test_rows_and_entries_cover_the_text(lines: list[tuple[str, str]], tail: str) -> None:
    """Rows follow each other without gap or overlap, and no entry reaches into the next."""
    text = "".join(line + end for line, end in lines) + tail
    rows = scan(text)
    assert "".join(text[row.start : row.next] for row in rows) == text
    assert all("\n" not in text[row.start : row.end] for row in rows)
    at = 0
    for entry in parse_flow(text):
        assert at <= entry.start < entry.end <= len(text)
        at = entry.end


def titles(text: str) -> list[tuple[int, str]]:
    """Return level and title of each heading of the top level."""
    return [(found.level, found.title) for found in headings(text, scan(text))]


HEADINGS: dict[str, tuple[str, list[tuple[int, str]]]] = {
    "signs": ("# A\n### B c ##\n", [(1, "A"), (3, "B c")]),
    "underlined": ("A\nb\n===\nC\n---\n", [(1, "A b"), (2, "C")]),
    "no space": ("#A\n####### B\n", []),
    "in code": ("```\n# A\n```\n    # B\n~~~\n# C\n", []),
    "in a list or a quote": ("- # A\n\n  # B\n> # C\n\n# D\n", [(1, "D")]),
    "in a comment": ("<!--\n# A\n-->\n# B\n", [(1, "B")]),
    "behind front matter": ("---\ntitle: x\n# A\n---\n# B\n", [(1, "B")]),
    "a rule": ("text\n\n---\n", []),
}


@pytest.mark.parametrize("text, found", HEADINGS.values(), ids=HEADINGS.keys())
def test_headings_of_the_top_level(text: str, found: list[tuple[int, str]]) -> None:
    """Headings are those CommonMark sees outside code, comments, lists, quotes and front matter."""
    assert titles(text) == found


@pytest.mark.parametrize(
    ("body", "length"),
    [("- a", 1), ("12. a", 3), ("12) a", 3), ("-", 1), ("-a", 0), ("1.a", 0), ("1234567890. a", 0),
     ("a", 0)],
)  # fmt: skip
def test_a_marker_of_a_list(body: str, length: int) -> None:
    """A sign, or up to nine digits with a dot or bracket, before a space or the end of the line."""
    assert list_marker(body) == length


def test_white_space_is_folded() -> None:
    """Each run of white space is one space."""
    assert fold("a \t b\n c") == "a b c"
