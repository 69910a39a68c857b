"""Write the stage view to two small files, for scripts that read files.

`.claude/dev-cycle.state.json` and `.claude/.context-budget.json`. Invariant: nothing reads them
back; deleting them loses nothing.
"""

from typing import Any

from cli.error import warn
from cli.render.text import json_of
from cli.scope import Scope
from cli.work.project_files import exclude, put
from journal.clock import millis

STATE = ".claude/dev-cycle.state.json"
BUDGET = ".claude/.context-budget.json"


def write(scope: Scope, shown: dict[str, Any]) -> None:
    """Write both files; warn about one that cannot be written, and why."""
    root = scope.project.work
    if not root:
        warn("not written: this is not a project")
        return
    if "sessions" in shown or shown["status"] == "none":
        why = "no session is named" if "sessions" in shown else "the session has no cycle"
        warn(f"{STATE} is not written: {why}")
        return
    read_at = millis(shown["read_at"] or "") or 0
    budget = {"remaining": shown["remaining"], "ts": read_at // 1000}  # Unix seconds
    files = {STATE: _state(shown), BUDGET: budget if shown["remaining"] is not None else {}}
    exclude(root, [name for name, content in files.items() if content])
    for name, content in files.items():
        if not content:
            warn(f"{name} is not written: how much context remains is unknown: {shown['unknown']}")
        elif trouble := put(root, name, json_of(content, indent=2) + "\n"):
            warn(f"not written: {trouble}")


def _state(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the state of the cycle; if it is stopped, also why, and the skipped stages."""
    state = {
        "stage": shown["stage"],
        "status": shown["status"],
        "open": shown["open"],
        "next_stage": shown["next"],
        "cycle": shown["cycle"],
        "session": shown["session"],
        "remaining_pct": shown["remaining"],
        "metrics": shown["metrics"],
        "review_rounds": shown["review_rounds"],
        "updated_at": shown["at"],
    }
    if shown["status"] == "stopped":
        state["stopped_reason"] = shown["reason"]
        state["skipped_stages"] = shown["skipped"]
        state["remaining_pct"] = shown["remaining_at_stop"]
    return state
