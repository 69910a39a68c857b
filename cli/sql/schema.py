"""`journal schema`: the tables of `journal sql` and their columns."""

from cli.error import OK, one_of, only_one
from cli.render.text import emit, emit_json, table
from cli.scope import Scope
from journal.history.tables.schema import TABLES
from journal.text import wrapped


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
        from cli.sql.page import tables_page

        emit([tables_page(chosen).rstrip("\n")])
    else:
        for number, (key, item) in enumerate(chosen.items()):
            emit(
                [""] * (number > 0)
                + wrapped(f"{scope.style('bold', key)}: {item.comment}", scope.columns)
            )
            emit("  " + line for line in table(item.columns, scope.columns - 2))
    return OK
