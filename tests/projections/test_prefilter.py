"""The prefilter never rules out a message that would speak: per call, and per message."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hooks import capture
from journal.config import settings as read_settings
from journal.events.registry import decode
from journal.history.replay.steps import steps
from journal.log.record import type_of
from projections import prefilter
from projections.messages import HOOK_OF, MESSAGES, answer
from projections.views import Views
from tests.cases.streams import remove
from tests.cases.world import OTHER, SID, World
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Callable

THIRD = "33333333-aaaa-4bbb-8ccc-000000000003"


def _forget(world: World) -> None:
    shutil.rmtree(world.transcript().parent, ignore_errors=True)


def _no_flow(world: World) -> None:
    (world.project / ".claude" / "context" / "progress.md").unlink(missing_ok=True)


def _no_snapshot(world: World) -> None:
    for path in world.journal.glob("*/snapshot"):
        path.unlink()


def _bridge(world: World, percent: int) -> None:
    if world.journal.exists():
        world.append({"type": "pressure.sampled", "tokens": 2000 * percent, "window": 200_000,
                      "point": 167_000, "source": "statusline", "model": "claude-sonnet-4-5",
                      "at": world.env()["JOURNAL_NOW"]})  # fmt: skip


def _append(world: World, **event: object) -> None:
    if world.journal.exists():
        world.append(event)


# What can happen, by name: a hook call, or something done outside the hooks.
ACTS: dict[str, Callable[[World], object]] = {
    "start": lambda w: w.start(),
    "resume": lambda w: w.start("resume"),
    "grown": lambda w: w.start("resume", context_tokens=131_000),
    "clear": lambda w: (w.end("clear"), w.start("clear", sid=THIRD))[1],
    "prompt": lambda w: w.prompt(),
    "command": lambda w: w.prompt("/praxis:implement"),
    "expand": lambda w: w.hook("UserPromptExpansion", command_name="praxis:design"),
    "tool": lambda w: w.tool(),
    "edit": lambda w: w.tool("Edit", file_path="a.py"),
    "skill": lambda w: w.tool("Skill", skill="praxis:implement"),
    "design": lambda w: w.tool("Skill", skill="design"),
    "todo": lambda w: w.tool("TodoWrite", todos=[{"content": "x", "status": "pending"}]),
    "agent": lambda w: w.tool(agent_id="a1"),
    "fail": lambda w: w.hook("PostToolUseFailure", tool_name="Bash", tool_use_id=str(w.now),
                             error="e"),
    "stop": lambda w: w.stop(last_assistant_message=str(w.now)),
    "kept": lambda w: w.stop(stop_hook_active=True),
    "end": lambda w: w.end(),
    "precompact": lambda w: w.compacting(),
    "compacted": lambda w: w.start("compact"),
    "postcompact": lambda w: w.compacted(),
    "switch": lambda w: w.hook("PostModelSwitch", to_model="claude-opus-5-5"),
    "notify": lambda w: w.hook("Notification", notification_type="idle_prompt", message="m"),
    "low": lambda w: w.reading(20),
    "info": lambda w: w.reading(65),
    "urgent": lambda w: w.reading(79),
    "bridge-low": lambda w: _bridge(w, 20),
    "bridge-info": lambda w: _bridge(w, 65),
    "bridge-urgent": lambda w: _bridge(w, 79),
    "no-transcript": _forget,
    "flow": lambda w: w.flow(3),
    "more-flow": lambda w: w.flow(14),
    "no-flow": _no_flow,
    "stock": lambda w: w.stock(unverified=7),
    "note": lambda w: _append(w, type="flow.noted", text="n"),
    "compound": lambda w: _append(w, type="compound.ran", promoted=1),
    "decide": lambda w: _append(w, type="decision.recorded", text="d"),
    "stage": lambda w: _append(w, type="stage.started", cycle="c", stage="sprint"),
    "stage-done": lambda w: _append(w, type="stage.finished", cycle="c", stage="sprint"),
    "stage-stop": lambda w: _append(w, type="stage.stopped", cycle="c", stage="sprint"),
    "progress": lambda w: _append(w, type="progress.saved", skill="s", phase="1"),
    "unit": lambda w: _append(w, type="unit.started", unit="u", items=["a"], file="plan.md"),
    "checklist": lambda w: w.tool("Edit", file_path="plan.md"),
    "summary": lambda w: _append(w, type="session.summarized", of=w.sid, title="Round the prices",
                                 summary="Rounding of prices in the cart.", files=["cart.py"]),
    "exported": lambda w: _append(w, type="session.exported", of="gone", title="Cart rounding"),
    "sent": lambda w: _append(w, type="context.queued", to=w.sid, title="t", text="words"),
    "sent-other": lambda w: _append(w, type="context.queued", to=OTHER, title="t", text="words"),
    "sent-long": lambda w: _append(w, type="context.queued", to=w.sid, text='"' * 9000),
    "ask": lambda w: w.prompt("rounding of the prices in the cart"),
    "blank": lambda w: w.prompt("  "),
    "other-start": lambda w: w.start(sid=OTHER),
    "other-end": lambda w: w.end(sid=OTHER),
    "minute": lambda w: w.after(minutes=1),
    "hour": lambda w: w.after(hours=1),
    "other": lambda w: setattr(w, "sid", OTHER if w.sid == SID else SID),
    "no-snapshot": _no_snapshot,
}  # fmt: skip


def speaks(world: World, seq: int) -> object:
    """Return the full fold's answer to the record `seq`, None for silence."""
    fold = world.fold()
    line = next(line for at, line in world.records() if at == seq)
    kind = type_of(line)
    if kind not in HOOK_OF:
        return None
    event = decode(line, kind)
    return answer(Views(**fold.states), event, flat(world))


def flat(world: World) -> dict:
    """Return the settings that the world's hooks have."""
    return read_settings("", str(world.journal), str(world.project), str(world.home / ".claude"))


@given(st.lists(st.sampled_from(sorted(ACTS)), max_size=22))
@example(["precompact", "unit"])
@example(["flow", "start", "prompt", "no-flow", "stop"])
@example(["start", "prompt", "urgent", "stop", "no-transcript", "prompt"])
@example(["start", "urgent", "prompt", "bridge-low", "low", "tool", "urgent", "tool"])
@example(["start", "other-start", "summary", "other", "summary", "other", "ask"])
@example(["start", "exported", "ask", "ask"])
@example(["start", "prompt", "sent", "tool", "clear", "sent-other", "sent", "prompt"])
@example(["flow", "start", "info", "prompt", "stop", "urgent", "tool", "compound", "more-flow"])
@example(["start", "stage", "tool", "stop", "stage-done", "stop", "edit", "stop", "skill", "stop"])
@example(
    ["start", "decide", "edit", "precompact", "compacted", "postcompact", "other-start", "tool"]
)
@example(["start", "prompt", "sent", "tool", "prompt", "prompt"])
@example(["start", "unit", "info", "checklist", "urgent", "checklist", "prompt", "stop"])
@examples(60)
def test_no_message_is_ruled_out_in_error(acts: list[str]) -> None:
    """If a call was silent, so is the full fold; if it spoke, each message was expected."""
    walk(acts)


@pytest.mark.long
@given(st.lists(st.sampled_from(sorted(ACTS)), min_size=8, max_size=40))
@examples(1500)
def test_no_message_is_ruled_out_in_error_on_long_walks(acts: list[str]) -> None:
    """The same on many long walks."""
    walk(acts)


class Recorded(prefilter.Prefilter):
    """A prefilter that records each of its instances for a hook that may be ruled out."""

    calls: ClassVar[list[prefilter.Prefilter]] = []

    def __init__(self, *facts: Any) -> None:
        super().__init__(*facts)
        if self.hook in prefilter.BY_HOOK:
            self.calls.append(self)


def rules_out(call: prefilter.Prefilter, message: str) -> bool:
    """Return whether the facts of a call rule a message out."""
    return not (call.is_outdated() or call.may_apply(message))


def walk(acts: list[str]) -> None:
    """Run these acts; whenever a call was silent, the full fold must be silent as well.

    And each message that speaks over the full fold is one that the prefilter did not rule out.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(capture, "Prefilter", Recorded)
        _walk(acts)


def _walk(acts: list[str]) -> None:
    calls: dict[int, prefilter.Prefilter] = {}
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
    try:
        for act in acts:
            before = world.records()[-1][0] if world.journal.exists() else 0
            Recorded.calls.clear()
            reply = ACTS[act](world)
            if Recorded.calls:
                call = Recorded.calls[-1]
                calls |= {
                    seq: call
                    for seq, line in world.records()
                    if seq > before and HOOK_OF.get(type_of(line)) == call.hook
                }
            if not hasattr(reply, "out") or reply.out:
                continue
            new = [seq for seq, _ in world.records() if seq > before]
            recorded = [event["type"] for event in world.events() if event["seq"] > before]
            if {"advice.given", "context.injected"} & set(recorded):
                continue
            for seq in new:
                said = speaks(world, seq)
                assert said is None, (acts, act, getattr(said, "context", ""), said.message)
        if world.journal.exists():
            assert world.resumed_views() == world.views()
            for step in steps(world.records(), (), flat(world), answers=True):
                assert step.verdict in ("", "same"), (acts, step.fields)
                for item in step.explanations if step.seq in calls else ():
                    if item.answer is not None:
                        assert not rules_out(calls[step.seq], item.message), (acts, item.message)
    finally:
        remove(world)


def test_every_method_is_of_a_message() -> None:
    """Each message a hook may rule out has a hint or a method of its name, used for that hook."""
    for hook, names in prefilter.BY_HOOK.items():
        kinds = [kind for kind, of in HOOK_OF.items() if of == hook]
        asked = {name for name, (types, _) in MESSAGES.items() if set(kinds) & set(types)}
        assert set(names) == asked
        has_method = {name: hasattr(prefilter.Prefilter, name) for name in names}
        assert has_method == {name: name not in prefilter.LISTED for name in names}


def test_the_walks_do_speak() -> None:
    """The sibling: among these acts are some that make hooks speak, so silence means something."""
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
    try:
        said = [
            act
            for act in ("flow", "start", "info", "prompt", "edit", "stop", "prompt", "stop", "urgent",
                        "tool", "compound", "more-flow", "skill", "stop", "precompact", "compacted")
            if getattr(ACTS[act](world), "out", "")
        ]  # fmt: skip
        assert said == ["start", "prompt", "stop", "tool", "stop", "compacted"]
    finally:
        remove(world)
