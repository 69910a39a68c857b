"""Options that several commands share, each defined once, and the scope they make.

No `from __future__ import annotations` here and in `cli.commands`: typer reads these annotations
when it builds the application.
"""

import os
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, Literal

import typer

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = [
    "AllProjectsOption",
    "DryRunOption",
    "EventSinceOption",
    "FollowOption",
    "ForceOption",
    "HtmlOption",
    "SinceOption",
    "TextArgument",
    "UntilOption",
    "YesOption",
    "scope_of",
    "with_scope",
]

HtmlOption = Annotated[
    str,
    typer.Option("--html", metavar="FILE", help="Write one self-contained HTML page to FILE."),
]
ForceOption = Annotated[
    bool,
    typer.Option("--force", help="With --html: replace FILE even if the journal did not make it."),
]
OneProjectOption = Annotated[
    str,
    typer.Option(
        "--project",
        metavar="DIR",
        help="Only this project: its directory, or the name of its journal.",
    ),
]
AllProjectsOption = Annotated[
    bool, typer.Option("--all", "--all-projects", help="Include all projects.")
]
SinceOption = Annotated[
    str,
    typer.Option(
        "--since",
        metavar="TIME",
        help="Only what happened since then: a date, a time, or an age (2h, 3d).",
    ),
]
EventSinceOption = Annotated[
    str,
    typer.Option(
        "--since",
        metavar="SEQ|TIME",
        help="Only from this sequence number, time, or age (2h, 3d) on.",
    ),
]
UntilOption = Annotated[
    str,
    typer.Option(
        "--until",
        metavar="SEQ|TIME",
        help="Only up to this sequence number, time, or age (2h, 3d).",
    ),
]
FollowOption = Annotated[
    bool,
    typer.Option("--follow", "-f", help="Wait for new events and print them, until you interrupt."),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Print what would be done; change nothing.")
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do it; without, only count.")]
TextArgument = Annotated[
    list[str], typer.Argument(metavar="TEXT", help="The text; - reads it from stdin.")
]

_PROJECT = Annotated[
    str,
    typer.Option(
        "--project",
        metavar="DIR",
        help="Directory of the project, or the name of its journal (default: the current one).",
    ),
]
_SESSION = Annotated[
    str,
    typer.Option("--session", metavar="ID", help="Session ID, the beginning of one, or last."),
]
_JSON = Annotated[
    bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")
]
_NO_IMPORT = Annotated[bool, typer.Option("--no-import", help="Do not import past sessions first.")]

ScopeOption = Literal["project", "one_project", "session", "json", "no_import"]


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


_PARAMETERS: dict[ScopeOption, Parameter] = {
    "project": _parameter("project", _PROJECT, ""),
    "one_project": _parameter("project", OneProjectOption, ""),
    "session": _parameter("session", _SESSION, ""),
    "json": _parameter("json", _JSON, False),
    "no_import": _parameter("no_import", _NO_IMPORT, False),
}


def with_scope(
    *options: ScopeOption, any_home: bool = False
) -> Callable[[Callable[Concatenate["Scope", ...], int]], Callable[..., int]]:
    """Add shared options to a command; return the function that typer calls.

    The command takes the scope of these options first; they follow its own options in the help.
    any_home: see `scope_of`.
    """
    shared = [_PARAMETERS[option] for option in options]

    def decorate(command: Callable[Concatenate["Scope", ...], int]) -> Callable[..., int]:
        @wraps(command)
        def run(**values: Any) -> int:
            given = {each.name: values.pop(each.name) for each in shared}
            return command(scope_of(**given, any_home=any_home), **values)

        _, *own = signature(command).parameters.values()
        parameters = [*own, *shared]
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorate


def scope_of(
    project: str = "",
    json: bool = False,
    session: str = "",
    no_import: bool = False,
    any_home: bool = False,
) -> "Scope":
    """Build the scope of a command from its shared options and the environment.

    any_home: the command is there to say what is wrong with the journal home, or to leave it.
    Raises JournalOffError for a home that others can write to.
    """
    from cli.scope import Scope
    from journal.home import check_directory

    scope = Scope(os.environ, project=project, json=json, session=session, no_import=no_import)
    if not any_home:
        check_directory(scope.home)
    return scope
