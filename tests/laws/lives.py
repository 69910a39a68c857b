"""Whole lives of a project: sessions, resumed and forked, cleared and compacted, with subagents.

Times cross midnight, the end of a week, of a month and of summer time; a session may go on a month
later. `SHAPES` has what other versions and set-ups of Claude Code make of the same life.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.laws.claude_code import Machine, Step, Thread

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

_MODELS = ("claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929", "claude-unheard-of-9")
_STARTS = ("2026-10-24T21:40:00+00:00", "2026-10-31T22:50:00+00:00", "2026-11-15T22:10:00+00:00")
_REFUSED = "The user doesn't want to proceed with this tool use."
_ENDS = (*["ended"] * 6, "interrupted", "failed")
_IDS = ("prompt_id", "promptId", "tool_use_id")


def live(random: Random, project: Path, claude: Path) -> Machine:
    """Live through some sessions, one after another."""
    machine = Machine(random, project, claude, random.choice(_STARTS))
    sessions: list[Session] = []
    for _ in range(random.randint(2, 6)):
        kind = random.choice(["startup", "startup", "resume", "fork"]) if sessions else "startup"
        session = random.choice(sessions) if kind == "resume" else Session(machine)
        session.hook("SessionStart", source=kind)
        if kind == "fork":
            session.copy(random.choice(sessions))
        session.work(random.randint(1, 5))
        sessions.append(session)
        while random.random() < 0.25:
            session.hook("SessionEnd", reason="clear")
            session = Session(machine)
            session.hook("SessionStart", source="clear")
            session.command("clear")
            session.work(random.randint(1, 3))
            sessions.append(session)
        if random.random() < 0.8:
            session.hook("SessionEnd", reason="prompt_input_exit")
        machine.wait(*random.choice([(60, 40_000)] * 5 + [(2_500_000, 3_000_000)]))
        machine.switch()
    return machine


def two_terminals(random: Random, project: Path, claude: Path) -> Machine:
    """Live through sessions in two terminals at once."""
    machine, other = (live(random, project, claude) for _ in range(2))
    machine.steps = sorted([*machine.steps, *other.steps], key=lambda step: step.ms)
    for name in ("counts", "replies", "calls", "turns", "typed"):
        getattr(machine, name).update(getattr(other, name))
    return machine


def _doubled(step: Step) -> list[Step]:
    """Call each hook twice, as a plugin that is installed in two scopes does."""
    return [step] * (2 if step.kind == "hook" else 1)


def _older(step: Step) -> list[Step]:
    """Take away the IDs of prompts and tool calls, which versions of 2025 did not give to hooks."""
    if step.kind == "branch":
        return [step]
    return [step._replace(data={name: step.data[name] for name in step.data if name not in _IDS})]


SHAPES: dict[str, Callable[[Step], list[Step]]] = {
    "newest": lambda step: [step],
    "doubled": _doubled,
    "older": _older,
}


class Session(Thread):
    """One session. prompts: the ID of each prompt's parent since the last compaction."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.model = self.random.choice(_MODELS)
        self.prompts: list[str | None] = []
        self.typed: list[str] = []

    def copy(self, other: Session) -> None:
        """Begin the transcript with a copy of another session's, as a fork does.

        One of `claude -p` has a line of its own first, one in a terminal a snapshot of the files.
        """
        now = {"timestamp": self.machine.wait(0, 1)}
        own = {"type": "mode", "mode": "normal", "sessionId": self.id}
        if self.random.random() < 0.5:
            self.machine.put("line", self.path, own)
            own, now = {"type": "file-history-snapshot"}, {"snapshot": now}
        self.machine.put("line", self.path, {**own, **now})
        for line in other.lines:
            self.lines.append({**line, "sessionId": self.id})
            self.machine.put("line", self.path, self.lines[-1])
        self.last, self.prompts, self.context = other.last, [*other.prompts], other.context

    def work(self, turns: int) -> None:
        """Run some turns; between them models, branches and the context change."""
        for _ in range(turns):
            if self.random.random() < 0.12:
                self.model = self.random.choice(_MODELS)
            if self.random.random() < 0.1:
                self.machine.switch()
            if self.prompts and self.random.random() < 0.15:
                self.compact("manual")
            self.turn()
            self.machine.wait(1, 900)

    def turn(self, note: str = "") -> None:
        """Run a turn, and the one for the report of a subagent that went on in the background."""
        text = note or self.random.choice(
            ("/shop:check VAT", "fix the cart", "go on", "会話の復旧")
        )
        self.prompt(text, is_note=bool(note))
        while self.answer():
            pass

    def answer(self) -> bool:
        """Answer what was asked; return whether what was typed meanwhile begins another turn."""
        agent = ""
        for calls in [False, *[True] * self.random.randint(0, 4)]:
            if calls:
                agent = self.tools() or agent
                if self.random.random() < 0.08:
                    self.type(1)
                    self.read()
            if self.random.random() < 0.12:
                self.compact("auto")
        if self.end():
            return True
        if agent:
            tagged = f"<task-id>{agent}</task-id>\n<summary>Agent done</summary>"
            self.turn(f"<task-notification>\n{tagged}\n</task-notification>")
        return False

    def type(self, number: int) -> None:
        """Type prompts during a turn, for which hooks get the id of that turn."""
        self.typed = [
            "also " + self.machine.uuid()[: self.random.randint(12, 36)] for _ in range(number)
        ]
        for text in self.typed:
            self.hook("UserPromptSubmit", prompt=text)
        self.counts["prompts"] += number

    def read(self) -> None:
        """Give Claude what was typed, between two calls of tools: the transcript has no id of it."""
        for text in self.typed:
            given = {"type": "queued_command", "commandMode": "prompt", "prompt": text}
            self.line("attachment", attachment=given)
            self.machine.typed[text] = self.prompt_id
        self.typed = []

    def ask(self) -> bool:
        """Begin a turn with what was typed during the last reply; return whether there is any."""
        for text in self.typed:
            self.prompts.append(self.last)
            self.prompt_id = self.machine.uuid()
            self.user(text)
            self.machine.turns[self.prompt_id] = self.id, text, [0, 0, 0]
        is_asked, self.typed = bool(self.typed), []
        return is_asked

    def prompt(self, text: str, *, is_note: bool) -> None:
        """Submit a prompt, sometimes in the place of an earlier one."""
        if self.prompts and not is_note and self.random.random() < 0.1:
            self.last = self.prompts.pop()
        self.prompts.append(self.last)
        self.prompt_id = self.machine.uuid()
        self.hook("UserPromptSubmit", prompt=text)
        if text.startswith("/"):
            name, _, arguments = text[1:].partition(" ")
            self.hook("UserPromptExpansion", command_name=name, command_args=arguments, prompt=text)
            self.command(name, arguments)
            self.user([{"type": "text", "text": "Body of the command."}], isMeta=True)
        else:
            self.user(text, **({} if self.random.random() < 0.5 else {"promptSource": "sdk"}))
        self.machine.turns[self.prompt_id] = self.id, text, [0, 0, 0]
        self.counts["prompts"] += not is_note

    def end(self) -> bool:
        """End the turn; return whether another one begins at once."""
        way = self.random.choice(_ENDS)
        if way == "interrupted":  # no hook is called
            self.reply([{"type": "text", "text": "I will"}], None)
            self.user([{"type": "text", "text": "[Request interrupted by user]"}])
            return False
        self.counts["turns"] += 1
        if way == "failed":
            text = "API Error: 429"
            message = {"model": "<synthetic>", "content": [{"type": "text", "text": text}]}
            self.line("assistant", isApiErrorMessage=True, error="rate_limit", message=message)
            self.hook("StopFailure", error="rate_limit", last_assistant_message=text)
            return False
        thoughts = [{"type": "thinking", "thinking": "hm"}] * self.random.randint(0, 1)
        text = f"Done {self.machine.uuid()[:8]}."
        self.reply([*thoughts, {"type": "text", "text": text}], "end_turn")
        self.type(self.random.choice((0, 0, 0, 0, 0, 0, 1, 2)))
        self.stop(text, goes_on=not self.typed and self.random.random() < 0.15)
        return self.ask()

    def stop(self, text: str, *, goes_on: bool, is_again: bool = False) -> None:
        """Stop; a Stop hook may make Claude continue, with a reason or with more context."""
        self.hook("Stop", stop_hook_active=is_again, last_assistant_message=text)
        if goes_on and self.random.random() < 0.5:
            self.user("Stop hook feedback:\nRun the tests.", isMeta=True)
        self.line("system", subtype="stop_hook_summary")
        if goes_on:
            if self.random.random() < 0.5:
                self.tools()
            self.reply([{"type": "text", "text": text}], "end_turn")
            self.stop(text, goes_on=self.random.random() < 0.3, is_again=True)

    def tools(self) -> str:
        """Call one to three tools at once; return the agent that goes on in the background."""
        calls = []
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            name = self.random.choice(("Bash", "Bash", "Read", "Edit", "Write", "Agent", "refused"))
            path = f"{self.machine.project}/{self.machine.uuid()}.py"
            given = {"description": path} if name == "Agent" else {"file_path": path}
            given = {"command": f"cat {path}"} if name in ("Bash", "refused") else given
            calls.append((name, self.new_id("toolu_"), given))
        blocks = [
            {"type": "tool_use", "id": use, "name": name.replace("refused", "Bash"), "input": given}
            for name, use, given in calls
        ]
        self.reply([{"type": "text", "text": "Let me look."}, *blocks], "tool_use")
        return "".join([self.result(*call) for call in calls][-1:])

    def result(self, name: str, use: str, given: dict[str, str]) -> str:
        """End a call of a tool; return its agent if that goes on in the background."""
        failed = name == "refused" or (name != "Agent" and self.random.random() < 0.15)
        text = _REFUSED if name == "refused" else "Exit code 3\noops" if failed else "ok"
        response: dict[str, Any] = {"stdout": "ok"}
        agent = ""
        if name == "Agent":
            agent = self.subagent()
            response = {"status": self.random.choice(("completed", "async_launched"))}
        if name != "refused":
            self.called(name, use, given, None if failed else response)
        self.results(use, text, response, failed=failed)
        return agent if response.get("status") == "async_launched" else ""

    def called(
        self, name: str, use: str, given: dict[str, str], response: Any, agent: str = ""
    ) -> None:
        """Call the hook of a tool call that ran. response: None if it failed."""
        who = {"agent_id": agent, "agent_type": "general-purpose"} if agent else {}
        call = {"tool_name": name, "tool_use_id": use, "tool_input": given, **who}
        failed = response is None
        if failed:
            self.hook("PostToolUseFailure", error="Exit code 3\noops", **call)
        else:
            self.hook("PostToolUse", tool_response=response, **call)
        self.machine.calls[use] = self.id, name, not failed, agent or None, self.prompt_id
        changed = name in ("Edit", "Write") and not failed
        numbers = self.machine.turns[self.prompt_id][2]
        for at, number in enumerate((1, failed, changed)):
            numbers[at] += number
        self.counts["tools"] += 1
        self.counts["failures"] += failed

    def results(self, use: str, text: str, response: Any, agent: str = "", *, failed: bool) -> None:
        """Write the line of a tool's result."""
        block = {"type": "tool_result", "tool_use_id": use, "content": text, "is_error": failed}
        self.user([block], agent, toolUseResult=f"Error: {text}" if failed else response)

    def subagent(self) -> str:
        """Run a subagent; return its ID."""
        agent, response = self.new_id("a"), {"stdout": "a"}
        self.hook("SubagentStart", agent_id=agent, agent_type="general-purpose")
        self.user("Look", agent)
        for _ in range(self.random.randint(0, 2)):
            use, given = self.new_id("toolu_"), {"command": f"ls {self.machine.uuid()}"}
            block = {"type": "tool_use", "id": use, "name": "Bash", "input": given}
            self.reply([block], "tool_use", agent)
            self.called("Bash", use, given, response, agent)
            self.results(use, "a", response, agent, failed=False)
        if self.random.random() < 0.2:
            self.compact_subagent(agent)
        self.reply([{"type": "text", "text": "Looked."}], "end_turn", agent)
        self.hook("SubagentStop", agent_id=agent, agent_type="general-purpose")
        self.counts["subagents"] += 1
        return agent

    def compact_subagent(self, agent: str) -> None:
        """Compact a subagent's context, which is no compaction of the session."""
        who = {"agent_id": agent, "agent_type": "general-purpose"}
        self.hook("PreCompact", trigger="auto", **who)
        self.hook("SubagentStop", agent_id=self.new_id("a"), agent_type="")
        self.hook("SessionStart", source="compact", **who)
        self.hook(
            "PostCompact", trigger="auto", compact_summary="<summary>Looked.</summary>", **who
        )
        self.line("system", agent, subtype="compact_boundary", compactMetadata={"trigger": "auto"})
        self.user("Looked.", agent, isCompactSummary=True)

    def compact(self, trigger: str) -> None:
        """Compact the context; sometimes that fails, sometimes no hook sees it begin."""
        how = self.random.choice(("done", "done", "failed", "unseen"))
        if trigger == "manual":
            self.prompt_id = self.machine.uuid()
        if how != "unseen":
            self.hook("PreCompact", trigger=trigger, custom_instructions=None)
        if how == "failed":
            return
        metadata = {"trigger": trigger, "preTokens": self.context, "postTokens": 5_000}
        self.context, self.last, self.prompts = 5_000, None, []
        self.hook("SubagentStop", agent_id=self.new_id("a"), agent_type="")
        self.hook("SessionStart", source="compact", model=self.model)
        self.hook("PostCompact", trigger=trigger, compact_summary="<summary>The cart.</summary>")
        self.line("system", subtype="compact_boundary", compactMetadata=metadata)
        self.user("The cart.", isCompactSummary=True)
        if trigger == "manual":
            self.command("compact")
        self.counts["compactions"] += 1
