"""A Claude Code directory, a journal home, and an import from one into the other."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from cli.import_.command import run_import
from cli.scope import Scope
from journal.history.importer.run import Import
from journal.log.read import Reader
from journal.log.record import unframe

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-21T12:00:00.000Z"
SID = "c00f089c-b528-49db-9cf4-92a4658e0b0f"
FIGURES = {
    "input": "input_tokens", "output": "output_tokens",
    "cache_create": "cache_creation_input_tokens", "cache_read": "cache_read_input_tokens",
}  # fmt: skip


class Sandbox:
    """`client`: Claude Code's directory; `home`: the journal home; `file`: one transcript in it."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.client = top / "claude"
        self.home = top / "journal"
        self.file = self.client / "projects" / "-home-dev-shop" / f"{SID}.jsonl"
        self.file.parent.mkdir(parents=True)
        self.env = {
            "HOME": str(top), "PATH": os.environ["PATH"], "JOURNAL_HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.client), "JOURNAL_NOW": NOW,
        }  # fmt: skip

    def scope(self, **more: Any) -> Scope:
        """Return the scope that a command would get."""
        return Scope(self.env, cwd=str(self.top), **more)

    def run(self, path: str = "", since: str = "", *, dry: bool = False, limit: int = 0) -> Import:
        """Run an import; return its result. limit: bytes of conversations, 0 for the setting's."""
        if limit:
            return Import(self.env, str(self.home), NOW, str(self.client), limit=limit).run()
        return run_import(self.scope(), path, since, dry=dry)

    def write(self, *lines: dict[str, Any] | bytes, to: Path | None = None) -> None:
        """Append lines to a transcript: objects as the client writes them, bytes unchanged."""
        with (to or self.file).open("ab") as file:
            for line in lines:
                file.write(
                    line
                    if isinstance(line, bytes)
                    else json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
                    + b"\n"
                )

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """Return every imported event, or those of one type."""
        found = []
        for directory in sorted(self.home.glob("*/imported")):
            reader = Reader(str(directory))
            found += [unframe(line) for _, line in reader]
            assert reader.found.complete, reader.found.listed
        return [
            event
            for event in found
            if event["type"] != "segment.opened" and (not kind or event["type"] == kind)
        ]

    def outputs(self) -> dict[str, int]:
        """Return the output tokens by message; the last record of each counts."""
        return {event["message"]: event["output_tokens"] for event in self.events("usage.recorded")}

    def delete_state(self) -> None:
        """Delete the import state, which is a cache."""
        (self.home / "import.state").unlink()

    def delete_logs(self) -> None:
        """Delete the imported logs, but not the state."""
        for directory in self.home.glob("*/imported"):
            assert str(directory).startswith(str(self.top))
            shutil.rmtree(directory)


def totals(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Add up usage in the form of truth.json."""
    found: dict[str, Any] = {"totals": Counter(), "per_day": {}, "per_model": {}}
    for event in events:
        day = found["per_day"].setdefault(event["ts"][:10], Counter())
        model = found["per_model"].setdefault(event["model"], Counter())
        for name, member in FIGURES.items():
            for group in (found["totals"], day, model):
                group[name] += event[member]
    return found


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """Return an empty sandbox."""
    return Sandbox(tmp_path)
