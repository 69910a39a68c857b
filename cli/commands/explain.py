"""Commands that explain what the hooks did, and what they would have done."""

from typing import Annotated

import typer

from cli import options
from cli.options import argument, flag, option, scope_of

_PANEL = "Explain"

app = typer.Typer()


ReplayUntilOption = Annotated[
    str,
    option(
        "--until",
        "SEQ|TIME",
        "Only up to this sequence number, time, or age (2h, 3d). Shows at most the last "
        "1,000 events; --last N changes that.",
    ),
]
ViewOption = Annotated[
    str, option("--view", "NAME", "Only events that changed this view, and how.")
]
DiffOption = Annotated[bool, flag("--diff", "Show every change.")]
AnswersOption = Annotated[bool, flag("--answers", "Show the messages of the hooks.")]
LastOption = Annotated[
    int | None,
    options.number(
        "--last", "Only the last N events; earlier ones are folded but not shown.", least=0
    ),
]


@app.command(rich_help_panel=_PANEL)
def replay(
    until: ReplayUntilOption = "",
    view: ViewOption = "",
    diff: DiffOption = False,
    answers: AnswersOption = False,
    last: LastOption = None,
    follow: options.Follow = False,
    session: options.Session = "",
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Step through history: each event, what it changed, what the hook answered.

    With --answers, the hooks' code answers each event again, and replay compares its message with
    the recorded one. The exit code is 1 if they differ.
    """
    from cli.replay import replay as run

    scope = scope_of(project, json, session, no_import=no_import)
    return run(scope, until=until, view=view, diff=diff, answers=answers, last=last, follow=follow)


@app.command(rich_help_panel=_PANEL)
def explain(
    seq: Annotated[str, argument("SEQ", "The event: N, or i:N for an imported one.")],
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Explain why a hook answered an event, or why it stayed silent.

    SEQ is the event, or the recorded message itself. Each line is one check of the hook: + passed,
    - did not; #N is the event the check rests on. The exit code is 1 if the recorded message
    differs.
    """
    from cli.explain import explain as run

    return run(scope_of(project, json, no_import=no_import), seq=seq)


@app.command(rich_help_panel=_PANEL)
def tune(
    all_projects: options.AllProjects = False,
    since: options.Since = "",
    lead: Annotated[
        int | None,
        options.number(
            "--lead",
            "Seconds you want between the first warning and an automatic compaction "
            "(default: 120).",
            unit="SECONDS",
            least=0,
        ),
    ] = None,
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Show what other thresholds would have done in past sessions.

    Counts warnings per session, automatic compactions without a warning, and unneeded warnings, and
    measures the time from the first warning to the compaction. Prints the settings to change;
    changes nothing.
    """
    from cli.tune import tune as run

    scope = scope_of(project, json, no_import=no_import, every=all_projects)
    return run(scope, since=since, lead=lead)


@app.command(rich_help_panel=_PANEL)
def demo(
    recorded: Annotated[
        bool, flag("--recorded", "Play the recorded session even if you have sessions of your own.")
    ] = False,
) -> int:
    """Show your sessions, compactions and cost, or a recorded session.

    Reads Claude Code's transcripts into a temporary journal and deletes it afterwards. If there are
    no transcripts, plays a recorded session through the real hooks and comments on it.
    """
    from cli.demo import demo as run

    return run(scope_of(), recorded=recorded)
