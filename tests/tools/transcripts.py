"""Make a client directory full of transcripts, always the same for a seed, and their true totals.

`python -m tests.tools.transcripts --out DIR` writes DIR/projects/<folder>/<session>.jsonl and
DIR/truth.json, the totals a correct reader reports. Each of its features breaks some reader:

- one line per content block, so that a reply's id and usage are on one to three lines;
- sidechain lines in the main file, and with `subagents` in files of their own;
- turns that end as real ones do: the last reply says so, leaves the reason empty, has no text or is missing, with or without
  the lines that Claude Code writes after a turn; interrupted and failed ones;
- compaction boundaries, each with its summary;
- resumed copies: the beginning of an older session again at the head of a new file;
- CJK, emoji, U+2028, long lines; files that end in the middle of a line; made-up secrets.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

MODELS = (
    ("claude-sonnet-4-5-20250929", 6),
    ("claude-opus-4-5-20251101", 3),
    ("claude-haiku-4-5-20251001", 1),
)
WINDOW = 200_000
TOOLS = {
    "Read": 26,
    "Bash": 24,
    "Edit": 18,
    "Grep": 12,
    "Glob": 5,
    "Write": 5,
    "Task": 3,
    "WebFetch": 2,
    "TodoWrite": 5,
}
SIZES = {"Read": 3600, "Bash": 1200, "Grep": 900, "WebFetch": 5000, "Task": 1800}
WORDS = [
    "parser",
    "token",
    "journal",
    "event",
    "replay",
    "cursor",
    "compact",
    "window",
    "budget",
    "stage",
    "hook",
    "lock",
    "append",
    "segment",
    "index",
    "query",
    "vector",
    "score",
    "tenant",
    "schema",
    "retry",
    "flush",
    "socket",
    "thread",
    "buffer",
    "digest",
    "checksum",
    "migrate",
    "deploy",
    "cache",
]
PAIRS = [f"{one} {other}" for one in WORDS for other in WORDS]
PAIR = sum(map(len, PAIRS)) / len(PAIRS) + 1  # characters, with the space behind it
ELSEWHERE = (
    "会話が圧縮された後の復旧手順を確認して",
    "日志文件损坏时如何恢复数据",
    "컨텍스트가 꽉 차기 전에 경고해 주세요",
)
SECRETS = (
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE",
    "postgres://app:hunter2fake@db.invalid:5432/x",
)
ENDS = ("end_turn", "end_turn", "left out", "left out", "empty", "call", "interrupted", "failed")
KINDS = ("input", "output", "cache_create", "cache_read")


def prose(random_: random.Random, size: int) -> str:
    """Return words of about `size` characters in all."""
    return " ".join(random_.choices(PAIRS, k=round(size / PAIR) or 1))


class Session:
    """A transcript being written. `tokens`: the size of its context; `counted`: its replies."""

    def __init__(
        self,
        random_: random.Random,
        project: str,
        start: datetime,
        truth: dict[str, Any],
        *,
        secrets: bool,
    ) -> None:
        self.random = random_
        self.truth = truth
        self.secrets = secrets
        self.id = self.uuid()
        self.cwd = f"/home/dev/{project}"
        self.now = start
        self.last: str | None = None
        self.lines: list[dict[str, Any]] = []
        self.model = random_.choices(
            [name for name, _ in MODELS], [weight for _, weight in MODELS]
        )[0]
        self.tokens = random_.randint(14_000, 26_000)
        self.branch = random_.choice(["main", "main", "feat/replay", "fix/lock"])
        self.counted: list[tuple[str, str, str, tuple[int, ...], int]] = []
        self.ends = 0  # of turns that only the next prompt shows

    def uuid(self) -> str:
        """Return a random UUID, the same for a seed."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def put(self, kind: str, *, side: bool = False, **more: Any) -> None:
        """Add a line, some time after the one before."""
        self.now += timedelta(milliseconds=self.random.randint(300, 45_000))
        line = {
            "parentUuid": self.last, "isSidechain": side, "userType": "external", "cwd": self.cwd,
            "sessionId": self.id, "version": "2.1.300", "gitBranch": self.branch, "type": kind, **more,
        }  # fmt: skip
        line["uuid"] = self.last = self.uuid()
        line["timestamp"] = f"{self.now:%Y-%m-%dT%H:%M:%S}.{self.now.microsecond // 1000:03d}Z"
        self.lines.append(line)

    def prompt(self) -> None:
        """Add a prompt."""
        random_ = self.random
        text = (
            random_.choice(ELSEWHERE)
            if random_.random() < 0.15
            else prose(random_, random_.choice([40, 90, 200, 600]))
        )
        if random_.random() < 0.02:
            text += " \u2028 \U0001f9ed"
        self.put("user", promptId=self.uuid(), message={"role": "user", "content": text})
        self.truth["prompts"] += 1
        self.truth["turns"] += self.ends
        self.ends = 0

    def turn(self, *, side: bool = False) -> None:
        """Add a reply of one to three lines, and the result of its tool call."""
        random_ = self.random
        tool = random_.choices(list(TOOLS), list(TOOLS.values()))[0]
        message = self.message()
        use = "toolu_01" + message[6:28]
        blocks: list[dict[str, Any]] = []
        if random_.random() < 0.35:
            blocks.append(self.thought(message))
        if random_.random() < 0.60:
            blocks.append({"type": "text", "text": prose(random_, random_.randint(40, 900))})
        blocks.append({"type": "tool_use", "id": use, "name": tool, "input": self.input_of(tool)})
        self.reply(message, blocks, "tool_use", side=side)
        self.result(tool, use, side=side)
        if self.tokens > WINDOW * 0.835 and not side:
            self.compact()

    def end(self) -> None:
        """End the turn in one of the ways that transcripts show; some turns do not end."""
        way = self.random.choice(ENDS)
        if way == "call" and "isCompactSummary" in self.lines[-1]:
            way = "end_turn"  # a turn goes on after its compaction
        if way == "interrupted":
            self.put("user", message={"role": "user", "content": "[Request interrupted by user]"})
            return
        if way == "failed":
            text = [{"type": "text", "text": "API Error: 529 overloaded"}]
            made_up = {"model": "<synthetic>", "stop_reason": "stop_sequence", "content": text}
            self.put("assistant", isApiErrorMessage=True, error="unknown", message=made_up)
            self.truth["failed_turns"] += 1
        elif way != "call":
            message = self.message()
            text = [{"type": "text", "text": prose(self.random, 60)}]
            blocks = [self.thought(message)] if way == "empty" else text
            self.reply(message, blocks, None if way != "end_turn" else way)
        ended = way != "failed"
        if way in ("call", "empty") or self.random.random() < 0.5:
            self.put("system", subtype=self.random.choice(("turn_duration", "stop_hook_summary")))
            self.truth["turns"] += ended
        elif way == "end_turn":
            self.truth["turns"] += 1
        else:
            self.ends = int(ended)

    def message(self) -> str:
        """Return the ID of a reply."""
        return "msg_01" + hashlib.sha256(self.uuid().encode()).hexdigest()[:22]

    def thought(self, message: str) -> dict[str, Any]:
        """Return a block that is not shown."""
        text = prose(self.random, self.random.randint(80, 700))
        return {"type": "thinking", "thinking": text, "signature": message * 6}

    def reply(
        self, message: str, blocks: list[dict[str, Any]], stop: str | None, *, side: bool = False
    ) -> None:
        """Add a reply, a line for each block; the last one says why it stopped."""
        added = int(self.random.lognormvariate(7.0, 0.9)) + 50
        out = int(self.random.lognormvariate(5.3, 0.9)) + 5
        given = self.random.randint(1, 12)
        usage = {
            "input_tokens": given, "cache_creation_input_tokens": added,
            "cache_read_input_tokens": self.tokens, "output_tokens": out, "service_tier": "standard",
        }  # fmt: skip
        for block in blocks:
            self.put("assistant", side=side, requestId="req_011" + message[8:28], message={
                "model": self.model, "id": message, "type": "message", "role": "assistant", "content": [block],
                "stop_reason": stop if block is blocks[-1] else None, "usage": usage,
            })  # fmt: skip
        figures = (given, out, added, self.tokens)
        self.counted.append(
            (message, self.model, self.now.date().isoformat(), figures, len(blocks))
        )
        self.tokens += added + out

    def input_of(self, tool: str) -> dict[str, Any]:
        """Return an input for a tool."""
        word = self.random.choice(WORDS)
        path = f"{self.cwd}/src/{word}.py"
        inputs: dict[str, dict[str, Any]] = {
            "Read": {"file_path": path},
            "Bash": {"command": f"pytest -k {word} -q", "description": prose(self.random, 30)},
            "Edit": {
                "file_path": path,
                "old_string": prose(self.random, 200),
                "new_string": prose(self.random, 260),
            },
            "Write": {"file_path": path, "content": prose(self.random, 1800)},
        }
        return inputs.get(tool, {"pattern": word, "path": self.cwd})

    def result(self, tool: str, use: str, *, side: bool) -> None:
        """Add a tool's result, sometimes a failed one."""
        body = prose(
            self.random, min(int(SIZES.get(tool, 260) * self.random.lognormvariate(0, 0.7)), 60_000)
        )
        if self.secrets and self.random.random() < 0.02:
            body += "\nexport TOKEN=" + self.random.choice(SECRETS)
            self.truth["secret_lines"] += 1
        block = {
            "tool_use_id": use,
            "type": "tool_result",
            "content": body,
            "is_error": self.random.random() < 0.04,
        }
        self.put("user", side=side, message={"role": "user", "content": [block]},
                 toolUseResult={"stdout": body[:400], "interrupted": False} if tool == "Bash" else {"type": "text"})  # fmt: skip
        self.truth["tool_results"] += 1

    def compact(self) -> None:
        """Add a compaction."""
        self.put("system", logicalParentUuid=self.last, subtype="compact_boundary", content="Conversation compacted",
                 isMeta=False, compactMetadata={"trigger": "auto", "preTokens": self.tokens})  # fmt: skip
        text = "This session is being continued from a previous conversation. " + prose(
            self.random, 5200
        )
        self.put(
            "user",
            isCompactSummary=True,
            isVisibleInTranscriptOnly=True,
            message={"role": "user", "content": text},
        )
        self.tokens = self.random.randint(22_000, 38_000)
        self.truth["compactions"] += 1

    def run(self, entries: int, *, ends: bool = True) -> Session:
        """Add lines up to `entries`, and a title. ends: whether its turns end."""
        while len(self.lines) < entries:
            self.prompt()
            replied = False
            for _ in range(self.random.randint(2, 14)):
                if len(self.lines) >= entries:
                    break
                side = self.random.random() < 0.06
                self.turn(side=side)
                replied = replied or not side
            if ends and replied:
                self.end()
        self.lines.append(
            {"type": "summary", "summary": prose(self.random, 48), "leafUuid": self.last}
        )
        return self

    def rows(self) -> list[str]:
        """Return the lines as they are written."""
        return [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in self.lines]


def write(out: Path, *, sessions: int = 200, entries: int = 500, projects: int = 12, days: int = 28, end: str = "2026-11-20",
          seed: int = 7, copies: float = 0.05, torn: int = 2, subagents: int = 0, secrets: bool = False) -> dict[str, Any]:  # fmt: skip
    """Write a corpus below `out`; return the truth, which is also written to truth.json."""
    random_ = random.Random(seed)
    newest = datetime.fromisoformat(end).replace(tzinfo=UTC)
    names = [
        f"{random_.choice(WORDS)}-{random_.choice(WORDS)}-{number:02d}"
        for number in range(projects)
    ]
    truth: dict[str, Any] = dict.fromkeys(
        ("prompts", "turns", "failed_turns", "tool_results", "compactions", "secret_lines", "lines", "bytes", "torn_files", "resumed_files", "naive_line_usages"), 0)  # fmt: skip
    counted: dict[str, tuple[str, str, tuple[int, ...]]] = {}
    older: list[list[str]] = []
    for number in range(sessions):
        project = names[min(int(random_.expovariate(0.35)), projects - 1)]
        start = newest - timedelta(days=days * random_.random(), hours=3)
        session = Session(random_, project, start, truth, secrets=secrets).run(entries)
        rows = session.rows()
        if older and random_.random() < copies:
            rows = random_.choice(older) + rows
            truth["resumed_files"] += 1
        elif len(older) < 8:
            older.append(rows[: min(60, len(rows) // 2)])
        data = ("\n".join(rows) + "\n").encode()
        if number >= sessions - torn:
            data = data[: -2 - len(rows[-1].encode()) // 2]
            truth["torn_files"] += 1
        path = out / "projects" / f"-home-dev-{project}" / f"{session.id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (session.now.timestamp(),) * 2)
        replies, lines, size = list(session.counted), len(rows), len(data)
        for count in range(subagents):
            agent = Session(random_, project, session.now, truth, secrets=secrets)
            agent.id = session.id
            text = "\n".join(agent.run(max(20, entries // 10), ends=False).rows()) + "\n"
            below = path.with_suffix("") / "subagents" / f"agent-{count:08x}.jsonl"
            below.parent.mkdir(parents=True, exist_ok=True)
            below.write_text(text, encoding="utf-8")
            replies, lines, size = (
                replies + agent.counted,
                lines + len(agent.lines),
                size + len(text.encode()),
            )
        truth["lines"] += lines
        truth["bytes"] += size
        for message, model, day, figures, repeated in replies:
            truth["naive_line_usages"] += repeated
            counted.setdefault(message, (model, day, figures))
    truth.update(
        api_responses=len(counted),
        sessions=sessions,
        projects=projects,
        **_totals(list(counted.values())),
    )
    (out / "truth.json").write_text(json.dumps(truth, indent=1, sort_keys=True))
    return truth


def _totals(replies: list[tuple[str, str, tuple[int, ...]]]) -> dict[str, Any]:
    per_model: dict[str, dict[str, int]] = {}
    per_day: dict[str, dict[str, int]] = {}
    totals = dict.fromkeys(KINDS, 0)
    for model, day, figures in replies:
        for group in (
            totals,
            per_model.setdefault(model, dict.fromkeys(KINDS, 0)),
            per_day.setdefault(day, dict.fromkeys(KINDS, 0)),
        ):
            for kind, figure in zip(KINDS, figures, strict=True):
                group[kind] += figure
    return {"totals": totals, "per_model": per_model, "per_day": per_day}


def main() -> int:
    """Run as a program; return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True, type=Path, help="becomes the client's directory")
    for name, default in (
        ("sessions", 200),
        ("entries", 500),
        ("projects", 12),
        ("days", 28),
        ("seed", 7),
        ("torn", 2),
        ("subagents", 0),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--end", default="2026-11-20")
    parser.add_argument("--copies", type=float, default=0.05)
    parser.add_argument("--secrets", action="store_true")
    given = vars(parser.parse_args())
    truth = write(given.pop("out"), **given)
    print(json.dumps({name: value for name, value in truth.items() if not name.startswith("per_")}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
