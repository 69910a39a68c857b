"""`journal export --compact` and `--forget`."""

from __future__ import annotations

import time

import pytest

from tests.journal.history.export.test_run import EVENTS
from tests.journal.history.team.test_push import MORE, same

SID = "5e5510a0-0000-4000-8000-000000000001"


@pytest.fixture
def two(team):
    """Two projects of two repositories, one exported twice."""
    for name, repo in (("shop", "github.com/shop/cart"), ("till", "github.com/shop/till")):
        team.asked.write(EVENTS, f"{name}-00000001")
        (team.asked.home / f"{name}-00000001" / "repo").write_text(repo)
    team.export()
    team.asked.write(MORE, "shop-00000001")
    team.export()
    return team


def old(team) -> None:
    """Let all files be older than an hour."""
    import os

    for path in team.there.rglob("*.parquet"):
        os.utime(path, (time.time() - 7200,) * 2)


def parquet(team) -> bytes:
    """Return the bytes of every file, what Parquet holds as text."""
    import duckdb

    found = b""
    for path in team.there.rglob("*"):
        if path.is_file():
            found += path.read_bytes()
        if path.suffix == ".parquet" and "_delta_log" not in str(path):
            rows = duckdb.sql(f"select columns(*)::varchar from '{path}'").fetchall()
            found += repr(rows).encode()
    return found


def test_compact(two):
    """Small files become one a month; rows that newer ones replace are dropped; totals stay."""
    same(two)
    before = two.one("sessions", counted=False)
    done = two.export("--compact")
    assert (done["rows"] > 0, done["busy"], done["read"] > done["written"] > 0) == (True, [], True)
    assert two.one("sessions", counted=False) == two.one("sessions") < before
    same(two)
    assert two.export("--compact")["rows"] == 0
    assert two.export()["rows"] == {}


@pytest.mark.parametrize(
    "kind, name, column",
    [("repo", "github.com/shop/cart", "repo"), ("project", "shop-00000001", "project")],
)
def test_forget(two, kind, name, column):
    """No row and no file holds it afterwards, other rows stay, and an export brings none back."""
    old(two)
    rest = len([row for row in two.rows("tools", column) if row[0] != name])
    assert name.encode() in parquet(two)
    planned = two.export("--forget", f"{kind}:{name}", "--dry-run")
    assert name.encode() in parquet(two)
    done = two.export("--forget", f"{kind}:{name}")
    assert (done["rows"], done["left"], done["waiting"]) == (planned["rows"], 0, 0)
    assert done["rows"]["events"] == 12
    assert name.encode() not in parquet(two)
    assert two.one("tools") == rest == 2
    again = two.export("--forget", f"{kind}:{name}")
    assert (again["rows"], again["left"]) == ({}, 0)


def test_forgotten_stays_forgotten(two, monkeypatch):
    """Also where a home exports all of a project again; what comes later is exported."""
    two.export("--forget", "repo:github.com/shop/cart", JOURNAL_NOW="2026-12-24T00:00:00.000Z")
    later = {"type": "tool.finished", "tool": "Read", "ts": "2027-01-02T00:00:00.000Z"}
    two.asked.write([*EVENTS[:2], later], "shop-00000001")
    assert two.export(code=1)["replaced"] == ["shop-00000001"]  # shorter than the log it was
    where = "count(*) filter (repo = 'github.com/shop/cart')"
    assert (two.one("tools", where), two.one("events", where)) == (1, 1)


def test_a_file_of_a_broken_off_export_is_no_proof(two):
    """A young file that no commit names may be of a running export: it is said, exit 1."""
    stray = next((two.there / "tools").rglob("*.parquet"))
    stray.with_name("part-00000-stray.zstd.parquet").write_bytes(stray.read_bytes())
    done = two.export("--forget", f"session:{SID}", code=1)
    assert (done["left"], done["waiting"]) == (0, 1)
    old(two)
    assert two.export("--forget", f"session:{SID}")["waiting"] == 0
    assert SID.encode() not in parquet(two)
    assert two.one("tools") == 0


def test_words(two):
    """What cannot be is said: 2, or 3 where there is no table."""
    for words in (("--forget", "x"), ("--forget", "host:a"), ("--compact", "--dry-run"),
                  ("--format", "parquet")):  # fmt: skip
        two.export(*words, code=2) if "--format" not in words else None
    journal = two.asked.workspace.journal
    assert journal("export", "--to", str(two.there), "--format", "parquet").code == 2
    empty = str(two.asked.workspace.top / "nothing")
    assert journal("export", "--to", empty, "--format", "delta", "--compact").code == 3
