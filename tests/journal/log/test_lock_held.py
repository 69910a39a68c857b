"""Maintenance does its long work without the lock: hooks append meanwhile, and nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history import current
from journal.log import repair as repairing
from journal.log import seal as sealing
from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.verify import verify
from tests.cases.world import World

from .book import NOW, Book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# The long steps: each reads, folds, compresses or copies a whole log or segment.
STEPS: list[tuple[Any, str]] = [
    (repairing, "verify"), (repairing, "pack"), (repairing._Repair, "_quarantine"),
    (repairing, "_count_lines"), (sealing, "pack"), (sealing, "_sum_of"), (Reader, "by_segment"),
    (current.Current, "read_on"),
]  # fmt: skip


class Meanwhile:
    """Appends a record, without waiting for the lock, whenever a long step begins."""

    def __init__(self, book: Book, patch: pytest.MonkeyPatch) -> None:
        self.book = book
        self.steps: list[str] = []
        for owner, name in STEPS:
            patch.setattr(owner, name, self._wrapped(name, getattr(owner, name)))

    def _wrapped(self, name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            self.steps.append(name)
            text = f"meanwhile {len(self.steps)}"
            with Writer(self.book.directory, NOW, sync="none", deadline=0) as writer:
                (seq,) = writer.append({"type": "note", "v": 1, "sid": "s", "text": text})
            self.book.acknowledged[seq] = text
            return step(*given, **named)

        return run


def _damage(book: Book) -> None:
    book.set_lines([*book.lines()[:3], b"foreign", *book.lines()[3:]])


def _sealed_damage(book: Book, *, compress: bool) -> None:
    import gzip
    from pathlib import Path

    (path,) = (Path(each) for each in seal(book.directory, NOW, compress=compress))
    data = gzip.decompress(path.read_bytes()) if compress else path.read_bytes()
    lines = data.split(b"\n")
    bad = b"\n".join([*lines[:3], b"foreign", *lines[3:]])
    path.write_bytes(gzip.compress(bad) if compress else bad)


DAMAGES: dict[str, Callable[[Book], None]] = {
    "the active segment": _damage,
    "a sealed segment": lambda book: _sealed_damage(book, compress=False),
    "a compressed segment": lambda book: _sealed_damage(book, compress=True),
    "a dead writer's end": lambda book: book.active.write_bytes(book.active.read_bytes()[:-20]),
}


@pytest.mark.parametrize("where", DAMAGES)
def test_repair_reads_and_writes_without_the_lock(
    book: Book, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """In each long step of a repair a hook gets the lock immediately, and its record is kept."""
    book.fill(8)
    DAMAGES[where](book)
    if where == "a dead writer's end":
        del book.acknowledged[max(book.acknowledged)]
    with monkeypatch.context() as patch:
        meanwhile = Meanwhile(book, patch)
        done = repair(book.directory, NOW)
    assert {"verify", "_quarantine", "_count_lines", "by_segment"} <= set(meanwhile.steps)
    assert [item["removed"] for item in done.repaired] == [1]
    there, reader = book.read()
    assert book.acknowledged.items() <= there.items()
    assert reader.found.complete, reader.found.listed
    assert verify(book.directory).exit_code == 0


def test_what_is_appended_while_a_repair_goes_on_stays_in_order(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records appended during a repair are copied in blocks, before and under the lock, and stay."""
    book.fill(8)
    _damage(book)
    monkeypatch.setattr(repairing, "_BLOCK", 4096)
    clean = repairing._clean_lines

    def slow(*given: Any) -> Any:
        book.fill(400)
        yield from clean(*given)

    monkeypatch.setattr(repairing, "_clean_lines", slow)
    assert repair(book.directory, NOW).exit_code == 0
    assert book.acknowledged.items() <= book.read()[0].items()
    assert b"foreign" not in book.active.read_bytes()


def test_a_segment_that_is_sealed_meanwhile_is_repaired_under_its_new_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the segment is sealed during its repair, the repair starts over, once, with the new name."""
    book.fill(8)
    _damage(book)
    clean, sealed = repairing._clean_lines, []

    def interrupted(*given: Any) -> Any:
        if not sealed:
            sealed.extend(seal(book.directory, NOW, compress=False))
        yield from clean(*given)

    monkeypatch.setattr(repairing, "_clean_lines", interrupted)
    done = repair(book.directory, NOW)
    assert [item["segment"] for item in done.repaired] == ["000000001-000000009.jsonl"]
    assert done.exit_code == 0
    assert book.acknowledged.items() <= book.read()[0].items()


def test_seal_compresses_without_the_lock(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a segment is compressed and compared, hooks append to the next one."""
    book.fill(8)
    with monkeypatch.context() as patch:
        meanwhile = Meanwhile(book, patch)
        seal(book.directory, NOW)
    assert set(meanwhile.steps) == {"pack", "_sum_of"}
    assert book.acknowledged.items() <= book.read()[0].items()


def test_rebuild_folds_without_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While `journal rebuild` folds, hooks append; the stored result includes their records."""
    world = World(tmp_path, inline=True)
    world.start()
    world.worked()
    book = Book(world.directory)
    with monkeypatch.context() as patch:
        meanwhile = Meanwhile(book, patch)
        result = world.run("rebuild", "--json")
    assert "read_on" in meanwhile.steps
    assert result.code == 0
    assert result.data["kept"] is True
    assert result.data["seq"] >= min(book.acknowledged)
    assert book.acknowledged.items() <= book.read()[0].items()


def test_import_reads_transcripts_without_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While an import reads and parses a transcript, another writer gets the log's lock."""
    from journal.history.importer import lines
    from tests.journal.history.importer.conftest import Sandbox
    from tests.journal.history.importer.lines import prompt

    sandbox = Sandbox(tmp_path)
    sandbox.write(prompt())
    sandbox.run()
    (log,) = sandbox.home.glob("*/imported")
    book, steps, line_of = Book(log), [], lines.line_of

    def meanwhile(data: bytes) -> Any:
        steps.append(1)
        book.write(f"meanwhile {len(steps)}")
        return line_of(data)

    monkeypatch.setattr(lines, "line_of", meanwhile)
    sandbox.write(prompt(uuid="u8", second=8), prompt(uuid="u9", second=9))
    sandbox.run()
    assert len(steps) >= 2
    assert book.acknowledged.items() <= book.read()[0].items()
