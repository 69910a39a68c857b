"""The `journal` application: its commands, its help, its exit codes.

Each module of `cli.commands` holds a typer application of plain functions; here they become one.
Invariant: building it imports no typed library and no database, because each function imports what
it calls; `run` always returns an exit code of the contract.
"""

import codecs
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from cli import damage
from cli.error import OK, USAGE, report
from cli.options import CommandGroup, scope_of
from cli.render.text import columns
from cli.values import use_plain_values
from journal.bytecode import remove_cut
from journal.errors import JournalError, UsageError

_TYPE_ERRORS = (  # (wording of pydantic or of an older typer, our wording)
    ("Input should be a valid integer, unable to parse string as an integer", "not a whole number"),
    ("Input should be", "must be"),
    ("Value error, ", ""),
    ("is not a valid integer range", "is not a whole number"),
    ("is not in the range x>=", "must be greater than or equal to "),
)
# Signs that we print and an encoding may lack → what is printed instead.
_SIGNS = dict.fromkeys("▏▎▍▌▋▊▉█▁▂▃▄▅▆▇", "#") | dict.fromkeys("┈─━·•", "-") | {"→": "->"}
_WIDEST = 80  # columns of a help text
_PLAIN = "journal.plain"
_COMPLETES = "_JOURNAL_COMPLETE"  # set by a shell that asks for completions
_USAGE_ERROR: Any = typer.BadParameter.__base__  # click's; typer has it under a private name


_MODULES = ("read", "explain", "past", "record", "work", "maintain", "install", "manual")


def _print_version(is_given: bool) -> None:
    if is_given:
        from cli.install import source

        print(f"journal {source.version()}")
        raise typer.Exit


def _top(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> int:
    del version
    if context.invoked_subcommand is not None:
        return OK
    from cli.start import start

    return start(scope_of())


@cache
def command(name: str | None = "") -> Any:
    """Build the click command of the application, once per process.

    name: of the only command to build, "" for all, None for none. Building all of them takes longer
    than running one.
    """
    found = typer.main.get_command(_application(name))
    use_plain_values(found)
    return found


def _application(name: str | None) -> typer.Typer:
    app = typer.Typer(
        cls=CommandGroup,
        help="Event-sourced journal for Claude Code: Claude gets back what compaction dropped.",
        invoke_without_command=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={
            "help_option_names": ["-h", "--help"],
            # By itself click writes at least 50 columns, also in a terminal that has 40.
            "terminal_width": min(columns(os.environ), _WIDEST) - 2,
        },
    )
    app.callback()(_top)
    for part in () if name is None else _parts(name):
        app.add_typer(part)
    return app


def _parts(name: str) -> list[typer.Typer]:
    """Return the applications of the modules; if one has a command `name`, only that command.

    Modules after the one that has it are not loaded.
    """
    parts: list[typer.Typer] = []
    for module in _MODULES:
        part: typer.Typer = import_module(f"cli.commands.{module}").app
        parts.append(part)
        one = typer.Typer()
        one.registered_groups = [info for info in part.registered_groups if info.name == name]
        one.registered_commands = [
            info
            for info in part.registered_commands
            if name in (info.name, getattr(info.callback, "__name__", ""))
        ]
        is_found = one.registered_commands or one.registered_groups
        if name and is_found and module != "manual":  # which is about all commands
            return [one]
    return parts


def _needed(arguments: list[str], env: Mapping[str, str]) -> str | None:
    """Return the name of the only command that a command line needs; "" for all, None for none."""
    if _COMPLETES in env:
        return ""
    return arguments[0] if arguments and arguments != ["--version"] else None


def run(arguments: list[str], env: Mapping[str, str] | None = None) -> int:
    """Run one command line and return its exit code."""
    env = os.environ if env is None else env
    damage.reset()
    _prepare_streams()
    try:
        called = command(_needed(arguments, env))
        code = called.main(arguments, prog_name="journal", standalone_mode=False)
        sys.stdout.flush()
        found = damage.report_damage()
        code = code if isinstance(code, int) and code else found
    except (BrokenPipeError, SystemExit) as error:  # the reader of our output has stopped reading
        # typer exits with 1 then; it also exits when it has answered a shell's completion.
        if isinstance(error, SystemExit) and (_COMPLETES in env or error.code != 1):
            raise
        return OK
    except (KeyboardInterrupt, typer.Abort) as error:
        if not remove_cut(error.__cause__):  # click raises Abort of it
            return 130
        what = "a full disk cut compiled code short; it is removed"
        code = report(JournalError("", what, "try again"), env)
    except Exception as error:  # noqa: BLE001 (the one place where exceptions become lines)
        if isinstance(error, _USAGE_ERROR):
            return _usage(error, arguments, env)
        code = report(error, env)
        with suppress(Exception):  # damage may have caused the error, which is printed already
            damage.report_damage()
    finally:
        _discard_unwritable()
    return code


def _discard_unwritable() -> None:
    """Discard what a stream cannot write: at its end Python would try again, and exit with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _prepare_streams() -> None:
    """Make the standard streams work when they are closed, and with any bytes and characters."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller: it is empty
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if hasattr(sys.stdin, "reconfigure"):  # bytes that are not text must not raise an error
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=use_plain_signs())


def _usage(error: Any, arguments: list[str], env: Mapping[str, str]) -> int:
    """Print what is wrong with a command line and where its help is."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show(file=sys.stdout)
        return USAGE
    # An option without its value is reported before there is a context.
    named = arguments[:1] if arguments[0] in command().commands else []
    path = getattr(error.ctx, "command_path", None) or " ".join(["journal", *named])
    what = " ".join(error.format_message().split())
    for theirs, ours in _TYPE_ERRORS:
        what = what.replace(theirs, ours)
    remedy = f"see: {path} --help"
    if path == "journal" and not named:
        from cli.manual import meant

        if other := meant(arguments[0]):
            what, remedy = what.partition(" Did you mean")[0], f"{other}; {remedy}"
    if type(error).__name__ == "NoSuchOption" and path == "journal":
        remedy = f"options follow the command: journal COMMAND {error.option_name}; {remedy}"
    return report(UsageError(what, remedy), env)


def use_plain_signs() -> str:
    r"""Return the name of an error handler that prints signs in ASCII and \uNNNN for the rest."""
    codecs.register_error(_PLAIN, _in_plain_signs)
    return _PLAIN


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    numbered = (c.encode("ascii", "backslashreplace").decode() for c in lacking)
    return "".join(map(_SIGNS.get, lacking, numbered)), error.end
