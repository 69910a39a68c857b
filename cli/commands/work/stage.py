"""`journal stage …`: run a dev cycle."""

from typing import Annotated, Literal

import typer

from cli import options
from cli.options import CommandGroup, argument, option, scope_of

MetricOption = Annotated[
    list[str] | None,
    option("--metric", "NAME=NUMBER", "A number to record with the cycle. Repeatable."),
]
# As `projections.stage.STAGES`, which loads the typed library; a test compares both.
_STAGES = ("sprint", "audit", "ship", "retrospective")
StageArgument = Annotated[
    str,
    argument("STAGE", "sprint, audit, ship or retrospective.", autocompletion=lambda: _STAGES),
]
CycleArgument = Annotated[
    str, argument("CYCLE", "Cycle, by its ID or by the session that stopped it.")
]

app = typer.Typer(
    cls=CommandGroup,
    help="Run a dev cycle: sprint, audit, ship, retrospective.",
    no_args_is_help=True,
)


@app.command("start")
def start_stage(
    stage: StageArgument = "",
    metric: MetricOption = None,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Start a cycle at sprint (or at STAGE), or start the next stage of the open cycle.

    The cycle belongs to this session. Finish an open stage first. The output names skipped stages.
    Starting a stage that is already open does nothing.
    """
    from cli.work.stage import start

    return start(scope_of(project, json, session), stage=stage, metric=metric)


@app.command("finish")
def finish_stage(
    stage: StageArgument = "",
    metric: MetricOption = None,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Record that the open stage is done, and show if enough context is left for the next."""
    from cli.work.stage import finish

    return finish(scope_of(project, json, session), stage=stage, metric=metric)


@app.command("stop")
def stop_stage(
    reason: Annotated[
        Literal["asked", "context_budget"] | None,
        option("--reason", "asked|context_budget", "Why (default: asked)."),
    ] = None,
    metric: MetricOption = None,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Stop the cycle where it is; you can resume it later.

    If a stage is still open, the cycle resumes with it.
    """
    from cli.work.stage import stop

    return stop(scope_of(project, json, session), reason=reason or "", metric=metric)


@app.command("resume")
def resume_stage(
    cycle: CycleArgument = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Resume a stopped cycle in this session, at its first remaining stage.

    The cycle moves to this session; no other session can continue it.
    """
    from cli.work.stage import resume

    return resume(scope_of(project, json, session), cycle=cycle)


@app.command("abandon")
def abandon_stage(
    cycle: CycleArgument = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Give up this session's cycle, or the stopped cycle you name. Its history stays."""
    from cli.work.stage import abandon

    return abandon(scope_of(project, json, session), cycle=cycle)


@app.command("status")
def show_stage(
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Show where the cycle stands and which cycles you can resume."""
    from cli.view.context import show_view
    from cli.work.stage_view import NONE, lines

    return show_view(scope_of(project, json, session), "stage", lines, NONE)
