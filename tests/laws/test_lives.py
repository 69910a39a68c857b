"""What happened in a project is what every surface counts, however the journal got to know it."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from hooks.capture import capture
from journal.clock import iso
from journal.history.reconcile.run import reconcile
from journal.history.scope import ProjectScope
from tests.laws.claude_code import Machine, write_line
from tests.laws.lives import SHAPES, live, two_terminals
from tests.laws.surfaces import Journals, surfaces, view
from tests.support.command import run_command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_COUNTED = ("prompts", "turns", "tools", "failures", "subagents", "compactions")
_OF_PROJECT = ("stats compactions", "the page's compactions")
_RESTORED = ("PostToolUse", "PreCompact", "PostCompact")


def _is_restored(data: dict[str, Any]) -> bool:
    """Return whether the transcript restores what a hook call would have recorded."""
    if data["hook_event_name"] == "UserPromptSubmit":
        return data["prompt"][0] not in "/<" and not data["prompt"].startswith("also")
    is_restored = data["hook_event_name"] in _RESTORED or data.get("source") == "compact"
    return is_restored and "agent_id" not in data


# How the journal gets to know a life → which of its n hook calls are recorded, and what follows.
WAYS: dict[str, tuple[Callable[[Random, float, dict[str, Any]], bool], str]] = {
    "hooks": (lambda *_: True, ""),
    "import": (lambda *_: False, "import"),
    "hooks-and-import": (lambda *_: True, "import"),
    "installed-later": (lambda _random, share, _data: share > 0.5, "import"),
    "removed-early": (lambda _random, share, _data: share < 0.5, "import"),
    "off-in-between": (lambda _random, share, _data: not 0.35 < share < 0.65, "import"),
    "hooks-that-fail": (lambda random, *_: random.random() > 0.3, "import"),
    "restored": (
        lambda random, _, data: random.random() > 0.3 or not _is_restored(data),
        "restore",
    ),
}


def _is_typed_in(life: Machine, data: dict[str, Any]) -> bool:
    """Return whether it is a prompt of a turn during which others were typed: all have its ID."""
    ids = [
        step.data.get("prompt_id")
        for step in life.steps
        if step.kind == "hook" and step.data["hook_event_name"] == "UserPromptSubmit"
    ]
    return data["hook_event_name"] == "UserPromptSubmit" and ids.count(data.get("prompt_id")) > 1


class Told:
    """A life that a journal knows, and the true counts of its sessions."""

    def __init__(self, top: Path, way: str, seed: int, shape: str) -> None:
        random = Random(seed)
        self.journals = Journals(str(top))
        scope = self.journals.scope("shop")
        self.env = self.journals.env | {"CLAUDE_CONFIG_DIR": str(top / "claude"), "PATH": "/bin"}
        self.project = top / "shop"
        lived = two_terminals if seed % 2 else live
        self.life = lived(random, self.project, top / "claude")
        is_recorded, self.then = WAYS[way]
        steps = [made for step in self.life.steps for made in SHAPES[shape](step)]
        for number, step in enumerate(steps):
            if step.kind == "branch":
                (self.project / ".git/HEAD").write_text(f"ref: refs/heads/{step.data}\n")
            elif step.kind == "line":
                write_line(step)
            elif is_recorded(random, number / len(steps), step.data) or (
                self.then == "restore" and _is_typed_in(self.life, step.data)
            ):
                env = {**self.env, "JOURNAL_NOW": iso(step.ms)}
                capture(json.dumps(step.data).encode(), env)
        if self.then == "import":
            assert run_command(["import"], self.env, self.project).code == 0
        elif self.then:
            reconcile(ProjectScope(self.env, cwd=str(self.project)))
        self.name = scope.project.name

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        rows = run_command(["sql", query, "--json"], self.env, self.project).data
        return [tuple(row.values()) for row in rows]


def _differences(told: Told) -> list[str]:
    """Return each count of a session in which a surface differs from the truth."""
    found = []
    for surface, counts in {"view": view(told.journals), **surfaces(told.journals)}.items():
        if surface in _OF_PROJECT:
            continue
        names = {name for numbers in counts.values() for name in numbers} & {*_COUNTED}
        for sid in {*told.life.counts, *(sid for _, sid in counts)}:
            have = {name: counts.get((told.name, sid), {}).get(name, 0) for name in names}
            want = {name: told.life.counts.get(sid, {}).get(name, 0) for name in names}
            if have != want and not (told.then == "restore" and _is_unfinished(told.life, sid)):
                found.append(f"{surface}: {sid} has {have}, of {want}")
    return found


def _turns(told: Told) -> tuple[list[tuple[str, str, str]], dict[str, list[int]]]:
    """Return (turn, session, text) of each prompt, and calls, failures and changed files by turn.

    Hooks and transcript name what was typed during a turn differently, so its turn is that of its
    text.
    """
    asked = {text: prompt for prompt, (_, text, _) in told.life.turns.items()}
    queued = {text: prompt for text, prompt in asked.items() if text.startswith("also")}
    turns = queued | told.life.typed
    prompts, numbers = [], dict[str, list[int]]()
    for prompt, sid, text, *counted in told.sql(
        "select prompt, session, text, tools, failures, files from turns"
    ):
        turn = turns.get(text, prompt)
        prompts.append((turn, sid, text))
        numbers[turn] = [*map(sum, zip(numbers.get(turn, (0, 0, 0)), counted, strict=True))]
    return sorted(prompts), numbers


def _is_unfinished(life: Machine, sid: str) -> bool:
    """Return whether a session ends within a turn, which is restored later."""
    names = [
        step.data["hook_event_name"]
        for step in life.steps
        if step.kind == "hook" and step.data["session_id"] == sid
    ]
    return names[-1] not in ("Stop", "SessionEnd")


@pytest.mark.parametrize(
    "way, seed, shape",
    [
        *(
            ("restored", 4, "doubled"),
            pytest.param("off-in-between", 7, "older", marks=pytest.mark.long),
            pytest.param("removed-early", 1, "doubled", marks=pytest.mark.long),
            pytest.param("restored", 4, "newest", marks=pytest.mark.long),
            pytest.param("off-in-between", 5, "older", marks=pytest.mark.long),
        ),
        *(
            pytest.param(way, seed, [*SHAPES][seed % 3], marks=pytest.mark.long)
            for way in WAYS
            for seed in range(2, 12)
            if way != "restored" or seed % 3 < 2  # without IDs nothing can be restored
        ),
    ],
)
def test_every_surface_counts_what_happened(
    way: str, seed: int, shape: str, tmp_path: Path
) -> None:
    """Sessions, turns, tool calls and replies are those of the life, each once."""
    told = Told(tmp_path, way, seed, shape)
    assert sum(numbers["turns"] for numbers in told.life.counts.values()) > 1
    assert _differences(told) == []
    if way not in ("hooks-that-fail", "restored") and shape != "older":
        calls = told.sql('select "use", session, tool, ok, agent, prompt from tools')
        assert sorted(calls) == sorted((use, *call) for use, call in told.life.calls.items())
        prompts, numbers = _turns(told)
        assert prompts == sorted(
            [(prompt, turn[0], turn[1]) for prompt, turn in told.life.turns.items()]
            + [
                (prompt, told.life.turns[prompt][0], text)
                for text, prompt in told.life.typed.items()
            ]
        )
        # Calls belong to the last recorded prompt, so a turn has more where the next was missed.
        if way != "off-in-between":
            assert numbers == {prompt: turn[2] for prompt, turn in told.life.turns.items()}
    if told.then == "import":
        replies = told.sql(
            "select message_id, session, agent, model, branch, [input_tokens, output_tokens, "
            "cache_creation_input_tokens, cache_read_input_tokens] from usage"
        )
        truth = [(name, *reply[:4], [*reply.tokens]) for name, reply in told.life.replies.items()]
        assert sorted(replies) == sorted(truth)
