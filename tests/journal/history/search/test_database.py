"""The index file: what a process sees that may only read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from journal.history.search.database import CopyOnWrite, Database

if TYPE_CHECKING:
    from pathlib import Path


def _names(database: Database) -> list[str]:
    connection = database.open()
    assert connection is not None
    return [name for (name,) in connection.execute("select name from facts order by name")]


def _add(database: Database, name: str) -> None:
    with database.writing() as connection:
        connection.execute("insert into facts values (?, '')", [name])


def test_a_reader_sees_what_is_only_in_the_write_ahead_log(tmp_path: Path) -> None:
    """While another process has the index open, its last changes stand beside the file."""
    writer, reader = Database(str(tmp_path)), CopyOnWrite(str(tmp_path))
    _add(writer, "zebra")
    assert os.path.getsize(f"{writer.path}-wal")
    assert "zebra" in _names(reader)
    reader.close()
    writer.close()


def test_a_reader_leaves_no_file_behind(tmp_path: Path) -> None:
    """Reading a closed index makes no file in the journal home, and changing it none either."""
    writer = Database(str(tmp_path))
    _add(writer, "zebra")
    writer.close()
    before = sorted(os.listdir(writer.directory))
    reader = CopyOnWrite(str(tmp_path))
    assert "zebra" in _names(reader)
    assert sorted(os.listdir(writer.directory)) == before
    _add(reader, "quagga")
    assert _names(reader)[-2:] == ["quagga", "zebra"]
    assert sorted(os.listdir(writer.directory)) == before
    reader.close()
    assert "quagga" not in _names(writer)
    writer.close()
