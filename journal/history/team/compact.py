"""Join the small files that exports write, and drop rows that newer ones replace; a scheduled job.

Invariant: it removes no row that counts, and readers and exports run meanwhile. If an export
commits in between, it skips that month, or that table, until the next run.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from journal.errors import JournalError
from journal.history.export.columns import TIMES
from journal.history.tables.columns import identifier, literal
from journal.history.team.columns import FACTS, current
from journal.history.team.faults import BUSY
from journal.history.team.store import Store, names_in

KEPT_HOURS = 7 * 24
"""How long unused files stay: readers, and queries of earlier versions, may still need them."""


class CompactedTables(NamedTuple):
    """The result. read, written: number of files joined. rows: dropped because newer ones count.

    deleted: number of unused files. busy: "TABLE MONTH" of months in which exports committed;
    "TABLE" of one whose files another command replaced.
    """

    read: int
    written: int
    rows: int
    deleted: int
    busy: list[str]


def compact(store: Store) -> CompactedTables:
    """Compact all tables, and delete files that have been unused for `KEPT_HOURS`."""
    read = written = rows = deleted = 0
    busy: list[str] = []
    for table in TIMES:
        if table not in FACTS:
            rows += _drop_replaced(store, table, busy)
        with _skipping(busy, table):
            some, fewer = store.compact(table)
            read, written = read + some, written + fewer
        unused = store.vacuum(table, KEPT_HOURS) | store.vacuum(table, KEPT_HOURS, full=True)
        deleted += len(unused)
        store.checkpoint(table)
    return CompactedTables(read, written, rows, deleted, busy)


def _drop_replaced(store: Store, table: str, busy: list[str]) -> int:
    """Rewrite the months that have replaced rows; return how many rows were dropped."""
    replaced = current(table).replace("place = 1", "place > 1")
    counting = f"select month, count(*) from ({replaced}) r group by month order by 1"
    dropped = 0
    for month, count in store.rows(table, counting):
        which = f"month = {literal(month)}"
        opened = store.must_open(table)
        names = ", ".join(identifier(name) for name in names_in(opened))
        sql = f"select {names} from ({current(table)}) counted where {which}"
        with _skipping(busy, f"{table} {month}"):
            rows = partial(store.stream, table, sql, opened)
            store.replace(table, which, rows, {}, opened)
            dropped += int(count)
    return dropped


@contextmanager
def _skipping(busy: list[str], name: str) -> Iterator[None]:
    """Note what another command disturbed, instead of failing."""
    try:
        yield
    except JournalError as error:
        if error.what != BUSY:
            raise
        busy.append(name)
