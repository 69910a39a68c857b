"""Bare `journal`: where things stand, and the next useful command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.error import OK
from cli.overview import lines
from cli.read import outcome
from cli.render.text import emit
from cli.status import collect
from journal.home import client_dir
from journal.text import one_line, plural, wrapped

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["start"]


def start(scope: Scope) -> int:
    """Print the status and what to do next; without a journal only what to do."""
    if not scope.exists():
        where = scope.project.root or "this directory, which is no project"
        found = _transcripts(scope)
        emit(wrapped(one_line(f"No journal for {where} yet."), scope.columns))
        if found:
            count = plural(found, "past session")
            _print_next(scope, "journal import", f"Claude Code has {count} on disk")
        elif _is_set_up(scope):
            _print_next(scope, "claude", "the journal begins with your next session")
        else:
            _print_next(scope, "journal setup", "the journal begins with your next session then")
        return OK
    data, reader = collect(scope)
    emit(lines(data, scope))
    emit([""])
    _print_next(scope, *_next_command(data))
    return outcome(reader)


def _next_command(data: dict[str, Any]) -> tuple[str, str]:
    """Return the command that helps most now, and why."""
    if not data["complete"]:
        return "journal verify", "something in the journal is damaged; it shows where"
    if data["config"]["problems"]:
        return "journal config check", "a setting is wrong"
    if any(work.get("stage", {}).get("status") == "stopped" for work in data["work"].values()):
        return "journal stage resume", "a dev cycle was stopped"
    if waiting := data["compound"]["unpromoted"]:
        count = plural(waiting, "entry", "entries")
        return "journal compound", f"{count} of the work log not saved as learnings yet"
    if not data["sessions"]["known"]:
        return "journal import", "it brings in past sessions from Claude Code's transcripts"
    return "journal show last", "it reads the last session; journal usage says what it cost"


def _print_next(scope: Scope, command: str, why: str) -> None:
    emit(wrapped(f"Next: {command} ({why})", scope.columns))
    emit(wrapped("All commands: journal help", scope.columns))


def _transcripts(scope: Scope) -> int:
    """Count the transcripts of main threads in Claude Code's directory."""
    top = os.path.join(client_dir(scope.env), "projects")
    try:
        folders = [entry.path for entry in os.scandir(top) if entry.is_dir()]
        return sum(name.endswith(".jsonl") for folder in folders for name in os.listdir(folder))
    except OSError:
        return 0


def _is_set_up(scope: Scope) -> bool:
    """Return whether `journal setup` has installed anything."""
    return os.path.exists(os.path.join(scope.home, "install.json"))
