"""Reads a project's journal through the command line, and names the event fields the tests use.

Invariant: the log's files are never read directly; only the commands' documented output counts.
Their sizes and times tell whether what a command printed is still true.
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
        self._listed: tuple[object, list[dict[str, Any]]] = (None, [])

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
        return [
            event
            for event in self._all()
            if (not types or event["type"] in types)
            and sid in {None, event.get("sid", "")}
            and (imported or not event["cite"].startswith("i:"))
        ]

    def _all(self) -> list[dict[str, Any]]:
        """List all events; the command runs only if the log has changed since it last did."""
        state = self._state()
        if not state or state != self._listed[0]:
            out = self.run("events", "--json", "--project", str(self.client.project))
            self._listed = (state, json.loads(out))
        return self._listed[1]

    def _state(self) -> dict[Path, tuple[int, int]]:
        """Return size and time of each file of logs in the person's home; nothing is unknown."""
        logs = (self.client.home / ".claude" / "journal").glob("*/*.jsonl*")
        try:
            return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in logs}
        except FileNotFoundError:  # a segment is being sealed
            return {}

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
