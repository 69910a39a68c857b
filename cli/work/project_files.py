"""Small files a command puts into a project, and the line that keeps them out of git.

Invariant: no link is followed on the way from the project's root, a file is replaced whole, and
nothing but a plain file is replaced or removed.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from journal.files import Replacement

__all__ = ["can_put", "exclude", "put", "remove"]

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SPECIAL = "\\*?[ "
_MOST = 1024 * 1024  # bytes of an exclude file that is read


def put(root: str, relative: str, text: str) -> str:
    """Write a file of the project; "" or why it could not be."""
    try:
        folder, name = _folder(root, relative, make=True)
    except OSError as error:
        return _why(error, relative)
    try:
        if _kind(folder, name) not in ("", "file"):
            return f"{relative} is not a plain file"
        with Replacement(name, mode=0o644, sync=True, dir_fd=folder) as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        return _why(error, relative)
    finally:
        os.close(folder)
    return ""


def can_put(root: str, relative: str) -> bool:
    """Whether `put` has a folder to write to, made where it is missing."""
    try:
        folder, name = _folder(root, relative, make=True)
    except OSError:
        return False
    try:
        return os.access(".", os.W_OK, dir_fd=folder) and _kind(folder, name) in ("", "file")
    finally:
        os.close(folder)


def remove(root: str, relative: str) -> str:
    """Remove a plain file of the project; "" (also where there is none) or why it stays."""
    try:
        folder, name = _folder(root, relative, make=False)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return _why(error, relative)
    try:
        kind = _kind(folder, name)
        if kind == "file":
            os.unlink(name, dir_fd=folder)
        elif kind:
            return f"{relative} is not a plain file"
    except OSError as error:
        return _why(error, relative)
    finally:
        os.close(folder)
    return ""


def exclude(root: str, patterns: list[str]) -> None:
    """Keep files of the project out of git, once: in `.git/info/exclude`, not in `.gitignore`.

    Where there is no repository, or its folder is elsewhere, nothing is done.
    """
    top = os.path.realpath(root)
    while not os.path.isdir(os.path.join(top, ".git")) or os.path.islink(os.path.join(top, ".git")):
        if top == os.path.dirname(top):
            return
        top = os.path.dirname(top)
    below = os.path.relpath(os.path.realpath(root), top)
    lead = "/" if below == os.curdir else "/" + _quoted(below) + "/"
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


def _folder(root: str, relative: str, *, make: bool) -> tuple[int, str]:
    """Open the folder a file lies in, step by step from the root. OSError: a step is a link."""
    *steps, name = relative.split("/")
    at = os.open(os.path.realpath(root), _FOLDER)
    try:
        for step in steps:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(step, 0o755, dir_fd=at)
            below = os.open(step, _FOLDER, dir_fd=at)
            os.close(at)
            at = below
    except OSError:
        os.close(at)
        raise
    return at, name


def _kind(folder: int, name: str) -> str:
    """Return "file", "other", or "" for nothing."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return ""
    return "file" if stat.S_ISREG(mode) else "other"


def _why(error: OSError, relative: str) -> str:
    return f"{relative}: {(error.strerror or str(error)).lower()}"


def _quoted(path: str) -> str:
    return "".join("\\" + c if c in _SPECIAL else c for c in path)
