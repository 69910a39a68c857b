"""A world with command line and status line beside the hooks, for cases of work in progress.

Invariant: the cases get their data through a hook, the status line or a command, never through
a private file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tests.cases.world import World

if TYPE_CHECKING:
    from pathlib import Path

STAGES = ("sprint", "audit", "ship", "retrospective")
THIRD = "33333333-aaaa-4bbb-8ccc-000000000003"
FOURTH = "44444444-aaaa-4bbb-8ccc-000000000004"


class Workshop(World):
    """A world with cycles, skill progress and the status line."""

    def left(self, percent: float, *, sid: str | None = None, window: int = 200_000) -> str:
        """Report this much room until compaction to the status line; return the line it printed."""
        tokens = round((window - 33_000) * (100 - percent) / 100)
        usage = {"input_tokens": tokens, "output_tokens": 0, "cache_creation_input_tokens": 0,
                 "cache_read_input_tokens": 0}  # fmt: skip
        return self.line({"context_window_size": window, "current_usage": usage,
                          "used_percentage": round(100 * tokens / window)}, sid=sid)  # fmt: skip

    def configure(self, text: str, *, own: bool = False) -> None:
        """Write the project's configuration, or the person's own."""
        path = self.journal / "config.toml" if own else self.project / ".claude" / "journal.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def done(self, stage: str, *, sid: str = "", metric: str = "") -> None:
        """Begin a cycle if there is none, and advance it until `stage` is finished."""
        more = ("--metric", metric) if metric else ()
        for name in STAGES[: STAGES.index(stage) + 1]:
            self.order("stage", "start", name, sid=sid)
            self.order("stage", "finish", name, *more, sid=sid)

    def cycle(self, sid: str | None = None) -> dict[str, Any]:
        """Return a session's dev cycle from the views."""
        return self.views()["stage"]["sessions"][self.sid if sid is None else sid]

    def save(self, skill: str = "discover", phase: int = 1, *, sid: str = "", **more: str) -> None:
        """Save a phase of a skill."""
        given = {"name": f"Name {phase}", "summary": f"Found {skill} {phase}.",
                 "output": "docs/plans/01.md", "next": f"Do {skill} {phase + 1}", **more}  # fmt: skip
        options = [part for name, value in given.items() for part in (f"--{name}", value)]
        self.order("progress", "save", "--skill", skill, "--phase", str(phase), *options, sid=sid)

    def loop(self) -> Path:
        """Create another plugin's active loop in the project."""
        path = self.project / ".claude" / "ralph-loop.local.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("---\niteration: 4\nmax_iterations: 20\n"
                        'completion_promise: "ALL DONE"\n---\nGo.\n')  # fmt: skip
        return path

    def aged(self, path: Path, days: float) -> None:
        """Set a file's times back: the journal's output must not depend on them."""
        when = self.now.timestamp() - days * 86_400
        os.utime(path, (when, when))
