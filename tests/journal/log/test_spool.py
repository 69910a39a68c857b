"""Events that wait beside the log for the next writer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from journal.log import spool
from journal.log.counter import MISSED, add_to, count_in
from journal.log.read import Reader
from journal.log.record import unframe

from .book import NOW, Book


def _event(text: str, **more: str) -> dict[str, object]:
    return {"type": "note", "v": 1, "sid": "s", "text": text, **more}


def test_what_waited_is_appended_in_order_by_the_next_writer(book: Book) -> None:
    """Spooled events keep their time and order, come before the writer's own, and leave no file."""
    book.fill(1)
    for number in range(5):
        spool.put(book.directory, f"2026-01-01T00:00:0{number}.000Z",
                  (_event(f"a{number}"), _event(f"b{number}", key=f"k{number}")))  # fmt: skip
    book.write("own")
    there, reader = book.read()
    texts = list(there.values())[1:]
    assert texts == [f"{which}{number}" for number in range(5) for which in "ab"] + ["own"]
    fields = [unframe(line) for line in book.lines()]
    assert fields[2]["ts"] == "2026-01-01T00:00:00.000Z"
    assert fields[3]["key"] == "k0"
    assert fields[2]["key"], "an event without a key gets one, so that it is told once"
    assert reader.found.listed == []
    assert not Path(book.directory, "spool").exists()


def test_many_wait_and_all_come(book: Book) -> None:
    """Spool files beyond one call's limit are appended by later calls; none is lost or doubled."""
    book.fill(1)
    for number in range(150):
        spool.put(book.directory, NOW, (_event(f"{number:03d}"),))
    for _ in range(4):
        book.write("own")
    there, _ = book.read()
    waited = [text for text in there.values() if text.isdigit() and len(text) == 3]
    assert waited == [f"{number:03d}" for number in range(150)]


def test_what_cannot_be_removed_waits(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a spool that cannot be written to, an event stays; otherwise each writer would append it."""
    book.fill(1)
    spool.put(book.directory, NOW, (_event("once"),))
    access = os.access
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: mode != os.W_OK and access(path, mode))
        book.write("own")
        assert "once" not in book.read()[0].values()
        assert spool.waiting(book.directory) == 1
    book.write("then")
    assert [text for text in book.read()[0].values() if text == "once"] == ["once"]


def test_a_crash_between_append_and_removal_doubles_nothing(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A spool file whose records are already in the log is only removed."""
    book.fill(1)
    spool.put(book.directory, NOW, (_event("once"), _event("also", key='a "quoted" key')))
    add_to(book.directory, MISSED)
    unlink = os.unlink

    def die(path: str) -> None:
        raise OSError(5, "the process is gone", path)

    monkeypatch.setattr(os, "unlink", die)
    book.write("first")
    monkeypatch.setattr(os, "unlink", unlink)
    book.write("second")
    there, _ = book.read()
    assert list(there.values())[1:] == ["once", "also", "first", "second"]
    gaps = [line for line in book.lines() if b'"type":"journal.gap"' in line]
    assert len(gaps) == 1


def test_a_directory_in_the_place_of_the_count_counts_nothing(book: Book) -> None:
    """Its size is no number of events: no gap is recorded, however often somebody appends."""
    book.fill(2)
    Path(book.directory, "missed").mkdir()
    assert count_in(book.directory, MISSED) == -1  # unknown, which readers report
    book.write("one")
    book.write("two")
    there, reader = book.read()
    assert [unframe(line)["type"] for _, line in Reader(book.directory)].count("journal.gap") == 0
    assert book.acknowledged.items() <= there.items()
    assert reader.found.complete


def test_a_full_journal_is_counted_and_reported(book: Book) -> None:
    """Events that could not even be spooled are counted; the next writer records how many, once."""
    book.fill(1)
    for _ in range(3):
        add_to(book.directory, MISSED)
    book.write("after")
    gap = next(line for line in book.lines() if b'"type":"journal.gap"' in line)
    assert unframe(gap)["missed"] == 3
    book.write("again")
    assert sum(b"journal.gap" in line for line in book.lines()) == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"not a record", b'{"seq":0,"ts":"x"', b"\0" * 300],
    ids=["empty", "text", "cut", "NULs"],
)
def test_what_cannot_be_understood_in_the_spool_is_set_aside(book: Book, content: bytes) -> None:
    """A damaged spool file blocks nobody and is kept as evidence under another name."""
    book.fill(1)
    path = Path(spool.put(book.directory, NOW, (_event("good"),)))
    bad = path.with_name("00000000000000000000-1.jsonl")
    bad.write_bytes(content)
    book.write("after")
    there, _ = book.read()
    assert list(there.values())[1:] == ["good", "after"]
    assert bad.with_name(bad.name + ".bad").read_bytes() == content


@pytest.mark.parametrize("cut", [True, False])
def test_a_spool_file_that_is_damaged_in_part(book: Book, cut: bool) -> None:
    """Its whole records are appended, the file is set aside, and a whole file is not."""
    book.fill(1)
    path = Path(spool.put(book.directory, NOW, (_event("good"), _event("lost"))))
    content = path.read_bytes()[: -9 if cut else None]
    path.write_bytes(content)
    book.write("after")
    there, _ = book.read()
    assert list(there.values())[1:] == ["good", *([] if cut else ["lost"]), "after"]
    bad = path.with_name(path.name + ".bad")
    assert [bad.exists() and bad.read_bytes() == content, path.exists()] == [cut, False]
    assert spool.waiting(book.directory, spool.BAD) == cut


def test_a_link_in_the_spool_is_not_followed(book: Book, tmp_path: Path) -> None:
    """A symbolic link in place of a spool file is neither read nor removed."""
    book.fill(1)
    path = Path(spool.put(book.directory, NOW, (_event("good"),)))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(path.read_bytes())
    link = path.with_name("1-1.jsonl")
    link.symlink_to(elsewhere)
    book.write("after")
    there, _ = book.read()
    assert list(there.values())[1:] == ["good", "after"]
    assert link.is_symlink()
    assert elsewhere.exists()
