"""`journal pack …`: combine past sessions into a pack, and send it to a session."""

from typing import Annotated

import typer

from cli import options
from cli.options import CommandGroup, argument, option, scope_of

app = typer.Typer(
    cls=CommandGroup,
    help="Combine past sessions into a pack, and send it to a session.",
    no_args_is_help=True,
)


@app.command("make")
def pack_make(
    selector: Annotated[list[str], argument("SELECTOR", "Which sessions: last 2, 1,3, 1-3, IDs.")],
    title: Annotated[str, option("--title", "TEXT", "Title of the pack.")] = "",
    note: Annotated[str, option("--note", "TEXT", "A text before the sessions.")] = "",
    send_to: Annotated[str, option("--send-to", "ID", "Also send it to this session.")] = "",
    dry_run: options.DryRun = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Save a pack of past sessions: their titles, summaries, decisions and files."""
    from cli.past.packs import make

    scope = scope_of(project, json)
    return make(scope, selector=selector, title=title, note=note, send_to=send_to, dry_run=dry_run)


@app.command("list")
def pack_list(project: options.Project = "", json: options.Json = False) -> int:
    """List the saved packs of the project, newest first."""
    from cli.past.packs import listing

    return listing(scope_of(project, json))


@app.command("send")
def pack_send(
    pack: Annotated[str, argument("PACK", "ID of a saved pack, or last.")],
    session: Annotated[str, argument("SESSION", "ID of a session.")],
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Send a saved pack to a session: it gets it once, with its next prompt or recovery."""
    from cli.past.packs import send

    return send(scope_of(project, json), pack=pack, session=session)
