"""The log as one table: over the mirrors of some segments and the lines of the others.

Invariant: it has every record once, in named columns; a column nobody asked for says so when read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.query.columns import COLUMNS, joined, json_columns, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.query.survey import Log, Source

__all__ = ["STUB", "UNREAD", "base_sql", "files_of", "records_sql", "stub_sql"]

MARK = '"'
STUB = "select * from _stub where random() < 2"
UNREAD = "a column that was not read"
_LOW = {"BIGINT": "-4611686018427387904", "VARCHAR": "''", "TIMESTAMP": "timestamp '1000-01-01'",
        "DOUBLE": "-1e300::double", "BOOLEAN": "false"}  # fmt: skip
_HIGH = {"BIGINT": "4611686018427387904", "VARCHAR": "'\U0010fffdzzzz'", "BOOLEAN": "true",
         "TIMESTAMP": "timestamp '9000-01-01'", "DOUBLE": "1e300::double"}  # fmt: skip
_JSON = "format='newline_delimited',ignore_errors=true,maximum_object_size=1048576,filename=true"


def files_of(logs: Iterable[Log]) -> list[Source]:
    """Every source of the logs."""
    return [source for log in logs for source in log.sources]


def base_sql(home: str, logs: list[Log], wanted: Iterable[str]) -> str:
    """SQL of `_log`: all records, in the columns of `COLUMNS`.

    Only the wanted ones are read (80 columns of 50 files cost a tenth of a second before the first
    row); the others say so where they are asked for all the same.
    """
    chosen = [name for name in COLUMNS if name in {"seq", *wanted}]
    names = ",".join(quoted(name, MARK) for name in chosen)
    absent = "".join(
        f",error('{UNREAD}')::{kind} as {quoted(name, MARK)}"
        for name, kind in COLUMNS.items() if name not in chosen
    )  # fmt: skip
    parts = []
    for paths, below, reader in _groups(home, logs, mirrored=True):
        whole = "" if reader == "parquet" else "where seq is not null"
        source = _reader(paths, reader, chosen)
        origin = "project,imported" if reader == "parquet" else _origin(below)
        parts.append(joined("select", origin, ",", names, "from", source, whole))
    if not parts:
        return "select * from _stub where false"
    return joined("select *", absent, "from (", " union all ".join(parts), ")")


def stub_sql() -> list[str]:
    """Statements that make the table which stands for the log while a query is planned.

    Its rows span all values, so that no condition can be decided without reading.
    """
    columns = {"project": "VARCHAR", "imported": "BOOLEAN", **COLUMNS}
    listed = ",".join(f"{quoted(name, MARK)} {kind}" for name, kind in columns.items())
    rows = ", ".join(
        "(" + ",".join(ends.get(kind, "null") for kind in columns.values()) + ")"
        for ends in (_LOW, _HIGH, {})
    )  # fmt: skip
    return [f"create temp table _stub ({listed})", joined("insert into _stub values", rows),
            f"create view _log as {STUB}"]  # fmt: skip


def records_sql(home: str, logs: list[Log]) -> str:
    """SQL of `_records`: all records as they stand in the log."""
    parts = [
        " ".join(
            (
                "select",
                _origin(below),
                ", json as record from read_ndjson_objects(",
                _listed(paths),
                ",",
                _JSON,
                ") where json is not null",
            )
        )
        for paths, below, _ in _groups(home, logs, mirrored=False)
    ]
    empty = "select ''::varchar as project,false as imported,null::json as record where false"
    return " union all ".join(parts or [empty])


def _groups(home: str, logs: list[Log], *, mirrored: bool) -> list[tuple[list[str], str, str]]:
    """Files that are read in one go: (paths, directory their names are relative to, reader)."""
    cache = f"{home}/cache"
    parquet: list[str] = []
    copies: list[str] = []
    plain: list[str] = []
    for source in files_of(logs):
        if mirrored and source.parquet:
            parquet.append(source.parquet)
        else:
            (plain if source.lines == source.path else copies).append(source.lines)
    found = ((parquet, cache, "parquet"), (copies, cache, "json"), (plain, home, "json"))
    return [item for item in found if item[0]]


def _listed(paths: list[str]) -> str:
    return "[" + ",".join(map(quoted, paths)) + "]"


def _reader(paths: list[str], reader: str, columns: list[str]) -> str:
    if reader == "parquet":
        return f"read_parquet({_listed(paths)})"
    return f"read_json({_listed(paths)},columns={json_columns(columns)},{_JSON})"


def _origin(below: str) -> str:
    """Columns project and imported, from the path of the file."""
    rest = f"substr(filename,{len(below) + 2})"
    return f"split_part({rest},'/',1) as project,split_part({rest},'/',2)='imported' as imported"
