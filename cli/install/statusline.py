"""Install our status line, which calls the user's own, and restore that one.

Invariant: while our status line is in the settings, `<home>/statusline.json` (0600) holds the
previous value; it is never overwritten by a value of our own.
"""

import os
import shlex
from typing import Any

import msgspec

from cli.install import jsontext
from cli.install.settings import Settings, read_private, write_private
from journal.errors import JournalError
from journal.home import STATUS_LINE

KEY = "statusLine"
_ENTRY = os.path.join("hooks", "statusline.py")


class PreviousStatusLine(msgspec.Struct, frozen=True):
    """previous: the value that was set before, None for none; `text`: its JSON as it was written.

    installed: what setup wrote. settings: the file it wrote it to.
    """

    previous: Any
    text: str | None
    installed: dict[str, Any]
    settings: str


def path(home: str) -> str:
    """Return the file with the previous value."""
    return os.path.join(home, STATUS_LINE)


def command(interpreter: str, script: str) -> str:
    """Return the shell command of our status line (the client runs it with /bin/sh -c)."""
    return shlex.join([interpreter, "-I", "-S", script])


def is_ours(value: Any) -> bool:
    """Return whether a setting is the status line of this or another installation of ours."""
    return bool(script(value))


def script(value: Any) -> str:
    """Return the path of our script that a setting starts, "" if it starts another one."""
    if not isinstance(value, dict) or not isinstance(value.get("command"), str):
        return ""
    try:
        words = shlex.split(value["command"])
    except ValueError:
        return ""
    ours = len(words) == 4 and words[1:3] == ["-I", "-S"] and words[3].endswith(os.sep + _ENTRY)
    return words[3] if ours else ""


def load(home: str) -> PreviousStatusLine | None:
    """Read the previous value; None if none that can be read is stored."""
    return read_private(path(home), PreviousStatusLine)


def is_installed(home: str) -> bool:
    """Return whether the settings file that setup wrote to still has our status line."""
    stored = load(home)
    try:
        return stored is not None and is_ours(Settings(stored.settings).values.get(KEY))
    except JournalError:
        return False  # Claude Code cannot read that file either


def ours(settings: Settings, stored: PreviousStatusLine | None) -> tuple[Any, str | None] | None:
    """Return our value in a settings file and the text of the one before; None if it has none.

    A home that was copied or moved has a record of another path, and a damaged one has none.
    """
    value = settings.values.get(KEY)
    return (value, stored.text if stored else None) if is_ours(value) else None


def with_command(settings: Settings, home: str, line: str) -> tuple[str, PreviousStatusLine]:
    """Return the text of `settings` with `line` as status line command, and the previous value.

    A value of our own is replaced, never wrapped; padding and the like of the user's are taken
    over.
    """
    current = settings.values.get(KEY)
    before = load(home)
    if is_ours(current):
        previous, text = (before.previous, before.text) if before else (None, None)
    else:
        previous, text = current, jsontext.get(settings.text, KEY)
    extra = previous if isinstance(previous, dict) else {}
    installed = {**extra, "type": "command", "command": line}
    written = jsontext.put(settings.text, KEY, jsontext.indented(installed, settings.text))
    return written, PreviousStatusLine(previous, text, installed, settings.path)


def save(home: str, value: PreviousStatusLine) -> None:
    """Write what our status line and uninstall need."""
    write_private(path(home), msgspec.json.encode(value))
