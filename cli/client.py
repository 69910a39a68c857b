"""`journal hook | statusline`: the client's two entries, for whoever has only the command.

The installed commands are the lean ones beside the hooks. Invariant: like these they exit 0.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cli.error import OK

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["hook", "statusline"]


def hook(scope: Scope) -> int:
    """Handle one hook call: its input on stdin, the answer on stdout."""
    from hooks.capture import capture
    from hooks.errors import note

    try:
        text = capture(sys.stdin.buffer.read(), scope.env)
    except Exception as error:  # noqa: BLE001 (a hook never harms)
        note(scope.env, "", error)
        return OK
    _write(text)
    return OK


def statusline(scope: Scope) -> int:
    """Handle one call of the status line: its input on stdin, the line on stdout."""
    from hooks.status_line.line import show

    _write(show(sys.stdin.buffer.read(), scope.env))
    return OK


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
