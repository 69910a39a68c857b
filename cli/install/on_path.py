"""Put `journal` on PATH: a link in ~/.local/bin, where the installer has not done it already.

Invariant: nothing but a link of ours is replaced or removed.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from cli.install import app

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.install.model import SetupResult

__all__ = ["command", "link", "unlink"]


def command(home: str) -> str:
    """Return the command of the copy in use."""
    return os.path.join(app.link(home), "bin", "journal")


def _place(env: Mapping[str, str]) -> str:
    home = env.get("HOME") or os.path.expanduser("~")
    return os.path.join(home, ".local", "bin", "journal")


def link(home: str, env: Mapping[str, str], result: SetupResult, *, top: str) -> None:
    """Make `journal` a command, or say what to type; `top` is the code that runs now."""
    found = shutil.which("journal", path=env.get("PATH", os.defpath))
    place = _place(env)
    own = (command(home), os.path.join(sys.prefix, "bin", "journal"), f"{top}/bin/journal")
    if found and os.path.realpath(found) in map(os.path.realpath, own):
        result.add("journal is on PATH", "unchanged", found)
        return
    if os.path.lexists(place) and not _is_link(place, home):
        what = "another program has the name journal"
        result.add(what, "skipped", place, f"start ours as {command(home)}")
        return
    if not _is_link(place, home):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.symlink(command(home), place)
    if found:
        remedy = f"put {os.path.dirname(place)} first, or start ours as {place}"
        result.add("another journal comes first on PATH", "skipped", found, remedy)
    elif os.path.dirname(place) in env.get("PATH", "").split(os.pathsep):
        result.add("journal is on PATH", "done", place)
    else:
        line = 'export PATH="$HOME/.local/bin:$PATH"'
        remedy = f"to have it on PATH, type this and add it to your shell's profile: {line}"
        result.add("journal can be started", "done", place, remedy)


def unlink(home: str, env: Mapping[str, str]) -> str:
    """Remove the link; return its path, "" where there is none of ours."""
    place = _place(env)
    if not _is_link(place, home):
        return ""
    os.unlink(place)
    return place


def _is_link(place: str, home: str) -> bool:
    return os.path.islink(place) and os.readlink(place) == command(home)
