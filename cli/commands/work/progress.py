"""`journal progress …`: save and resume the progress of a skill."""

from typing import Annotated

import typer

from cli import options
from cli.options import CommandGroup, argument, flag, option, scope_of

SidArgument = Annotated[str, argument("SID", "Session ID, or the beginning of one.")]

app = typer.Typer(
    cls=CommandGroup,
    help="Save and resume the progress of a skill that works in phases.",
    no_args_is_help=True,
)


@app.command("save")
def save_progress(
    phase: Annotated[str, option("--phase", "N", "Number of the finished phase.")],
    skill: Annotated[str, option("--skill", "S", "Name of the skill; required once.")] = "",
    name: Annotated[str, option("--name", "TEXT", "Name of the phase.")] = "",
    summary: Annotated[
        str, option("--summary", "TEXT", "Results the next phases need; - reads stdin.")
    ] = "",
    output: Annotated[str, option("--output", "PATH", "File that the skill will write.")] = "",
    next_action: Annotated[str, option("--next", "TEXT", "What to do next.")] = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Save that a phase of a skill is done.

    Also writes docs/plans/.cpm-progress-SESSION.md, which git ignores. Saving a phase again
    corrects it.
    """
    from cli.work.progress import save

    return save(
        scope_of(project, json, session),
        skill=skill,
        phase=phase,
        name=name,
        summary=summary,
        output=output,
        next_action=next_action,
    )


@app.command("close")
def close_progress(
    output: Annotated[
        str, option("--output", "PATH", "File the skill wrote, if not the saved one.")
    ] = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Record that the skill is done. Fails until its output exists."""
    from cli.work.progress import close

    return close(scope_of(project, json, session), output=output)


@app.command("show")
def show_progress(
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Show the unfinished skill of this session, and the one it can adopt."""
    from cli.view.context import show_view
    from cli.work.progress_view import NONE, own_lines

    return show_view(scope_of(project, json, session), "progress", own_lines, NONE)


@app.command("list")
def list_progress(
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """List unfinished skills: CURRENT is this session's, STALE is 3 days old or older."""
    from cli.work.progress import listing

    return listing(scope_of(project, json, session))


@app.command("adopt")
def adopt_progress(
    sid: SidArgument,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Move the progress of another session to this one."""
    from cli.work.progress import adopt

    return adopt(scope_of(project, json, session), sid=sid)


@app.command("discard")
def discard_progress(
    sid: SidArgument = "",
    yes: Annotated[bool, flag("--yes", "Do not ask for confirmation.")] = False,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Discard the progress of this session, or of the session you name."""
    from cli.work.progress import discard

    return discard(scope_of(project, json, session), sid=sid, yes=yes)
