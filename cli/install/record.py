"""Record what setup did, so that uninstall undoes exactly that.

`<home>/install.json` names the settings files, what each held before (a byte copy in
`<home>/install/`) and the digest of what setup left there. Invariant: the copy is that of the file
without anything of ours, however often setup ran.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass, field

from cli.install.settings import digest, write_private

__all__ = ["Baseline", "Record", "load", "save"]


@dataclass
class Baseline:
    """before: name of the byte copy, "" where there was no file. after: digest setup left."""

    before: str
    after: str


@dataclass
class Record:
    """files: settings path → Baseline. scopes: [scope, project] pairs the plugin is in."""

    files: dict[str, Baseline] = field(default_factory=dict)
    scopes: list[list[str]] = field(default_factory=list)


def paths(home: str) -> tuple[str, str]:
    """Return the path of the record and that of the byte copies' directory."""
    return os.path.join(home, "install.json"), os.path.join(home, "install")


def load(home: str) -> Record:
    """Read the record; an empty one where there is none that can be read."""
    try:
        with open(paths(home)[0], encoding="utf-8") as file:
            found = json.load(file)
        files = {path: Baseline(**baseline) for path, baseline in found["files"].items()}
        return Record(files, [[str(part) for part in pair] for pair in found["scopes"]])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Record()


def save(home: str, record: Record) -> None:
    """Write the record."""
    write_private(paths(home)[0], json.dumps(asdict(record), indent=1).encode())


def copy(home: str, path: str, data: bytes | None) -> str:
    """Store a byte copy of a settings file and return its name ("" for no file)."""
    if data is None:
        return ""
    name = f"settings-{digest(os.fsencode(path))[:12]}"
    write_private(os.path.join(paths(home)[1], name), data)
    return name


def copied(home: str, baseline: Baseline) -> bytes | None:
    """Read the bytes a file had before, None where there was no file or the copy is gone."""
    if not baseline.before:
        return None
    path = os.path.join(paths(home)[1], os.path.basename(baseline.before))
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def remove(home: str) -> None:
    """Remove the record and its byte copies."""
    path, folder = paths(home)
    if os.path.exists(path):
        os.unlink(path)
    if os.path.isdir(folder) and not os.path.islink(folder):
        shutil.rmtree(folder)
