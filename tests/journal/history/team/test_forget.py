"""`journal export --compact` and `--forget`: fewer files, and rows that stay removed."""

from __future__ import annotations

import pytest

from journal.history.team.forget import forget
from journal.history.team.store import Store
from tests.journal.history.export.conftest import EVENTS
from tests.journal.history.team.conftest import MORE, SID, old, parquet

pytestmark = pytest.mark.team


@pytest.mark.parametrize(
    "kind, name, column",
    [("repo", "github.com/shop/cart", "repo"), ("project", "shop-00000001", "project")],
)
def test_forget(two, kind, name, column):
    """After --forget no row or file has the name, other rows stay, and an export adds none again."""
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


@pytest.mark.parametrize(
    "kind, column", [("person", "person"), ("session", "session"), ("origin", "origin_id")]
)
def test_forget_leaves_no_byte(two, kind, column):
    """No file has a byte of a forgotten person, session or home, nor after the next export."""
    old(two)
    name = two.rows("events", column)[-1][0]
    assert name.encode() in parquet(two)
    assert two.export("--forget", f"{kind}:{name}")["left"] == 0
    assert name.encode() not in parquet(two)
    two.journals.write([*MORE, *EVENTS[:2]], "shop-00000001")
    planned = two.export("--dry-run")
    assert (
        two.export()["rows"] == planned["rows"]
    )  # what happened before it was forgotten stays away
    assert kind != "session" or name.encode() not in parquet(two)


@pytest.mark.long
def test_forgotten_stays_forgotten(two, monkeypatch):
    """It stays removed even if a home exports the whole project again; later events are exported."""
    two.export("--forget", "repo:github.com/shop/cart", JOURNAL_NOW="2026-12-24T00:00:00.000Z")
    later = {"type": "tool.finished", "tool": "Read", "ts": "2027-01-02T00:00:00.000Z"}
    two.journals.write([*EVENTS[:2], later], "shop-00000001")
    assert two.export(code=1)["replaced"] == ["shop-00000001"]  # shorter than the log was
    where = "count(*) filter (repo = 'github.com/shop/cart')"
    assert (two.one("tools", where), two.one("events", where)) == (1, 1)


@pytest.mark.parametrize("killed", [False, True])
def test_what_is_forgotten_during_an_export(two, monkeypatch, killed):
    """Rows that an export adds after a --forget are deleted before it, or the next one, ends."""
    old(two)
    append = Store.append
    ran = []

    def late(store, table, rows, marks):
        first = table == "tools" and not ran
        if first:
            ran.append(table)
            forget(store, "repo", "github.com/shop/cart", "2026-12-24T00:00:00.000Z")
        append(store, table, rows, marks)
        if first and killed:
            raise KeyboardInterrupt

    for events, name in ((MORE, "shop-00000001"), (EVENTS, "till-00000001")):
        two.journals.write([*events, {"type": "tool.finished", "tool": "Read"}], name)
    monkeypatch.setattr(Store, "append", late)
    if killed:
        two.journals.workspace.journal("export", "--to", str(two.there), "--format", "delta")
    two.export()
    assert ran
    counts = "count(*) filter (repo like '%/cart'), count(*) filter (repo like '%/till')"
    for table in ("tools", "events"):
        ((cart, till),) = two.rows(table, counts)
        assert (cart, till > 0) == (0, True)
    assert b"github.com/shop/cart" not in parquet(two)


@pytest.mark.long
def test_a_file_of_a_broken_off_export_is_no_proof(two):
    """A young file without a commit may belong to a running export: it is reported, with exit 1."""
    stray = next((two.there / "tools").rglob("*.parquet"))
    stray.with_name("part-00000-stray.zstd.parquet").write_bytes(stray.read_bytes())
    done = two.export("--forget", f"session:{SID}", code=1)
    assert (done["left"], done["waiting"]) == (0, 1)
    old(two)
    assert two.export("--forget", f"session:{SID}")["waiting"] == 0
    assert SID.encode() not in parquet(two)
    assert two.one("tools") == 0
