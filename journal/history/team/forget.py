"""Delete a repository, person, project, origin or session from the team's tables, with proof.

Invariant: only digests of what was forgotten are stored, and a later export of a home that still
has it does not bring it back.
"""

import hashlib
from typing import NamedTuple

from journal.errors import UsageError
from journal.history.export.columns import TIMES
from journal.history.tables.columns import literal
from journal.history.team.store import FORGOTTEN, Store

KINDS = {
    "repo": "repo",
    "person": "person",
    "session": "session",
    "project": "project",
    "origin": "origin_id",
}
"""What can be forgotten → the column that names it."""

# A time as DuckDB writes it, and as the engine of the tables does; {} is its text.
OF_DUCKDB = "{}::timestamptz"
OF_TABLES = "arrow_cast({}, 'Timestamp(Microsecond, Some(\"UTC\"))')"

_YOUNG = 1  # hours during which a file without a commit may be about to be committed


class Forgotten(NamedTuple):
    """The result. rows: table → rows deleted. files: unused files deleted. left: rows left, 0.

    waiting: files of an interrupted export that may be deleted only an hour after it.
    """

    rows: dict[str, int]
    files: int
    left: int
    waiting: int


def digest_of(name: str) -> str:
    """Return the digest that stands for a name, as the SQL function md5 gives it."""
    return hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()


def parse_forget(text: str) -> tuple[str, str]:
    """Return kind and name of `repo:github.com/shop/cart`."""
    kind, _, name = text.partition(":")
    if kind not in KINDS or not name:
        remedy = f"KIND is one of {', '.join(KINDS)}; for example repo:github.com/shop/cart"
        raise UsageError(f"--forget {text}: is not KIND:NAME", remedy)
    return kind, name


def forget(store: Store, kind: str, name: str, until: str, *, dry: bool = False) -> Forgotten:
    """Delete all rows of a name, and the files they are in. until: the time now, ISO 8601."""
    condition = f"md5({KINDS[kind]}) = {literal(digest_of(name))}"
    found = {table: _count(store, table, condition) for table in TIMES}
    if dry:
        return Forgotten({table: n for table, n in found.items() if n}, 0, sum(found.values()), 0)
    note = (
        f"select {literal(kind)} as kind, {literal(digest_of(name))} as digest, "
        f"to_timestamp({literal(until)}) as until"
    )
    store.append(FORGOTTEN, store.stream(FORGOTTEN, note), {})
    files = remaining = waiting = 0
    for table, count in found.items():
        if count:
            store.delete(table, condition)
        unused = store.vacuum(table, 0)
        stray = store.vacuum(table, _YOUNG, full=True) - unused
        young = store.vacuum(table, 0, full=True, dry=True) - unused - stray
        files, waiting = files + len(unused | stray), waiting + len(young)
        store.checkpoint(table)
        remaining += _count(store, table, condition)
    return Forgotten({table: n for table, n in found.items() if n}, files, remaining, waiting)


def remove_forgotten(store: Store, origin: str) -> None:
    """Delete the rows that this home added although they are forgotten, and their files."""
    for table, condition in allowed_rows(store, OF_TABLES).items():
        if store.delete(table, f"origin_id = {literal(origin)} and not ({condition})"):
            store.vacuum(table, 0)
            store.checkpoint(table)


def allowed_rows(store: Store, time_as: str = OF_DUCKDB) -> dict[str, str]:
    """Return SQL of the rows of each table that may be exported; {} if nothing was forgotten.

    time_as: how the engine writes a time, OF_DUCKDB or OF_TABLES.
    """
    noted = store.open(FORGOTTEN)
    if noted is None or not noted.file_uris():
        return {}
    sql = f"select kind, digest, max(until) from {FORGOTTEN} group by kind, digest"
    rows = sorted(store.rows(FORGOTTEN, sql))
    if not rows:
        return {}
    found = {}
    for table, time in TIMES.items():
        conditions = []
        for kind, digest, until in rows:
            matches = f"md5({KINDS[kind]}) = {literal(digest)}"
            # A session stays forgotten; of the others, later rows are exported again.
            is_earlier = f"coalesce({time} <= {time_as.format(literal(until.isoformat()))}, true)"
            is_earlier = "true" if kind == "session" else is_earlier
            conditions.append(f"not coalesce({matches} and {is_earlier}, false)")
        found[table] = " and ".join(conditions)
    return found


def _count(store: Store, table: str, condition: str) -> int:
    sql = f"select count(*) from {table} where {condition}"
    ((count,),) = store.rows(table, sql)
    return int(count)
