"""Hooks' events and imported ones as one timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.errors import UsageError
from journal.history import merged
from journal.history.merged import (
    Cite,
    Timeline,
    TimelineRecord,
    between,
    by_time,
    parse_cite,
    sorted_entries,
)
from tests.support.journals import Journals, at
from tests.support.rows import each

if TYPE_CHECKING:
    from pathlib import Path

HOOKS: list[dict[str, Any]] = [
    {"type": "session.started", "source": "startup", "ts": at(1)},
    {"type": "prompt.submitted", "prompt": "p1", "text": "fix it", "ts": at(3)},
    {"type": "turn.ended", "ts": at(2)},
    {"type": "advice.given", "what": "pressure", "ts": at(9)},
]
TRANSCRIPT: list[dict[str, Any]] = [
    {"type": "session.started", "source": "startup", "ts": at(1), "imported": True},
    {"type": "prompt.submitted", "prompt": "p1", "text": "fix it", "ts": at(3), "imported": True},
    {"type": "usage.recorded", "message": "m1", "ts": at(3), "imported": True},
    {"type": "turn.ended", "ts": at(2), "imported": True},
    {"type": "prompt.submitted", "text": "of old", "ts": at(4), "imported": True, "sid": "old"},
    {"type": "usage.recorded", "message": "m2", "ts": at(0), "imported": True, "sid": "old"},
]


@pytest.fixture
def directory(tmp_path: Path) -> str:
    """Return a journal whose session is in both logs, with another one that is only imported."""
    journals = Journals.of(str(tmp_path))
    journals.write(TRANSCRIPT, side="imported")
    return str(journals.write(HOOKS).parent)


@each(
    ("text", "cite"),
    [("7", Cite("live", 7)), (" #7 ", Cite("live", 7)), ("i:7", Cite("imported", 7)),
     ("#i:7", Cite("imported", 7)), ("", None), ("i:", None), ("-7", None), ("²", None),
     ("j:7", None), ("1" * 15, Cite("live", 111_111_111_111_111)), ("1" * 16, None)],
)  # fmt: skip
def test_a_citation_is_parsed(text: str, cite: Cite | None) -> None:
    """`N` and `i:N` are citations, also behind `#`; nothing else is one."""
    assert parse_cite(text) == cite
    if cite is not None:
        assert str(cite) == text.strip().removeprefix("#")


def test_each_fact_is_there_once_in_the_order_of_time(directory: str) -> None:
    """Of a session in both logs each fact appears once; a session's events stay in their log's order."""
    found = list(Timeline(directory).entries())
    kinds = [(str(entry.cite), entry.fields["type"]) for entry in found]
    assert kinds == [
        ("1", "segment.opened"), ("2", "session.started"), ("3", "prompt.submitted"),
        ("4", "turn.ended"), ("i:4", "usage.recorded"), ("i:6", "prompt.submitted"),
        ("i:7", "usage.recorded"), ("5", "advice.given"),
    ]  # fmt: skip
    assert [entry.at for entry in found] == sorted(entry.at for entry in found)


def test_sorting_in_little_memory_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries that do not fit into memory are sorted through files, which are gone afterwards."""
    lines = [b'{"seq":%d,"text":"a b\xc3\xa9"}' % number for number in range(5_000)]
    entries = [
        TimelineRecord(at(number * 7 % 50), "imported", number, line)
        for number, line in enumerate(lines)
    ]
    monkeypatch.setattr(merged, "_MEMORY", 1)
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    assert list(sorted_entries(entries)) == sorted(entries, key=by_time)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("since", "until", "cites"),
    [(None, None, ["1", "i:1", "2", "i:2", "4"]), (Cite("live", 2), None, ["2", "i:2", "4"]),
     (Cite("live", 3), None, ["4"]), (None, Cite("live", 2), ["1", "i:1", "2"]),
     (None, Cite("live", 3), ["1", "i:1", "2", "i:2"]),
     (Cite("imported", 1), Cite("imported", 2), ["i:1", "2", "i:2"]),
     (at(2), at(3), ["2", "i:2"]), (Cite("live", 9), None, [])],
)  # fmt: skip
def test_between_two_bounds(
    since: Cite | str | None, until: Cite | str | None, cites: list[str]
) -> None:
    """Bounds are inclusive; a citation is a position, and a missing live event that of the next one."""
    entries = [
        TimelineRecord(at(second), side, seq, b'{"seq":1,"ts":"%s","type":"a"}' % at(second).encode())
        for second, side, seq in [(0, "live", 1), (1, "imported", 1), (2, "live", 2),
                                  (3, "imported", 2), (4, "live", 4)]
    ]  # fmt: skip
    assert [str(entry.cite) for entry in between(entries, since, until)] == cites


@pytest.mark.parametrize("since", [True, False])
def test_an_imported_bound_must_be_there(since: bool) -> None:
    """An imported event that is not in the timeline is an error, as either bound."""
    bound = Cite("imported", 7)
    with pytest.raises(UsageError, match="no event i:7"):
        list(between([], bound if since else None, None if since else bound))
