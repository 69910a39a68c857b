"""Sealed segments as Parquet, so that a query does not parse them again.

A cache: `<home>/cache/PROJECT/{live,imported}/FIRST-LAST.parquet`, 0600, made when missing.
Invariant: a mirror is read only if it is the very file that was made of the segment as it is now;
one from elsewhere, of an earlier build or damaged is made again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from journal.errors import JournalOffError
from journal.files import open_regular
from journal.history.tables.columns import COLUMNS, VERSION, joined, json_columns, quoted
from journal.history.tables.sources import save
from journal.home import ensure_directory

if TYPE_CHECKING:
    from collections.abc import Callable

    from journal.history.tables.engine import Engine
    from journal.history.tables.sources import Log, Source

__all__ = ["drop", "make_missing"]

_MOST = 2  # at once: each takes some 70 MiB, of large segments more than the memory allows
_SMALL = 16 * 1024 * 1024  # bytes
_PACKED = 10  # times smaller a compressed segment is


def make_missing(engine: Engine, logs: list[Log], say: Callable[[str], None]) -> None:
    """Give sources their mirrors, making those there are none of.

    An imported log changes with an import alone: its last segment is mirrored too, once it was met
    a second time. (The first query after an import would wait longer for it than it saves.)
    """
    missing, changed = [], {}
    for log in logs:
        for source in log.sources:
            if source.facts.get("mirror") == _mark(source):
                source.parquet = source.mirror
            elif source.sealed or source.facts.get("met"):
                missing.append((log, source))
            elif log.side == "imported":
                source.facts["met"] = True
                changed[id(log)] = log
    if missing:
        engine.run("set preserve_insertion_order=false")  # a third of the memory
        _make_all(engine, missing, say)
        engine.run("set preserve_insertion_order=true")
    changed.update({id(log): log for log, _source in missing})
    for log in changed.values():
        save(log)


def _make_all(
    engine: Engine, missing: list[tuple[Log, Source]], say: Callable[[str], None]
) -> None:
    """Make mirrors, one on each core: DuckDB makes one on a single core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    small = all(_size(source) <= _SMALL for _log, source in missing)
    count = min(cores, len(missing), _MOST) if small else 1
    shares = [missing[number::count] for number in range(count)]
    done = [0]

    def work(share: list[tuple[Log, Source]]) -> None:
        mine = engine.beside()
        for log, source in share:
            done[0] += 1
            say(f"reading {done[0]} of {len(missing)} sealed segments for the first time")
            if _made(mine, log, source):
                source.facts["mirror"] = _mark(source)
                source.parquet = source.mirror
        mine.close()

    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(count) as pool:
        for ended in [pool.submit(work, share) for share in shares]:
            ended.result()


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


def _size(source: Source) -> int:
    size: int = source.facts["id"][0]
    return size * _PACKED if source.lines.endswith(".gz") else size


def drop(logs: list[Log]) -> None:
    """Forget all mirrors: one of them was damaged behind our back."""
    for log in logs:
        for source in log.sources:
            source.parquet = ""
            source.facts.pop("mirror", None)
            source.facts.pop("met", None)
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
        engine.run(
            joined(
                "copy (select",
                place,
                ",",
                names,
                "from",
                lines,
                "where seq is not null) to",
                quoted(temporary),
                options,
            )
        )
        told = engine.run("select num_rows from parquet_file_metadata(?)", [temporary]).all()
        rows = told[0][0]
        if rows != source.facts["records"]:
            raise OSError(f"{source.lines}: {rows} rows of {source.facts['records']} records")
        os.replace(temporary, source.mirror)
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)
