"""Shared by tests of work in progress: the plugin's own command, and replies to the gate.

Invariant: a reply to a text is given only to a request that contains the text.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .wire import Reply, Tool

if TYPE_CHECKING:
    from .client import Client


def plugin_command_alone(client: Client) -> None:
    """Leave no `journal` on the person's PATH, so the model finds the plugin's bin/."""
    programs = client.root / "programs"
    programs.mkdir()
    (programs / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    (programs / "python3").chmod(0o755)
    client.python = programs


def journal(*commands: str, asked: str = "", tokens: int | None = None) -> Reply:
    """Make a reply that runs `journal` commands, one after the other.

    asked: a text that the request must hold.
    """
    line = " && ".join(f"journal {command}" for command in commands)
    tool = Tool("Bash", {"command": line, "description": "journal"})
    if not asked:
        return Reply(tools=(tool,), tokens=tokens)
    return Reply(tools=(tool,), tokens=tokens, only_if=lambda request: asked in request.text)


def saves(phase: int, *, skill: str = "discover", mark: str = "MARK") -> str:
    """Build the command that saves a phase."""
    return (
        f"progress save --skill {skill} --phase {phase} --name Name-{phase} "
        f"--summary '{mark}-SUMMARY-{phase}' --output docs/plans/01.md --next '{mark}-NEXT-{phase}'"
    )
