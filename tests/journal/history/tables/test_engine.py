"""A query can only read the journals; --unsafe lifts that."""

from __future__ import annotations

import _thread
import errno
import hashlib
import os
import signal
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb
import pytest

from journal.errors import JournalError
from journal.history.tables.database import History
from journal.history.tables.engine import Engine
from tests.support.examples import third

if TYPE_CHECKING:
    from pathlib import Path

FORBIDDEN = {
    "copy": "copy (select 1) to '$T/x'",
    "copy-over": "copy (select 1) to '$J'",
    "copy-in-cte": "with a as (copy (select 1) to '$J') select * from a",
    "copy-in-cte-unread": "with a as materialized (copy (select 1) to '$J') select 1",
    "copy-case": "WITH a AS (CoPy (select 1) to '$J') select 1",
    "copy-comment": "with a as (/* x */copy/**/(select 1) to '$J') select 1",
    "copy-created": "create table t as with a as (copy (select 1) to '$J') select 1",
    "copy-explained": "explain analyze copy (select 1) to '$J'",
    "copy-prepared": "prepare p as copy (select 1) to '$J'",
    "copy-in-text": "select * from query('with a as (copy (select 1) to ''$J'') select 1')",
    "copy-second": "select 1; copy (select 1) to '$J'",
    "copy-from": "create table t (a varchar); copy t from '/etc/passwd'",
    "read-csv": "select * from read_csv('/etc/passwd')",
    "read-text": "select * from read_text('/etc/passwd')",
    "read-blob": "select * from read_blob('$H/shop-00000001/lock')",
    "read-json": "select * from read_json('/etc/passwd')",
    "read-parquet": "select * from read_parquet('$T/x.parquet')",
    "sniff": "select * from sniff_csv('/etc/passwd')",
    "glob": "select * from glob('/etc/*')",
    "file-name": "select * from '/etc/passwd'",
    "web": "select * from read_csv('https://127.0.0.1:1/x')",
    "bucket": "select * from read_parquet('s3://x/y')",
    "attach": "attach '$T/x.db'",
    "attach-other": "attach '/etc/passwd' as p (type sqlite)",
    "install": "install httpfs",
    "load": "load httpfs",
    "set": "set enable_external_access=true",
    "reset": "reset enable_external_access",
    "pragma": "pragma enable_profiling",
    "export": "export database '$T/x'",
    "import": "import database '$T/x'",
    "secret": "create persistent secret s (type http)",
    "memory-secret": "create secret s (type http)",
    "call": "call enable_logging()",
    "checkpoint": "checkpoint",
    "drop": "drop view _log",
    "insert": "insert into _compactions select * from _compactions",
    "delete": "delete from _compactions",
    "update": "update _compactions set seq = 1",
    "vacuum": "vacuum",
    "use": "use memory",
}


def prints(home: Path) -> dict[str, str]:
    """Return the digest of every file of the journals."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(home.rglob("*.jsonl"))
    }


@pytest.fixture
def refuses(journals):
    """Return a function that checks that a statement is refused and changes nothing."""
    path = journals.write([{"type": "turn.ended"}])
    (journals.home / "shop-00000001" / "lock").write_text("")
    top = journals.workspace.top
    before, around = prints(journals.home), set(top.rglob("*"))

    def check(text, run):
        for sign, value in (("$J", path), ("$T", top), ("$H", journals.home)):
            text = text.replace(sign, str(value))
        run(text)
        assert prints(journals.home) == before, text
        new = {str(path.relative_to(top)) for path in set(top.rglob("*")) - around}
        assert all(item.startswith("journal/cache") for item in new), text

    return check


def test_forbidden(refuses, journals):
    """A statement that could read elsewhere, write, use the network or change settings is refused."""

    def run(text):
        with pytest.raises(JournalError) as refused:
            list(history.query(text))
        assert "root:" not in f"{refused.value.what} {refused.value.remedy}", text

    with closing(History(str(journals.home))) as history:
        for text in FORBIDDEN.values():
            refuses(text, run)


@pytest.mark.parametrize("name", third(FORBIDDEN))
def test_the_command_exits_2(name, refuses, journals):
    """`journal sql` prints what is wrong with a forbidden statement, and no row."""

    def run(text):
        result = journals.workspace.journal("sql", text, "--json")
        assert (result.code, result.out) == (2, ""), result
        assert result.err.startswith("journal: error: ")
        assert "root:" not in result.err

    refuses(FORBIDDEN[name], run)


ALLOWED = {
    "select": ("select count(*) n from events", 2),
    "from-first": ("from events select count(*)", 2),
    "values": ("values (7)", 7),
    "word-in-text": ("select 'copy this' = 'x'", False),
    "word-quoted": ('select 3 as "copy"', 3),
    "table": ("create temp table t as select 5 a; select a from t", 5),
    "view": ("create view v as select count(*) c from events; from v", 2),
    "macro": ("create macro twice(x) as x * 2; select twice(4)", 8),
    "cte": (("with recursive t(n) as (select 1 union all select n+1 from t where n < 5) "
            "select sum(n) from t"), 15),
    "comment": ("/* copy */ select 1 -- copy", 1),
    "pivot": ("select count(*) from (pivot (select 1 a, 'x' b) on b using sum(a))", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", third(ALLOWED))
def test_allowed(name, journals):
    """Any form of reading is allowed."""
    journals.write([{"type": "turn.ended"}])
    query, value = ALLOWED[name]
    assert journals.one(query) == value


def test_unsafe_lifts_it(journals):
    """With --unsafe a query may write a file."""
    journals.write([{"type": "turn.ended"}])
    target = journals.workspace.top / "out.csv"
    text = f"copy (select count(*) n from events) to '{target}'"
    result = journals.workspace.journal("sql", text, "--unsafe")
    assert result.code == 0, result.err
    assert target.read_text() == "n\n2\n"


def test_nothing_is_left_of_refused_statements(journals):
    """All statements are checked before the first one runs."""
    journals.write([])
    result = journals.workspace.journal("sql", "create table t as select 1; attach 'x'")
    assert (result.code, result.out) == (2, "")


@pytest.mark.parametrize("run", [Engine.run, lambda engine, sql: list(engine.query(sql, {}))])
def test_ctrl_c_ends_a_statement(run, monkeypatch):
    """Ctrl-C interrupts the statement that runs, and ends a command as it does anywhere."""

    class Slow:
        """A connection whose statements end only when they are interrupted."""

        def __init__(self, connection) -> None:
            self.extract_statements = connection.extract_statements
            self.interrupted = threading.Event()
            self.interrupt = self.interrupted.set

        def execute(self, *_statement: object) -> None:
            _thread.interrupt_main()
            assert self.interrupted.wait(30)

    engine = Engine()
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(engine, "_connection", Slow(engine._connection))
            with pytest.raises(KeyboardInterrupt):
                run(engine, "select 1")
    finally:
        signal.signal(signal.SIGINT, usual)
        engine.close()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize(
    "form", ['Could not write file "x": {}', 'part [1]: {{"m":"\\"x\\": {}"}}']
)
def test_a_full_disk_is_no_fault_of_the_journal(form: str, code: int) -> None:
    """However DuckDB wraps the system's error, the command reports it as that of the disk."""
    what, translated = os.strerror(code), Engine()._translated
    found = translated(duckdb.IOException(f"IO Error: {form.format(what)}"), "")
    assert (found.path, found.what, found.remedy[:4]) == ("", what.lower(), "free")
    other = translated(duckdb.IOException('IO Error: Could not read "x": no'), "")
    assert (other.what, other.remedy[:9]) == (
        "Could not read a file of the journal: no",
        "try again",
    )
