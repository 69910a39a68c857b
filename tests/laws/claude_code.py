"""A session as Claude Code tells it: the inputs of its hooks, and the lines of its transcripts."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from random import Random

BRANCHES = ("main", "feat/vat", "fix/rounding")


class Step(NamedTuple):
    """What happens at a time. kind: hook, line or branch; path: of the file that gets a line."""

    ms: int
    kind: str
    path: str
    data: Any


class Reply(NamedTuple):
    """A reply of the API, which counts once. tokens: input, output, cache written and read."""

    sid: str
    agent: str | None
    model: str
    branch: str
    tokens: tuple[int, int, int, int]


class Machine:
    """Where a project is worked on, and what happens there. claude: Claude Code's own directory.

    The truth is counted while the steps are made. counts: session → what happened in it; replies:
    by message ID; calls: tool_use ID → session, tool, success, agent and prompt of a tool call;
    turns: prompt ID → session, text, and [calls, failures, changed files] of the turn; typed: text
    of a prompt that Claude read in the middle of a turn → that turn's prompt ID.
    """

    def __init__(self, random: Random, project: Path, claude: Path, start: str) -> None:
        self.random, self.project = random, project
        self.folder = claude / "projects" / str(project).replace("/", "-").replace(".", "-")
        self.now = datetime.fromisoformat(start).astimezone(UTC)
        self.steps: list[Step] = []
        self.counts: dict[str, Counter[str]] = {}
        self.replies: dict[str, Reply] = {}
        self.calls: dict[str, tuple[Any, ...]] = {}
        self.turns: dict[str, tuple[str, str, list[int]]] = {}
        self.typed: dict[str, str] = {}
        self.switch("main")

    def put(self, kind: str, path: str, data: Any) -> None:
        """Add a step."""
        self.steps.append(Step(int(self.now.timestamp() * 1000), kind, path, data))

    def wait(self, low: float, high: float) -> str:
        """Let some seconds pass; return the new time."""
        self.now += timedelta(milliseconds=int(1000 * self.random.uniform(low, high)) + 1)
        return f"{self.now:%Y-%m-%dT%H:%M:%S}.{self.now.microsecond // 1000:03d}Z"

    def uuid(self) -> str:
        """Return an ID, the same for a seed."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def switch(self, branch: str = "") -> None:
        """Check out a branch."""
        self.branch = branch or self.random.choice(BRANCHES)
        self.put("branch", "", self.branch)


class Thread:
    """What a session's process writes and says. lines: of its transcript; last: the newest's ID."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.random = machine, machine.random
        self.id = machine.uuid()
        self.path = str(machine.folder / f"{self.id}.jsonl")
        self.lines: list[dict[str, Any]] = []
        self.last: str | None = None
        self.prompt_id = ""
        self.model = ""
        self.context = self.random.randint(20_000, 168_000)
        self.counts = machine.counts.setdefault(self.id, Counter())

    def new_id(self, prefix: str) -> str:
        """Return an ID of the API."""
        return prefix + self.machine.uuid().replace("-", "")[:20]

    def agent_path(self, agent: str) -> str:
        """Return the path of a subagent's transcript."""
        return str(Path(self.path).with_suffix("") / "subagents" / f"agent-{agent}.jsonl")

    def line(self, kind: str, agent: str = "", **more: Any) -> str:
        """Write a line of the main thread or of a subagent; return its ID."""
        found = {
            "parentUuid": self.last,
            "isSidechain": bool(agent),
            "type": kind,
            "uuid": self.machine.uuid(),
            "timestamp": self.machine.wait(0.01, 3),
            "cwd": str(self.machine.project),
            "sessionId": self.id,
            "gitBranch": self.machine.branch,
            **({"agentId": agent} if agent else {}),
            **more,
        }
        if not agent:
            self.last = found["uuid"]
            self.lines.append(found)
        self.machine.put("line", self.agent_path(agent) if agent else self.path, found)
        return str(found["uuid"])

    def user(self, content: Any, agent: str = "", **more: Any) -> str:
        """Write a line in the user's place."""
        message = {"role": "user", "content": content}
        return self.line("user", agent, promptId=self.prompt_id, message=message, **more)

    def command(self, name: str, arguments: str = "") -> str:
        """Write the line of a command that the user typed."""
        return self.user(
            f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n"
            f"<command-args>{arguments}</command-args>"
        )

    def hook(self, name: str, **more: Any) -> None:
        """Call the hooks of an event."""
        self.machine.wait(0.01, 0.3)
        data = {"session_id": self.id, "transcript_path": self.path, "hook_event_name": name}
        prompt = {"prompt_id": self.prompt_id} if self.prompt_id else {}
        cwd = str(self.machine.project)
        self.machine.put("hook", "", {**data, "cwd": cwd, **prompt, **more})

    def reply(self, blocks: list[dict[str, Any]], stop: str | None, agent: str = "") -> None:
        """Write a reply, a line for each block; its output tokens grow, and the last line counts."""
        message = self.new_id("msg_")
        given, made, out = (self.random.randint(1, most) for most in (40, 3000, 900))
        for number, block in enumerate(blocks, 1):
            is_last = number == len(blocks)
            usage = {
                "input_tokens": given,
                "output_tokens": out if is_last else max(1, out * number // 9),
                "cache_creation_input_tokens": made,
                "cache_read_input_tokens": self.context,
            }
            content = {
                "id": message,
                "role": "assistant",
                "model": self.model,
                "content": [block],
                "stop_reason": stop if is_last else None,
                "usage": usage,
            }
            self.line("assistant", agent, requestId=f"req_{message}", message=content)
        tokens = (given, out, made, self.context)
        self.machine.replies[message] = Reply(
            self.id, agent or None, self.model, self.machine.branch, tokens
        )
        if not agent:
            self.context += made + out


def write_line(step: Step) -> None:
    """Append a line to the transcript that it belongs to."""
    path = Path(step.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(step.data, ensure_ascii=False) + "\n")
