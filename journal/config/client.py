"""Read the values of Claude Code's settings files that the journal needs.

Invariant: whatever such a file contains, only the names listed here are returned, each a whole
number, a switch or a short line of printable ASCII.
"""

from __future__ import annotations

from journal.codec import loads
from journal.config import LIMIT
from journal.files import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_COUNTS = ("autoCompactWindow", "cleanupPeriodDays")
_SWITCHES = ("autoCompactEnabled",)
_ENV = tuple(
    "CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_CODE_MAX_OUTPUT_TOKENS "
    "CLAUDE_CODE_MAX_CONTEXT_TOKENS CLAUDE_CODE_DISABLE_1M_CONTEXT DISABLE_AUTO_COMPACT "
    "DISABLE_COMPACT".split()
)
_MOST = 10**9
_LONGEST = 64


def client_values(files: list[str]) -> dict[str, Any]:
    """Return the merged values as `client.<name>` and `client.env.<NAME>`; absent ones have no key.

    files: paths, each overriding the one before it; a file that cannot be read counts as empty.
    """
    values: dict[str, Any] = {}
    for path in files:
        values.update(_values_of(path))
    return values


def _values_of(path: str) -> dict[str, Any]:
    try:
        document = loads(read_regular(path, LIMIT, follow=True).removeprefix(b"\xef\xbb\xbf"))
    except (OSError, ValueError):
        return {}
    if not isinstance(document, dict):
        return {}
    values: dict[str, Any] = {}
    for name in _COUNTS:
        value = document.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST:
            values[f"client.{name}"] = value
    for name in _SWITCHES:
        if isinstance(document.get(name), bool):
            values[f"client.{name}"] = document[name]
    env = document.get("env")
    for name in _ENV:
        text = _env_text(env.get(name)) if isinstance(env, dict) else None
        if text is not None:
            values[f"client.env.{name}"] = text
    return values


def _env_text(value: object) -> str | None:
    """Return the value that Claude Code would put into the environment, None if invalid."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) <= _MOST:
        return str(value)
    if isinstance(value, str) and len(value) <= _LONGEST and value.isascii():
        return value if value.isprintable() else None
    return None
