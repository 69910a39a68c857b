"""Journal homes that export to one place, and that place, read by DuckDB."""

from __future__ import annotations

import json
import time
from typing import Any

import duckdb
import pytest

from journal.history.export.columns import TIMES
from journal.history.team.columns import current
from tests.cli.conftest import Workspace, workspace
from tests.journal.history.export.conftest import EVENTS
from tests.support.copied import copied
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


MORE = [*EVENTS, {"type": "prompt.submitted", "text": "more", "origin": "human", "size": 4},
        {"type": "tool.finished", "tool": "Read", "ms": 3}]  # fmt: skip


def same(team, code=0) -> None:
    """Check that each table has the rows `journal sql` has."""
    assert {table: team.one(table) for table in TIMES} == team.journals.counts(TIMES, code)


SID = "5e5510a0-0000-4000-8000-000000000001"


@pytest.fixture(scope="session")
def exported():
    """Export two projects of two repositories once, one of them twice."""
    pytest.importorskip("deltalake", reason="the extra team is not installed")
    yield from copied(_exported)


def _exported(top) -> Team:
    team = Team(Journals(Workspace(str(top))))
    team.journals.home.mkdir(mode=0o700)
    for name, repo in (("shop", "github.com/shop/cart"), ("till", "github.com/shop/till")):
        team.journals.write(EVENTS, f"{name}-00000001")
        (team.journals.home / f"{name}-00000001" / "repo").write_text(repo)
    team.export()
    team.journals.write(MORE, "shop-00000001")
    team.export()
    return team


@pytest.fixture
def two(exported):
    """Return a place with two projects of two repositories, one exported twice."""
    return exported.restore()


def old(team) -> None:
    """Make all files older than an hour."""
    import os

    for path in team.there.rglob("*.parquet"):
        os.utime(path, (time.time() - 7200,) * 2)


def parquet(team) -> bytes:
    """Return the bytes of every file, and the rows of Parquet files as text."""
    import duckdb

    found = b""
    for path in team.there.rglob("*"):
        if path.is_file():
            found += path.read_bytes()
        if path.suffix == ".parquet" and "_delta_log" not in str(path):
            rows = duckdb.sql(f"select columns(*)::varchar from '{path}'").fetchall()
            found += repr(rows).encode()
    return found


LINE = {"type": "usage.recorded", "model": "claude-sonnet-4-5", "input_tokens": 10, "output_tokens": 7,
        "cache_creation_input_tokens": 900, "cache_read_input_tokens": 50_000}  # fmt: skip
STREAM = [
    {"type": "session.started", "source": "startup", "model": "claude-sonnet-4-5", "us": 41_000},
    {"type": "prompt.submitted", "text": "go", "origin": "human", "size": 2, "prompt": "p1"},
    {"type": "pressure.sampled", "tokens": 130_000, "point": 160_000, "used": 65.0, "source": "transcript"},
    {"type": "advice.given", "what": "pressure", "level": "info", "tokens": 130_000, "point": 160_000,
     "hook": "UserPromptSubmit", "channel": "context", "characters": 80},
    {"type": "compound.ran", "promoted": 1},
    {"type": "turn.ended"},
    {"type": "compact.started", "trigger": "auto", "tokens": 158_000, "point": 160_000},
    {"type": "compact.finished", "summary": "All.", "size": 4, "trigger": "auto"},
    {"type": "stage.started", "cycle": "c", "stage": "sprint", "remaining": 90.0},
    {"type": "stage.finished", "cycle": "c", "stage": "sprint", "remaining": 55.0},
    {"type": "tool.finished", "tool": "Read", "us": 9_000, "short": True},
    {"type": "tool.finished", "tool": "Read", "us": 19_000},
    {"type": "session.ended", "reason": "other"},
]  # fmt: skip


@pytest.fixture
def both(team):
    """A journal with hooks and imports of two projects, and its export."""
    team.journals.write(STREAM, "shop-00000001")
    replies = [LINE | {"message": f"m{n}", "key": f"usage:m{n}", "request": "r"} for n in range(5)]
    team.journals.write(
        [*STREAM[:2], *replies[:2], *STREAM[6:8], *replies[2:]], "shop-00000001", "imported"
    )
    other = [event | {"sid": "77777777-0000-4000-8000-000000000001"} for event in MORE]
    team.journals.write(
        [*other, {**LINE, "message": "x", "sid": other[0]["sid"]}], "till-00000002", "imported"
    )
    team.export("--redact", "none")
    return team


def ask(both, *words: str):
    """Run a command and return its JSON."""
    result = both.journals.workspace.journal(*words, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out)
