"""Work log entries: which lines start one, what dates it, and what a hook records of it."""

# ruff: noqa: RUF001 full-width signs are what is tested

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.workfiles.work_log import digest_of, flow_facts, newest_first, parse_flow, read_flow
from tests.support.rows import each

if TYPE_CHECKING:
    from pathlib import Path

HEADINGS = {
    "empty": ("", []),
    "no-headings": ("just text\n", []),
    "two": ("# Log\n\n## A\ntext\n## B\n", ["A", "B"]),
    "h1-and-h3": ("# One\n### Three\n## Two\n#### Four\n", ["Two"]),
    "no-newline-at-end": ("## A", ["A"]),
    "crlf": ("## A\r\ntext\r\n\r\n## B\r\n", ["A", "B"]),
    "lone-cr": ("## A\rtext\r## B\r", ["A", "B"]),
    "byte-order-mark": ("\ufeff## A\n## B\n", ["A", "B"]),
    "closing-marks": ("## A ##\n## B #\n## C#\n", ["A", "B", "C#"]),
    "empty-heading": ("##\n## \n##\n", ["", "", ""]),
    "no-blank-behind": ("##A\n##\tB\n", ["B"]),
    "indented": ("   ## A\n    ## code\n\n\t## code\n", ["A"]),
    "whitespace-folded": ("##   A \t b  \n", ["A b"]),
    "cjk": ("## 2026年11月21日 修正　完了\n## 작업\n", ["2026年11月21日 修正 完了", "작업"]),
    "fence": ("## A\n```\n## no\n```\n## B\n", ["A", "B"]),
    "tilde-fence": ("~~~md\n## no\n```\n## no\n~~~\n## B\n", ["B"]),
    "longer-close": ("````\n## no\n```\n## no\n`````\n## B\n", ["B"]),
    "close-with-text": ("```\n## no\n``` x\n## no\n```\n## B\n", ["B"]),
    "close-indented-3": ("```\n## no\n   ```\n## B\n", ["B"]),
    "close-indented-4": ("```\n## no\n    ```\n## no\n", []),
    "open-indented-4": ("\n    ```\n## A\n", ["A"]),
    "open-fence-to-the-end": ("## A\n```\n## no\n", ["A"]),
    "backtick-in-info": ("``` a`b\n## A\n", ["A"]),
    "fence-in-a-list": ("- ```\n  ## no\n  ```\n## B\n", ["B"]),
    "fence-ends-with-its-list": ("1. x\n   ```\n   ## no\n## B\n", ["B"]),
    "fence-in-a-quote": ("> ```\n> ## no\n## B\n", ["B"]),
    "comment": ("<!--\n## no\n-->\n## B\n", ["B"]),
    "comment-one-line": ("<!-- x -->\n## B\n", ["B"]),
    "setext": ("Title\n-----\ntext\n\nOther\n-\n", ["Title", "Other"]),
    "setext-h1": ("Title\n=====\n## A\n", ["A"]),
    "setext-two-lines": ("A\nb\n---\n", ["A b"]),
    "thematic-break": ("## A\n\ntext\n\n---\n\n## B\n", ["A", "B"]),
    "break-behind-a-list": ("## A\n- item\n---\n## B\n", ["A", "B"]),
    "break-behind-a-quote": ("> quote\n---\n## B\n", ["B"]),
    "break-behind-a-lazy-line": ("- item\nlazy\n---\n", []),
    "break-behind-a-heading": ("## A\n---\n", ["A"]),
    "break-behind-a-table": ("| a |\n|---|\n| 1 |\n---\n## B\n", ["B"]),
    "spaced-break": ("text\n- - -\n## B\n", ["B"]),
    "front-matter": ("---\ntitle: x\n---\n## A\n", ["A"]),
    "break-is-no-front-matter": ("---\n## A\n\n---\n## B\n", ["A", "B"]),
    "nested-in-a-list": ("- item\n\n  ## no\n\n## A\n", ["A"]),
}


@each("text, expected", HEADINGS.values(), ids=HEADINGS)
def test_an_h2_of_the_top_level_starts_an_entry(text: str, expected: list[str]) -> None:
    """Entries are the h2 headings CommonMark sees, outside code, comments and lists."""
    assert [entry.heading for entry in parse_flow(text)] == expected


DATES = {
    "in-the-heading": ("## 2026-11-21 A\nDate: 2026-01-01\n", "2026-11-21"),
    "line": ("## A\nDate: 2026-11-21\n", "2026-11-21"),
    "line-after-blank": ("## A\n\nDate: 2026-11-21 10:30\n", "2026-11-21T10:30"),
    "bold": ("## A\n**Date**: 2026-11-21\n", "2026-11-21"),
    "bold-colon": ("## A\n- **Date:** 2026-11-21\n", "2026-11-21"),
    "japanese": ("## A\n日付： 2026年11月21日\n", "2026-11-21"),
    "third-line": ("## A\nx\ny\nDate: 2026-11-21\n", "2026-11-21"),
    "fourth-line": ("## A\nx\ny\nz\nDate: 2026-11-21\n", ""),
    "next-section": ("## A\n## B\nDate: 2026-11-21\n", ""),
    "in-a-fence": ("## A\n```\nDate: 2026-11-21\n```\n", ""),
    "other-key": ("## A\nDeadline: 2026-11-21\n", ""),
    "in-prose": ("## A\nDone on 2026-11-21.\n", ""),
    "invalid": ("## 2026-13-45 A\nDate: soon\n", ""),
    "crlf": ("## A\r\nDate: 2026-11-21\r\n", "2026-11-21"),
    "setext": ("A\n---\nDate: 2026-11-21\n", "2026-11-21"),
}


@each("text, date", DATES.values(), ids=DATES)
def test_a_heading_or_a_date_line_dates_an_entry(text: str, date: str) -> None:
    """The heading's date dates an entry, or else a date line within three lines below it."""
    assert parse_flow(text)[0].date == date


def test_a_section_ends_at_the_next_h2_or_h1() -> None:
    """A section includes its h3 parts and trailing blank lines, and ends before an h1."""
    text = "intro\n## A\n### part\n\n\n## B\nb\n# Archive\nold\n## C"
    sections = [text[entry.start : entry.end] for entry in parse_flow(text)]
    assert sections == ["## A\n### part\n\n\n", "## B\nb\n", "## C"]


def test_a_digest_names_a_heading_whatever_its_blanks() -> None:
    """White space does not change a heading's digest; a letter does."""
    assert digest_of("A  b\t c ") == digest_of("A b c")
    assert digest_of("A b c") != digest_of("A b d")
    assert len(digest_of("修正")) == 8


ORDERS = {
    "descending": ("## 2026-11-03\n## 2026-11-02\n## 2026-11-01\n", {}, "321"),
    "ascending": ("## 2026-11-01\n## 2026-11-02\n## 2026-11-03\n", {}, "321"),
    "mixed": ("## 2026-11-02\n## 2026-11-03\n## 2026-11-01\n", {}, "321"),
    "undated-keep-file-order": ("## x 1\n## x 3\n## x 2\n", {}, "132"),
    "undated-on-top": ("## x 9\n## 2026-11-02\n## 2026-11-01\n", {}, "921"),
    "undated-below": ("## 2026-11-02\n## 2026-11-01\n## x 9\n", {}, "219"),
    "undated-appended": ("## 2026-11-01\n## 2026-11-02\n## x 9\n", {}, "921"),
    "times": ("## 2026-11-01 09:00 1\n## 2026-11-01 10:00 2\n", {}, "21"),
    "same-day-descending": ("## 2026-11-02 a3\n## 2026-11-02 b2\n## 2026-11-01\n", {}, "321"),
    "same-day-ascending": ("## 2026-11-01\n## 2026-11-02 b2\n## 2026-11-02 a3\n", {}, "321"),
    "seen": ("## x 1\n## x 2\n", {"x 1": "2026-11-01T09:00:00Z", "x 2": "2026-11-02T09:00:00Z"}, "21"),
    "seen-against-date": ("## x 1\n## 2026-11-02\n", {"x 1": "2026-11-01T09:00:00Z"}, "21"),
    "own-date-wins": ("## 2026-11-01\n## 2026-11-02\n", {"2026-11-01": "2026-12-01T00:00:00Z"}, "21"),
    "seen-is-no-time": ("## x 1\n## x 2\n", {"x 2": "yesterday"}, "12"),
}  # fmt: skip


@each("text, seen, order", ORDERS.values(), ids=ORDERS)
def test_entries_are_shown_newest_first(text: str, seen: dict[str, str], order: str) -> None:
    """Dates decide the order; an undated entry stays beside its older neighbour in the file."""
    known = {digest_of(heading): when for heading, when in seen.items()}
    assert "".join(e.heading[-1] for e in newest_first(parse_flow(text), known)) == order


def _project(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / ".claude" / "context"
    folder.mkdir(parents=True)
    (folder / "progress.md").write_bytes(text.encode())
    return tmp_path


def test_facts_name_the_newest_three(tmp_path: Path) -> None:
    """A hook records counts, three short headings and the digests, but no bodies."""
    long = "## 2026-11-30 " + "x" * 300 + "\n"
    text = (
        long + "".join(f"## 2026-11-{day:02} d\nsecret\n" for day in range(1, 5)) + "## undated\n"
    )
    facts = flow_facts(read_flow(str(_project(tmp_path, text))) or [], {})
    assert facts is not None
    assert facts["entries"] == 6
    assert facts["dated"] == 5
    assert facts["path"] == ".claude/context/progress.md"
    assert facts["headings"][1:] == ["2026-11-04 d", "2026-11-03 d"]
    assert facts["headings"][0].startswith("2026-11-30 xxx")
    assert len(facts["headings"][0]) == 120
    assert len(facts["digests"]) == 6
    assert "secret" not in repr(facts)


def test_facts_are_bounded_whatever_the_file(tmp_path: Path) -> None:
    """The size of the recorded facts does not grow with the file."""
    root = _project(tmp_path, "".join(f"## heading {n} \x1b[31m\n" for n in range(500)))
    facts = flow_facts(read_flow(str(root)) or [], {})
    assert facts is not None
    assert facts["entries"] == 500
    assert len(facts["digests"]) == 64
    assert all(heading.isprintable() for heading in facts["headings"])


def test_no_file_gives_no_facts(tmp_path: Path) -> None:
    """Without a progress.md there are no facts; an empty file gives facts with zero entries."""
    assert read_flow(str(tmp_path)) is None
    facts = flow_facts(read_flow(str(_project(tmp_path, ""))) or [], {})
    assert facts is not None
    assert (facts["entries"], facts["headings"]) == (0, [])
