"""Files of a project that commands name or write, and the lines that hide them from git.

Invariant: no link leads to a file outside the project, a file is replaced atomically, and only
regular files are replaced or removed.
"""

import errno
import os
import stat

from cli.scope import Scope
from journal.files import is_inside, open_foreign
from journal.replace_file import write_atomic

_SPECIAL = "\\*?[ "  # in a pattern of git
_MOST = 1024 * 1024  # bytes read of an exclude file


def find(scope: Scope, path: str) -> str:
    """Return the absolute form of a path that a person typed.

    It is relative to the working directory, or to the project's root if it exists only there.
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
        path = _path_in(root, relative)
        write_atomic(path, text.encode("utf-8", "replace"), mode=0o644, sync=True)
    except OSError as error:
        return _why(error, relative)
    return ""


def can_put(root: str, relative: str) -> bool:
    """Return whether `put` can write here; the folder is made if it is missing."""
    try:
        return os.access(os.path.dirname(_path_in(root, relative)), os.W_OK)
    except OSError:
        return False


def remove(root: str, relative: str) -> str:
    """Remove a file of the project; return "" (also if there is none), or why it stays."""
    try:
        os.unlink(_path_in(root, relative, make=False))
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
    if not is_inside(os.path.dirname(path), top):
        return
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle = open_foreign(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError:
        return
    with os.fdopen(handle, "rb+", buffering=0) as file:
        text = (file.read(_MOST) or b"").decode("utf-8", "replace")
        missing = [lead + item for item in patterns if lead + item not in text.split("\n")]
        if missing:
            start = "" if not text or text.endswith("\n") else "\n"
            file.write((start + "".join(f"{line}\n" for line in missing)).encode())


def _path_in(root: str, relative: str, *, make: bool = True) -> str:
    """Return the path of a project's file and make its folder; raise OSError if that fails."""
    path = os.path.join(root, *relative.split("/"))
    if not is_inside(os.path.dirname(path), root):
        raise OSError(errno.ELOOP, "a link leads out of the project")
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    if make:
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    return path


def _why(error: OSError, relative: str) -> str:
    return f"{relative}: {(error.strerror or str(error)).lower()}"
