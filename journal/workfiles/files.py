"""Read and replace the work files in `.claude/context` of a project.

Invariant: no link leads to a file outside the project. A file is replaced atomically, and not at
all if it changed since it was read.
"""

from __future__ import annotations

import os
import stat

from journal.files import is_inside, open_readable, read_limited
from journal.replace_file import Replacement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WORK = ".claude/context"
LIMIT = 2 * 1024 * 1024
LINES = 50_000  # of a work file; the time to parse it depends on its lines


def work_dir(project_root: str) -> str:
    """Return the folder of the work files; it need not exist."""
    return os.path.join(project_root, *WORK.split("/"))


def read_file(
    path: str, limit: int = LIMIT, lines: int = LINES
) -> tuple[str, os.stat_result] | None:
    """Return the text and the state of a regular file, or None.

    None if the path is a link or cannot be read, or if the file has more than `limit` bytes or
    `lines` lines. Bytes that are not UTF-8 become lone surrogates.
    """
    try:
        handle = open_readable(path)
    except OSError:
        return None
    try:
        state = os.fstat(handle)
        data = read_limited(handle, limit)
    except OSError:
        return None
    finally:
        os.close(handle)
    if data.count(b"\n") + data.count(b"\r") > lines:  # CR LF counts twice
        return None
    return data.decode("utf-8", "surrogateescape"), state


def read_inside(
    root: str, relative: str, limit: int = LIMIT, lines: int = LINES
) -> tuple[str, os.stat_result] | None:
    """Read a file of a project as `read_file` does; None also if a link leads out of it."""
    path = os.path.join(root, *relative.split("/"))
    return read_file(path, limit, lines) if is_inside(os.path.dirname(path), root) else None


def without_surrogates(text: str) -> str:
    """Return the text with U+FFFD instead of lone surrogates, which a record cannot have."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def replace_text(path: str, text: str, expected_stat: os.stat_result | None, *, root: str) -> bool:
    """Replace a file atomically and keep its mode; return False if nothing was changed.

    That is the case if the file changed since it was read or is a link, if its folder is outside
    `root`, and on any OSError.

    expected_stat: state of the file when it was read. None: the file must not exist yet; its folder
    is created if missing.
    """
    folder, name = os.path.split(path)
    try:
        if not is_inside(folder, root):
            return False
        data = text.encode("utf-8", "surrogateescape")
        if expected_stat is None:
            os.makedirs(folder, exist_ok=True)
        folder_fd = os.open(os.path.realpath(folder), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return False
    try:
        mode = 0o666 if expected_stat is None else stat.S_IMODE(expected_stat.st_mode)
        with Replacement(name, mode=mode, sync=True, dir_fd=folder_fd) as file:
            if expected_stat is not None:
                os.fchmod(file.fileno(), mode)  # whatever the umask is
            file.write(data)
            _check(name, expected_stat, folder_fd)
    except OSError:
        return False
    else:
        try:
            os.fsync(folder_fd)
        except OSError:  # not supported by some file systems; the file itself is synced
            return True
    finally:
        os.close(folder_fd)
    return True


def _check(name: str, expected: os.stat_result | None, folder_fd: int) -> None:
    """Raise OSError if a file changed since it was read or, with None, if it exists."""
    try:
        now = _state(os.stat(name, dir_fd=folder_fd, follow_symlinks=False))
    except FileNotFoundError:
        now = ()
    if now != (() if expected is None else _state(expected)):
        raise OSError("the file has changed since it was read")


def _state(found: os.stat_result) -> tuple[Any, ...]:
    kind = stat.S_IFMT(found.st_mode)
    return (kind, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
