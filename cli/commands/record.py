"""Commands that record something: for the session they are called in, or from transcripts."""

from typing import Annotated

import typer

from cli import options
from cli.options import CommandGroup, argument, option, scope_of

_PANEL = "Record"

PhaseOption = Annotated[str, option("--phase", "P", "Phase that taught it, such as implement.")]
TopicOption = Annotated[str, option("--topic", "T", "Topic: the file learnings-T.md.")]

app = typer.Typer()
learning = typer.Typer(
    cls=CommandGroup,
    help="Record, confirm and list learnings (learnings-*.md).",
    no_args_is_help=True,
)
app.add_typer(learning, name="learning", rich_help_panel=_PANEL)


@app.command("import", rich_help_panel=_PANEL)
def import_(
    path: Annotated[
        str, argument("PATH", "A transcript or a folder of them (default: all of Claude Code's).")
    ] = "",
    since: options.Since = "",
    dry_run: options.DryRun = False,
    json: options.Json = False,
) -> int:
    """Import past sessions from Claude Code's transcripts. Safe to run again.

    Sessions, prompts, cost, tool calls, compactions and titles go into a separate log beside each
    project's journal; the hooks do not read it.
    """
    from cli.import_.command import import_ as run

    return run(scope_of(json=json), path=path, since=since, dry_run=dry_run)


@app.command(rich_help_panel=_PANEL)
def note(
    text: options.Text,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Add a note to the journal's own work log.

    It counts as not saved yet, like an entry of progress.md, until the next compound.
    """
    from cli.record import record_text

    return record_text(scope_of(project, json, session), "note", text)


@app.command(rich_help_panel=_PANEL)
def decide(
    text: options.Text,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Record a decision; Claude is reminded of it after a compaction."""
    from cli.record import record_text

    return record_text(scope_of(project, json, session), "decision", text)


@app.command(rich_help_panel=_PANEL)
def compound(
    promoted: Annotated[
        int | None,
        options.number(
            "--promoted",
            "Number of learnings saved (default: those recorded or confirmed since the last "
            "compound).",
            least=0,
        ),
    ] = None,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Record that you reviewed the work log and saved what is worth saving.

    Covers every heading now in .claude/context/progress.md and every note so far: only later
    entries count as not saved yet.
    """
    from cli.record import compound as run

    return run(scope_of(project, json, session), promoted=promoted)


@learning.command("add")
def add_learning(
    topic: TopicOption,
    title: Annotated[str, option("--title", "TEXT", "One line that states what you learned.")],
    phase: PhaseOption = "",
    body: Annotated[
        str, option("--body", "TEXT", "What, why, and how you noticed; - reads stdin.")
    ] = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Add a new learning, unverified.

    The body comes from --body, or from a pipe.
    """
    from cli.learning import add

    scope = scope_of(project, json, session)
    return add(scope, topic=topic, title=title, phase=phase, body=body)


@learning.command("confirm")
def confirm_learning(
    name: Annotated[str, argument("NAME", "Its title, the beginning of it, or its digest.")],
    phase: PhaseOption = "",
    topic: TopicOption = "",
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Confirm a learning once more."""
    from cli.learning import confirm

    return confirm(scope_of(project, json, session), name=name, phase=phase, topic=topic)


@learning.command("list")
def list_learnings(
    topic: TopicOption = "",
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """List the learnings and how often each was confirmed."""
    from cli.learning import listing

    return listing(scope_of(project, json), topic=topic)
