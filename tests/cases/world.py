"""A person's machine in a temporary folder: a home, a project, and the hook command run in it.

Invariant: nothing outside that folder is read or written, and the tests set the clock.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from hooks.capture import capture
from hooks.status_line.line import show
from journal.history.current import Current
from journal.log.append import Writer
from journal.log.read import Reader
from projections.fold import Fold
from projections.views import HOOK_PROJECTIONS
from tests.cases.reply import Reply
from tests.contract.output_schema import problems
from tests.support.command import Result, run_command

if TYPE_CHECKING:
    from freezegun.api import FrozenDateTimeFactory

ROOT = Path(__file__).parents[2]
RUN = ROOT / "hooks" / "run.py"
SID = "11111111-aaaa-4bbb-8ccc-000000000001"
OTHER = "22222222-aaaa-4bbb-8ccc-000000000002"
START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
MODEL = "claude-sonnet-4-5"
"""A model of 200,000 tokens: it compacts at 167,000, which is 83.5 % of the window."""

VARIANTS: dict[str, dict[str, str | None]] = {
    "plain": {"LC_ALL": "C.UTF-8"},
    "bare": {"LC_ALL": "C", "CLAUDE_PROJECT_DIR": None, "PATH": "/nonexistent"},
}
"""Environments a case runs in; None takes a variable away. `bare`: no python3, jq, git on PATH."""


class World:
    """Home, project and clock. `inline` calls the hook in this process instead of a new one.

    A call with variables of its own is always a process. base: a folder that is the world's own.
    variant: a key of VARIANTS. clock: the frozen clock of this process; without it every call gets
    its time as JOURNAL_NOW. processes: commands are run as processes too.
    """

    def __init__(
        self,
        base: Path,
        *,
        variant: str = "plain",
        inline: bool = False,
        git: bool = True,
        clock: FrozenDateTimeFactory | None = None,
        processes: bool = False,
    ) -> None:
        self.base = base
        self.home = base / "home" / "dev"
        self.project = self.home / "shop"
        self.journal = self.home / ".claude" / "journal"
        self.project.mkdir(parents=True)
        if git:
            (self.project / ".git").mkdir()
            (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.variant = VARIANTS[variant]
        self.inline = inline
        self.processes = processes
        self.clock = clock
        self.now = START
        self.sid = SID
        self.python = [sys.executable, "-I", "-S"]
        self.program = RUN
        self.more: dict[str, str | None] = {}
        self.turns = 0
        self.uses = 0

    @property
    def now(self) -> datetime:
        """Time of the next call; setting it moves the frozen clock too."""
        return self._now

    @now.setter
    def now(self, now: datetime) -> None:
        self._now = now
        if self.clock is not None:
            self.clock.move_to(now)

    @property
    def iso(self) -> str:
        """The time in ISO 8601."""
        return self.now.isoformat().replace("+00:00", "Z")

    # -- calling ---------------------------------------------------------------------------------

    def env(self, more: dict[str, str | None] | None = None) -> dict[str, str]:
        """Build the environment of a hook call; None takes a variable away."""
        wanted: dict[str, str | None] = {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", ""),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "JOURNAL_NOW": self.iso if self.clock is None else None,
            **self.variant,
            **self.more,
            **(more or {}),
        }
        return {name: value for name, value in wanted.items() if value is not None}

    def feed(
        self, raw: bytes, event: str = "", *, env: dict[str, str | None] | None = None,
        checked: bool = True,
    ) -> Reply:  # fmt: skip
        """Send these bytes to the hook command; return its output, checked against the schema."""
        if self.inline and env is None:
            reply = Reply(event, capture(raw, self.env(env)).encode("utf-8", "strict"))
        else:
            ran = subprocess.run(
                [*self.python, str(self.program)], input=raw, env=self.env(env), capture_output=True,
                cwd=self.project, timeout=60, check=False,
            )  # fmt: skip
            reply = Reply(event, ran.stdout, ran.stderr, ran.returncode)
        if checked:
            assert (reply.code, reply.err) == (0, ""), reply.err
            assert problems(event, reply.out) == [], reply.out[:2000]
        return reply

    def hook(self, event: str, *, sid: str | None = None, env: dict[str, str | None] | None = None,
             **fields: object) -> Reply:  # fmt: skip
        """Call the hook of an event 1 s later; fields with the value `...` are left out."""
        self.now += timedelta(seconds=1)
        payload = {
            "session_id": self.sid if sid is None else sid,
            "transcript_path": str(self.transcript(sid)),
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }
        payload = {name: value for name, value in payload.items() if value is not ...}
        return self.feed(json.dumps(payload).encode() + b"\n", event, env=env)

    def after(self, **span: float) -> World:
        """Let time pass (arguments of timedelta)."""
        self.now += timedelta(**span)
        return self

    # -- what a session does ----------------------------------------------------------------------

    def start(self, source: str = "startup", **fields: object) -> Reply:
        """SessionStart."""
        return self.hook("SessionStart", source=source, **fields)

    def prompt(self, text: str = "go on", **fields: object) -> Reply:
        """UserPromptSubmit, a new one each time."""
        self.turns += 1
        fields = {"prompt_id": f"prompt-{self.turns}", "permission_mode": "default", **fields}
        return self.hook("UserPromptSubmit", prompt=text, **fields)

    def tool(self, name: str = "Bash", response: object = None, **given: object) -> Reply:
        """PostToolUse, a new call each time."""
        self.uses += 1
        sid = given.pop("sid", None)
        more = {"agent_id": given.pop("agent_id"), "agent_type": "x"} if "agent_id" in given else {}
        return self.hook(
            "PostToolUse", sid=sid, tool_name=name, tool_input=given or {"command": "true"},
            tool_response={"stdout": "ok"} if response is None else response,
            tool_use_id=f"toolu_{self.uses:04}", duration_ms=5, prompt_id=f"prompt-{self.turns}",
            **more,
        )  # fmt: skip

    def stop(self, **fields: object) -> Reply:
        """Stop."""
        fields = {"stop_hook_active": False, "background_tasks": [], **fields}
        fields.setdefault("prompt_id", f"prompt-{self.turns}")
        fields.setdefault("last_assistant_message", f"Done {self.turns}.")
        return self.hook("Stop", **fields)

    def worked(self) -> None:
        """Start, change a file in a first turn, and begin a second turn."""
        self.start()
        self.prompt()
        self.tool("Edit", file_path=str(self.project / "cart.py"))
        self.stop()
        self.prompt()

    def compacting(self, trigger: str = "auto", **fields: object) -> Reply:
        """PreCompact."""
        return self.hook("PreCompact", trigger=trigger, **{"custom_instructions": None, **fields})

    def compacted(self, trigger: str = "auto", summary: str = "S.", **fields: object) -> Reply:
        """PostCompact."""
        text = f"<analysis>x</analysis><summary>{summary}</summary>"
        return self.hook("PostCompact", trigger=trigger, compact_summary=text, **fields)

    def compact(self, trigger: str = "auto") -> Reply:
        """Compact: return what SessionStart(compact) printed between PreCompact and PostCompact."""
        self.compacting(trigger)
        reply = self.start("compact")
        self.compacted(trigger)
        return reply

    def end(self, reason: str = "other", **fields: object) -> Reply:
        """SessionEnd."""
        return self.hook("SessionEnd", reason=reason, **fields)

    # -- files around the hooks --------------------------------------------------------------------

    def transcript(self, sid: str | None = None) -> Path:
        """Path of a session's transcript."""
        name = self.sid if sid is None else sid
        safe = "".join(c if c.isalnum() else "-" for c in name)[:64] or "none"
        return self.home / ".claude" / "projects" / "-shop" / f"{safe}.jsonl"

    def reading(self, percent: float, *, sid: str | None = None, model: str = MODEL) -> int:
        """Add a reply of this size (percent of a 200,000 window) to the transcript."""
        tokens = round(2000 * percent)
        usage = {
            "input_tokens": tokens - 50,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 50,
        }
        path = self.transcript(sid)
        path.parent.mkdir(parents=True, exist_ok=True)
        line = {
            "type": "assistant",
            "isSidechain": False,
            "timestamp": self.now.strftime("%Y-%m-%dT%H:%M:%S.500Z"),
            "message": {"id": "m", "role": "assistant", "model": model, "usage": usage,
                        "content": [{"type": "text", "text": "Done."}]},
        }  # fmt: skip
        with path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        return tokens

    def bridge(self, percent: float | None, *, sid: str | None = None) -> str:
        """Call the status line at this size (None: the client does not know it)."""
        tokens = round(2000 * percent) if percent is not None else 0
        usage = {"input_tokens": tokens - 50, "output_tokens": 50,
                 "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}  # fmt: skip
        context = {
            "total_input_tokens": max(0, tokens - 50),
            "total_output_tokens": 50 if tokens else 0,
            "context_window_size": 200_000,
            "current_usage": usage if percent is not None else None,
            "used_percentage": round(percent) if percent is not None else None,
            "remaining_percentage": 100 - round(percent) if percent is not None else None,
        }
        return self.line(context, sid=sid)

    def line(self, context: dict[str, Any], *, sid: str | None = None) -> str:
        """Call the status line with this context_window, 1 s later; return what it printed."""
        self.now += timedelta(seconds=1)
        raw = json.dumps({
            "session_id": self.sid if sid is None else sid, "cwd": str(self.project),
            "transcript_path": str(self.transcript(sid)), "version": "2.1.330",
            "model": {"id": MODEL, "display_name": "Sonnet 4.5"}, "context_window": context,
            "workspace": {"current_dir": str(self.project), "project_dir": str(self.project)},
        }).encode()  # fmt: skip
        if self.inline:
            return show(raw, self.env())
        ran = subprocess.run(
            [*self.python, str(self.program.with_name("statusline.py"))], input=raw, env=self.env(),
            cwd=self.project, capture_output=True, timeout=60, check=True,
        )  # fmt: skip
        assert not ran.stderr
        return ran.stdout.decode()

    def write(self, name: str, text: str) -> Path:
        """Write a work file of the project, `.claude/context/NAME`."""
        path = self.project / ".claude" / "context" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def flow(self, count: int, *, newest: int = 20, size: int = 40) -> Path:
        """Write a work log of `count` dated entries, the newest first."""
        days = [newest - index for index in range(count)]
        return self.write("progress.md", "# Progress\n\n" + "\n".join(
            f"## 2026-11-{day:02} Step {day:02}\n\n{'x' * size}\n" for day in days))  # fmt: skip

    def stock(self, confirmed: int = 1, unverified: int = 1, count: int = 3) -> Path:
        """Write learnings: `confirmed` entries confirmed `count` times, and unverified ones."""
        text = "# Learnings\n\n"
        for number in range(confirmed):
            text += f"### Proved {number}\n<!-- confirmed: {count} | last: 2026-11-01 -->\nbody\n\n"
        for number in range(unverified):
            text += f"### Guess {number}\nbody\n\n"
        return self.write("learnings-feature.md", text)

    def compound(self, promoted: int = 1) -> None:
        """Run `journal compound --promoted N` in the project, as the session's shell would."""
        self.order("compound", "--promoted", str(promoted))

    def run(self, *words: str, sid: str | None = "", stdin: str = "", terminal: bool = False,
            cwd: Path | None = None) -> Result:  # fmt: skip
        """Run a command a second later. sid: the session it runs in ("" this one, None none)."""
        self.now += timedelta(seconds=1)
        env = self.env({
            "CLAUDE_PROJECT_DIR": None, "COLUMNS": "200", "PATH": os.environ.get("PATH", ""),
            "CLAUDE_CODE_SESSION_ID": self.sid if sid == "" else sid,
        })  # fmt: skip
        if not self.processes:
            return run_command(
                list(words), env, cwd or self.project, stdin=stdin, terminal=terminal
            )
        ran = subprocess.run(
            [sys.executable, "-m", "cli", *words], env={**env, "PYTHONPATH": str(ROOT)},
            cwd=cwd or self.project, timeout=60, capture_output=True, text=True, input=stdin,
            check=False,
        )  # fmt: skip
        return Result(ran.returncode, ran.stdout, ran.stderr)

    def order(self, *words: str, sid: str | None = "") -> Result:
        """Run a command that must succeed."""
        ran = self.run(*words, sid=sid)
        assert ran.code == 0, ran.out + ran.err
        return ran

    def view(self, name: str, *words: str, sid: str | None = "") -> Any:
        """Return a view as JSON."""
        return self.order("view", name, "--json", *words, sid=sid).data

    def read(self, percent: float, *, sid: str | None = None) -> None:
        """Fill the context this far and let a hook read it."""
        self.reading(percent, sid=sid)
        self.after(seconds=1).tool("Bash", **({"sid": sid} if sid else {}), command="true")

    def journal_exists(self) -> bool:
        """Whether anything was written into the journal home for a project."""
        return self.journal.exists() and any(path.is_dir() for path in self.journal.iterdir())

    def append(self, *events: dict) -> list[int]:
        """Append events as another part of the product would."""
        with Writer(str(self.directory), self.iso, sync="none") as writer:
            return writer.append(
                *({"type": event["type"], "v": 1, "sid": self.sid, **event} for event in events)
            )

    # -- reading ---------------------------------------------------------------------------------

    @property
    def directory(self) -> Path:
        """Directory of the only journal."""
        found = [path.parent for path in self.journal.glob("*/active.jsonl")]
        assert len(found) == 1, found
        return found[0]

    def events(self, *kinds: str) -> list[dict]:
        """Read all events (of some types) as dicts; the journal must be whole."""
        if not self.journal.exists():
            return []
        reader = Reader(str(self.directory))
        found = [json.loads(line) for _, line in reader]
        assert reader.found.complete, reader.found.listed
        assert not reader.found.listed
        return [event for event in found if not kinds or event["type"] in kinds]

    def records(self) -> list[tuple[int, bytes]]:
        """Read all records as (seq, line)."""
        return list(Reader(str(self.directory)))

    def types(self, *, besides: tuple[str, ...] = ("segment.opened",)) -> list[str]:
        """Types of all events except some."""
        return [event["type"] for event in self.events() if event["type"] not in besides]

    def one(self, kind: str) -> dict:
        """Return the last event of a type."""
        return self.events(kind)[-1]

    def fold(self) -> Fold:
        """Fold everything from the start."""
        return Fold(HOOK_PROJECTIONS).feed(Reader(str(self.directory)))

    def views(self) -> dict:
        """Return the views of a full fold as plain data."""
        return plain(self.fold().states)

    def resumed_views(self) -> dict:
        """Return the views as the next hook would get them (snapshot and tail), as plain data."""
        with Writer(str(self.directory), self.iso, sync="none") as writer:
            current = Current(writer.directory)
            current.advance(writer)
            return plain(current.fold.states)


def plain(states: dict) -> dict:
    """Return states as plain data, for comparing and for readable failures."""
    return msgspec.json.decode(msgspec.json.encode(states))
