"""Commands about work in progress: dev cycle, skill progress, units of work, save points."""

from typing import Annotated

import typer

from cli import options
from cli.commands.work import progress, stage, unit
from cli.options import argument, option, scope_of

_PANEL = "Work in progress"

app = typer.Typer()
app.add_typer(stage.app, name="stage", rich_help_panel=_PANEL)
app.add_typer(progress.app, name="progress", rich_help_panel=_PANEL)
app.add_typer(unit.app, name="unit", rich_help_panel=_PANEL)


@app.command(rich_help_panel=_PANEL)
def checkpoint(
    text: Annotated[
        list[str] | None, argument("TEXT", "The state of the work; - reads it from stdin.")
    ] = None,
    summary: Annotated[str, option("--summary", "TEXT", "The same as TEXT.")] = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Save where the work stands; Claude gets it back after a compaction."""
    from cli.record import checkpoint as run

    return run(scope_of(project, json, session), text=text or [], summary=summary)


@app.command(rich_help_panel=_PANEL)
def guard(
    name: Annotated[str, argument("NAME", "Name of the guard.")],
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Print whether something that runs once per session is due: RUN, SKIP or SUPPRESS.

    RUN the first time in a session, and outside of a session; SKIP after that; SUPPRESS while a
    loop of another plugin is active here.
    """
    from cli.work.guard import guard as run

    return run(scope_of(project, json, session), name=name)
