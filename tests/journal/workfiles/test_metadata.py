"""Metadata of a learning, in a comment or in visible lines."""

# ruff: noqa: RUF001  (full-width signs are part of the texts)
from __future__ import annotations

import pytest

from journal.workfiles.learnings import parse_learnings, title_is_obsolete, valid_name
from tests.support.rows import each

FULL = (3, "2026-11-20", ("implement", "debug"))
NONE = (0, "", ())
METADATA = {
    "none": ("body", NONE),
    "comment": ("<!-- confirmed: 3 | last: 2026-11-20 | phases: implement, debug -->", FULL),
    "comment-lines": ("<!--\nconfirmed: 3\nlast: 2026-11-20\nphases: implement, debug\n-->", FULL),
    "bullets": ("- Confirmed: 3\n- Last confirmed: 2026-11-20\n- Phases: implement, debug", FULL),
    "bold": ("* **Confirmed**: 3 times\n* **Last confirmed:** 2026-11-20\n* **PHASES:** implement/debug", FULL),
    "one-line": ("- Confirmed: 3 | Last: 2026-11-20 | Phases: implement, debug", FULL),
    "japanese": ("- 確認回数：3回\n- 最終確認: 2026年11月20日\n- フェーズ: implement、debug", FULL),
    "wide-digits": ("- 確認回数: ３\n- 最終確認：２０２６-11-20\n- フェーズ: implement, debug", FULL),
    "below-the-body": ("body\n\n- Confirmed: 3\n- Last confirmed: 2026-11-20\n- Phases: implement, debug", FULL),
    "crlf": ("- Confirmed: 3\r\n- Last: 2026-11-20\r\n- Phases: implement, debug\r", FULL),
    "comment-wins": ("<!-- confirmed: 1 -->\n- Confirmed: 9\n- Last: 2026-11-20", (1, "", ())),
    "first-wins": ("- Confirmed: 2\n- Confirmed: 9", (2, "", ())),
    "in-a-fence": ("```\nConfirmed: 3\n```", NONE),
    "in-a-quote": ("> Confirmed: 3", NONE),
    "a-date-is-no-count": ("- Confirmed: 2026-11-20", NONE),
    "words": ("- Confirmed: often\n- Last: spring\n- Phases: the moon has four", NONE),
    "empty-values": ("- Confirmed:\n- Last:\n- Phases:", NONE),
    "invalid-date": ("- Last: 2026-13-40", NONE),
    "zero": ("- Confirmed: 0", NONE),
    "phase-of-a-plugin": ("- Phases: journal:compound", (0, "", ("journal:compound",))),
    "time": ("- Last: 2026-11-20 10:30", (0, "2026-11-20", ())),
    "next-entry": ("body\n### Other\n- Confirmed: 3", NONE),
}  # fmt: skip


@each("body, said", METADATA.values(), ids=METADATA)
def test_metadata_is_read_from_a_comment_or_visible_lines(
    body: str, said: tuple[int, str, tuple[str, ...]]
) -> None:
    """Count, last date and phases are read from a comment or visible lines, else they are empty."""
    entry = parse_learnings(f"### T\n{body}\n", "f")[0]
    assert (entry.confirmed, entry.last, entry.phases) == said


OBSOLETE = {
    "struck-out": ("### ~~T~~\n", True),
    "bracket": ("### [Obsolete] T\n", True),
    "parenthesis": ("### T (obsolete)\n", True),
    "prefix": ("### Obsolete: T\n", True),
    "japanese-title": ("### 【廃止】T\n", True),
    "bullet": ("### T\n- Obsolete\n", True),
    "bold": ("### T\n**Obsolete**\n", True),
    "reason": ("### T\n- Obsolete: replaced by U\n", True),
    "comment": ("### T\n<!-- confirmed: 5 | obsolete: yes -->\n", True),
    "beside-a-comment": ("### T\n<!-- confirmed: 5 -->\n\nObsolete\n", True),
    "japanese": ("### T\n- 廃止: はい\n", True),
    "no": ("### T\n- Obsolete: no\n", False),
    "a-word-of-the-title": ("### Obsolete modules break the build\n", False),
    "a-word-of-the-body": ("### T\nObsolete modules break it.\n", False),
    "part-struck-out": ("### ~~old~~ new\n", False),
    "in-a-table": ("### T\n| Obsolete | x |\n", False),
    "in-a-nested-list": ("### T\n- states\n  - obsolete\n", False),
    "in-a-quote": ("### T\n> Obsolete\n", False),
}


@each("text, obsolete", OBSOLETE.values(), ids=OBSOLETE)
def test_an_obsolete_mark_is_seen(text: str, obsolete: bool) -> None:
    """A mark in title, comment or line makes an entry obsolete; the word in prose does not."""
    assert parse_learnings(text, "f")[0].obsolete is obsolete


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("plan", True),
        ("ship-2_b", True),
        ("journal:plan", False),
        ("a b", False),
        ("", False),
        ("a,b", False),
    ],
)
def test_the_name_of_a_phase(name: str, valid: bool) -> None:
    """A name of a phase would not end a list of names or a comment."""
    assert valid_name(name) is valid


@pytest.mark.parametrize(
    ("title", "obsolete"),
    [("[obsolete] Round once", True), ("Round once (obsolete)", True), ("Obsolete APIs", False)],
)
def test_an_obsolete_title(title: str, obsolete: bool) -> None:
    """A mark in a title is set apart from its words."""
    assert title_is_obsolete(title) is obsolete
