"""The command line: built from the rows of `cli.command`, the only module that imports typer.

Invariant: a command's function is imported when it is called, so `journal --help` loads no typed
library and no database; every way out of here is an exit code of the contract.
"""

from __future__ import annotations

import inspect
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core

from cli import command as commands
from cli.error import OK, USAGE, lines_of, report
from cli.table import Command, Param, function_of
from journal.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["build", "run"]

_TYPES: dict[str, Any] = {
    "text": str,
    "texts": list[str],
    "count": int | None,
    "flag": bool,
    "word": str,
}
_SCOPED = ("project", "json", "session")
_CLICK_ERROR = typer.BadParameter.__mro__[2]  # the base of all usage errors, whoever ships it


class _Group(typer.core.TyperGroup):
    """Help in groups, in the order of the table."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            found = self.get_command(ctx, name)
            if found is None:
                continue
            group = str(getattr(found, "rich_help_panel", None) or "Commands")
            text = (found.help or "").strip().partition("\n")[0]
            groups.setdefault(group, []).append((name, text))
        for group, rows in groups.items():
            with formatter.section(group):
                formatter.write_dl(rows)


def build() -> typer.Typer:
    """Make the application."""
    app = _typer("Event-sourced journal of Claude Code: what a compaction drops is told again.")
    app.callback()(_top)
    folders: dict[str, typer.Typer] = {}
    for row in commands.rows():
        folder, _, name = row.name.rpartition(" ")
        parent = app
        if folder:
            if folder not in folders:
                folders[folder] = _typer(commands.FOLDERS.get(folder, ""))
                app.add_typer(folders[folder], name=folder, rich_help_panel=row.group)
            parent = folders[folder]
        parent.command(name, help=row.help, rich_help_panel=row.group)(_callable(row))
    return app


def run(arguments: list[str], env: Mapping[str, str] | None = None) -> int:
    """Run one command line; give the exit code."""
    env = os.environ if env is None else env
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a character gets \uNNNN
            stream.reconfigure(errors="backslashreplace")
    try:
        code = build()(arguments, prog_name="journal", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except Exception as error:  # noqa: BLE001 (the one place where exceptions become lines)
        if isinstance(error, _CLICK_ERROR):
            return _usage(error)
        return report(error, env)
    return code if isinstance(code, int) else OK


def _typer(text: str) -> typer.Typer:
    return typer.Typer(
        cls=_Group,
        help=text,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _version(asked: bool) -> None:
    if asked:
        from cli.version import version

        print(f"journal {version()}")
        raise typer.Exit


_VERSION = typer.Option(
    "--version", help="Print the version and exit.", is_eager=True, callback=_version
)


def _top(version: Annotated[bool, _VERSION] = False) -> None:
    del version


def _usage(error: Any) -> int:
    """Tell a wrong call: what is wrong, and where the help is."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show(file=sys.stdout)
        return USAGE
    path = getattr(context, "command_path", None) or "journal"
    for line in lines_of(UsageError(error.format_message(), f"see: {path} --help")):
        print(line, file=sys.stderr)
    return USAGE


def _callable(row: Command) -> Callable[..., int]:
    """Make the function typer asks for: its signature from the row, its body the row's function."""

    def call(**given: Any) -> int:
        from cli.scope import Scope

        scoped = {name: given.pop(name) for name in _SCOPED if name in given}
        for param in row.params:
            value = given.get(param.name)
            if param.words and value and value not in param.words:
                raise UsageError(
                    f"{_label(param)} {value}: one of {', '.join(param.words)}", _see(row)
                )
            if param.kind == "count" and value is not None and value < 0:
                raise UsageError(f"{_label(param)} {value}: a whole number, 0 or more", _see(row))
        return function_of(row)(Scope(os.environ, **scoped), **given)

    parameters = [_parameter(param) for param in row.params]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {item.name: item.annotation for item in parameters}
    call.__doc__ = row.help
    return call


def _see(row: Command) -> str:
    return f"see: journal {row.name} --help"


def _label(param: Param) -> str:
    return param.flags[0] if param.flags else param.metavar or param.name.upper()


def _parameter(param: Param) -> inspect.Parameter:
    default: Any = {"texts": None, "count": None, "flag": False}.get(param.kind, "")
    metavar = param.metavar or ("N" if param.kind == "count" else None)
    if param.words:
        metavar = "|".join(param.words)
    if param.flags:
        info = typer.Option(*param.flags, help=param.help, metavar=metavar, show_default=False)
    else:
        info = typer.Argument(help=param.help, metavar=metavar, show_default=False)
    kind: Any = _TYPES[param.kind]
    if param.kind == "texts":
        kind = list[str] if param.required else list[str] | None
    if param.required:
        default = inspect.Parameter.empty
    return inspect.Parameter(
        param.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, info],
    )
