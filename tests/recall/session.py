"""A made-up session, run through the hooks as the client would, and what Claude gets back.

A session is a list of steps, the summary of its compaction, and probes: facts it knew, by class.
The rules of presence are implemented here independently: a benchmark that used the product's own
would measure nothing.
"""

from __future__ import annotations

import itertools
import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tests.cases.world import World

_REFUSAL = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user "
    "said:\n{words}"
)


class Session(NamedTuple):
    """language: en, ja or ko. probes: (class, rule, needle), a pair's needle is [error, file]."""

    language: str
    steps: list[tuple[Any, ...]]
    summary: str
    probes: list[tuple[str, str, Any]]


class Outcome(NamedTuple):
    """text: output of the hooks; lost: probes the summary lacks; told: lost ones in the text."""

    text: str
    lost: list[tuple[str, str, Any]]
    told: list[tuple[str, str, Any]]


def outcome(world: World, session: Session, *, transcript: bool = True) -> Outcome:
    """Run a session up to its compaction; return the outcome. transcript: whether there is one."""
    text = _Feed(world, transcript=transcript).run(session)
    lost = [probe for probe in session.probes if not is_present(probe, session.summary)]
    both = f"{session.summary}\n\n{text}"
    return Outcome(text, lost, [probe for probe in lost if is_present(probe, both)])


class _Feed:
    """Turns steps into hook calls and lines of the transcript."""

    def __init__(self, world: World, *, transcript: bool) -> None:
        self.world = world
        path = world.transcript()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.lines = path.open("a", encoding="utf-8") if transcript else None
        self.calls = 0
        self.last = ""

    def run(self, session: Session) -> str:
        """Feed the steps, then the compaction; return the text of its SessionStart."""
        self.world.start()
        for kind, *given in session.steps:
            self.world.after(seconds=20)
            getattr(self, f"_{kind}")(*given)
        if self.lines is not None:
            self.lines.close()
        world = self.world
        world.compacting()
        world.hook("SubagentStop", agent_id="acompact", agent_type="",
                   last_assistant_message=f"<summary>\n{session.summary}\n</summary>")  # fmt: skip
        return world.start("compact").context

    def _line(self, role: str, content: object, **more: object) -> None:
        if self.lines is not None:
            row = {"type": role, "message": {"role": role, "content": content}, **more}
            self.lines.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
            self.lines.flush()

    def _prompt(self, text: str) -> None:
        if self.last:
            self.world.stop(last_assistant_message=self.last)
        self.last = ""
        self._line("user", text)
        self.world.prompt(text)

    def _say(self, text: str) -> None:
        self.last = text
        self._line("assistant", [{"type": "text", "text": text}])

    def _result(self, text: str, *, error: bool = False, **more: object) -> None:
        block = {"type": "tool_result", "tool_use_id": f"t{self.calls}", "content": text}
        self._line("user", [{**block, "is_error": error}], **more)

    def _call(self, name: str, given: dict[str, Any], response: object, text: str = "",
              **more: object) -> None:  # fmt: skip
        self.calls += 1
        self.world.hook("PostToolUse", tool_name=name, tool_input=given, tool_response=response,
                        tool_use_id=f"t{self.calls}", duration_ms=5)  # fmt: skip
        self._result(text, **more)

    def _run(self, command: str, output: str = "") -> None:
        self._call("Bash", {"command": command}, {"stdout": output, "stderr": ""}, output)

    def _fail(self, command: str, error: str) -> None:
        self.calls += 1
        error = f"Exit code 1\n{error}"
        self.world.hook("PostToolUseFailure", tool_name="Bash", tool_input={"command": command},
                        tool_use_id=f"t{self.calls}", error=error, is_interrupt=False)  # fmt: skip
        self._result(error, error=True)

    def _edit(self, path: str) -> None:
        full = str(self.world.project / path)
        given = {"file_path": full, "old_string": "a", "new_string": "b"}
        self._call("Edit", given, {"filePath": full})

    def _read(self, path: str) -> None:
        self._call("Read", {"file_path": str(self.world.project / path)}, {"type": "text"}, "…")

    def _agent(self, task: str, report: str) -> None:
        """Let a subagent work; Claude Code adds its id to the result of the call."""
        given = {"description": task, "prompt": task, "subagent_type": "general-purpose"}
        response = {
            "status": "completed",
            "agentId": "a1",
            "content": [{"type": "text", "text": report}],
        }
        self._call("Agent", given, response, report, toolUseResult=response)

    def _refuse(self, words: str) -> None:
        """Refuse a call; the client runs no hook for it."""
        self.calls += 1
        self._result(_REFUSAL.format(words=words), error=True)

    def _ask(self, question: str, options: list[str], answer: str) -> None:
        asked = {"question": question, "options": [{"label": one} for one in options]}
        given = {"questions": [asked]}
        self._call("AskUserQuestion", given, {**given, "answers": {question: answer}})

    def _plan(self, plan: str) -> None:
        self._call("ExitPlanMode", {"plan": plan}, {"plan": plan, "isAgent": False})


# -- presence -------------------------------------------------------------------------------------


def is_present(probe: tuple[str, str, Any], text: str) -> bool:
    """Return whether a text contains a probe's fact."""
    _, rule, needle = probe
    if rule == "token":
        return _holds(text, needle)
    if rule == "path":
        return _holds(text, "/".join(needle.split("/")[-2:]))
    if rule == "command":
        return _flat(needle)[:60] in _flat(text)
    if rule == "pair":
        error, name = needle
        lines = text.splitlines()
        near = ["\n".join(lines[at : at + 4]) for at in range(len(lines))]
        return any(_holds(part, name) and _says(part, error, 0.5) for part in near)
    assert rule == "words"
    lines = [line for line in re.split(r"\n+|(?<=[.!?])\s+|(?<=。)\s*", text) if line.strip()]
    pairs = [" ".join(pair) for pair in itertools.pairwise(lines)]
    return any(_says(part, needle, 0.7) for part in (*lines, *pairs))


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[`*\"'“”]", "'", text.casefold()).split())


def _holds(text: str, token: str) -> bool:
    return bool(re.search(rf"(?<![\w]){re.escape(_flat(token))}(?![a-z0-9_])", _flat(text)))


def _says(text: str, needle: str, share: float) -> bool:
    own = _telling(needle)
    return bool(own) and len(own & _telling(text)) >= share * len(own)


@cache
def _telling(text: str) -> set[str]:
    """Return words of four letters or with a digit; for other scripts, pairs of characters."""
    flat = _flat(text)
    found = {word for word in re.findall(r"[a-z0-9_]+", flat) if len(word) > 3 or word.isdigit()}
    for run in re.findall(r"[\u3041-\u9fff\uac00-\ud7a3]+", flat):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return found
