"""`journal schema`: the tables of `journal sql` and their columns."""

from collections.abc import Iterator, Mapping

from cli.error import OK, one_of, only_one
from cli.render.text import emit, emit_json
from cli.scope import Scope
from journal.history.tables.schema import TABLES, Table
from journal.text import padded, width, wrapped


def schema(scope: Scope, name: str, *, markdown: bool) -> int:
    """Print the tables, or one of them."""
    chosen = {name: TABLES[one_of("table", name, TABLES)]} if name else TABLES
    only_one({"--json": scope.json, "--markdown": markdown})
    if scope.json:
        emit_json(
            [
                {
                    "table": key,
                    "comment": item.comment,
                    "columns": [column._asdict() for column in item.columns],
                }
                for key, item in chosen.items()
            ]
        )
    elif markdown:
        emit([tables_page(chosen).rstrip("\n")])
    else:
        for number, (key, item) in enumerate(chosen.items()):
            emit(
                [""] * (number > 0)
                + wrapped(f"{scope.style('bold', key)}: {item.comment}", scope.columns)
            )
            emit(_rows(item, scope.columns))
    return OK


def _rows(item: Table, columns: int) -> Iterator[str]:
    """Yield the lines of a table's columns; a long description continues below its beginning."""
    names, kinds = (max(width(column[at]) for column in item.columns) for at in (0, 1))
    lead = names + kinds + 6
    for column in item.columns:
        head = f"  {padded(column.name, names)}  {padded(column.type, kinds)}  "
        for line in wrapped(column.comment, max(8, columns - lead)):
            yield (head + line).rstrip()
            head = " " * lead


def tables_page(tables: Mapping[str, Table]) -> str:
    """Return tables as Markdown."""
    parts = []
    for name, item in tables.items():
        rows = [
            f"| `{column.name}` | {column.type} | {column.comment.replace('|', chr(92) + '|')} |"
            for column in item.columns
        ]
        parts.append(
            "\n".join(
                [
                    f"## {name}",
                    "",
                    item.comment,
                    "",
                    "| column | type | |",
                    "|---|---|---|",
                    *rows,
                    "",
                ]
            )
        )
    return "\n".join(parts)
