"""Which files of a journal home are searched, deleted or left alone, and how texts change in them."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

import pytest

from journal.codec import digest
from journal.errors import JournalError
from journal.history.forget.stored import (
    DERIVED,
    OWN,
    TEXT,
    files_of,
    projects_of,
    rename_quarantined,
    replace_in,
)

if TYPE_CHECKING:
    from pathlib import Path

SHOP, MILL = "shop-0000000000000001", "mill-0000000000000002"
FILES = {
    # path below the home → whether it is a text, derived, or neither
    "config.toml": "own", "prices.json": "own", "statusline.json": "own", "install.json": "own",
    "install/1": "own",
    "venv/lib/x.py": "", "import.lock": "", "import.state": "text", "notes.txt": "text",
    f"{SHOP}/active.jsonl": "", f"{SHOP}/000000001-000000009.jsonl.gz": "",
    f"{SHOP}/lock": "", f"{SHOP}/snapshot": "derived", f"{SHOP}/settings.cache": "derived",
    f"{SHOP}/spool/1.jsonl": "text", f"{SHOP}/quarantine/active.jsonl.0": "text",
    f"{SHOP}/conversations/ab": "text", f"{SHOP}/imported/active.jsonl": "",
    f"{SHOP}/imported/snapshot": "derived",
    "cache/sessions.sqlite": "derived", "cache/export/team": "derived",
    "cache/export/below/team": "", f"cache/{SHOP}/live/folds": "derived",
    f"cache/{MILL}/live/folds": "", "cache/page.token": "", "cache/index.lock": "",
    f"{MILL}/active.jsonl": "", f"{MILL}/spool/1.jsonl": "", f"{MILL}/snapshot": "",
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with two projects that has a file of every kind."""
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a secret\n")
    return tmp_path


def _shout(line: bytes) -> bytes:
    return line.replace(b"secret", b"[tag]")


class _Change:
    """A change of the word `secret` in records and other lines."""

    record = other = staticmethod(_shout)


def test_every_file_has_its_kind(home: Path) -> None:
    """For one project: texts are searched, derived files deleted; exempt ones and other projects stay."""
    for kind in (TEXT, DERIVED, OWN):
        names = {os.path.relpath(path, home) for path in files_of(str(home), [SHOP], kind)}
        assert names == {name for name, of in FILES.items() if of == kind}
    assert projects_of(str(home)) == [MILL, SHOP]


def test_a_draft_goes_once_its_process_has_ended(home: Path) -> None:
    """A half-written file is derived if its writer is gone; no draft is a text."""
    gone, alive = (home / SHOP / f".x.{pid}-1.tmp" for pid in (4_194_400, os.getpid()))
    for path in (gone, alive):
        path.write_text("half a secret")
    found = set(files_of(str(home), [SHOP], DERIVED))
    assert (str(gone) in found, str(alive) in found) == (True, False)
    assert not {str(gone), str(alive)} & set(files_of(str(home), [SHOP], TEXT))


@pytest.mark.parametrize("packed", [False, True])
def test_lines_are_replaced_in_their_file(tmp_path: Path, packed: bool) -> None:
    """A dry run counts the lines that change; the run writes them, in the form the file had."""
    path = tmp_path / "file"
    data = b"a secret\nplain\nsecret secret"
    path.write_bytes(gzip.compress(data) if packed else data)
    before = path.read_bytes()
    assert replace_in(str(path), _Change(), dry=True) == 2
    assert path.read_bytes() == before
    assert replace_in(str(path), _Change(), dry=False) == 2
    after = path.read_bytes()
    assert (gzip.decompress(after) if packed else after) == b"a [tag]\nplain\n[tag] [tag]"
    assert replace_in(str(path), _Change(), dry=False) == 0
    assert path.read_bytes() == after


def test_a_file_that_cannot_be_read_to_its_end_is_an_error(tmp_path: Path) -> None:
    """A cut compressed file and a directory are errors with a remedy; a missing file is no error."""
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(os.urandom(500))[:-100])
    with pytest.raises(JournalError, match="cannot be changed") as caught:
        replace_in(str(path), _Change(), dry=True)
    assert caught.value.remedy == "look at it, or delete it"
    with pytest.raises(JournalError, match="cannot be changed"):
        replace_in(str(tmp_path), _Change(), dry=True)
    assert replace_in(str(tmp_path / "none"), _Change(), dry=False) == 0


def test_a_quarantined_file_is_named_by_its_content(tmp_path: Path) -> None:
    """Its name ends in the digest of what it holds now; other files in quarantine stay."""
    folder = tmp_path / "quarantine"
    folder.mkdir()
    (folder / f"active.jsonl.{digest(b'old')}").write_bytes(b"new")
    (folder / "README").write_bytes(b"x")
    renamed = rename_quarantined(str(tmp_path))
    name = f"active.jsonl.{digest(b'new')}"
    assert renamed == {"quarantine/active.jsonl": f"quarantine/{name}"}
    assert sorted(path.name for path in folder.iterdir()) == ["README", name]
    assert rename_quarantined(str(tmp_path / "none")) == {}
