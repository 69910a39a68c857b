"""`journal export --compact`: fewer files, and rows that count stay."""

from __future__ import annotations

import pytest

from journal.history.export.columns import TIMES
from journal.history.team.store import Store
from tests.journal.history.team.conftest import MORE, same

pytestmark = pytest.mark.team


def test_compact(two):
    """Small files become one per month, replaced rows are dropped, and totals stay."""
    same(two)
    before = two.one("sessions", counted=False)
    done = two.export("--compact")
    assert (done["rows"] > 0, done["busy"], done["read"] > done["written"] > 0) == (True, [], True)
    assert two.one("sessions", counted=False) == two.one("sessions") < before
    same(two)
    assert two.export("--compact")["rows"] == 0
    assert two.export()["rows"] == {}


def test_an_export_between_is_not_lost(two, monkeypatch):
    """Rows that an export adds while a month is written again stay; the month is left as it is."""
    real = Store.stream

    def stream(store, table, sql, opened=None):
        found = real(store, table, sql, opened)
        if opened is not None and not between:
            between.append(table)
            two.journals.write([*MORE, MORE[-1]], "shop-00000001")
            two.export()
        return found

    between: list[str] = []
    monkeypatch.setattr(Store, "stream", stream)
    done = two.export("--compact")
    assert len(between) == 1
    assert [name.split()[0] for name in done["busy"]] == between
    same(two)


def test_compact_while_files_are_replaced(two, monkeypatch):
    """A table whose files another command replaces meanwhile is left for the next run, and named."""
    from deltalake.exceptions import CommitFailedError
    from deltalake.table import TableOptimizer

    def optimize(_table, **_how):
        raise CommitFailedError(
            "a concurrent transaction deleted data this operation read: conflict"
        )

    with monkeypatch.context() as patched:
        patched.setattr(TableOptimizer, "compact", optimize)
        done = two.export("--compact")
    assert (done["busy"], done["read"]) == (list(TIMES), 0)
    same(two)
    assert two.export("--compact")["busy"] == []
    same(two)


def test_words(two):
    """An impossible request exits 2, or 3 if there is no table."""
    for words in (("--forget", "x"), ("--forget", "host:a"), ("--compact", "--dry-run"),
                  ("--format", "parquet")):  # fmt: skip
        two.export(*words, code=2) if "--format" not in words else None
    journal = two.journals.workspace.journal
    assert journal("export", "--to", str(two.there), "--format", "parquet").code == 2
    empty = str(two.journals.workspace.top / "nothing")
    assert journal("export", "--to", empty, "--format", "delta", "--compact").code == 3
