"""The stamp in the plan: one line after the first heading; nothing else changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from journal.workfiles.plan import stamp
from tests.support.rows import each

WHEN = "2026-11-21T20:31:13Z"
LINE = f"> Last compaction: {WHEN} (auto), journal #123"
OLD = "> Last compaction: 2026-11-20T08:00:00Z (manual), journal #7"
PLANS = {
    "empty": ("", f"{LINE}\n"),
    "no-heading": ("text\n", f"{LINE}\ntext\n"),
    "first-heading": ("# Plan\n\ntext\n## B\n", f"# Plan\n{LINE}\n\ntext\n## B\n"),
    "heading-further-down": ("intro\n\n## Plan\nx", f"intro\n\n## Plan\n{LINE}\nx"),
    "heading-at-the-end": ("# Plan", f"# Plan\n{LINE}"),
    "crlf": ("# Plan\r\ntext\r\n", f"# Plan\r\n{LINE}\r\ntext\r\n"),
    "setext": ("Plan\n====\ntext\n", f"Plan\n====\n{LINE}\ntext\n"),
    "heading-in-a-fence": ("```\n# no\n```\n# Plan\n", f"```\n# no\n```\n# Plan\n{LINE}\n"),
    "front-matter": ("---\na: b\n---\ntext\n", f"---\na: b\n---\n{LINE}\ntext\n"),
    "front-matter-only": ("---\na: b\n---", f"---\na: b\n---\n{LINE}"),
    "byte-order-mark": ("\ufefftext\n", f"\ufeff{LINE}\ntext\n"),
    "replaced": (f"# Plan\ntext\n{OLD}\nmore\n", f"# Plan\ntext\n{LINE}\nmore\n"),
    "replaced-crlf": (f"# Plan\r\n{OLD}\r\nmore", f"# Plan\r\n{LINE}\r\nmore"),
    "replaced-at-the-end": (f"# Plan\n{OLD}", f"# Plan\n{LINE}"),
    "doubled": (f"# Plan\n{OLD}\n\n{OLD}\nx\n", f"# Plan\n{LINE}\n\nx\n"),
    "in-a-fence": (f"# Plan\n```\n{OLD}\n```\n", f"# Plan\n{LINE}\n```\n{OLD}\n```\n"),
    "in-a-comment": (f"# Plan\n<!--\n{OLD}\n-->\n", f"# Plan\n{LINE}\n<!--\n{OLD}\n-->\n"),
    "look-alike": ("# P\n> Last compaction: soon\n", f"# P\n{LINE}\n> Last compaction: soon\n"),
    "cjk": ("# 計画\n本文\n", f"# 計画\n{LINE}\n本文\n"),
}


@each("text, stamped", PLANS.values(), ids=PLANS)
def test_the_stamp_stands_behind_the_first_heading(text: str, stamped: str) -> None:
    """The stamp is inserted after the first heading, or replaces an earlier stamp."""
    assert stamp(text, WHEN, "auto", 123) == stamped


LINES = st.sampled_from(
    ["# Plan", "text", "", "- item", "```", "~~~", "<!--", "-->", OLD, "---", "a: b", "T\n===", "    x"]
)  # fmt: skip
PLAN_TEXTS = st.tuples(st.lists(LINES, max_size=15), st.sampled_from(["\n", "\r\n"]), st.booleans())


@given(PLAN_TEXTS)
def test_stamping_twice_is_stamping_once(drawn: tuple[list[str], str, bool]) -> None:
    """Stamping twice changes nothing, a later stamp replaces the first, and other lines stay."""
    lines, end, closed = drawn
    text = end.join(line.replace("\n", end) for line in lines) + end * closed
    once = stamp(text, WHEN, "auto", 123)
    assert stamp(once, WHEN, "auto", 123) == once
    assert once.count(LINE) == 1
    later = stamp(once, "2026-11-22T00:00:00Z", "manual", 124)
    assert LINE not in later
    assert stamp(later, WHEN, "auto", 123) == once

    def rest(of: str) -> list[str]:
        return [line for line in of.splitlines() if line not in {OLD, LINE}]

    assert rest(once) == rest(text)
