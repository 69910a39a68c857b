"""Print a query result as table, JSON, CSV or Markdown.

Invariant: no text from a record reaches the terminal unescaped; rows are written as they arrive.
"""

import json
import math
import sys
from collections.abc import Callable
from itertools import chain, count
from typing import Any

from cli.render.text import emit, emit_array, json_of, print_csv, records_of, table
from journal.history.tables.engine import QueryResult
from journal.text import escaped, one_line, width

_READABLE = 12  # terminal columns that a cell needs
_NUMBERS = ("INT", "DOUBLE", "FLOAT", "DECIMAL", "NUMBER")


def show(result: QueryResult, form: str, columns: int) -> None:
    """Print a result. form: table, json, csv or markdown; columns: of the terminal."""
    if result.names:
        FORMS[form](result, columns)


def plain(value: Any, kind: str = "") -> Any:
    """Convert a value to a JSON type: number, string, list, object, null."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return _parsed(value) if kind == "JSON" else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "isoformat"):
        text = str(value.isoformat())
        return _stamp(text) if "T" in text else text
    if hasattr(value, "as_integer_ratio"):  # a decimal
        return int(value) if value == int(value) else float(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    return str(value)


def _stamp(text: str) -> str:
    """Return an ISO time in the journal's format: milliseconds, UTC."""
    head, dot, rest = text.partition(".")
    return f"{head}.{(rest + '000')[:3]}Z" if dot else f"{head}Z"


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _cell(value: Any) -> str:
    """Return a value as text for a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1e6 else f"{value:.1f}"
    if hasattr(value, "hour") and hasattr(value, "year"):
        text = value.isoformat(" ", "milliseconds")
        return str(text.removesuffix(".000").removesuffix(" 00:00:00"))
    return _text(value)


def _table(result: QueryResult, columns: int) -> None:
    right = [at for at, kind in enumerate(result.types) if any(n in kind for n in _NUMBERS)]
    heads: list[str] = result.names
    empty, wide_enough = True, True
    for batch in result.rows(1000):
        rows = [[_cell(value) for value in row] for row in batch]
        if empty:
            needs = [
                max(width(one_line(x[at])) for x in [result.names, *rows])
                for at in range(len(heads))
            ]
            wide_enough = sum(min(need, _READABLE) + 2 for need in needs) <= columns + 2
        empty = False
        if not wide_enough:
            cells = [[one_line(cell) for cell in row] for row in rows]
            emit([*records_of([*map(one_line, result.names)], cells, columns), ""])
            continue
        sizes = [max(width(one_line(row[at])) for row in rows) for at in range(len(result.names))]
        emit(table(rows, columns, heads=heads, right=right, flexible=sizes.index(max(sizes))))
        heads = []
    if empty:
        emit(["no rows: journal schema prints the tables, journal import adds past sessions"])


def _json(result: QueryResult, _columns: int) -> None:
    names: list[str] = []
    for name in result.names:  # a second `n` is `n_1`, as in a table that DuckDB makes of the rows
        further = (f"{name}_{number}" for number in count(1))
        names.append(next(one for one in chain([name], further) if one not in names))
    emit_array(
        {
            name: plain(value, kind)
            for name, kind, value in zip(names, result.types, row, strict=True)
        }
        for batch in result.rows()
        for row in batch
    )


def _csv(result: QueryResult, _columns: int) -> None:
    safe: Callable[[str], str] = escaped if sys.stdout.isatty() else str
    print_csv([map(safe, result.names)])
    for batch in result.rows():
        print_csv(map(safe, map(_text, row)) for row in batch)


def _text(value: Any) -> str:
    """Return a value as text for a program: nothing is rounded."""
    if value is None:
        return ""
    converted = plain(value)
    return converted if isinstance(converted, str) else json_of(converted)


def _markdown(result: QueryResult, _columns: int) -> None:
    from journal.history.session_text import table_cell  # slow, and only this form needs it

    def line(cells: list[str]) -> str:
        return f"| {' | '.join(table_cell(one_line(cell)) for cell in cells)} |"

    emit([line(result.names), "|" + " --- |" * len(result.names)])
    for batch in result.rows():
        emit(line([_cell(value) for value in row]) for row in batch)


FORMS: dict[str, Callable[[QueryResult, int], None]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "markdown": _markdown,
}
