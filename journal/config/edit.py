"""Set one value in the user's configuration file by editing its text.

Invariant: the rest of the file, comments and order included, does not change, and the new text is
written only if it loads.
"""

import os
import tomllib
from collections.abc import Iterator
from typing import Any

from journal.config import HOME_FILE, LIMIT
from journal.config.kinds import toml
from journal.config.load import check_text, similar_setting
from journal.config.positions import positions
from journal.config.schema import SETTINGS, Setting
from journal.errors import JournalError, UsageError
from journal.files import read_regular
from journal.home import ensure_directory
from journal.replace_file import write_atomic

_SWITCHES = {"on": True, "off": False}


def set_value(home: str, key: str, text: str) -> tuple[str, Any]:
    """Set `key` in the user's file to the value that `text` means; return (path, value).

    Raises:
        UsageError: there is no such setting, or it does not accept the value.
        JournalError: the file is invalid or cannot be edited.

    """
    setting = SETTINGS.get(key)
    if setting is None:
        guess = similar_setting(tuple(key.split(".")))
        remedy = f"did you mean {guess}?" if guess else "see: journal config show"
        raise UsageError(f"unknown setting {key}", remedy)
    value = _value_of(setting, text)
    path = os.path.realpath(os.path.join(home, HOME_FILE))
    text = _read(path)
    after = _edited(path, text.replace("\r\n", "\n"), setting, value)
    if not os.path.isdir(os.path.dirname(path)):
        ensure_directory(os.path.dirname(path))
    write_atomic(path, (after.replace("\n", "\r\n") if "\r\n" in text else after).encode())
    return path, value


def _value_of(setting: Setting, text: str) -> Any:
    """Return the value that a text means: TOML, a bare word, on/off, or names like `a, b`."""
    try:
        (literal,) = tomllib.loads(f"value = {text}").values()
    except (ValueError, RecursionError):
        literal = text
    names = [name.strip() for name in text.split(",") if name.strip()]
    for candidate in (literal, text, _SWITCHES.get(text), names):
        accepted = setting.kind.accept(candidate)
        if accepted is not None:
            return accepted
    raise UsageError(setting.wrong(literal), f"the default is {toml(setting.default)}")


def _read(path: str) -> str:
    try:
        text = read_regular(path, LIMIT).decode("utf-8-sig")
        tomllib.loads(text)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, RecursionError) as error:
        raise JournalError(path, f"is not edited: {error}", "run: journal config check") from error
    return text


def _edited(path: str, text: str, setting: Setting, value: Any) -> str:
    """Return the text after the first edit that sets the value and changes no other one."""
    others = {**check_text(path, text)[0], setting.key: value}
    concerned = []
    for edit in _edits(text, setting.key, toml(value)):
        values, problems = check_text(path, edit)
        if values == others:
            return edit
        concerned += [problem for problem in problems if setting.key in problem.what.split()]
    if concerned:
        raise JournalError(concerned[0].path, concerned[0].what, concerned[0].remedy)
    line = f"{setting.key} = {toml(value)}"
    raise JournalError(path, f"cannot be edited for {setting.key}", f"write it yourself: {line}")


def _edits(text: str, key: str, value: str) -> Iterator[str]:
    """Yield candidate texts that set a key: its value replaced, or a line added."""
    table, _, name = key.rpartition(".")
    found = positions(text)
    at = found.get(tuple(key.split(".")))
    if at:
        yield text[: at.value] + value + text[at.end :]
        return
    above = found.get(tuple(table.split(".")))
    if above:
        end = text.find("\n", above.key) + 1 or len(text)
        gap = "" if text[:end].endswith("\n") else "\n"
        yield f"{text[:end]}{gap}{name} = {value}\n{text[end:]}"  # under its header
        inner = above.value + 1
        yield f"{text[:inner]}{name} = {value}, {text[inner:]}"  # in an inline table
        yield f"{text[:inner]}{name} = {value}{text[inner:]}"
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    yield f"{text}{gap}[{table}]\n{name} = {value}\n"  # in a new table
    yield f"{key} = {value}\n{text}"  # beside other dotted keys
