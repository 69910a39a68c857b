"""The prompt of `journal sql` on a terminal without a query, with history.

Invariant: typed statements are stored in the journal home (mode 0600) and nowhere else; an error
ends a statement, never the prompt.
"""

import os
from collections.abc import Callable
from contextlib import suppress

from cli.error import lines_of
from cli.render.text import emit
from cli.scope import Scope
from cli.sql.schema import schema
from cli.sql.show import show
from journal.errors import JournalError, JournalOffError
from journal.files import open_regular
from journal.history.tables.database import History
from journal.history.tables.schema import TABLES
from journal.home import ensure_directory

HISTORY = "sql_history"
_LENGTH = 1000
_HELP = ("a statement ends in ;   .tables   .schema [TABLE]   .quit",)


def run_prompt(
    scope: Scope,
    history: History,
    params: dict[str, str],
    form: str,
    read: Callable[[str], str] = input,
) -> None:
    """Run statements until the end of input. read: prompts for a line, as `input` does."""
    save = _load_history(scope)
    emit([*_HELP])
    typed = ""
    try:
        while True:
            try:
                line = read("   ...> " if typed else "journal> ")
            except KeyboardInterrupt:  # discard the statement
                typed = ""
                emit([""])
                continue
            except EOFError:
                emit([""])
                return
            if not typed and line.strip().startswith("."):
                if _run_command(scope, line.split()):
                    return
                continue
            typed += line + "\n"
            if not line.rstrip().endswith(";"):
                typed = typed if typed.strip() else ""
                continue
            query, typed = typed, ""
            _run(scope, history, query, params, form)
    finally:
        save()


def _run(scope: Scope, history: History, text: str, params: dict[str, str], form: str) -> None:
    try:
        used = {name: value for name, value in params.items() if f"${name}" in text}
        for result in history.query(text, used):
            show(result, "table" if form == "parquet" else form, scope.columns)
    except JournalError as error:
        emit(lines_of(error, scope.env))
    except KeyboardInterrupt:
        emit(["interrupted"])


def _run_command(scope: Scope, words: list[str]) -> bool:
    """Run a line that starts with a dot; return whether to leave the prompt."""
    name = words[0]
    if name in (".quit", ".exit", ".q"):
        return True
    if name == ".tables":
        emit([", ".join(TABLES)])
    elif name == ".schema":
        try:
            schema(scope, words[1] if len(words) > 1 else "", markdown=False)
        except JournalError as error:
            emit(lines_of(error, scope.env))
    else:
        emit([*_HELP])
    return False


def _load_history(scope: Scope) -> Callable[[], None]:
    """Load the lines typed in earlier runs; return a function that saves all lines."""
    try:
        import readline
    except ImportError:
        return lambda: None
    path = os.path.join(scope.home, HISTORY)
    try:
        ensure_directory(scope.home)
        os.close(open_regular(path, os.O_RDWR | os.O_CREAT))
        readline.read_history_file(path)
    except (OSError, JournalOffError):
        return lambda: None
    readline.set_history_length(_LENGTH)
    readline.set_completer(_completed)
    readline.parse_and_bind("tab: complete")

    def save() -> None:
        with suppress(OSError):
            readline.write_history_file(path)
            os.chmod(path, 0o600)

    return save


def _completed(text: str, at: int) -> str | None:
    words = sorted({*TABLES, *(column.name for item in TABLES.values() for column in item.columns)})
    found = [word for word in words if text and word.startswith(text)]
    return found[at] if at < len(found) else None
