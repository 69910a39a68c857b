"""Options that several commands share, each defined once, and the scope they make.

No `from __future__ import annotations` here and in `cli.commands`: typer reads these annotations
when it builds the application.
"""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core

if TYPE_CHECKING:
    from cli.scope import Scope


def _refuse_empty(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """Refuse an empty value, such as that of an unset variable in a shell."""
    source = context.get_parameter_source(parameter.name or "")
    if not value and source is not None and source.name == "COMMANDLINE":
        raise typer.BadParameter("is empty: leave the option out, or give a value")
    return value


def _one_or_all(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Refuse --all together with --project, in whatever order they are parsed."""
    from cli.error import only_one

    if parameter.name == "project":
        _refuse_empty(context, parameter, value)
    typed = {**context.params, parameter.name: value}
    only_one({"--all": typed.get("all_projects"), "--project": typed.get("project")})
    return value


_MOST = 1_000_000_000


def option(name: str, metavar: str, text: str, **more: Any) -> Any:
    """Build an option that takes a value. text: its help; more: as of `typer.Option`."""
    return typer.Option(name, metavar=metavar, help=text, **more)


def flag(name: str, text: str) -> Any:
    """Build an option without a value."""
    return typer.Option(name, help=text)


def argument(metavar: str, text: str, **more: Any) -> Any:
    """Build an argument. more: as of `typer.Argument`."""
    return typer.Argument(metavar=metavar, help=text, **more)


def number(name: str, text: str, *, unit: str = "N", least: int = 1, most: int = _MOST) -> Any:
    """Build an option for a whole number, which always has bounds: what follows can hold it.

    `text` names the default.
    """
    return typer.Option(name, metavar=unit, min=least, max=most, help=text, show_default=False)


class CommandGroup(typer.core.TyperGroup):
    """Help with complete summaries (typer cuts them), one heading per kind of command."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of the group."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            found = self.get_command(ctx, name)
            if found is not None and not found.hidden:
                panel = str(getattr(found, "rich_help_panel", None) or "Commands")
                summary = (found.help or "").strip().partition("\n\n")[0]
                panels.setdefault(panel, []).append((name, " ".join(summary.split())))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


Html = Annotated[str, option("--html", "FILE", "Write one self-contained HTML page to FILE.")]
Force = Annotated[
    bool, flag("--force", "With --html: replace FILE even if the journal did not make it.")
]
Project = Annotated[
    str,
    option(
        "--project",
        "DIR",
        "Directory of the project, or the name of its journal (default: the current one).",
        callback=_one_or_all,
    ),
]
OneProject = Annotated[
    str,
    option(
        "--project",
        "DIR",
        "Only this project: its directory, or the name of its journal.",
        callback=_refuse_empty,
    ),
]
AllProjects = Annotated[
    bool,
    typer.Option("--all", "--all-projects", help="Include all projects.", callback=_one_or_all),
]
Json = Annotated[bool, flag("--json", "Print JSON on stdout and nothing else.")]
Session = Annotated[
    str,
    option("--session", "ID", "Session ID, the beginning of one, or last.", callback=_refuse_empty),
]
Since = Annotated[
    str,
    option(
        "--since",
        "TIME",
        "Only what happened since then: a date, a time, or an age (2h, 3d).",
        callback=_refuse_empty,
    ),
]
EventSince = Annotated[
    str,
    option(
        "--since",
        "SEQ|TIME",
        "Only from this sequence number, time, or age (2h, 3d) on.",
        callback=_refuse_empty,
    ),
]
Until = Annotated[
    str,
    option(
        "--until",
        "SEQ|TIME",
        "Only up to this sequence number, time, or age (2h, 3d).",
        callback=_refuse_empty,
    ),
]
Follow = Annotated[
    bool,
    typer.Option("--follow", "-f", help="Wait for new events and print them until interrupted."),
]
DryRun = Annotated[bool, flag("--dry-run", "Print what would change; change nothing.")]
Yes = Annotated[bool, flag("--yes", "Make the change; without it, only count.")]
Text = Annotated[list[str], argument("TEXT", "The text; - reads it from stdin.")]
NoImport = Annotated[bool, flag("--no-import", "Do not import past sessions first.")]


def scope_of(
    project: str = "",
    json: bool = False,
    session: str = "",
    no_import: bool = False,
    every: bool = False,
    any_home: bool = False,
) -> "Scope":
    """Build the scope of a command from its shared options and the environment.

    every: the command concerns all projects. any_home: accept a journal home that others can write
    to, as commands do that check or remove it. Otherwise raises JournalOffError for such a home,
    and for one that cannot be read: it would look empty.
    """
    from cli.scope import Scope
    from journal.home import check_readable

    scope = Scope(
        os.environ, project=project, json=json, session=session, no_import=no_import, every=every
    )
    if not any_home:
        check_readable(scope.home)
    return scope
