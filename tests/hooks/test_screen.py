"""What the module asks the warm child for the screen and for the model's tools."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.hooks.warm_child import Child

if TYPE_CHECKING:
    from tests.cases.world import World

DECISION = "Prices are rounded to cents once, in cart.total"


def asked(child: Child, what: str, **question: Any) -> Any:
    """Ask as the module does; None for no answer."""
    world = child.world
    body = {"session_id": world.sid, "cwd": str(world.project), **question}
    status, text = child.ask(f"POST /{what}/1", json.dumps(body).encode())
    return json.loads(text) if status == 200 else None


def worked(world: World, child: Child, tokens: int) -> None:
    """Let the session decide something, at so many tokens of 150,000."""
    world.start()
    world.prompt()
    world.append({"type": "decision.recorded", "v": 1, "sid": world.sid, "text": DECISION})
    raw = {"session_id": world.sid, "cwd": str(world.project), "hook_event_name": "PostToolUse",
           "tool_name": "Bash", "tool_input": {}, "tool_response": {}, "tool_use_id": "t"}  # fmt: skip
    assert child.taken(json.dumps(raw).encode(), f"{tokens} 200000 150000") is not None


def test_a_calm_session(world: World) -> None:
    """The status entry has the pressure; there is no warning and, unasked, no pane."""
    with Child(world) as child:
        worked(world, child, 30_000)
        found = asked(child, "screen")
    assert found["status"] == "context 80.0% left until compaction (30k of 150k)"
    assert (found["row"], found["pane"]) == ("", [])


def test_a_full_context_is_warned_of(world: World) -> None:
    """From the first level on a row says what is left and what to do."""
    with Child(world) as child:
        worked(world, child, 140_000)
        found = asked(child, "screen")
        assert found["row"] == "6.7% left until compaction (140k of 150k): /compact compacts now"
        world.start("compact")
        assert asked(child, "screen")["row"] == ""  # it was acted on


def test_the_pane(world: World) -> None:
    """It lists pressure, compactions with what they dropped, decisions, items and past sessions."""
    with Child(world) as child:
        worked(world, child, 75_000)
        world.compacting()
        world.start("compact")
        world.compacted(summary="Nothing of it.")
        lines = asked(child, "screen", pane=True)["pane"]
    heads = [text for kind, text in lines if kind == "head"]
    assert heads == ["Pressure", "Compactions", "Decisions", "Open items", "Past sessions"]
    texts = [text for kind, text in lines if kind == "text"]
    assert any(text.startswith("auto") for text in texts)
    assert f"  dropped: {DECISION}" in texts
    assert DECISION in texts
    assert "▅" in texts


@pytest.mark.parametrize("name", ["status", "row", "pane"])
def test_each_is_off_by_one_setting(world: World, name: str) -> None:
    """What is switched off has no text; the others keep theirs."""
    world.journal.mkdir(parents=True)
    (world.journal / "config.toml").write_text(f"[screen]\n{name} = false\n")
    with Child(world) as child:
        worked(world, child, 140_000)
        found = asked(child, "screen", pane=True)
    assert {part for part in ("status", "row", "pane") if not found[part]} == {name}


def test_a_project_without_a_journal(world: World) -> None:
    """There is nothing to show, and nothing is made."""
    with Child(world) as child:
        found = asked(child, "screen", pane=True)
    assert (found["status"], found["row"]) == ("", "")
    assert ["text", "unknown"] in found["pane"]
    assert not list(world.journal.glob("*/*.jsonl"))


def test_a_tool(world: World) -> None:
    """A tool's text comes back, and what is wrong with its input."""
    with Child(world) as child:
        worked(world, child, 30_000)
        noted = asked(child, "tool", name="note", input={"kind": "decision", "text": "Use cents"})
        assert not noted["failed"]
        assert "Use cents" in asked(child, "tool", name="status", input={})["text"]
        wrong = asked(child, "tool", name="note", input={"kind": "other", "text": "x"})
        assert wrong["failed"]
        assert "none of" in wrong["text"]
    assert world.events("decision.recorded")[-1]["sid"] == world.sid


def test_reading_writes_nothing(world: World) -> None:
    """The screen and the tools that read change no file of the journal."""
    with Child(world) as child:
        worked(world, child, 30_000)

        def files() -> dict[str, int]:
            return {
                os.path.join(top, name): os.stat(os.path.join(top, name)).st_mtime_ns
                for top, _, names in os.walk(world.journal)
                for name in names
            }

        before = files()
        asked(child, "screen", pane=True)
        for name, given in (
            ("status", {}),
            ("recall", {"query": "cents"}),
            ("get", {"source": "2"}),
        ):
            asked(child, "tool", name=name, input=given)
        assert files() == before


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"name":"other","input":{}}'])
@pytest.mark.parametrize("what", ["tool", "other"])
def test_what_is_no_question(world: World, what: str, body: bytes) -> None:
    """It gets 503, and the child lives on."""
    with Child(world) as child:
        assert child.ask(f"POST /{what}/1", body) == (503, "")
        assert asked(child, "screen") is not None
