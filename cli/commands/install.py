"""Commands that install and check, and the two that Claude Code itself runs."""

from typing import Annotated, Literal

import typer

from cli import options
from cli.options import flag, option, scope_of

_PANEL = "Install"

ClientOption = Annotated[
    str, option("--client", "PATH", "Path of Claude Code (default: claude on PATH).")
]
ScopeOption = Annotated[
    Literal["user", "project"] | None,
    option(
        "--scope",
        "user|project",
        "Which settings to change: your own (user, the default) or the project's.",
    ),
]

app = typer.Typer()


@app.command(rich_help_panel=_PANEL)
def setup(
    statusline: Annotated[
        bool,
        flag(
            "--statusline",
            "Also install the status line; an existing one stays and is shown above it.",
        ),
    ] = False,
    level: ScopeOption = None,
    client: ClientOption = "",
    dry_run: options.DryRun = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Install the journal as a plugin of Claude Code."""
    from cli.setup import setup as run

    scope = scope_of(project, json)
    return run(scope, statusline=statusline, level=level or "", client=client, dry_run=dry_run)


@app.command(rich_help_panel=_PANEL)
def uninstall(
    level: ScopeOption = None,
    client: ClientOption = "",
    dry_run: options.DryRun = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Remove what setup installed; the journal stays."""
    from cli.setup import uninstall as run

    scope = scope_of(project, json, any_home=True)
    return run(scope, level=level or "", client=client, dry_run=dry_run)


@app.command(rich_help_panel=_PANEL)
def doctor(
    selftest: Annotated[
        bool,
        flag(
            "--selftest",
            "Run concurrent hook calls in a temporary journal, kill some, count the records.",
        ),
    ] = False,
    client: ClientOption = "",
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Check the installation and the journal."""
    from cli.setup import doctor as check
    from cli.setup import selftest as test

    run = test if selftest else check
    return run(scope_of(project, json, any_home=True), client=client)


@app.command(rich_help_panel=_PANEL)
def hook() -> int:
    """Handle one hook call: its input on stdin (same as python3 -I -S hooks/run.py)."""
    from cli.__main__ import hand_over

    return hand_over("hook")


@app.command(rich_help_panel=_PANEL)
def statusline() -> int:
    """Print the status line: its input on stdin, one line on stdout."""
    from cli.__main__ import hand_over

    return hand_over("statusline")
