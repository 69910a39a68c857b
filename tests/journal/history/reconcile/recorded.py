"""A session recorded by hooks and in a transcript, in which any hook call can be lost."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from journal.history.reconcile.run import reconcile
from journal.history.replay.run import replay_all
from journal.history.scope import ProjectScope
from tests.cases.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

CALLS = 14
"""Hook calls of `session` that can be lost."""


class Recorded(World):
    """A world with a transcript; `lost` has the numbers of the hook calls that never arrive."""

    lost: Collection[int] = ()
    calls = 0
    began: Sequence[datetime] = ()  # when it compacted

    def line(self, kind: str, content: Any = None, *, notice: str = "", **more: Any) -> None:
        """Add a line to the transcript, at the world's time. notice: what the client itself says."""
        made = {
            "type": kind, "uuid": f"u-{self.sid[:4]}-{self.now.timestamp()}-{kind}", "sessionId": self.sid,
            "timestamp": self.iso, "cwd": str(self.project), "gitBranch": "main",
            "promptId": f"prompt-{self.turns}", **more,
        }  # fmt: skip
        if notice:
            made["content"] = notice
        if content is not None:
            made["message"] = {"role": kind, "content": content, **made.pop("message", {})}
        path = self.transcript()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(json.dumps(made) + "\n")

    def maybe(self, call: Callable[..., Any], *given: Any, **more: Any) -> None:
        """Call a hook, unless this call is a lost one."""
        self.calls += 1
        if self.calls - 1 not in self.lost:
            call(*given, **more)

    def ask(self, text: str) -> None:
        """Submit a prompt."""
        number = self.turns + 1
        self.maybe(self.prompt, text)
        self.turns = number
        self.after(seconds=1).line("user", text)

    def run_tool(self, command: str, *, failed: bool = False, **more: Any) -> None:
        """Run a command as Claude, with the hook that follows it."""
        self.uses += 1
        use, prompt = f"toolu_{self.uses:04}", f"prompt-{self.turns}"
        block = {"type": "tool_use", "id": use, "name": "Bash", "input": {"command": command}}
        self.after(seconds=1).reply_line([block], "tool_use", **more)
        error = f"Exit code 3\n{command} failed"
        result = {"type": "tool_result", "tool_use_id": use, "is_error": failed,
                  "content": error if failed else "ok"}  # fmt: skip
        given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": use,
                 "prompt_id": prompt}  # fmt: skip
        if failed:
            self.maybe(self.hook, "PostToolUseFailure", error=error, is_interrupt=False, **given)
        else:
            self.maybe(self.hook, "PostToolUse", tool_response={"stdout": "ok"}, **given)
        self.line("user", [result], **more)

    def reply_line(self, content: Any, stop: str, **more: Any) -> None:
        """Add a line of Claude's reply."""
        message = {"id": f"m{self.now.timestamp()}", "model": "claude-sonnet-4-5", "stop_reason": stop,
                   "usage": {"input_tokens": 5, "output_tokens": 5}}  # fmt: skip
        self.line("assistant", content, message=message, **more)

    def answer(self, text: str = "Done.") -> None:
        """End the turn with a reply."""
        self.after(seconds=1).reply_line([{"type": "text", "text": text}], "end_turn")
        self.stop(last_assistant_message=text)

    def answer_silently(self) -> None:
        """End the turn without calling a hook."""
        self.after(seconds=1).reply_line([{"type": "text", "text": "Done."}], "end_turn")

    def compact_now(self, pause: float = 120) -> None:
        """Compact automatically, with all three hooks; pause: seconds until the next call."""
        self.began = [*self.began, self.now]
        self.maybe(self.compacting)
        self.after(seconds=40)  # the summary takes time
        self.maybe(self.start, "compact")
        meta = {"trigger": "auto", "preTokens": 167_000, "postTokens": 12_000}
        self.line("system", subtype="compact_boundary", compactMetadata=meta)
        self.maybe(self.compacted)
        self.after(seconds=-0.05)  # in Claude Code, too, the summary has an earlier time
        self.line("user", "<summary>S.</summary>", isCompactSummary=True)
        self.after(seconds=0.05 + pause)

    def session(self) -> None:
        """Play three turns, with one failure and two compactions."""
        self.start()
        self.ask("repair the redirect")
        self.run_tool("ls")
        self.run_tool("make", failed=True)
        self.answer()
        self.ask("now the cart")
        self.run_tool("cat cart.py")
        self.compact_now()
        self.run_tool("pytest")
        self.answer()
        self.ask("and the docs")
        self.compact_now()
        self.run_tool("mkdocs build")
        self.answer()

    def reconcile(self, level: str = "full") -> list[int]:
        """Compare log and transcripts; return the seqs that were added."""
        scope = ProjectScope(self.env(), cwd=str(self.project))
        scope.settings = {"capture.level": level, "append.sync": "none"}
        return reconcile(scope)

    def counts(self) -> dict[str, tuple[int, ...]]:
        """Return the counts of the sessions view, by session."""
        sessions = replay_all(str(self.directory), ("sessions",)).states["sessions"]
        return {
            sid: (one.prompts, one.tools, one.failures, one.turns, one.compactions, one.attempts)
            for sid, one in sessions.sessions.items()
        }

    @property
    def delays(self) -> list[float]:
        """The seconds between each compaction and what the sessions view has as its time."""
        sessions = replay_all(str(self.directory), ("sessions",)).states["sessions"].sessions
        times = [datetime.fromisoformat(item.at) for item in sessions[self.sid].compacted]
        return [(at - began).total_seconds() for at, began in zip(times, self.began, strict=True)]

    @property
    def added(self) -> list[dict[str, Any]]:
        """The events that were reconciled."""
        return [event for event in self.events() if event.get("via") == "reconciled"]
