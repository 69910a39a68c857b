"""The stored rows of a log are those of its records, whatever happens to their files."""

from __future__ import annotations

import glob
import os
from contextlib import closing

import pytest

from journal.history.tables.database import History
from tests.journal.history.tables.records import GOOD, flipped, record, sealed


def test_a_lone_surrogate_is_no_lost_row(journals):
    """A record with a lone surrogate is a row, with U+FFFD in its place."""
    line = record(2, message="?").replace(b'"?"', b'"a\\ud800b"')
    from zlib import crc32

    from journal.log.record import is_whole

    body = line.rstrip(b"\n")[: -len(b',"crc":"00000000"}')]
    line = body + b',"crc":"%08x"}\n' % crc32(body)
    assert is_whole(line[:-1])
    path = journals.write([])
    path.write_bytes(GOOD[0] + line)
    assert journals.one("select record->>'message' from events where seq = 2") == "a\ufffdb"
    assert journals.one("select count(*) from events") == 2


def test_sealed_segments_are_mirrored(journals):
    """A sealed segment has a private mirror, and queries read it."""
    mirror = sealed(journals)
    assert oct(mirror.stat().st_mode & 0o777) == "0o600"
    assert oct(mirror.parent.stat().st_mode & 0o777) == "0o700"
    plan = str(journals.sql("explain select type from events"))
    assert "READ_PARQUET" in plan
    assert journals.one("select count(*) from events") == 8


BREAK = {
    "gone": lambda path: path.unlink(),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-40]),
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_bytes(b"PAR1 hello PAR1"),
    "flipped": lambda path: path.write_bytes(flipped(path.read_bytes())),
}


TIMES = [
    pytest.param(name, kept, id=f"{name}-{'same' if kept else 'new'}-time",
                 marks=[] if kept and name in ("gone", "flipped", "cut") else pytest.mark.long)
    for name in BREAK for kept in (False, True)
]  # fmt: skip


@pytest.mark.parametrize(("name", "kept"), TIMES)
def test_a_damaged_mirror_is_made_again(name, kept, journals):
    """A missing, cut or damaged mirror never changes an answer, whatever its modification time."""
    mirror = sealed(journals, 400)
    facts = mirror.stat()
    BREAK[name](mirror)
    if kept and mirror.exists():
        os.utime(mirror, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    query = "select count(*) n, sum(seq) s, count(distinct session) d from events"
    for _ in range(2):
        assert journals.sql(query) == [{"n": 402, "s": sum(range(403)), "d": 2}]
    assert journals.err == ""


def test_a_foreign_mirror_is_not_trusted(journals):
    """Another Parquet file under the mirror's name is replaced."""
    mirror = sealed(journals)
    other = journals.workspace.top / "other.parquet"
    made = journals.workspace.journal("sql", "select 1 as seq", "--parquet", str(other))
    assert made.code == 0, made.err
    os.replace(other, mirror)
    assert journals.one("select max(seq) from events") == 8


def test_a_cache_that_cannot_be_written(journals):
    """If the cache cannot be written, queries read the log itself."""
    journals.write([{"type": "turn.ended"}])
    (journals.home / "cache").write_text("in the way")
    assert journals.one("select count(*) from events") == 2


def test_a_rotten_index_is_made_again(journals):
    """A damaged index of the cache is rebuilt, and the rows are the same."""
    mirror = sealed(journals)
    for text in ("{", "[]", '{"form":1,"files":3}'):
        (mirror.parent / "index.json").write_text(text)
        assert journals.one("select count(*) from events") == 8


def test_no_file_is_removed_while_a_query_reads_it(journals):
    """Rows that other queries join meanwhile stay for those who read them, and go afterwards."""
    path = journals.write([{"type": "turn.ended"}])
    log = f"{journals.home}/cache/{path.parent.name}/live/tables"
    with closing(History(str(journals.home))) as reader:
        reader.make(["events"])
        with path.open("ab") as file:
            file.write(b"".join(record(number, prompt=f"p{number}") for number in range(3, 9)))
        assert journals.one("select count(*) from events") == 8
        assert reader.engine.run("select count(*) from events").all() == [(2,)]
        assert len(glob.glob(f"{log}/events-*.parquet")) == 2
    assert journals.one("select count(*) from events") == 8
    assert len(glob.glob(f"{log}/events-*.parquet")) == 1


@pytest.mark.long
def test_stored_rows_stay_few(journals):
    """A log that grows in small steps is cached in few files, with the same rows."""
    path = journals.write([])
    for number in range(2, 40):
        with path.open("ab") as file:
            file.write(record(number, prompt=f"p{number // 7}"))
        journals.one("select count(*) from events")
    cache = journals.home / "cache" / "shop-00000001" / "live" / "tables"
    assert len(list(cache.glob("events-*.parquet"))) <= 6
    assert journals.sql("select count(*) n, sum(seq) s from events") == [{"n": 39, "s": 780}]


def test_what_other_builds_stored_is_removed(journals):
    """Files of another version in the cache of a log are removed by the first query."""
    path = journals.write([])
    cache = journals.home / "cache" / path.parent.name / "live"
    cache.mkdir(parents=True)
    for name in ("index.json", "active.parquet", "000000001-000000002.clean.jsonl"):
        (cache / name).write_text("old")
    assert journals.one("select count(*) from events") == 1
    assert {item.name for item in cache.iterdir()} == {"tables"}


def test_records_laid_out_otherwise(journals):
    """A time in another form is read from the JSON, with the same values in the other columns."""
    journals.write([{"type": "turn.ended"}], "a-00000001")
    journals.write([{"type": "turn.ended", "ts": "2026-11-21T10:00:07Z"}], "b-00000002")
    large = [{"type": "tool.finished", "tool": "日本" * 900} for _ in range(40)]
    journals.write(large, "c-00000003")
    journals.write([{"type": "turn.ended", "ts": "2026-11-21T10:00:07Z"}, *large], "d-00000004")
    heads = journals.sql("select project, seq, ts, type from events order by project, seq")
    whole = journals.sql("select project, seq, ts, type, session from events order by project, seq")
    assert heads == [{k: v for k, v in row.items() if k != "session"} for row in whole]
    assert len(heads) == 2 + 2 + 41 + 42
    assert {row["type"] for row in heads} == {"segment.opened", "turn.ended", "tool.finished"}
    assert [row["ts"] for row in heads if row["type"] == "turn.ended"] == [
        "2026-11-21T10:00:01Z", "2026-11-21T10:00:07Z", "2026-11-21T10:00:07Z"
    ]  # fmt: skip
