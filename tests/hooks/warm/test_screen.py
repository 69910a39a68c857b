"""What the warm child answers the module, for the screen and for the model's tools."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.hooks.warm.client import Child, Inline

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World

DECISION = "Prices are rounded to cents once, in cart.total"


def request(child: Child, what: str, **question: Any) -> Any:
    """Send a request as the module does; return None if there is no answer."""
    world = child.world
    body = {"session_id": world.sid, "cwd": str(world.project), **question}
    status, text = child.ask(f"POST /{what}/1", json.dumps(body).encode())
    return json.loads(text) if status == 200 else None


def worked(world: World, child: Child, tokens: int, threshold: int = 150_000) -> None:
    """Record a decision in the session, at so many tokens. threshold: 0 if nothing compacts."""
    world.start()
    world.prompt()
    world.append({"type": "decision.recorded", "v": 1, "sid": world.sid, "text": DECISION})
    raw = {"session_id": world.sid, "cwd": str(world.project), "hook_event_name": "PostToolUse",
           "tool_name": "Bash", "tool_input": {}, "tool_response": {}, "tool_use_id": "t"}  # fmt: skip
    assert child.taken(json.dumps(raw).encode(), f"{tokens} 200000 {threshold}") is not None


def test_a_calm_session(world: World) -> None:
    """At low pressure the status entry shows it; there is no warning and no unrequested pane."""
    with Inline(world) as child:
        worked(world, child, 30_000)
        found = request(child, "screen")
    assert found["status"] == "context 80.0% left"
    assert (found["row"], found["pane"]) == ("", [])


def test_a_full_context_is_warned_of(world: World) -> None:
    """From the first level on a row says how much room is left and what to do."""
    with Inline(world) as child:
        worked(world, child, 140_000)
        found = request(child, "screen")
        assert found["row"] == "6.7% left until compaction (140k of 150k): /compact compacts now"
        world.start("compact")
        assert request(child, "screen")["row"] == ""  # the warning was acted on


@pytest.mark.parametrize(("language", "left", "row"), [
    ("ja", "圧縮まで残り6.7%", "/compact で今すぐ圧縮"), ("ko", "압축까지 6.7% 남음", "/compact로 지금 압축"),
])  # fmt: skip
def test_the_screen_speaks_the_language_of_messages(
    world: World, language: str, left: str, row: str
) -> None:
    """Status entry, warning and pane are in the language of the messages."""
    world.journal.mkdir(parents=True)
    (world.journal / "config.toml").write_text(f'[messages]\nlanguage = "{language}"\n')
    with Inline(world) as child:
        worked(world, child, 140_000)
        found = request(child, "screen", pane=True)
    assert "6.7%" in found["status"]
    assert not found["status"].isascii()
    assert found["row"].startswith(left)
    assert found["row"].endswith(row)
    assert not any(text.isascii() for kind, text in found["pane"] if kind == "head")


@pytest.mark.parametrize(("off", "row", "offers"), [
    ("DISABLE_COMPACT", "/clear makes room", False),
    ("DISABLE_AUTO_COMPACT", "/compact compacts now", True),
])  # fmt: skip
def test_what_is_switched_off_is_not_offered(
    world: World, off: str, row: str, *, offers: bool
) -> None:
    """Where /compact does not work, the row names /clear, and no compaction is offered."""
    with Inline(world, **{off: "1"}) as child:
        worked(world, child, 170_000, threshold=0)
        ended(world, "journal:implement")
        found = request(child, "screen")
    assert found["row"].endswith(f"automatic compaction is off (170k of 177k): {row}")
    assert bool(found["offer"]) == offers


def test_the_pane(world: World) -> None:
    """The pane lists pressure, compactions and their losses, decisions, items and past sessions."""
    with Inline(world) as child:
        worked(world, child, 75_000)
        world.compacting()
        world.start("compact")
        world.compacted(summary="Nothing of it.")
        lines = request(child, "screen", pane=True)["pane"]
    heads = [text for kind, text in lines if kind == "head"]
    assert heads == ["Pressure", "Compactions", "Decisions", "Open items", "Past sessions"]
    texts = [text for kind, text in lines if kind == "text"]
    assert any(text.startswith("auto") for text in texts)
    assert f"  dropped: {DECISION}" in texts
    assert DECISION in texts
    assert "▅" in texts
    assert not [text for text in texts if text.endswith("ago")]  # an open pane would not age


@pytest.mark.parametrize(("language", "damaged", "unread", "heads"), [
    ("en", "Damaged: this pane is not complete", "cannot be read",
     ("Compactions", "Past sessions")),
    ("ja", "破損あり\uff1aこの表示は完全ではありません", "読み取れません", ("圧縮", "過去のセッション")),
])  # fmt: skip
def test_the_pane_of_a_damaged_journal(
    world: World, language: str, damaged: str, unread: str, heads: tuple[str, str]
) -> None:
    """Above all else the pane says that the log is damaged; an unusable index costs its part alone."""
    world.journal.mkdir(parents=True, exist_ok=True)
    (world.journal / "config.toml").write_text(f'[messages]\nlanguage = "{language}"\n')
    with Inline(world) as child:
        worked(world, child, 75_000)
        path = world.directory / "active.jsonl"
        path.write_bytes(path.read_bytes().replace(b"rounded", b"squared"))
        (world.journal / "cache" / "sessions.sqlite").mkdir(parents=True)
        lines = request(child, "screen", pane=True)["pane"]
    assert lines[0] == ["head", damaged]
    assert "journal verify" in lines[1][1]
    after = lines.index(["head", heads[0]]) + 1
    assert unread in lines[after][1]
    assert ["head", heads[1]] in lines


def test_an_answered_question_is_a_decision(world: World) -> None:
    """What the person chose is among the decisions, after those that were recorded."""
    question = {"question": "How are prices rounded?", "header": "Rounding", "multiSelect": False,
                "options": [{"label": "Half up"}, {"label": "Half even"}]}  # fmt: skip
    with Inline(world) as child:
        worked(world, child, 30_000)
        world.tool("AskUserQuestion", {"questions": [question], "answers": {question["question"]: "Half even"}},
                   questions=[question])  # fmt: skip
        lines = request(child, "screen", pane=True)["pane"]
    at = lines.index(["head", "Decisions"])
    assert lines[at + 1 : at + 3] == [
        ["text", DECISION],
        ["text", "How are prices rounded? Half even"],
    ]


PARTS = {"status": "status", "row": "row", "pane": "pane", "compact": "offer"}


@pytest.mark.parametrize("name", PARTS)
def test_each_is_off_by_one_setting(world: World, name: str) -> None:
    """Each part can be switched off by its own setting; the others keep their text."""
    world.journal.mkdir(parents=True)
    (world.journal / "config.toml").write_text(f"[screen]\n{name} = false\n")
    with Inline(world) as child:
        worked(world, child, 140_000)
        ended(world, "journal:implement")
        found = request(child, "screen", pane=True)
    assert {part for part in PARTS.values() if not found[part]} == {PARTS[name]}


def ended(world: World, *skills: str) -> None:
    """End a turn that ran these skills."""
    for name in skills:
        world.append({"type": "command.expanded", "v": 1, "sid": world.sid, "name": name})
    world.append({"type": "turn.ended", "v": 1, "sid": world.sid})


def phase_saved(world: World) -> None:
    """Save the summary of a skill's phase."""
    state = {"skill": "cpm:spec", "phase": "2", "name": "Scope", "summary": "Two screens"}
    world.append({"type": "progress.saved", "v": 1, "sid": world.sid, **state})


def stage_finished(world: World) -> None:
    """Finish a stage of a dev cycle."""
    for kind in ("stage.started", "stage.finished"):
        world.append({"type": kind, "v": 1, "sid": world.sid, "cycle": "c1", "stage": "audit"})


@pytest.mark.parametrize(("end", "phase"), [
    (lambda world: ended(world, "journal:implement"), "/implement"),
    (lambda world: ended(world, "compound"), "/compound"),
    (phase_saved, "phase Scope of cpm:spec"),
    (stage_finished, "stage audit"),
])  # fmt: skip
def test_a_phase_has_ended(world: World, end: Callable[[World], None], phase: str) -> None:
    """When a phase ends past the info level compacting is offered, with guidance on open work."""
    with Inline(world) as child:
        worked(world, child, 120_000)
        end(world)
        found = request(child, "screen")
        assert found["offer"] == f"{phase} has ended: a good moment to compact"
        assert DECISION in found["instructions"]
        world.start("compact")
        assert (request(child, "screen")["offer"], found["pane"]) == ("", [])


@pytest.mark.parametrize(("tokens", "skills"), [
    (30_000, ["journal:implement"]), (120_000, []), (120_000, ["journal:get"]),
])  # fmt: skip
def test_no_good_moment(world: World, tokens: int, skills: list[str]) -> None:
    """Below the info level, or if no phase has ended, nothing is offered."""
    with Inline(world) as child:
        worked(world, child, tokens)
        ended(world, *skills)
        found = request(child, "screen")
    assert (found["offer"], found["instructions"]) == ("", "")


def test_a_new_prompt_ends_the_moment(world: World) -> None:
    """A phase saved before the last request does not count as the end of this turn."""
    with Inline(world) as child:
        worked(world, child, 120_000)
        phase_saved(world)
        world.after(seconds=30)
        world.prompt("Go on with the third phase")
        assert request(child, "screen")["offer"] == ""


def test_a_project_without_a_journal(world: World) -> None:
    """Without a journal there is nothing to show, and nothing is created."""
    with Inline(world) as child:
        found = request(child, "screen", pane=True)
    assert (found["status"], found["row"]) == ("", "")
    assert ["text", "unknown"] in found["pane"]
    assert not list(world.journal.glob("*/*.jsonl"))


def test_a_tool(world: World) -> None:
    """A tool returns its text, or what is wrong with its input."""
    with Inline(world) as child:
        worked(world, child, 30_000)
        noted = request(child, "tool", name="note", input={"kind": "decision", "text": "Use cents"})
        assert not noted["failed"]
        assert "Use cents" in request(child, "tool", name="status", input={})["text"]
        wrong = request(child, "tool", name="note", input={"kind": "other", "text": "x"})
        assert wrong["failed"]
        assert "none of" in wrong["text"]
    assert world.events("decision.recorded")[-1]["sid"] == world.sid


def test_reading_writes_nothing(world: World) -> None:
    """The screen and the reading tools change no file of the journal."""
    with Inline(world) as child:
        worked(world, child, 30_000)

        def files() -> dict[str, int]:
            return {
                os.path.join(top, name): os.stat(os.path.join(top, name)).st_mtime_ns
                for top, _, names in os.walk(world.journal)
                for name in names
            }

        before = files()
        request(child, "screen", pane=True)
        for name, given in (
            ("status", {}),
            ("recall", {"query": "cents"}),
            ("get", {"source": "2"}),
        ):
            request(child, "tool", name=name, input=given)
        assert files() == before


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"name":"other","input":{}}'])
@pytest.mark.parametrize("what", ["tool", "other"])
def test_what_is_no_question(world: World, what: str, body: bytes) -> None:
    """An invalid request gets 503, and the child goes on."""
    with Inline(world) as child:
        assert child.ask(f"POST /{what}/1", body) == (503, "")
        assert request(child, "screen") is not None
