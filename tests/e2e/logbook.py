"""Reads a project's journal through the command line, and names the event fields the tests use.

Invariant: the log's files are never read directly; only the commands' documented output counts.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from .client import REPO

if TYPE_CHECKING:
    from pathlib import Path

    from .client import Client

# Names of event fields and view fields, defined only here.
SOURCE = "source"
TRIGGER = "trigger"
REASON = "reason"
TOOL = "tool"
TARGET = "target"
SUMMARY = "summary"
TEXT = "text"
LEVEL = "level"
TOKENS = "tokens"
PREVIOUS = "previous"
PROMOTED = "promoted"
AGENT = "agent"
WHAT = "what"
POINT = "point"
PRESSURE = "pressure"
ORIGIN = "origin"

LEAN_STATUS_LINE = REPO / "hooks" / "statusline.py"


class Logbook:
    """The journal of the client's project."""

    def __init__(self, client: Client, root: Path = REPO) -> None:
        self.client = client
        self.root = root

    def run(self, *args: str, code: int = 0) -> str:
        """Run a `journal` command that must exit with `code`; return its stdout."""
        argv = [sys.executable, "-m", "cli", *args]
        got, out, err = self.client.run(argv, PYTHONPATH=str(self.root))
        assert got == code, f"journal {' '.join(args)} ended with {got}: {out} {err}"
        return out

    def events(
        self, *types: str, sid: str | None = None, imported: bool = False
    ) -> list[dict[str, Any]]:
        """List the events hooks recorded, in order, of the given types (all when none), of one session.

        imported: those that came from transcripts as well. A start imports them in the background,
        so they are there at once or later.
        """
        listed = json.loads(self.run("events", "--json", "--project", str(self.client.project)))
        return [
            event
            for event in listed
            if (not types or event["type"] in types)
            and sid in {None, event.get("sid", "")}
            and (imported or not event["cite"].startswith("i:"))
        ]

    def sids(self) -> set[str]:
        """Collect the sessions that have events."""
        return {event["sid"] for event in self.events() if event.get("sid")}

    def counts(self, sid: str | None = None) -> Counter[str]:
        """Count the events of each type."""
        return Counter(event["type"] for event in self.events(sid=sid))

    def view(self, name: str, *args: str) -> dict[str, Any]:
        """Read one view as decoded JSON."""
        where = ("--project", str(self.client.project))
        view: dict[str, Any] = json.loads(self.run("view", name, "--json", *where, *args))
        return view

    def lineage(self, sid: str) -> str:
        """Return the lineage view of one session as text, to search it for session ids."""
        return json.dumps(self.view("lineage", "--session", sid))
