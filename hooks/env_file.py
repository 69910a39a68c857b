"""Export the session and project to the session's shell commands, through CLAUDE_ENV_FILE."""

from __future__ import annotations

import os

from journal.files import open_foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def export(env: Mapping[str, str], root: str, sid: str) -> None:
    """Append `export JOURNAL_SESSION=…` and JOURNAL_PROJECT; ignore write errors."""
    path = env.get("CLAUDE_ENV_FILE", "")
    if not os.path.isabs(path) or not sid:
        return
    lines = [f"export JOURNAL_SESSION={_quoted(sid)}\n"]
    if root:
        lines.append(f"export JOURNAL_PROJECT={_quoted(root)}\n")
    try:
        descriptor = open_foreign(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        return
    try:
        os.write(descriptor, "".join(lines).encode("utf-8", "surrogateescape"))
    except OSError:
        pass
    finally:
        os.close(descriptor)


def _quoted(value: str) -> str:
    """Quote for a POSIX shell, so that it expands nothing."""
    return "'" + value.replace("'", "'\\''") + "'"
