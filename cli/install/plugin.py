"""The plugin directory in the journal home: manifests, hooks, skills and the `journal` wrapper.

Code is used where it is installed and never copied: two copies would drift, and an upgrade of the
package or a pull of the checkout takes effect at once. Manifests and skills are copied, because the
client reads (and caches) a plugin as one self-contained directory.
Invariant: only a directory that carries our marker is written to or removed, file by file.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from typing import TYPE_CHECKING, Any

from cli.install.settings import write_whole
from journal.errors import JournalError

if TYPE_CHECKING:
    from cli.install.source import CodeSource

__all__ = ["MARKER", "differing", "directory", "files", "hook_commands", "materialise", "remove"]

MARKER = ".made-by-journal-setup"
_ROOT = "${CLAUDE_PLUGIN_ROOT}"


def directory(home: str) -> str:
    """Where the plugin of this journal home lies."""
    return os.path.join(home, "plugin")


def files(source: CodeSource, interpreter: str) -> dict[str, tuple[bytes, int]]:
    """Everything the plugin directory holds: path below it → (content, mode)."""
    found: dict[str, tuple[bytes, int]] = {MARKER: (f"{source.version}\n".encode(), 0o600)}
    for name in ("plugin.json", "marketplace.json"):
        path = os.path.join(".claude-plugin", name)
        found[path] = (_bytes(os.path.join(source.top, path)), 0o600)
    found[os.path.join("hooks", "hooks.json")] = (_hooks(source, interpreter), 0o600)
    found[os.path.join("bin", "journal")] = (_wrapper(source, interpreter), 0o700)
    skills = os.path.join(source.top, "skills")
    for folder, folders, names in os.walk(skills):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            if not name.startswith("."):
                path = os.path.join(folder, name)
                mode = 0o700 if os.access(path, os.X_OK) else 0o600
                found[os.path.relpath(path, source.top)] = (_bytes(path), mode)
    return found


def differing(home: str, wanted: dict[str, tuple[bytes, int]]) -> tuple[list[str], list[str]]:
    """(paths below the plugin directory to write, paths to remove) to make it as `wanted`."""
    top = directory(home)
    write = [
        path
        for path, (data, mode) in wanted.items()
        if _present(os.path.join(top, path)) != (data, mode)
    ]
    have = [
        os.path.relpath(os.path.join(folder, name), top)
        for folder, _, names in os.walk(top)
        for name in names
    ]
    return write, sorted(set(have) - set(wanted))


def materialise(home: str, wanted: dict[str, tuple[bytes, int]]) -> bool:
    """Make the plugin directory as `wanted`, each file by a rename; False if it was so already."""
    top = directory(home)
    refuse_foreign(home)
    write, stale = differing(home, wanted)
    # The marker comes first: a directory half made by a killed setup is still known as ours.
    for path in sorted(write, key=lambda name: name != MARKER):
        data, mode = wanted[path]
        target = os.path.join(top, path)
        write_whole(target, data)
        os.chmod(target, mode)
    for path in stale:
        os.unlink(os.path.join(top, path))
    for folder, folders, names in os.walk(top, topdown=False):
        if not folders and not names and folder != top:
            os.rmdir(folder)
    return bool(write or stale)


def remove(home: str) -> bool:
    """Remove the plugin directory; False where there is none."""
    top = directory(home)
    if not os.path.lexists(top):
        return False
    refuse_foreign(home)
    shutil.rmtree(top)
    return True


def refuse_foreign(home: str) -> None:
    """JournalError unless the plugin directory is absent, empty or ours and inside `home`."""
    top = directory(home)
    if not os.path.lexists(top):
        return
    inside = os.path.dirname(os.path.realpath(top)) == os.path.realpath(home)
    if os.path.islink(top) or not os.path.isdir(top) or not inside:
        raise JournalError(
            top, "is not a directory of this journal", f"move it: mv {top} {top}.old"
        )
    if os.listdir(top) and not os.path.isfile(os.path.join(top, MARKER)):
        what = "was not made by journal setup"
        raise JournalError(top, what, f"move it away: mv {top} {top}.old")


def hook_commands(top: str) -> dict[str, list[str]]:
    """Event → the command line of its hook exactly as hooks.json of the plugin at `top` has it."""
    with open(os.path.join(top, "hooks", "hooks.json"), encoding="utf-8") as file:
        document = json.load(file)
    return {
        event: [handler["command"].replace(_ROOT, top)]
        + [argument.replace(_ROOT, top) for argument in handler["args"]]
        for event, groups in document["hooks"].items()
        for handler in groups[0]["hooks"]
    }


def _hooks(source: CodeSource, interpreter: str) -> bytes:
    with open(os.path.join(source.top, "hooks", "hooks.json"), encoding="utf-8") as file:
        document: dict[str, Any] = json.load(file)
    for groups in document["hooks"].values():
        for handler in (handler for group in groups for handler in group["hooks"]):
            handler["command"] = interpreter
            handler["args"] = [
                source.hook if argument == f"{_ROOT}/hooks/run.py" else argument
                for argument in handler["args"]
            ]
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _wrapper(source: CodeSource, interpreter: str) -> bytes:
    command = shlex.join([interpreter, "-P", source.launcher])
    return f'#!/bin/sh\nexec {command} "$@"\n'.encode()


def _present(path: str) -> tuple[bytes, int] | None:
    try:
        return _bytes(path), os.stat(path).st_mode & 0o777
    except OSError:
        return None


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
