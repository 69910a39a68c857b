"""Learnings: which sections are entries, what their metadata means, and how they are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.workfiles.learnings import (
    learning_facts,
    parse_learnings,
    read_learnings,
    summary,
    topic_path,
)
from tests.support.rows import each

if TYPE_CHECKING:
    from pathlib import Path

TITLES = {
    "empty": ("", []),
    "h3": ("# Learnings\n\n### A\nbody\n### B\n", ["A", "B"]),
    "h2": ("## A\n## B\n", ["A", "B"]),
    "group": ("## Group\n### A\n### B\n## C\n", ["A", "B", "C"]),
    "group-then-h1": ("## Group\n### A\n# H\n### B\n", ["A", "B"]),
    "h2-with-metadata-owns-its-parts": ("## A\n- Confirmed: 1\n### Why\ntext\n## B\n", ["A", "B"]),
    "h2-and-h3-with-metadata": ("## A\n- Confirmed: 1\n### B\n- Confirmed: 2\n", ["A", "B"]),
    "h4-is-body": ("### A\n#### part\n", ["A"]),
    "fence": ("### A\n```\n### no\n```\n", ["A"]),
    "comment": ("<!--\n### template\n-->\n### A\n", ["A"]),
    "crlf": ("### A\r\n### B\r\n", ["A", "B"]),
    "cjk": ("### 再接続は二重に行わない\n", ["再接続は二重に行わない"]),
}


@each("text, titles", TITLES.values(), ids=TITLES)
def test_an_entry_is_a_section(text: str, titles: list[str]) -> None:
    """h2 and h3 sections are entries, except an h2 that only groups h3 entries."""
    assert [entry.title for entry in parse_learnings(text, "f")] == titles


def test_place_and_digest_are_given() -> None:
    """An entry has its file, line, section and digest."""
    text = "# L\n\n### A\na\n\n### B\nb"
    first, second = parse_learnings(text, "x.md")
    assert (first.file, first.line, second.line) == ("x.md", 3, 6)
    assert text[first.start : first.end] == "### A\na\n\n"
    assert first.digest != second.digest


CONFIRMED = "### Cache the token\n<!-- confirmed: 3 | last: 2026-11-20 | phases: implement -->\n"
BARE = "### Retry once\nbody\n"
OLD = "### ~~Never retry~~\n<!-- confirmed: 9 | last: 2026-12-31 -->\n"


def test_the_average_is_over_the_confirmed_only() -> None:
    """The average covers only confirmed entries: one confirmed 3 times and one never gives 3.0."""
    assert summary(parse_learnings(CONFIRMED + BARE, "a.md")) == {
        "total": 2,
        "unverified": 1,
        "average": 3.0,
        "last": "2026-11-20",
        "files": [{"path": "a.md", "total": 2, "unverified": 1, "average": 3.0}],
    }


def test_an_obsolete_entry_is_listed_but_not_counted() -> None:
    """An obsolete entry is listed but adds to no figure, however often it was confirmed."""
    entries = parse_learnings(CONFIRMED + OLD, "a.md")
    assert len(entries) == 2
    assert summary(entries) == summary(entries[:1])
    assert summary(entries[1:])["files"] == [
        {"path": "a.md", "total": 0, "unverified": 0, "average": None}
    ]


def test_nothing_confirmed_has_no_average() -> None:
    """If no entry is confirmed, the average is None and the last date empty."""
    figures = summary(parse_learnings(BARE, "a.md"))
    assert (figures["average"], figures["last"], figures["unverified"]) == (None, "", 1)
    assert summary([])["average"] is None


def _project(tmp_path: Path, texts: dict[str, str]) -> str:
    folder = tmp_path / ".claude" / "context"
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text)
    return str(tmp_path)


def test_facts_give_paths_counts_and_dates_without_bodies(tmp_path: Path) -> None:
    """The facts list each learnings file with its figures; bodies and other files are not in them."""
    texts = {
        "learnings-auth.md": CONFIRMED,
        "learnings-net.md": BARE + BARE.replace("once", "twice"),
        "learnings.md": BARE,
        "progress.md": BARE,
    }
    facts = learning_facts(_project(tmp_path, texts))
    assert facts is not None
    assert (facts["total"], facts["unverified"], facts["average"]) == (3, 2, 3.0)
    assert facts["last"] == "2026-11-20"
    assert facts["files"] == [
        {"path": ".claude/context/learnings-auth.md", "total": 1, "unverified": 0, "average": 3.0},
        {"path": ".claude/context/learnings-net.md", "total": 2, "unverified": 2, "average": None},
    ]
    assert "body" not in repr(facts)


def test_facts_are_bounded_whatever_the_folder(tmp_path: Path) -> None:
    """At most 32 files are read and 10 listed; the totals cover every file read."""
    texts = {f"learnings-{n:02}.md": BARE for n in range(40)}
    facts = learning_facts(_project(tmp_path, texts))
    assert facts is not None
    assert facts["total"] == 32
    assert len(facts["files"]) == 10


def test_no_learnings_file_gives_no_facts(tmp_path: Path) -> None:
    """Without a learnings file there are no facts; an empty file counts zero."""
    assert learning_facts(str(tmp_path)) is None
    facts = learning_facts(_project(tmp_path, {"learnings-x.md": ""}))
    assert facts is not None
    assert facts["total"] == 0


def test_a_linked_learnings_file_is_not_read(tmp_path: Path) -> None:
    """A link in the folder is skipped; a real file beside it is read."""
    root = _project(tmp_path, {"learnings-a.md": BARE})
    (tmp_path / "secret.md").write_text(CONFIRMED)
    (tmp_path / ".claude" / "context" / "learnings-b.md").symlink_to(tmp_path / "secret.md")
    found = read_learnings(root)
    assert found is not None
    assert [entry.title for entry in found] == ["Retry once"]


TOPICS = {
    "plain": ("auth", True),
    "dashes": ("web-socket_2", True),
    "cjk": ("認証", True),
    "kana-decomposed": ("て\u3099はつく", True),
    "hangul": ("인증", True),
    "longest": ("x" * 64, True),
    "too-long": ("x" * 65, False),
    "empty": ("", False),
    "dots": ("..", False),
    "path": ("../etc/passwd", False),
    "slash": ("a/b", False),
    "extension": ("a.md", False),
    "space": ("a b", False),
    "nul": ("a\0", False),
    "newline": ("a\n", False),
    "dash-only": ("-", False),
    "surrogate": ("\udc80", False),
}


@each("topic, sound", TOPICS.values(), ids=TOPICS)
def test_a_topic_is_a_name_and_never_a_path(topic: str, sound: bool) -> None:
    """A topic is letters of any script, digits, dashes and underscores, at most 64 in all."""
    if sound:
        assert topic_path(topic) == f".claude/context/learnings-{topic}.md"
    else:
        with pytest.raises(ValueError, match="topic"):
            topic_path(topic)
