"""Small files into a table in memory: opening fifty of them costs more than their rows.

A project whose log was just sealed has an active segment of one record. Invariant: the table has
exactly the records the survey counted in those files.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from journal.history.tables.columns import COLUMNS, joined, quoted
from journal.log.record import is_whole

if TYPE_CHECKING:
    from journal.history.tables.engine import Engine
    from journal.history.tables.sources import Log

__all__ = ["TABLE", "hold"]

TABLE = "_small"
_SMALL = 32 * 1024  # bytes of a file
_MOST = 2 * 1024 * 1024  # of all together


def hold(engine: Engine, logs: list[Log]) -> None:
    """Make the table, and mark the sources that are in it."""
    rows, room = [], _MOST
    for log in logs:
        head = b'{"project":%b,"imported":%b,"r":' % (
            json.dumps(log.project).encode(),
            b"true" if log.side == "imported" else b"false",
        )
        for source in log.sources:
            source.held = False
            if source.parquet or not 0 < source.facts["id"][0] <= min(_SMALL, room):
                continue
            lines = _records(source.lines)
            if lines is not None and len(lines) == source.facts["records"]:
                source.held = True
                room -= source.facts["id"][0]
                rows += [head + line + b"}" for line in lines]
    if not rows:
        return
    kinds = {name: ["VARCHAR"] if kind.endswith("[]") else kind for name, kind in COLUMNS.items()}
    shape = {"project": "VARCHAR", "imported": "BOOLEAN", "r": kinds}
    names = ",".join(f"row.r.{quoted(name, chr(34))}" for name in COLUMNS)
    engine.run(
        joined(
            "create or replace temp table",
            TABLE,
            "as select row.project, row.imported,",
            names,
            "from (select unnest(from_json(?, ?)) as row)",
        ),
        [(b"[" + b",".join(rows) + b"]").decode("utf-8", "replace"), json.dumps([shape])],
    )


def _records(path: str) -> list[bytes] | None:
    """Whole records of a file; None where it is not a plain small one."""
    if path.endswith(".gz"):
        return None
    try:
        with open(path, "rb") as file:
            data = file.read(_SMALL + 1)
    except OSError:
        return None
    return [line for line in data.split(b"\n") if is_whole(line)] if len(data) <= _SMALL else None
