"""Sealed segments as Parquet, so that a query does not parse them again.

A cache: `<home>/cache/PROJECT/{live,imported}/FIRST-LAST.parquet`, 0600, made when missing.
Invariant: a mirror is read only if it is the very file that was made of the segment as it is now;
one from elsewhere, of an earlier build or damaged is made again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.query.columns import COLUMNS, VERSION, joined, json_columns, quoted
from cli.query.survey import save
from journal.home import ensure_directory
from journal.log.append import open_regular
from journal.problem import JournalOffError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.query.engine import Engine
    from cli.query.survey import Log, Source

__all__ = ["drop", "make_missing"]


def make_missing(engine: Engine, logs: list[Log], say: Callable[[str], None]) -> None:
    """Give every sealed source its mirror, making those there are none of."""
    missing = []
    for log in logs:
        for source in log.sources:
            if not source.sealed:
                continue
            if source.facts.get("mirror") == _mark(source):
                source.parquet = source.mirror
            else:
                missing.append((log, source))
    if not missing:
        return
    engine.run("set preserve_insertion_order=false")  # a third of the memory
    for number, (log, source) in enumerate(missing, 1):
        say(f"reading {number} of {len(missing)} sealed segments for the first time")
        if _made(engine, log, source):
            source.facts["mirror"] = _mark(source)
            source.parquet = source.mirror
    engine.run("set preserve_insertion_order=true")
    for log in {id(log): log for log, _source in missing}.values():
        save(log)


def _made(engine: Engine, log: Log, source: Source) -> bool:
    """Make a mirror; without room for it, or where DuckDB cannot, the segment itself is read."""
    try:
        _make(engine, log, source)
    except (OSError, JournalOffError):
        return False
    except Exception as error:
        if not engine.fails(error):
            raise
        return False
    return True


def drop(logs: list[Log]) -> None:
    """Forget all mirrors: one of them was damaged behind our back."""
    for log in logs:
        for source in log.sources:
            source.parquet = ""
            source.facts.pop("mirror", None)
        save(log)


def _mark(source: Source) -> list[Any]:
    """What the mirror's file is now, with the build that made it; nothing when it is missing.

    The time is that of the last change of the inode, which nobody sets.
    """
    try:
        facts = os.lstat(source.mirror)
    except OSError:
        return []
    return [VERSION, facts.st_size, facts.st_ctime_ns, facts.st_ino, source.facts["id"]]


def _make(engine: Engine, log: Log, source: Source) -> None:
    ensure_directory(log.cache)
    temporary = f"{source.mirror}.{os.getpid()}"
    os.close(open_regular(temporary, os.O_WRONLY | os.O_CREAT))  # ours, and 0600, from the start
    place = f"{quoted(log.project)} as project,{log.side == 'imported'} as imported"
    names = ",".join(quoted(name, '"') for name in COLUMNS)
    origin = quoted(f"{VERSION} {source.name} {source.facts['id']}")
    try:
        lines = (
            f"read_json({quoted(source.lines)},columns={json_columns()},ignore_errors=true,"
            "format='newline_delimited',maximum_object_size=1048576)"
        )
        options = (
            "(format parquet,compression zstd,row_group_size 20480,use_tmp_file false,"
            f"kv_metadata {{journal: {origin}}})"
        )
        engine.run(joined("copy (select", place, ",", names, "from", lines,
                          "where seq is not null) to", quoted(temporary), options))  # fmt: skip
        told = engine.run("select num_rows from parquet_file_metadata(?)", [temporary]).all()
        rows = told[0][0]
        if rows != source.facts["records"]:
            raise OSError(f"{source.lines}: {rows} rows of {source.facts['records']} records")
        os.replace(temporary, source.mirror)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)
