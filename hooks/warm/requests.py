"""Handle the module's requests other than events: a tool call, and the texts on the screen.

POST /tool/17    {"name", "input", "session_id", "cwd"} → {"text", "failed"}
POST /screen/17  {"session_id", "cwd", "pane"} → {"status", "row", "pane"}
"""

from __future__ import annotations

from hooks.packages import ready
from journal.codec import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def answer_request(route: str, body: bytes, env: Mapping[str, str]) -> tuple[int, str]:
    """Return status and reply; 503 for an unknown request, or if packages are missing."""
    try:
        data = loads(body)
    except ValueError:
        return 503, ""
    if not isinstance(data, dict) or not ready():
        return 503, ""
    sid, cwd = (str(data.get(name) or "") for name in ("session_id", "cwd"))
    output: Any
    if route == "tool":
        from journal.history.tools import run

        try:
            result = run.call(str(data.get("name")), data.get("input"), env, cwd=cwd, session=sid)
        except KeyError:
            return 503, ""
        output = {"text": result.text, "failed": result.failed}
    elif route == "screen":
        from hooks.warm.screen import screen

        output = screen(env, sid, cwd, pane=data.get("pane") is True)
    else:
        return 503, ""
    return 200, dumps(output).decode("utf-8", "replace")
