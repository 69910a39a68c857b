"""What a session's trail holds after a compaction."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.facts.gathering import last_request
from tests.cases.streams import remove
from tests.cases.world import World
from tests.projections.timeline import fed, view
from tests.support.examples import examples

if TYPE_CHECKING:
    Event = dict[str, Any]

HOOKS = ("fork", "start", "post")


@st.composite
def _compactions(draw: st.DrawFn) -> list[tuple[bool, list[str], list[int]]]:
    """Draw compactions: whether PreCompact came, the others in any order, and how often each.

    What happened is told apart from the one before by its PreCompact, or else by both proofs.
    """
    found = []
    for _ in range(draw(st.integers(1, 4))):
        began = draw(st.booleans())
        order = draw(st.permutations(HOOKS))
        left_out = draw(st.sampled_from(["", "fork", "start", "post"]))
        if not began and left_out != "fork":
            left_out = ""
        order = [name for name in order if name != left_out]
        found.append((began, order, draw(st.lists(st.integers(1, 2), min_size=4, max_size=4))))
    return found


@given(_compactions(), st.booleans())
@examples(40)
def test_hooks_in_any_order_count_a_compaction_once(drawn: list[Any], something: bool) -> None:
    """A compaction counts once with its hooks in any order, doubled or missing."""
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
    calls = {
        "pre": world.compacting,
        "fork": lambda: world.hook("SubagentStop", agent_id="f", agent_type="",
                                   last_assistant_message="<summary>S</summary>"),
        "start": lambda: world.start("compact"),
        "post": world.compacted,
    }  # fmt: skip
    try:
        world.start()
        if something:
            world.prompt("add codes")
        for number, (began, order, times) in enumerate(drawn, 1):
            told = 0
            for name, count in zip([*["pre"] * began, *order], times, strict=False):
                at = world.now
                for _ in range(count):  # registered twice, a hook runs twice at the same time
                    world.now = at
                    told += bool(calls[name]().out) and name == "start"
            trail = world.views()["recovery"]["sessions"][world.sid]
            assert trail["compactions"] == number
            assert told <= 1
            assert not something or told == ("start" in order)
            world.after(minutes=2)
            world.prompt() if something else world.tool(command="ls")
        assert world.resumed_views() == world.views()
    finally:
        remove(world)


def test_a_subagent_reads_for_itself() -> None:
    """A file that a subagent read is not among those that the session read."""
    trail = view("recovery", "09:00 tool Read a.py / 09:01 tool Read b.py by x").sessions["a"]
    assert trail.read == ["a.py"]


@pytest.mark.parametrize(
    ("typed", "rest"), [("review", []), ("shop:review", []), ("status", ["/status"])]
)
def test_a_command_is_one_request(typed: str, rest: list[str]) -> None:
    """It replaces the prompt that reports it, also by its short name, but not another command."""
    text = f"09:00 prompt Fix the cart. / 09:01 prompt /{typed} / 09:01 command shop:review"
    prompts = [one.text for one in view("recovery", text).sessions["a"].prompts]
    assert prompts == ["/shop:review", *rest, "Fix the cart."]


def test_what_happened_in_the_background_comes_back(world: World) -> None:
    """A subagent's report and the failure of a background command are facts without a transcript."""
    world.start()
    world.prompt("Look at the image formats and run the load test.")
    world.hook("SubagentStop", agent_id="b", agent_type="general-purpose",
               last_assistant_message="AVIF crashes because libheif is too old for this file.")  # fmt: skip
    world.prompt("<task-notification>\n<status>failed</status>\n<summary>Background command "
                 '"load test" failed with exit code 3</summary>\n</task-notification>')  # fmt: skip
    text = world.compact().context
    assert "AVIF crashes because libheif is too old" in text
    assert 'Bash "load test": "background command failed with exit code 3"' in text


def test_a_prompt_that_was_taken_back_is_no_request() -> None:
    """A prompt that Claude Code put back into the input does not hide what was asked instead."""
    asked = ("Write the parser in Rust", "Publish the module now", "go on")
    prompts = [{"type": "prompt.submitted", "text": text} for text in asked]
    gone = {"type": "prompts.withdrawn", "withdrawn": [asked[1]]}
    for events, last in ((prompts, asked[1]), ([*prompts, gone], asked[0])):
        (trail,) = fed(*events)["recovery"].sessions.values()
        assert last_request(trail.prompts).text == last
