"""`journal schema`: the tables of `journal sql` and their columns."""

from collections.abc import Iterator, Mapping

from cli.error import OK, one_of, only_one
from cli.render.text import emit, labelled
from cli.scope import Scope
from journal.history.tables.schema import TABLES, Table
from journal.text import padded, width, wrapped


def schema(scope: Scope, name: str, *, markdown: bool) -> int:
    """Print the tables, or one of them."""
    chosen = {name: TABLES[one_of("table", name, TABLES)]} if name else TABLES
    only_one({"--json": scope.json, "--markdown": markdown})
    if markdown:
        emit([tables_page(chosen).rstrip("\n")])
        return OK
    lines: list[str] = []
    for key, item in chosen.items():
        lines += [""] if lines else []
        lines += wrapped(f"{scope.style('bold', key)}: {item.comment}", scope.columns)
        lines += _rows(item, scope.columns)
    data = [
        {
            "table": key,
            "comment": item.comment,
            "columns": [each._asdict() for each in item.columns],
        }
        for key, item in chosen.items()
    ]
    return scope.show(data, lines)


def _rows(item: Table, columns: int) -> Iterator[str]:
    """Yield the lines of a table's columns; a long description continues below its beginning."""
    names, kinds = (max(width(column[at]) for column in item.columns) for at in (0, 1))
    for column in item.columns:
        head = f"  {padded(column.name, names)}  {padded(column.type, kinds)}  "
        yield from (line.rstrip() for line in labelled(head, column.comment, columns))


def tables_page(tables: Mapping[str, Table]) -> str:
    """Return tables as Markdown."""
    parts = []
    for name, item in tables.items():
        rows = "".join(
            f"| `{column.name}` | {column.type} | {column.comment.replace('|', chr(92) + '|')} |\n"
            for column in item.columns
        )
        parts.append(f"## {name}\n\n{item.comment}\n\n| column | type | |\n|---|---|---|\n{rows}")
    return "\n".join(parts)
