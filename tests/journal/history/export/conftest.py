"""Two journals with every kind of row, and a folder that they are exported to."""

import json

import duckdb
import pytest

from journal.history.export import run
from tests.cli.conftest import Workspace, workspace
from tests.support.copied import copied
from tests.support.journals import Journals, journals

__all__ = ["journals", "workspace"]
EVENTS = [
    {"type": "session.started", "source": "startup", "title": "Fix the parser", "cwd": "/home/ann/x"},
    {"type": "prompt.submitted", "text": "go on, Ann, see src/till.py", "origin": "human", "size": 9},
    {"type": "tool.finished", "tool": "Edit", "target": "/home/ann/shop/src/cart.py",
     "changed": True, "ms": 12, "branch": "topsecret"},
    {"type": "tool.failed", "tool": "Bash", "target": "make", "error": "it broke in src/till.py"},
    {"type": "decision.recorded", "text": "Round once"},
    {"type": "compact.started", "trigger": "auto", "tokens": 9},
    {"type": "compact.finished", "summary": "Nothing.", "size": 8},
    {"type": "usage.recorded", "message": "m1", "model": "m", "input_tokens": 5},
    {"type": "turn.ended", "ts": "2026-12-01T00:00:00.000Z"},
]  # fmt: skip


def filled(journals):
    """Return a workspace with two journals and a folder to export to."""
    journals.write(EVENTS, "shop-00000001")
    journals.write(EVENTS[:4], "till-00000002")
    journals.there = journals.workspace.top / "lake"
    return journals


@pytest.fixture
def there(journals):
    """Return a workspace with two journals and a folder to export to."""
    return filled(journals)


@pytest.fixture
def tools_only(monkeypatch):
    """Export the table of tool calls alone: each table takes time."""
    monkeypatch.setattr(run, "TIMES", {"tools": run.TIMES["tools"]})


def export(there, *words: str, code: int = 0):
    """Run an export; return its JSON output."""
    result = there.workspace.journal("export", "--to", str(there.there), "--json", *words)
    assert result.code == code, result.err
    return json.loads(result.out)


@pytest.fixture(scope="session")
def built():
    """Export the two journals once."""
    yield from copied(_exported)


def _exported(top):
    workspace = Workspace(str(top))
    workspace.home.mkdir(mode=0o700)
    there = filled(Journals(workspace))
    there.first = export(there)
    return there


@pytest.fixture
def exported(built):
    """Return `there` after an export, whose output is `first`."""
    return built.restore()


def files(there) -> dict[str, bytes]:
    """Return the bytes of every Parquet file by its path."""
    top = there.there
    return {str(p.relative_to(top)): p.read_bytes() for p in sorted(top.rglob("*.parquet"))}


def rows(there, table: str, what: str = "*"):
    """Query the exported files, as any engine would."""
    source = f"read_parquet('{there.there}/{table}/**/*.parquet', hive_partitioning=true)"
    return duckdb.sql(f"select {what} from {source}").fetchall()
