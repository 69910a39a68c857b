"""Journals to query: written from events in memory, framed as in the log, queried in process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from journal.log.record import frame
from tests.cli.conftest import Workspace, workspace

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Journals", "journals", "workspace"]

START = "2026-11-21T10:%02d:%02d.000Z"
SID = "5e5510a0-0000-4000-8000-000000000001"
OPENED = {"type": "segment.opened", "v": 1, "sid": "", "format": 1, "journal": "0" * 32,
          "previous": "", "last_seq": 0, "digest": ""}  # fmt: skip


def at(second: int) -> str:
    """Return the time `seconds` after the start."""
    return START % divmod(second, 60)


class Journals:
    """A journal home, and `journal sql` on it."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.home = workspace.home

    @classmethod
    def of(cls, home: str) -> Journals:
        """Return a home that is only written to."""
        made = object.__new__(cls)
        made.home = Path(home)
        return made

    def write(self, events: list[dict[str, Any]], project: str = "shop-00000001",
              side: str = "", *, name: str = "active.jsonl", first: int = 1) -> Path:  # fmt: skip
        """Write a segment; event n gets seq first + n (after the opening record) and a time."""
        directory = self.home / project / side if side else self.home / project
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = directory / name
        lines = []
        for number, event in enumerate([OPENED, *events]):
            envelope = {"ts": at(number), "type": event["type"], "v": 1, "sid": SID}
            lines.append(frame(first + number, {**envelope, **event}))
        path.write_bytes(b"".join(lines))
        path.chmod(0o600)
        return path

    def sql(self, query: str, *words: str, code: int = 0, **more: Any) -> list[dict[str, Any]]:
        """Run a query with --json; return the rows."""
        result = self.workspace.journal("sql", query, "--json", *words, **more)
        assert result.code == code, result.err
        self.err = result.err
        rows: list[dict[str, Any]] = json.loads(result.out)
        return rows

    def counts(self, tables: Iterable[str], code: int = 0) -> dict[str, int]:
        """Return the number of rows of each table, by one query."""
        counted = ", ".join(f"(select count(*) from {table}) as {table}" for table in tables)
        (row,) = self.sql(f"select {counted}", code=code)
        return row

    def one(self, query: str, *words: str, code: int = 0) -> Any:
        """Return the one value of a query."""
        (row,) = self.sql(query, *words, code=code)
        (value,) = row.values()
        return value


@pytest.fixture
def journals(workspace: Workspace) -> Journals:
    """Return a journal home without a journal."""
    workspace.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Journals(workspace)
