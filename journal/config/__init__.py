"""The settings that a hook works with, from one compiled file.

`journal.config.load` reads and checks the two configuration files, which takes longer than a whole
hook call. Its result is stored beside the log, with the state of every file it depends on, the
table of settings among them; it is used while all of them are as they were, and can be deleted at
any time. Invariant: `settings` never raises.
"""

from __future__ import annotations

import os
from zlib import crc32

from journal.codec import digest, dumps, loads
from journal.files import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CACHE_FILE", "HOME_FILE", "LIMIT", "PROJECT_FILE", "client_files", "settings"]

HOME_FILE = "config.toml"  # in the journal home
PROJECT_FILE = ".claude/journal.toml"  # in the project's root
CACHE_FILE = "settings.cache"  # beside the log
LIMIT = 256 * 1024  # bytes of a configuration file

_FORMAT = 2  # raise it when checking or merging changes and the table of settings does not
# A file changed this recently could change again within one tick of its clock: not stored yet.
_TICK = 2_000_000_000  # ns
_TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.py")


def settings(
    cache_path: str, home: str, project_root: str | None, client_dir: str, *, store: bool = True
) -> dict[str, Any]:
    """Return every setting, the number `config.problems`, and the `client.*` values.

    cache_path: the compiled file. client_dir: where the person's settings.json of Claude Code is;
    "" for none. store: write the compiled file where it is out of date. The result is the caller's
    own.
    """
    try:
        identity = _identity(home, project_root, client_dir)
        values = _stored(cache_path, identity)
        if values is None:
            values = _compile(home, project_root, client_dir)
            if store and _is_settled(identity):
                _store(cache_path, identity, values)
    except Exception:  # noqa: BLE001 (a hook never harms; `journal config check` says what is wrong)
        from journal.config.schema import DEFAULTS

        values = {**DEFAULTS, "config.problems": 0}
    return values


def client_files(client_dir: str, project_root: str | None) -> list[str]:
    """List the settings files of Claude Code, each overriding the one before it."""
    files = [os.path.join(client_dir, "settings.json")] if client_dir else []
    if project_root:
        files.append(os.path.join(project_root, ".claude", "settings.json"))
        files.append(os.path.join(project_root, ".claude", "settings.local.json"))
    return files


def _identity(home: str, project_root: str | None, client_dir: str) -> list[Any]:
    """Return what the compiled values depend on: the paths, and the state of each file."""
    paths = [_TABLE, os.path.join(home, HOME_FILE), *client_files(client_dir, project_root)]
    states = [_state(os.stat, path) for path in paths]
    if project_root:
        paths.append(os.path.join(project_root, PROJECT_FILE))
        states.append(_state(os.lstat, paths[-1]))  # a link there is not read
    return [_FORMAT, digest("\0".join(paths)), states]


def _state(stat: Any, path: str) -> list[int] | None:
    """Return (mtime, size, inode, device), None where there is no file."""
    try:
        facts = stat(path)
    except (OSError, ValueError):
        return None
    return [facts.st_mtime_ns, facts.st_size, facts.st_ino, facts.st_dev]


def _is_settled(identity: list[Any]) -> bool:
    from time import time_ns

    now = time_ns()
    return all(state is None or abs(now - state[0]) > _TICK for state in identity[2])


def _compile(home: str, project_root: str | None, client_dir: str) -> dict[str, Any]:
    from journal.config.client import client_values
    from journal.config.load import load
    from journal.redaction import redact_value

    loaded = load(home, project_root)
    values = {**loaded.settings, "config.problems": len(loaded.problems)}
    values.update(client_values(client_files(client_dir, project_root)))
    # The files may come from a stranger, and the compiled one is a file of the journal.
    clean = redact_value(values)
    assert isinstance(clean, dict)
    return clean


def _stored(path: str, identity: list[Any]) -> dict[str, Any] | None:
    """Read the compiled file: a line with the checksum of the rest, then [identity, values]."""
    try:
        head, _, body = read_regular(path, LIMIT).partition(b"\n")
        document = loads(body) if head == b"%08x" % crc32(body) else None
    except (OSError, ValueError):
        return None
    if not isinstance(document, list) or document[:1] != [identity]:
        return None
    values: dict[str, Any] = document[1]
    return {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}


def _store(path: str, identity: list[Any], values: dict[str, Any]) -> None:
    """Replace the compiled file whole; where that fails the next call compiles again."""
    from journal.replace_file import write_atomic

    body = dumps([identity, values])
    try:  # noqa: SIM105 (contextlib is one more module to load)
        write_atomic(path, b"%08x\n%s" % (crc32(body), body))
    except OSError:
        pass
