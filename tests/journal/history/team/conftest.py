"""Journal homes that export to one place, and that place, read by DuckDB."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pytest

from journal.history.team.columns import current
from tests.cli.conftest import workspace
from tests.support.journals import Journals, journals

__all__ = ["Team", "journals", "team", "workspace"]


class Team:
    """A home and the place it exports to."""

    def __init__(self, journals: Journals) -> None:
        self.journals = journals
        self.there = journals.workspace.top / "team"

    def export(self, *words: str, code: int = 0, **more: str) -> Any:
        """Run an export to the tables; return its JSON output, or stderr if there is none."""
        to = ("--to", str(self.there), "--format", "delta", "--json")
        result = self.journals.workspace.journal("export", *to, *words, **more)
        assert result.code == code, result.err
        return json.loads(result.out) if result.out else result.err

    def rows(self, table: str, what: str = "*", *, counted: bool = True) -> list[tuple[Any, ...]]:
        """Return rows of a table from the files its log names, as any engine reads them."""
        from deltalake import DeltaTable

        files = DeltaTable(str(self.there / table)).file_uris()
        if not files:
            return []
        source = f"from read_parquet({files}, hive_partitioning=true, union_by_name=true)"
        rows = f"with {table} as ({source}) {current(table) if counted else f'from {table}'}"
        with duckdb.cursor() as database:
            database.execute("set TimeZone='UTC'")
            return database.execute(f"select {what} from ({rows})").fetchall()

    def one(self, table: str, what: str = "count(*)", *, counted: bool = True) -> Any:
        """Return one value, or 0 if the table has no files."""
        rows = self.rows(table, what, counted=counted)
        return rows[0][0] if rows else 0


@pytest.fixture
def team(journals: Journals) -> Team:
    """Return a home without a journal, and a place without a table."""
    pytest.importorskip("deltalake", reason="the extra team is not installed")
    return Team(journals)
