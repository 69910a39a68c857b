"""Load the settings for a hook, from a cache.

`journal.config.load` reads and checks the configuration files, which takes longer than a whole hook
call. So its result is cached beside the log, together with the state of each file that it depends
on; the cache is valid while none of these files has changed, and can be deleted at any time.
Invariant: `settings` never raises.
"""

from __future__ import annotations

import os
from time import time_ns
from zlib import crc32

from journal.codec import digest, dumps, loads
from journal.files import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOME_FILE = "config.toml"  # in the journal home
PROJECT_FILE = ".claude/journal.toml"  # in the project's root
CACHE_FILE = "settings.cache"  # beside the log
LIMIT = 256 * 1024  # bytes of a configuration file

_FORMAT = 2  # raise it if checking or merging changes without a change of the table of settings
# A file changed this recently could change again with the same mtime, so it is not cached yet.
_TICK = 2_000_000_000  # ns
_TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.py")


def settings(
    cache_path: str, home: str, project_root: str | None, client_dir: str, *, store: bool = True
) -> dict[str, Any]:
    """Return all settings, the number `config.problems`, and the `client.*` values, by name.

    Args:
        cache_path: file of the cache.
        home: the journal home.
        project_root: root of the project, or None.
        client_dir: folder of the user's Claude Code settings, "" for none.
        store: whether to write the cache if it is out of date.

    """
    try:
        identity = _identity(home, project_root, client_dir)
        values = _cached(cache_path, identity)
        if values is None:
            values = _load(home, project_root, client_dir)
            now = time_ns()
            if store and all(state is None or abs(now - state[0]) > _TICK for state in identity[2]):
                _store(cache_path, identity, values)
    except Exception:  # noqa: BLE001 (a hook never fails; `journal config check` shows the error)
        from journal.config.schema import DEFAULTS

        values = {**DEFAULTS, "config.problems": 0}
    return values


def client_files(client_dir: str, project_root: str | None) -> list[str]:
    """Return the paths of Claude Code's settings files; each overrides the one before it."""
    files = [os.path.join(client_dir, "settings.json")] if client_dir else []
    if project_root:
        files.append(os.path.join(project_root, ".claude", "settings.json"))
        files.append(os.path.join(project_root, ".claude", "settings.local.json"))
    return files


def _identity(home: str, project_root: str | None, client_dir: str) -> list[Any]:
    """Return what the cached values depend on: the paths, and the state of each file."""
    paths = [_TABLE, os.path.join(home, HOME_FILE), *client_files(client_dir, project_root)]
    states = [_state(os.stat, path) for path in paths]
    if project_root:
        paths.append(os.path.join(project_root, PROJECT_FILE))
        states.append(_state(os.lstat, paths[-1]))  # the loader reads no link there
    return [_FORMAT, digest("\0".join(paths)), states]


def _state(stat: Any, path: str) -> list[int] | None:
    """Return [mtime, size, inode, device], or None if there is no file."""
    try:
        facts = stat(path)
    except (OSError, ValueError):
        return None
    return [facts.st_mtime_ns, facts.st_size, facts.st_ino, facts.st_dev]


def _load(home: str, project_root: str | None, client_dir: str) -> dict[str, Any]:
    from journal.config.client import client_values
    from journal.config.load import load
    from journal.redaction import redact_value

    loaded = load(home, project_root)
    values = {**loaded.settings, "config.problems": len(loaded.problems)}
    values.update(client_values(client_files(client_dir, project_root)))
    # A cloned repository's file is not trusted, and may have secrets that must not get into a
    # cache.
    clean = redact_value(values)
    assert isinstance(clean, dict)
    return clean


def last_settings(cache_path: str, home: str, client_dir: str) -> dict[str, Any]:
    """Return the settings that were last cached, for a project whose root is no longer known.

    Without a cache, return those that hold for all projects.
    """
    found = _cached(cache_path, None)
    return settings("", home, None, client_dir, store=False) if found is None else found


def _cached(path: str, identity: list[Any] | None) -> dict[str, Any] | None:
    """Return the cached values, None if there are none for this identity (None: for any).

    The file has a line with the checksum of the rest, then [identity, values] as JSON.
    """
    try:
        head, _, body = read_regular(path, LIMIT).partition(b"\n")
        document = loads(body) if head == b"%08x" % crc32(body) else None
    except (OSError, ValueError):
        return None
    if not isinstance(document, list) or (identity and document[:1] != [identity]):
        return None
    values: dict[str, Any] = document[1]
    return {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}


def _store(path: str, identity: list[Any], values: dict[str, Any]) -> None:
    """Write the cache; if that fails, the next call loads the files again."""
    from journal.replace_file import write_atomic

    body = dumps([identity, values])
    try:  # noqa: SIM105 (contextlib is one more module to load)
        write_atomic(path, b"%08x\n%s" % (crc32(body), body))
    except OSError:
        pass
