"""`journal unit …`: units of work and their checklists."""

from typing import Annotated

import typer

from cli import options
from cli.options import CommandGroup, argument, flag, option, scope_of

LeftUnitArgument = Annotated[str, argument("ID", "Unit or its session.")]

app = typer.Typer(
    cls=CommandGroup, help="Track units of work and their checklists.", no_args_is_help=True
)


@app.command("start")
def start_unit(
    unit: Annotated[str, argument("ID", "A short name for the unit.")],
    title: Annotated[str, option("--title", "TEXT", "What it is about.")] = "",
    items: Annotated[str, option("--items", "FILE", "Markdown file with a task list.")] = "",
    item: Annotated[list[str] | None, option("--item", "TEXT", "One item. Repeatable.")] = None,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Start a unit of work with its checklist.

    The items of a file are its Markdown task list; editing that file checks them off.
    """
    from cli.work.unit import start

    scope = scope_of(project, json, session)
    return start(scope, unit=unit, title=title, items=items, item=item)


@app.command("check")
def check_item(
    item: Annotated[str, argument("ITEM", "Its text, the beginning of it, or its number.")],
    undo: Annotated[bool, flag("--undo", "Open the item again.")] = False,
    unit: Annotated[str, option("--unit", "ID", "Unit (default: the newest open one).")] = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Check an item off, in the unit and in its file."""
    from cli.work.unit import check

    return check(scope_of(project, json, session), item=item, undo=undo, unit=unit)


@app.command("finish")
def finish_unit(
    unit: Annotated[str, argument("ID", "Unit (default: the newest open one).")] = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Record that a unit is done."""
    from cli.work.unit import finish

    return finish(scope_of(project, json, session), unit=unit)


@app.command("adopt")
def adopt_unit(
    unit: LeftUnitArgument = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Continue in this session a unit that an ended session left unfinished."""
    from cli.work.unit import adopt

    return adopt(scope_of(project, json, session), unit=unit)


@app.command("discard")
def discard_unit(
    unit: LeftUnitArgument = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Discard a unit that an ended session left unfinished."""
    from cli.work.unit import discard

    return discard(scope_of(project, json, session), unit=unit)


@app.command("list")
def list_units(
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """List the units of this session, and those that ended sessions left unfinished."""
    from cli.work.unit import listing

    return listing(scope_of(project, json, session))
