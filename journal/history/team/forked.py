"""Add what is new with one library in memory at a time: DuckDB selects rows, delta-rs adds them.

Each of them maps 45 MiB of program code, so each works in a process of its own, one after the
other. Invariant: an export continues here only if this home remembers where it stopped, and the
tables agree; every other one is left to `push`, which adds the same rows in one process.
"""

import os
import pickle
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from journal.checkpoint import Position
from journal.errors import JournalError
from journal.history.locks import export_lock
from journal.history.team.forget import OF_TABLES, allowed_rows, remove_forgotten
from journal.history.team.positions import folder_of, store_mark
from journal.history.team.store import ORDER, Store


class Pushed(NamedTuple):
    """What was added. rows: table → number. replaced: projects whose history was replaced.

    excluded: lines that are not rows.
    """

    rows: dict[str, int]
    replaced: list[str]
    excluded: int


class Plan(NamedTuple):
    """What an export adds. rows: table → number of rows, which are in the directory of that name.

    projects: of the home. excluded: lines that are not rows. origin: id of the home. table: id of
    `events`. before: log → its mark in `events`. ends, marks: log → position, mark when added.
    """

    projects: list[str]
    excluded: int
    origin: str
    table: str
    before: dict[str, int]
    ends: dict[str, Position]
    marks: dict[str, int]
    rows: dict[str, int]


def push_forked(home: str, store: Store, prepare: Callable[[str], Plan | None]) -> Plan | None:
    """Add what is new; return None if only `push` can do it.

    prepare: writes the new rows to a directory; it runs in a process of its own.
    """
    folder = folder_of(home, store.location)
    if not os.path.isdir(folder) or not hasattr(os, "fork") or threading.active_count() > 1:
        return None
    if "_duckdb" in sys.modules or "deltalake" in sys.modules:
        return None
    prepared = os.path.join(folder, "rows")
    with export_lock(home):
        try:
            plan = _in_process(lambda: prepare(prepared))
            return _in_process(lambda: _commit(store, plan, folder, prepared)) if plan else None
        finally:
            shutil.rmtree(prepared, ignore_errors=True)


def _commit(store: Store, plan: Plan, folder: str, prepared: str) -> Plan | None:
    """Add the prepared rows in the order of `push`; None if the tables have changed since then."""
    if not plan.marks:
        return plan if store.has("events") else None
    events = store.open("events")
    if events is None or str(events.metadata().id) != plan.table:
        return None
    if any((events.transaction_version(name) or 0) != at for name, at in plan.before.items()):
        return None
    allowed = allowed_rows(store, OF_TABLES)
    for name, position in plan.ends.items():
        store_mark(folder, name, position, plan.table, is_complete=False)
    added = {
        table: _add(store, table, os.path.join(prepared, table), allowed.get(table, ""), plan.marks)
        for table in ORDER
        if table in plan.rows
    }
    if allowed_rows(store, OF_TABLES) != allowed:
        remove_forgotten(store, plan.origin)
    for name, position in plan.ends.items():
        store_mark(folder, name, position, plan.table)
    return plan._replace(rows={table: count for table, count in added.items() if count})


def _add(store: Store, table: str, folder: str, allowed: str, marks: Mapping[str, int]) -> int:
    """Add the rows in a directory that are allowed ("": all); return their number."""
    rows = store.prepared(folder)
    source = f"from {table} where {allowed or 'true'}"
    ((count,),) = store.rows(table, f"select count(*) {source}", rows)
    if count:
        store.append(table, store.stream(table, f"select * {source}", rows), dict(marks))
    return int(count)


def _in_process(work: Callable[[], Plan | None]) -> Plan | None:
    """Run `work` in a forked process and return its result; None if the process fails.

    Raise the JournalError that `work` raises.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reader, writer = os.pipe()
    if not os.fork():
        answer = b""
        try:
            answer = pickle.dumps(_outcome(work))
        finally:
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(answer)
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    os.wait()
    outcome: Any = pickle.loads(answer) if answer else None  # noqa: S301 (of our own process)
    if isinstance(outcome, tuple) and not isinstance(outcome, Plan):
        raise JournalError(*outcome)
    found: Plan | None = outcome
    return found


def _outcome(work: Callable[[], Plan | None]) -> Plan | tuple[str, str, str, str | bytes] | None:
    try:
        return work()
    except JournalError as error:
        return error.path, error.what, error.remedy, error.excerpt
