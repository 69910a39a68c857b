"""The copy of the code that hooks and status line run: `<home>/app/VERSION-DIGEST`.

It holds `plugin/` (the code, the manifests and the skills, which Claude Code loads) and `venv/` (a
link to an interpreter, and the packages). So it needs nothing outside the journal home but that
interpreter. `<home>/plugin` is a link to the `plugin/` in use; one rename switches it.
Invariant: a copy is used only when it is complete, and never changed afterwards.
"""

import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cli.install import distributions, source
from journal.errors import JournalError
from journal.home import ensure_directory
from journal.replace_file import write_atomic

_COMPLETE = ".complete"
_OLD_MARKER = ".made-by-journal-setup"  # of 0.1.0, whose `plugin` was a directory
_ROOT = "${CLAUDE_PLUGIN_ROOT}"
_PARTS = ("journal", "projections", "hooks", "cli", "skills", ".claude-plugin")
_FILES = ("pyproject.toml", "requirements.lock")
_LAUNCHER = ("cli", "install", "launch.py")
_SCRIPTS = ("/hooks/run.py", "/hooks/guard.sh")
_HOOKS = os.path.join("hooks", "hooks.json")


def directory(home: str) -> str:
    """Return the directory of all copies."""
    return os.path.join(home, "app")


def link(home: str) -> str:
    """Return the path under which Claude Code finds the copy in use."""
    return os.path.join(home, "plugin")


def copy_in_use(home: str) -> str:
    """Return the directory of the copy in use, or "" if there is none."""
    at = os.path.realpath(link(home))
    inside = os.path.dirname(os.path.dirname(at)) == os.path.realpath(directory(home))
    return os.path.dirname(at) if inside and os.path.isdir(at) else ""


class CodeCopy:
    """The copy that this installation makes in the journal home `home`.

    top: its directory. plugin: what Claude Code loads. extras: optional parts it has.
    """

    def __init__(self, home: str) -> None:
        self.home = home
        project = source.project()
        optional = project["optional-dependencies"]
        wanted = {name: optional[name] for name in optional if name not in ("dev", "parts", "docs")}
        used = copy_in_use(home)  # an extra may have been added to this copy only
        self.packages, self.extras = distributions.closure(
            project["dependencies"], wanted, used and _site(used)
        )
        self.top = os.path.join(directory(home), f"{source.version()}-{self._digest()}")
        self.plugin = os.path.join(self.top, "plugin")
        self.python = os.path.join(self.top, "venv", "bin", "python")

    @property
    def complete(self) -> bool:
        """Return whether the copy is complete."""
        return os.path.isfile(os.path.join(self.top, _COMPLETE))

    def create(self) -> bool:
        """Create the copy; return False if it exists already."""
        ensure_directory(directory(self.home))
        with open(os.path.join(directory(self.home), ".lock"), "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.complete:
                return False
            if os.path.isdir(self.top):
                shutil.rmtree(self.top)  # of a setup that was killed
            self._copy_code()
            venv.EnvBuilder(symlinks=True).create(os.path.join(self.top, "venv"))
            distributions.copy(self.packages, _site(self.top))
            write_atomic(os.path.join(self.top, _COMPLETE), b"", sync=True)
        return True

    def activate(self) -> bool:
        """Make `<home>/plugin` a link to this copy; return False if it is one already."""
        refuse_foreign(self.home)
        at = link(self.home)
        if copy_in_use(self.home) == os.path.realpath(self.top):
            return False
        if os.path.isdir(at) and not os.path.islink(at):
            shutil.rmtree(at)
        new = f"{at}.{os.getpid()}.new"
        os.symlink(os.path.relpath(self.plugin, self.home), new)
        os.replace(new, at)
        return True

    def prune(self, named: str) -> list[str]:
        """Remove the other copies that nothing uses; return their directories.

        named: the text of the settings files; a copy that they name is in use.
        """
        switched = os.lstat(link(self.home)).st_mtime
        names = sorted(os.listdir(directory(self.home)))
        paths = [os.path.join(directory(self.home), name) for name in names]
        others = [path for path in paths if os.path.isdir(path) and path != self.top]
        found = [path for path in others if path not in named and not _in_use(path, switched)]
        for path in found:
            shutil.rmtree(path)
        return found

    def _copy_code(self) -> None:
        for part in _PARTS:
            ignore = shutil.ignore_patterns(".*", "*.tmp")
            shutil.copytree(source.path(part), os.path.join(self.plugin, part), ignore=ignore)
        for name in _FILES:
            shutil.copy2(source.path(name), os.path.join(self.plugin, name))
        document = _document()
        for handler in _handlers(document):
            handler["args"] = [arg.replace(_ROOT, self.plugin) for arg in handler["args"]]
            _name_interpreter(handler, self.python)
        Path(self.plugin, _HOOKS).write_bytes(_encoded(document))
        command = shlex.join([self.python, "-E", "-P", os.path.join(self.plugin, *_LAUNCHER)])
        wrapper = Path(self.plugin, "bin", "journal")
        wrapper.parent.mkdir()
        wrapper.write_bytes(f'#!/bin/sh\nexec {command} "$@"\n'.encode())
        wrapper.chmod(0o700)

    def _digest(self) -> str:
        """Return a digest of the code, the interpreter and the package versions."""
        found = hashlib.sha256()
        for path in _files():
            relative = os.path.relpath(path, source.TOP)
            data = _encoded(_document()) if relative == _HOOKS else Path(path).read_bytes()
            found.update(f"{relative}\0{len(data)}\0".encode() + data)
        base = getattr(sys, "_base_executable", sys.executable)
        versions = [f"{name} {each.version}" for name, each in self.packages.items()]
        found.update("\n".join([sys.version, base, *versions]).encode())
        return found.hexdigest()[:12]


def _site(top: str) -> str:
    """Return the site-packages directory of a copy, for the Python that runs."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    return os.path.join(top, "venv", "lib", version, "site-packages")


def refuse_foreign(home: str) -> None:
    """Raise JournalError if `<home>/plugin` exists and setup did not make it."""
    at = link(home)
    if not os.path.lexists(at) or copy_in_use(home):
        return
    if os.path.islink(at):
        target = os.path.join(home, os.readlink(at))
        if os.path.dirname(os.path.dirname(os.path.normpath(target))) == directory(home):
            return  # to a copy that is gone
    elif os.path.isdir(at) and (
        not os.listdir(at) or os.path.isfile(os.path.join(at, _OLD_MARKER))
    ):
        return
    remedy = f"move it away: {shlex.join(['mv', at, f'{at}.old'])}"
    raise JournalError(at, "was not made by journal setup", remedy)


def hook_commands(top: str) -> dict[str, list[str]]:
    """Return the command line of each event's hook, as hooks.json of the plugin at `top` has it.

    Raises JournalError if that file is missing or is not JSON.
    """
    path = os.path.join(top, _HOOKS)
    try:
        document = json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        what = "missing" if isinstance(error, FileNotFoundError) else "cannot be read"
        raise JournalError(path, what, "run: journal setup") from error
    return {
        event: [part.replace(_ROOT, top) for part in (handler["command"], *handler["args"])]
        for event, groups in document["hooks"].items()
        for handler in groups[0]["hooks"]
    }


def _document() -> dict[str, Any]:
    """Return hooks.json as in a checkout: with `python3`, and paths below the plugin root."""
    document: dict[str, Any] = json.loads(Path(source.path(_HOOKS)).read_bytes())
    for handler in _handlers(document):
        _name_interpreter(handler, "python3")
        handler["args"] = [
            next((_ROOT + end for end in _SCRIPTS if argument.endswith(end)), argument)
            for argument in handler["args"]
        ]
    return document


def _name_interpreter(handler: dict[str, Any], python: str) -> None:
    """Set the Python that a hook runs: what stands before its first option."""
    if handler["command"] == "sh":
        handler["args"][handler["args"].index("-I") - 1] = python
    else:
        handler["command"] = python


def _handlers(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        handler
        for groups in document["hooks"].values()
        for group in groups
        for handler in group["hooks"]
    ]


def _files() -> Iterator[str]:
    """Yield the files of the source that are copied, in order."""
    for part in _PARTS:
        for folder, folders, names in os.walk(source.path(part)):
            folders[:] = sorted(n for n in folders if not n.startswith(".") and n != "__pycache__")
            yield from (os.path.join(folder, n) for n in sorted(names) if not n.startswith("."))
    yield from (source.path(name) for name in _FILES)


def _in_use(path: str, since: float) -> bool:
    """Return whether a process runs from `path`, or is a Claude Code that started before `since`.

    Claude Code reads a plugin's hooks once, when it starts, so an older process may still run
    those of this copy. If processes cannot be listed, a copy counts as used for 30 days.
    """
    running = processes()
    if running is None:
        return time.time() - since < 30 * 86_400
    return any(
        path in command or (began < since and _CLIENT.search(command)) for began, command in running
    )


_CLIENT = re.compile(r"(^|/)claude(-code)?(/| |$)")


def processes() -> list[tuple[float, str]] | None:
    """Return start (epoch seconds) and command line of each process; None if `ps` fails."""
    try:
        ran = subprocess.run(
            ["ps", "-A", "-o", "pid=", "-o", "etime=", "-o", "args="],  # noqa: S607
            capture_output=True,
            text=True,
            errors="replace",
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    found = []
    for line in ran.stdout.splitlines():
        pid, age, command = line.split(None, 2)
        days, _, clock = age.rpartition("-")
        hours, minutes, seconds = (int(part) for part in ("0:" + clock).split(":")[-3:])
        spent = ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds
        if int(pid) != os.getpid():
            found.append((time.time() - spent, command))
    return found


def _encoded(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
