"""Record what setup did, so that uninstall undoes exactly that.

`<home>/install.json` names the settings files, what each held before (a byte copy in
`<home>/install/`) and the digest of what setup left there. Invariant: the copy
never contains entries of ours, however often setup ran.
"""

import os
import shutil

import msgspec

from cli.install import statusline
from cli.install.settings import digest, read_private, write_private
from journal.files import read_regular

_MOST = 16 * 1024 * 1024  # bytes of a file; settings are far smaller


class Baseline(msgspec.Struct):
    """before: name of the byte copy, "" if there was no file. after: digest of what setup wrote.

    content: digest of the copy, "" in a record of an earlier version.
    """

    before: str
    after: str
    content: str = ""


class Record(msgspec.Struct):
    """files: settings path → Baseline. scopes: [scope, project] pairs the plugin is in."""

    files: dict[str, Baseline] = {}
    scopes: list[list[str]] = []


def paths(home: str) -> tuple[str, str]:
    """Return the path of the record and the directory of the byte copies."""
    return os.path.join(home, "install.json"), os.path.join(home, "install")


def load(home: str) -> Record:
    """Read the record; return an empty one if it is missing or cannot be read."""
    return read_private(paths(home)[0], Record) or Record()


def save(home: str, record: Record) -> None:
    """Write the record."""
    write_private(paths(home)[0], msgspec.json.encode(record))


def store_copy(home: str, path: str, data: bytes | None) -> Baseline:
    """Store a byte copy of a settings file, if there is one."""
    if data is None:
        return Baseline("", "")
    name = f"settings-{digest(os.fsencode(path))[:12]}"
    write_private(os.path.join(paths(home)[1], name), data)
    return Baseline(name, "", digest(data))


def read_copy(home: str, baseline: Baseline) -> bytes | None:
    """Return the bytes a file had before; None if there was no file or the copy is damaged."""
    if not baseline.before:
        return None
    try:
        data = read_regular(_copy(home, baseline), _MOST)
    except OSError:
        return None
    return data if baseline.content in ("", digest(data)) else None


def damaged(home: str) -> dict[str, str]:
    """Return the files that uninstall needs and cannot read: path → what it is."""
    path = paths(home)[0]
    known = load(home)
    found = {
        _copy(home, each): f"the copy of {name} from before setup"
        for name, each in known.files.items()
        if each.before and read_copy(home, each) is None
    }
    if os.path.lexists(path) and read_private(path, Record) is None:
        found[path] = "the record of what setup changed"
    line = statusline.path(home)
    if os.path.lexists(line) and statusline.load(home) is None:
        found[line] = "your status line from before setup"
    return found


def _copy(home: str, baseline: Baseline) -> str:
    return os.path.join(paths(home)[1], os.path.basename(baseline.before))


def remove(home: str) -> None:
    """Remove the record and its byte copies."""
    path, folder = paths(home)
    if os.path.exists(path):
        os.unlink(path)
    if os.path.isdir(folder) and not os.path.islink(folder):
        shutil.rmtree(folder)
