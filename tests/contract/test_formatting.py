"""The formatter decides the shape of every statement but large tables of data."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = "# fmt: " + "skip"


PRODUCT = [
    path
    for top in ("cli", "hooks", "journal", "projections")
    for path in sorted((ROOT / top).rglob("*.py"))
]


def skips(source: str) -> list[str]:
    """Return what each statement of the module is whose shape the formatter leaves alone."""
    numbers = [at for at, line in enumerate(source.splitlines(), 1) if SKIPPED in line]
    return [
        type(statement).__name__
        for at in numbers
        for statement in ast.parse(source).body
        if statement.lineno <= at <= (statement.end_lineno or 0)
    ]


def test_a_skip_inside_a_function_is_found() -> None:
    """The search tells a table of the module from a statement inside a function."""
    source = f"TABLE = (1,\n  2)  {SKIPPED}\ndef some():\n    return [1,\n  2]  {SKIPPED}\n"
    assert skips(source) == ["Assign", "FunctionDef"]


def test_only_tables_keep_a_shape_of_their_own() -> None:
    """At most 40 statements are not formatted, each of them a table at the top of a module."""
    found = {str(path): skips(path.read_text()) for path in PRODUCT}
    elsewhere = {path for path, kinds in found.items() if set(kinds) - {"Assign", "AnnAssign"}}
    assert not elsewhere
    assert sum(map(len, found.values())) <= 40
