"""Record what setup did, so that uninstall undoes exactly that.

`<home>/install.json` names the settings files, what each held before (a byte copy in
`<home>/install/`) and the digest of what setup left there. Invariant: the copy is that of the file
without anything of ours, however often setup ran.
"""

import os
import shutil

import msgspec

from cli.install.settings import digest, read_private, write_private
from journal.files import read_regular

_MOST = 16 * 1024 * 1024  # bytes of a file; settings are far smaller


class Baseline(msgspec.Struct):
    """before: name of the byte copy, "" where there was no file. after: digest setup left."""

    before: str
    after: str


class Record(msgspec.Struct):
    """files: settings path → Baseline. scopes: [scope, project] pairs the plugin is in."""

    files: dict[str, Baseline] = {}
    scopes: list[list[str]] = []


def paths(home: str) -> tuple[str, str]:
    """Return the path of the record and that of the byte copies' directory."""
    return os.path.join(home, "install.json"), os.path.join(home, "install")


def load(home: str) -> Record:
    """Read the record; an empty one if there is none that can be read."""
    return read_private(paths(home)[0], Record) or Record()


def save(home: str, record: Record) -> None:
    """Write the record."""
    write_private(paths(home)[0], msgspec.json.encode(record))


def store_copy(home: str, path: str, data: bytes | None) -> str:
    """Store a byte copy of a settings file and return its name ("" for no file)."""
    if data is None:
        return ""
    name = f"settings-{digest(os.fsencode(path))[:12]}"
    write_private(os.path.join(paths(home)[1], name), data)
    return name


def read_copy(home: str, baseline: Baseline) -> bytes | None:
    """Return the bytes a file had before; None if there was no file or the copy is gone."""
    if not baseline.before:
        return None
    path = os.path.join(paths(home)[1], os.path.basename(baseline.before))
    try:
        return read_regular(path, _MOST)
    except OSError:
        return None


def remove(home: str) -> None:
    """Remove the record and its byte copies."""
    path, folder = paths(home)
    if os.path.exists(path):
        os.unlink(path)
    if os.path.isdir(folder) and not os.path.islink(folder):
        shutil.rmtree(folder)
