"""The log as one table: over the mirrors of some segments and the lines of the others.

Invariant: it has every record once, in named columns; a column nobody asked for says so when read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.tables.columns import COLUMNS, joined, json_columns, quoted
from journal.history.tables.small_files import TABLE

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from journal.history.tables.sources import Log, Source

__all__ = ["STUB", "UNREAD", "base_sql", "files_of", "records_sql", "stub_sql"]

MARK = '"'
STUB = "select * from _stub where random() < 2"
UNREAD = "a column that was not read"
_LOW = {
    "BIGINT": "-4611686018427387904",
    "VARCHAR": "''",
    "TIMESTAMP": "timestamp '1000-01-01'",
    "DOUBLE": "-1e300::double",
    "BOOLEAN": "false",
}
_HIGH = {
    "BIGINT": "4611686018427387904",
    "VARCHAR": "'\U0010fffdzzzz'",
    "BOOLEAN": "true",
    "TIMESTAMP": "timestamp '9000-01-01'",
    "DOUBLE": "1e300::double",
}
_JSON = (
    "format='newline_delimited',ignore_errors=true,maximum_object_size=1048576,filename=true,"
    "hive_partitioning=false"
)
_LINES = (  # no record has a raw control character
    "delim='\x01',quote='',escape='',header=false,auto_detect=false,max_line_size=1048576,"
    "ignore_errors=true,filename=true,hive_partitioning=false"
)
# Members at a fixed distance from the first comma, which ends the seq.
_HEAD = {
    "seq": "try_cast(substr(line,8,instr(line,',')-8) as bigint)",
    "ts": "try_cast(substr(line,instr(line,',')+7,24) as timestamp)",
    "type": "left(substr(line,instr(line,',')+41,99),"
    "instr(substr(line,instr(line,',')+41,99),'\"')-1)",
}


def files_of(logs: Iterable[Log]) -> list[Source]:
    """Every source of the logs."""
    return [source for log in logs for source in log.sources]


def base_sql(
    home: str, logs: list[Log], wanted: Iterable[str], known: Container[str] = COLUMNS
) -> str:
    """SQL of `_log`: all records, in the columns of `COLUMNS`.

    Only the wanted ones are read (80 columns of 50 files cost a tenth of a second before the first
    row); the others, as far as they are `known`, say so where they are asked for all the same.
    """
    chosen = [name for name in COLUMNS if name in {"seq", *wanted}]
    names = ",".join(quoted(name, MARK) for name in chosen)
    absent = "".join(
        f",error('{UNREAD}')::{kind} as {quoted(name, MARK)}"
        for name, kind in COLUMNS.items()
        if name not in chosen and name in known
    )
    parts = []
    for paths, below, reader in _groups(
        home, logs, mirrored=True, heads=_HEAD.keys() >= set(chosen)
    ):
        if reader == "parquet":
            parts.append(joined("select project,imported,", names, "from", _parquet(paths)))
        elif reader == "heads":
            parts.append(joined("select", _origin(below), ",", names, "from", _heads(paths)))
        else:
            parts.append(
                joined(
                    "select",
                    _origin(below),
                    ",",
                    names,
                    "from",
                    _json(paths, chosen),
                    "where seq is not null",
                )
            )
    if any(source.held for source in files_of(logs)):
        parts.append(joined("select project,imported,", names, "from", TABLE))
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
    )
    return [
        f"create temp table _stub ({listed})",
        joined("insert into _stub values", rows),
        f"create view _log as {STUB}",
    ]


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


def _groups(
    home: str, logs: list[Log], *, mirrored: bool, heads: bool = False
) -> list[tuple[list[str], str, str]]:
    """Files that are read in one go: (paths, directory their names are relative to, reader).

    heads: only what stands at the head of every record is asked for.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for source in files_of(logs):
        if mirrored and source.held:
            continue
        if mirrored and source.parquet:
            found.setdefault((f"{home}/cache", "parquet"), []).append(source.parquet)
            continue
        below = home if source.lines == source.path else f"{home}/cache"
        reader = "heads" if heads and below == home and source.facts.get("laid") else "json"
        found.setdefault((below, reader), []).append(source.lines)
    return [(paths, below, reader) for (below, reader), paths in found.items()]


def _listed(paths: list[str]) -> str:
    return "[" + ",".join(map(quoted, paths)) + "]"


def _parquet(paths: list[str]) -> str:
    return f"read_parquet({_listed(paths)},hive_partitioning=false)"


def _json(paths: list[str], columns: list[str]) -> str:
    return f"read_json({_listed(paths)},columns={json_columns(columns)},{_JSON})"


def _heads(paths: list[str]) -> str:
    """Read members at the head of every record from where they stand: half the cost of JSON."""
    lines = f"read_csv({_listed(paths)},columns={{'line':'VARCHAR'}},{_LINES})"
    found = ",".join(f"{place} as {quoted(name, MARK)}" for name, place in _HEAD.items())
    return joined(
        "(select filename,",
        found,
        "from",
        lines,
        """where starts_with(line,'{"seq":') and ends_with(line,'"}'))""",
    )


def _origin(below: str) -> str:
    """Columns project and imported, from the path of the file."""
    rest = f"substr(filename,{len(below) + 2})"
    # Not split_part: it is a macro that costs more than reading the line.
    return (
        f"left({rest},instr({rest},'/')-1) as project,"
        f"starts_with(substr({rest},instr({rest},'/')+1),'imported/') as imported"
    )
