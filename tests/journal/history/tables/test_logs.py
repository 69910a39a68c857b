"""Bad lines, repeats and damaged caches: no query fails, no bad line is a row, all are counted."""

from __future__ import annotations

import gzip
import os

import pytest

from journal.log.repair import repair
from journal.log.seal import seal
from tests.journal.history.tables.records import GOOD, NOW, record

# name → (bytes of the segment, rows, exit code)
DAMAGE = {
    "whole": (b"".join(GOOD), 7, 0),
    "torn-end": (b"".join(GOOD) + b'{"seq":8,"ts":"2026', 7, 0),
    "torn-healed": (b"".join(GOOD[:3]) + b'{"seq":4,"ts\n' + b"".join(GOOD[3:]), 7, 0),
    "nuls": (b"".join(GOOD) + b"\0" * 300 + b"\n", 7, 1),
    "flipped": (b"".join(GOOD[:6]) + GOOD[6].replace(b"m7", b"mX"), 6, 1),
    "reformatted": (b"".join(GOOD[:6]) + GOOD[6].replace(b'"seq":7', b'"seq": 7'), 6, 1),
    "no-crc": (b"".join(GOOD) + b'{"seq":8,"ts":"2026-11-21T12:00:00Z","type":"turn.ended"}\n',
               7, 0),
    "spliced": (b"".join(GOOD[:5]) + GOOD[5][:40] + GOOD[6], 6, 1),
    "joined": (b"".join(GOOD[:5]) + GOOD[5][:-1] + GOOD[6], 7, 1),
    "twice": (b"".join(GOOD) + GOOD[6], 7, 1),
    "not-json": (b"hello\n" + b"".join(GOOD), 7, 1),
    "not-utf8": (b"".join(GOOD) + b'{"seq":8,"x":"\xff\xfe"}\n', 7, 0),
    "array": (b"".join(GOOD) + b'[{"seq":8}]\n', 7, 1),
    "empty": (b"", 0, 0),
}  # fmt: skip


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ("active", 0), ("active", 1), ("gz", 1),
        *(pytest.param(*case, marks=pytest.mark.long) for case in (("gz", 0), ("sealed", 0), ("sealed", 1))),
    ],
)  # fmt: skip
def test_damage(code, form, journals):
    """Only whole records are rows, in every form of a segment, and damage is reported."""
    # A sealed segment is never empty.
    names = [n for n in DAMAGE if DAMAGE[n][2] <= code and (form == "active" or n != "empty")]
    damaged = sum(DAMAGE[name][2] for name in names)
    file = {"active": "active.jsonl"}.get(form, "000000001-000000007.jsonl")
    for name in names:
        path = journals.write([], name, name=file)
        path.write_bytes(DAMAGE[name][0])
        if form == "gz":
            path.with_name(file + ".gz").write_bytes(gzip.compress(DAMAGE[name][0]))
            path.with_name(file + ".gz").chmod(0o600)
            path.unlink()
    counted = "count(*) n, count(distinct seq) d, count(record) r from events group by all"
    query = f"select project, {counted} having n > 0"
    whole = {name: DAMAGE[name][1] for name in names if DAMAGE[name][1]}
    for _ in range(2):  # the second time from the cache
        found = {row["project"]: row for row in journals.sql(query, code=code)}
        assert {name: row["n"] for name, row in found.items()} == whole
        assert all(row["n"] == row["d"] == row["r"] for row in found.values())
        assert journals.err.count("is damaged, so") == 3 * code, journals.err
        assert (f"{damaged - 3} more logs are damaged" in journals.err) == (code == 1)
    assert journals.one("select count(*) from events", code=code) == sum(whole.values())


def test_nothing_is_said_of_a_whole_journal(journals):
    """For an intact journal nothing is printed on stderr."""
    journals.write([{"type": "turn.ended"}])
    journals.sql("from events")
    assert journals.err == ""


def test_an_unreadable_identity_is_reported(journals):
    """Without a readable identity its columns are NULL, stderr says so, and the exit code is 1."""
    journals.write([])
    journals.workspace.home.joinpath("identity.json").write_text("{")
    (row,) = journals.sql("select origin_id, person, epoch from events", code=1)
    assert row == {"origin_id": None, "person": None, "epoch": None}
    assert "identity.json is not the identity of a journal home" in journals.err
    assert "restore it from a backup" in journals.err


def test_repeats_are_one_row(journals):
    """A key repeated within 512 seqs is one row; later it is another fact."""
    events = [{"type": "turn.ended", "key": "k1"}, {"type": "turn.ended", "key": "k1"},
              {"type": "turn.ended", "key": "k2"}]  # fmt: skip
    events += [{"type": "tool.finished", "key": f"t{n}"} for n in range(600)]
    journals.write([*events, {"type": "turn.ended", "key": "k2"}])
    assert journals.one("select count(*) from events where type = 'turn.ended'") == 3
    assert "1 repeated hook call counted once" in journals.err


def test_growing(journals):
    """Records appended after a query are in the next one, also after a torn end or a repeat."""
    path = journals.write([{"type": "turn.ended", "key": "k"}])
    assert journals.one("select count(*) from events") == 2
    with path.open("ab") as file:
        file.write(record(3, key="k") + record(4) + b'{"seq":5,')
    assert journals.one("select max(seq) from events") == 4
    assert "damaged" not in journals.err
    assert "1 repeated hook call counted once" in journals.err
    with path.open("ab") as file:
        file.write(b"\n" + record(5))
    assert journals.one("select count(*) from events") == 4
    assert "damaged" not in journals.err


def test_replaced_behind_our_back(journals):
    """Another file under the same name is read from the start."""
    path = journals.write([{"type": "turn.ended"}] * 3)
    assert journals.one("select count(*) from events") == 4
    path.write_bytes(GOOD[0] + record(2, message="other"))
    assert journals.sql("select seq, record->>'message' m from events where seq > 1") == [
        {"seq": 2, "m": "other"}
    ]


def test_a_repaired_loss_is_no_finding(journals):
    """After `journal repair` the gap is known, and the exit code is 0."""
    path = journals.write([{"type": "turn.ended"}] * 5)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], lines[3].replace(b"turn", b"tarn"), *lines[4:]]))
    assert journals.one("select count(*) from events", code=1) == 5
    repair(str(path.parent), NOW)
    assert journals.workspace.journal("verify", "--project", path.parent.name).code == 0
    assert journals.one("select count(*) from events") == 6  # with the journal.repaired record


@pytest.mark.parametrize(
    ("more", "compress"),
    [(0, False), (3, True), *(pytest.param(*case, marks=pytest.mark.long) for case in ((0, True), (3, False)))],
)  # fmt: skip
def test_sealed_between_queries(more, compress, journals):
    """A segment sealed after a query keeps all its rows, with or without new records."""
    path = journals.write([{"type": "turn.ended", "key": "k"}] * 4)
    assert journals.one("select count(*) from events") == 2
    with path.open("ab") as file:
        file.write(b"".join(record(6 + n) for n in range(more)))
    seal(str(path.parent), NOW, compress=compress)
    for _ in range(2):
        assert journals.one("select count(*) from events") == 3 + more
    seqs = journals.sql("select seq from events order by seq")
    assert [row["seq"] for row in seqs] == [1, 2, *range(6, 7 + more)]


def test_another_type_with_the_same_key_is_a_row(journals):
    """Two events of one hook call with the same key are both rows, as in the fold."""
    journals.write([{"type": "tool.finished", "key": "k"}, {"type": "progress.saved", "key": "k"}])
    assert journals.one("select count(*) from events where key = 'k'") == 2
    assert journals.err == ""


@pytest.mark.parametrize("file", ["active.jsonl", "000000001-000000006.jsonl"])
def test_a_byte_changed_after_a_query_is_no_row(file, journals):
    """A record damaged after its row was cached is no longer a row, also after the next append."""
    path = journals.write([{"type": "turn.ended", "message": f"m{n}"} for n in range(5)], name=file)
    count = "select count(*) from events"
    assert (journals.one(count), journals.one("select count(*) from turns")) == (6, 0)
    facts = path.stat()
    path.write_bytes(path.read_bytes().replace(b'"m2"', b'"mX"'))
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    for _ in range(2):
        assert journals.one(count, code=1) == 5
        assert "is damaged" in journals.err
        texts = journals.sql("select record->>'message' m from events where seq > 1", code=1)
        assert {row["m"] for row in texts} == {"m0", "m1", "m3", "m4"}
    with (path.parent / "active.jsonl").open("ab") as file:
        file.write(record(7, message="m9"))
    assert journals.one(count, code=1) == 6
    assert "is damaged" in journals.err
