"""Files of a project that commands name or write, and the lines that hide them from git.

Invariant: no link is followed on the way from the project's root, a file is replaced whole, and
nothing but a regular file is replaced or removed.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from cli.scope import Scope
from journal.replace_file import Replacement

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SPECIAL = "\\*?[ "  # in a pattern of git
_MOST = 1024 * 1024  # bytes read of an exclude file


def find(scope: Scope, path: str) -> str:
    """Return the absolute form of a path that a person typed.

    It is relative to the working directory, or to the project's root if it makes sense only there.
    """
    root, path = scope.project.root or "/", os.path.expanduser(path)
    here = os.path.join(os.path.realpath(scope.cwd or root), path)
    there = os.path.join(root, path)
    found = next(
        (form for form in (here, there) if os.path.exists(form)),
        next((form for form in (here, there) if os.path.isdir(os.path.dirname(form))), there),
    )
    return os.path.normpath(found)


def put(root: str, relative: str, text: str) -> str:
    """Write a file of the project; return "", or why it was not written."""
    try:
        with _parent(root, relative, make=True) as (folder, name):
            if not _is_file(folder, name):
                return f"{relative} is not a regular file"
            with Replacement(name, mode=0o644, sync=True, dir_fd=folder) as file:
                file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        return _why(error, relative)
    return ""


def can_put(root: str, relative: str) -> bool:
    """Return whether `put` can write here; the folder is made if it is missing."""
    try:
        with _parent(root, relative, make=True) as (folder, name):
            can_write = os.access(".", os.W_OK, dir_fd=folder)
            return can_write and _is_file(folder, name)
    except OSError:
        return False


def remove(root: str, relative: str) -> str:
    """Remove a file of the project; return "" (also if there is none), or why it stays."""
    try:
        with _parent(root, relative, make=False) as (folder, name):
            if not _is_file(folder, name):
                return f"{relative} is not a regular file"
            os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return _why(error, relative)
    return ""


def exclude(root: str, patterns: list[str]) -> None:
    """Hide files of the project from git: add each pattern once to `.git/info/exclude`.

    Does nothing without a repository, or if its folder is elsewhere.
    """
    top = os.path.realpath(root)
    while not os.path.isdir(os.path.join(top, ".git")) or os.path.islink(os.path.join(top, ".git")):
        if top == os.path.dirname(top):
            return
        top = os.path.dirname(top)
    below = os.path.relpath(os.path.realpath(root), top)
    escaped = "".join("\\" + c if c in _SPECIAL else c for c in below)
    lead = "/" if below == os.curdir else f"/{escaped}/"
    path = os.path.join(top, ".git", "info", "exclude")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(path, flags, 0o644)
    except OSError:
        return
    with os.fdopen(handle, "rb+", buffering=0) as file:
        text = (file.read(_MOST) or b"").decode("utf-8", "replace")
        missing = [lead + item for item in patterns if lead + item not in text.split("\n")]
        if missing and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            start = "" if not text or text.endswith("\n") else "\n"
            file.write((start + "".join(f"{line}\n" for line in missing)).encode())


@contextmanager
def _parent(root: str, relative: str, *, make: bool) -> Iterator[tuple[int, str]]:
    """Open the folder of a file, step by step from the root. OSError: a step is a link."""
    *steps, name = relative.split("/")
    folder = os.open(os.path.realpath(root), _FOLDER)
    try:
        for step in steps:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(step, 0o755, dir_fd=folder)
            below = os.open(step, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        yield folder, name
    finally:
        os.close(folder)


def _is_file(folder: int, name: str) -> bool:
    """Return whether `name` is a regular file, or nothing yet."""
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return True


def _why(error: OSError, relative: str) -> str:
    return f"{relative}: {(error.strerror or str(error)).lower()}"
