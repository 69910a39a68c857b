"""The configuration as a hook gets it: from a compiled cache, for the price of a few stats.

The cache is accepted only if it was made from exactly the files that are there now, under the
schema of this version, and is whole. It can be deleted at any time.
Invariant: `settings` never raises, and with no file to read it reads none.
"""

from __future__ import annotations

import os

from journal.config.schema import DEFAULTS, HOME_FILE, PROJECT_FILE, SCHEMA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["settings"]

_FORMAT = 1  # raise it when checking or merging changes without the schema
# A file changed this recently could change again within one tick of its clock: not yet cached.
_RACY = 2_000_000_000  # ns


def settings(
    cache_path: str, home: str, project_root: str | None, client_dir: str
) -> dict[str, Any]:
    """Return every key of the schema, the number `config.problems`, and the `client.*` keys.

    client_dir: where the user's settings.json is; "" for none. The result is the caller's own.
    """
    try:
        sources = _sources(home, project_root, client_dir)
        states = [_state(path, follow=follow) for path, follow in sources]
        if not any(states):
            return {**DEFAULTS, "config.problems": 0}
        identity = _identity([path for path, _ in sources], states)
        values = _cached(cache_path, identity)
        if values is None:
            values = _compiled(home, project_root, client_dir)
            if _settled(states):
                _write(cache_path, identity, values)
    except Exception:  # noqa: BLE001 (a hook never harms; `journal doctor` loads aloud)
        values = {"config.problems": 0}
    return {**DEFAULTS, **values}


def _sources(home: str, project_root: str | None, client_dir: str) -> list[tuple[str, bool]]:
    """List (path, whether a symbolic link is followed) of every file that may have a say."""
    sources = [(os.path.join(home, HOME_FILE), True)]
    if client_dir:
        sources.append((os.path.join(client_dir, "settings.json"), True))
    if project_root:
        sources.append((os.path.join(project_root, PROJECT_FILE), False))
        sources.append((os.path.join(project_root, ".claude", "settings.json"), True))
        sources.append((os.path.join(project_root, ".claude", "settings.local.json"), True))
    return sources


def _state(path: str, *, follow: bool) -> list[int] | None:
    """Return (mtime, size, inode, device), None where there is no file."""
    try:
        facts = os.stat(path, follow_symlinks=follow)
    except (OSError, ValueError):
        return None
    return [facts.st_mtime_ns, facts.st_size, facts.st_ino, facts.st_dev]


def _identity(paths: list[str], states: list[list[int] | None]) -> list[object]:
    from zlib import crc32

    from journal.codec import digest

    return [_FORMAT, crc32(repr(SCHEMA).encode()), digest("\0".join(paths)), states]


def _settled(states: list[list[int] | None]) -> bool:
    import time

    now = time.time_ns()
    return all(state is None or abs(now - state[0]) > _RACY for state in states)


def _compiled(home: str, project_root: str | None, client_dir: str) -> dict[str, Any]:
    """Return what differs from the defaults."""
    from journal.config.client import client_files, client_values
    from journal.config.load import load
    from journal.redaction.redact import redact_value

    loaded = load(home, project_root)
    values = {key: value for key, value in loaded.settings.items() if value != DEFAULTS[key]}
    values["config.problems"] = len(loaded.problems)
    values.update(client_values(client_files(client_dir, project_root)))
    # The files may come from a stranger, and the cache is a file of the journal.
    clean = redact_value(values)
    assert isinstance(clean, dict)
    return clean


def _cached(cache_path: str, identity: list[object]) -> dict[str, Any] | None:
    """Read the cache: a line with the checksum of the rest, then [identity, values]."""
    from zlib import crc32

    from journal.codec import loads
    from journal.config.source import UnreadableError, read

    try:
        head, _, body = (read(cache_path, follow=False) or b"").partition(b"\n")
        if head != b"%08x" % crc32(body):
            return None
        document = loads(body)
    except (UnreadableError, ValueError):
        return None
    if not isinstance(document, list) or document[:1] != [identity]:
        return None
    values: dict[str, Any] = document[1]
    return {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}


def _write(cache_path: str, identity: list[object], values: dict[str, Any]) -> None:
    """Replace the cache whole; where that fails the next call compiles again."""
    from zlib import crc32

    from journal.codec import dumps
    from journal.replace_file import write_atomic

    body = dumps([identity, values])
    try:  # noqa: SIM105 (contextlib is one more module to load)
        write_atomic(cache_path, b"%08x\n%s" % (crc32(body), body))
    except OSError:
        pass
