"""Read, change and restore the client's settings files.

Invariant: a file is replaced with one rename, through links and with its mode, and never if it is
read-only or not JSON. Its content before the first change is stored byte for byte.
"""

import codecs
import json
import os
import shlex
import stat
from typing import Any, TypeVar

import msgspec

from cli.install import jsontext
from cli.install.model import ID, MARKETPLACE
from journal.errors import JournalError
from journal.files import read_regular
from journal.home import ensure_directory
from journal.replace_file import Replacement, write_atomic

Stored = TypeVar("Stored")

_MOST = 4 * 1024 * 1024  # bytes of a settings file; the client writes a few KiB
_OURS = (
    ("enabledPlugins", ID),
    ("extraKnownMarketplaces", MARKETPLACE),
)


class Settings:
    """One settings file; JournalError when it cannot be understood.

    data: its bytes (None: no file). text: those decoded. values: those parsed.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.data = _read(path)
        raw = self.data or b""
        self.bom = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
        try:
            self.text = raw[len(self.bom) :].decode("utf-8")
            self.values = jsontext.parse(self.text)
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise JournalError(f"{path}:{line}", "is not UTF-8 text", _CORRECT) from error
        except json.JSONDecodeError as error:
            what = f"is not valid JSON: {error.msg.lower()}"
            raise JournalError(f"{path}:{error.lineno}", what, _CORRECT) from error
        except (jsontext.NotAnObjectError, RecursionError) as error:
            raise JournalError(path, "is not a JSON object", _CORRECT) from error

    @property
    def has_plugin(self) -> bool:
        """Return whether it names the plugin or our marketplace."""
        return any(key in self.values.get(holder, {}) for holder, key in _OURS)

    def encoded(self, text: str) -> bytes:
        """Return `text` as bytes, with the byte order mark that this file has."""
        return self.bom + text.encode("utf-8")

    def without_ours(
        self,
        statusline: tuple[Any, str | None] | None,
        before: bytes | None,
        *,
        plugin: bool = True,
    ) -> str:
        """Return the text without what setup and the client added for us.

        statusline: (the value setup wrote, text of the one before or None); left alone when the
        person has since put another one in its place. before: the file without us, if known
        (b"" for no file). plugin: the entries of the plugin are ours, not the user's.
        """
        text = self.text
        if statusline is not None and self.values.get("statusLine") == statusline[0]:
            earlier = statusline[1]
            text = (
                jsontext.drop(text, "statusLine")
                if earlier is None
                else jsontext.put(text, "statusLine", earlier)
            )
        had = None if before is None else jsontext.parse(before.decode("utf-8-sig"))
        for holder, key in _OURS if plugin else ():
            shorter = jsontext.drop(text, holder, key)
            came_with_us = shorter != text if had is None else holder not in had
            text = shorter
            if came_with_us and jsontext.get(text, holder) == "{}":
                text = jsontext.drop(text, holder)
        return text

    def refuse_unwritable(self) -> None:
        """Raise JournalError if the file is read-only."""
        target = os.path.realpath(self.path)
        try:
            if not os.stat(target).st_mode & 0o222 or not os.access(target, os.W_OK):
                remedy = f"allow it: chmod u+w {shlex.quote(target)}"
                raise JournalError(self.path, "is read-only", remedy)
        except FileNotFoundError:
            return


_CORRECT = "correct it by hand, then run this again; nothing was changed"


def write_whole(path: str, data: bytes) -> None:
    """Replace `path` (or the file it links to) by `data` in one rename, keeping its mode."""
    target = os.path.realpath(path)
    os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
    try:
        facts = os.stat(target)
        mode, owner = stat.S_IMODE(facts.st_mode), (facts.st_uid, facts.st_gid)
    except FileNotFoundError:
        mode, owner = 0o600, None
    with Replacement(target, sync=True) as file:
        file.write(data)
        if owner and owner != (os.geteuid(), os.getegid()) and os.geteuid() == 0:
            os.fchown(file.fileno(), *owner)
        os.fchmod(file.fileno(), mode)


def read_private(path: str, kind: type[Stored]) -> Stored | None:
    """Decode a file that `write_private` wrote; None if it is missing or is no `kind`."""
    try:
        return msgspec.json.decode(read_regular(path, _MOST), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None


def write_private(path: str, data: bytes) -> None:
    """Replace a file of the journal home (0600); create its directory if it is missing."""
    ensure_directory(os.path.dirname(path))
    write_atomic(path, data, sync=True)


def digest(data: bytes | None) -> str:
    """Return the SHA-256 of a file's content as hex digits; "absent" for no file (None)."""
    if data is None:
        return "absent"
    import hashlib  # loads OpenSSL; `journal status` reads settings without it

    return hashlib.sha256(data).hexdigest()


def _read(path: str) -> bytes | None:
    try:
        return read_regular(path, _MOST, follow=True)
    except FileNotFoundError:
        return None
    except OSError as error:
        why = error.strerror or str(error)
        raise JournalError(path, f"cannot be read: {why}", _CORRECT) from error
