"""Which commands there are: one module of rows per kind of work, put together here.

To add a group of commands: write a module with a tuple `ROWS` of `cli.table.Command`, name it in
`_MODULES`, and where it has subcommands say in `FOLDERS` what their folder is about.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.table import Command

__all__ = ["FOLDERS", "GROUPS", "rows"]

# Headings of the help, in this order.
GROUPS = ("Look", "Explain", "Past", "Keep", "Work", "Care", "Install")

FOLDERS = {
    "learning": "Entries of the learnings files: add, confirm, list.",
    "stage": "The dev cycle: sprint, audit, ship, retrospective.",
    "progress": "Progress of a skill that works in phases.",
    "unit": "Units of work and their checklists.",
}

_MODULES = ("look", "ask", "history", "past", "keep", "work", "care", "install")


def rows() -> list[Command]:
    """All commands in the order of the groups."""
    found: list[Command] = []
    for name in _MODULES:
        found += import_module(f"cli.command.{name}").ROWS
    return sorted(found, key=lambda row: GROUPS.index(row.group))
