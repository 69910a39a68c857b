"""Commands about work in progress: dev cycle, skill progress, units of work, save points."""

from typing import Annotated, Literal

import typer

from cli.options import JsonOption, ProjectOption, SessionOption, scope_of

__all__ = ["app"]

_PANEL = "Work in progress"

MetricOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric", metavar="NAME=NUMBER", help="A number to record with the cycle. Repeatable."
    ),
]
StageArgument = Annotated[
    str, typer.Argument(metavar="STAGE", help="sprint, audit, ship or retrospective.")
]
LeftUnitArgument = Annotated[str, typer.Argument(metavar="ID", help="Unit or its session.")]
CycleArgument = Annotated[
    str,
    typer.Argument(metavar="CYCLE", help="Cycle, by its ID or by the session that stopped it."),
]
SidArgument = Annotated[
    str, typer.Argument(metavar="SID", help="Session ID, or the beginning of one.")
]

app = typer.Typer()
stage = typer.Typer(
    help="Run a dev cycle: sprint, audit, ship, retrospective.", no_args_is_help=True
)
progress = typer.Typer(
    help="Save and resume the progress of a skill that works in phases.", no_args_is_help=True
)
unit = typer.Typer(help="Track units of work and their checklists.", no_args_is_help=True)
app.add_typer(stage, name="stage", rich_help_panel=_PANEL)
app.add_typer(progress, name="progress", rich_help_panel=_PANEL)
app.add_typer(unit, name="unit", rich_help_panel=_PANEL)


@stage.command("start")
def start_stage(
    stage: StageArgument = "",
    metric: MetricOption = None,
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Start a cycle at sprint (or at STAGE), or start the next stage of the open cycle.

    The cycle belongs to this session. Finish an open stage first; a stage you skip is named.
    Starting a stage that is already open does nothing.
    """
    from cli.work.stage import start

    return start(scope_of(project, json, session), stage=stage, metric=metric)


@stage.command("finish")
def finish_stage(
    stage: StageArgument = "",
    metric: MetricOption = None,
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Record that the open stage is done, and show if enough context remains for the next."""
    from cli.work.stage import finish

    return finish(scope_of(project, json, session), stage=stage, metric=metric)


@stage.command("stop")
def stop_stage(
    reason: Annotated[
        Literal["asked", "context_budget"] | None,
        typer.Option("--reason", metavar="asked|context_budget", help="Why (default: asked)."),
    ] = None,
    metric: MetricOption = None,
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Stop the cycle where it is; you can resume it later.

    A stage that is still open is the first of the remaining stages.
    """
    from cli.work.stage import stop

    return stop(scope_of(project, json, session), reason=reason or "", metric=metric)


@stage.command("resume")
def resume_stage(
    cycle: CycleArgument = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Resume a stopped cycle in this session, at its first remaining stage.

    The cycle moves to this session; only one session can go on with it.
    """
    from cli.work.stage import resume

    return resume(scope_of(project, json, session), cycle=cycle)


@stage.command("abandon")
def abandon_stage(
    cycle: CycleArgument = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Give up this session's cycle, or the stopped cycle you name. Its history stays."""
    from cli.work.stage import abandon

    return abandon(scope_of(project, json, session), cycle=cycle)


@stage.command("status")
def show_stage(
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Show where the cycle stands and which cycles you can resume."""
    from cli.work.stage import status

    return status(scope_of(project, json, session))


@progress.command("save")
def save_progress(
    phase: Annotated[
        str, typer.Option("--phase", metavar="N", help="Number of the finished phase.")
    ],
    skill: Annotated[
        str, typer.Option("--skill", metavar="S", help="Name of the skill; required once.")
    ] = "",
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Name of the phase.")] = "",
    summary: Annotated[
        str,
        typer.Option(
            "--summary", metavar="TEXT", help="Results the next phases need; - reads stdin."
        ),
    ] = "",
    output: Annotated[
        str, typer.Option("--output", metavar="PATH", help="File that the skill will write.")
    ] = "",
    next_action: Annotated[
        str, typer.Option("--next", metavar="TEXT", help="What to do next.")
    ] = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
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


@progress.command("close")
def close_progress(
    output: Annotated[
        str,
        typer.Option(
            "--output", metavar="PATH", help="File the skill wrote, if not the saved one."
        ),
    ] = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Record that the skill is done. Fails until its output exists."""
    from cli.work.progress import close

    return close(scope_of(project, json, session), output=output)


@progress.command("show")
def show_progress(
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Show this session's progress, and what it could adopt."""
    from cli.work.progress import show

    return show(scope_of(project, json, session))


@progress.command("list")
def list_progress(
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """List unfinished skills: CURRENT is this session's, STALE is 3 days old or older."""
    from cli.work.progress import listing

    return listing(scope_of(project, json, session))


@progress.command("adopt")
def adopt_progress(
    sid: SidArgument,
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Move the progress of another session to this one."""
    from cli.work.progress import adopt

    return adopt(scope_of(project, json, session), sid=sid)


@progress.command("discard")
def discard_progress(
    sid: SidArgument = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Discard the progress of this session, or of the session you name."""
    from cli.work.progress import discard

    return discard(scope_of(project, json, session), sid=sid, yes=yes)


@unit.command("start")
def start_unit(
    unit: Annotated[str, typer.Argument(metavar="ID", help="A short name for the unit.")],
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="What it is about.")] = "",
    items: Annotated[
        str, typer.Option("--items", metavar="FILE", help="Markdown file with a task list.")
    ] = "",
    item: Annotated[
        list[str] | None,
        typer.Option("--item", metavar="TEXT", help="One item. Repeatable."),
    ] = None,
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Start a unit of work with its checklist.

    The items of a file are its Markdown task list; editing that file checks them off.
    """
    from cli.work.unit import start

    scope = scope_of(project, json, session)
    return start(scope, unit=unit, title=title, items=items, item=item)


@unit.command("check")
def check_item(
    item: Annotated[
        str, typer.Argument(metavar="ITEM", help="Its text, the beginning of it, or its number.")
    ],
    undo: Annotated[bool, typer.Option("--undo", help="Open the item again.")] = False,
    unit: Annotated[
        str,
        typer.Option("--unit", metavar="ID", help="Unit (default: the newest open one)."),
    ] = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Check an item off, in the unit and in its file."""
    from cli.work.unit import check

    return check(scope_of(project, json, session), item=item, undo=undo, unit=unit)


@unit.command("finish")
def finish_unit(
    unit: Annotated[
        str, typer.Argument(metavar="ID", help="Unit (default: the newest open one).")
    ] = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Record that a unit is done."""
    from cli.work.unit import finish

    return finish(scope_of(project, json, session), unit=unit)


@unit.command("adopt")
def adopt_unit(
    unit: LeftUnitArgument = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Continue here a unit that an ended session left unfinished."""
    from cli.work.unit import adopt

    return adopt(scope_of(project, json, session), unit=unit)


@unit.command("discard")
def discard_unit(
    unit: LeftUnitArgument = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Discard a unit that an ended session left unfinished."""
    from cli.work.unit import discard

    return discard(scope_of(project, json, session), unit=unit)


@unit.command("list")
def list_units(
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """List the units of this session, and those that ended sessions left unfinished."""
    from cli.work.unit import listing

    return listing(scope_of(project, json, session))


@app.command(rich_help_panel=_PANEL)
def checkpoint(
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="The state of the work; - reads it from stdin."),
    ] = None,
    summary: Annotated[
        str, typer.Option("--summary", metavar="TEXT", help="The same as TEXT.")
    ] = "",
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Save where the work stands; Claude gets it back after a compaction."""
    from cli.record import checkpoint as run

    return run(scope_of(project, json, session), text=text or [], summary=summary)


@app.command(rich_help_panel=_PANEL)
def guard(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the guard.")],
    project: ProjectOption = "",
    json: JsonOption = False,
    session: SessionOption = "",
) -> int:
    """Print whether something that runs once per session is due: RUN, SKIP or SUPPRESS.

    RUN the first time in a session, and outside of a session; SKIP after that; SUPPRESS while a
    loop of another plugin is active here.
    """
    from cli.work.guard import guard as run

    return run(scope_of(project, json, session), name=name)
