"""Answers recomputed from the log have the digests of the answers that were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.codec import digest
from journal.config import settings as read_settings
from journal.events.base import Unknown
from journal.events.registry import decode
from journal.history.replay.steps import steps
from journal.log.record import type_of
from projections.fold import Fold
from projections.messages import HOOK_OF, answer
from projections.views import HOOK_PROJECTIONS, Views
from tests.cases.streams import STREAMS, Replay, recorded
from tests.cases.test_size import session
from tests.cases.world import OTHER

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.reply import Reply
    from tests.cases.world import World

SAID = ("advice.given", "context.injected")


def flat(world: World) -> dict:
    """Return the settings that the world's hooks had."""
    return read_settings("", str(world.journal), str(world.project), str(world.home / ".claude"))


def recomputed(world: World) -> list[list[str]]:
    """Recompute the answer to every event from the log alone; return its messages' digests."""
    fold = Fold(HOOK_PROJECTIONS)
    records = world.records()
    found = []
    for at, (seq, line) in enumerate(records):
        fold.feed([(seq, line)])
        kind = type_of(line)
        event = decode(line, kind)
        if kind not in HOOK_OF or isinstance(event, Unknown):
            continue
        ahead = Fold(HOOK_PROJECTIONS, fold.states, fold.recent_keys(), seq)
        with_it = {"compact.started": "checkpoint.saved", "session.started": "flow.trimmed"}
        for later in records[at + 1 :]:  # appended together with the event
            if type_of(later[1]) != with_it.get(kind):
                break
            ahead.feed([later])
        said = answer(Views(**ahead.states), event, flat(world))
        digests = [item["digest"] for item in said.events if item["type"] in SAID] if said else []
        if digests:
            found.append(digests)
    return found


def digests_by_call(world: World, replies: list[Reply]) -> list[list[str]]:
    """Group the digests in the log by the call that recorded them."""
    events = world.events()
    grouped: dict[str, list[str]] = {}
    for event in events:
        if event["type"] in SAID:
            grouped.setdefault(event["ts"], []).append(event["digest"])
    assert sum(map(bool, (reply.out for reply in replies))) == len(grouped)
    return list(grouped.values())


@pytest.mark.parametrize("name", STREAMS)
def test_recorded_streams(name: str, make_world: Callable[..., World]) -> None:
    """For the recorded streams, with a work log, each answer's digest is reproduced."""
    world = make_world(inline=True)
    world.flow(12)
    world.stock(unverified=6)
    replay = Replay(world)
    replies = [replay.feed(call) for call in recorded(name)]
    assert len(digests_by_call(world, replies)) >= 3
    assert recomputed(world) == digests_by_call(world, replies)


def test_a_session_of_every_answer(make_world: Callable[..., World]) -> None:
    """For a session in which every hook answers, the digests agree; so does the command line."""
    world = make_world(inline=True)
    session(world, 200)
    kept = [event["digest"] for event in world.events(*SAID)]
    assert [item for group in recomputed(world) for item in group] == kept
    assert len(kept) >= 4
    verdicts = [step.verdict for step in steps(world.records(), (), flat(world), answers=True)]
    assert verdicts.count("same") >= 4
    assert set(verdicts) == {"", "same"}


def test_past_sessions_and_sent_texts(make_world: Callable[..., World]) -> None:
    """Offers, matches and sent texts are reproduced from the log word for word."""
    world = make_world(inline=True)
    about = {"title": "Round prices in the cart", "summary": "Half up.", "files": ["src/cart.py"]}
    replies = [world.start(sid=OTHER), world.prompt("round prices", sid=OTHER),
               world.tool("Edit", file_path="src/cart.py", sid=OTHER), world.end(sid=OTHER),
               world.start()]  # fmt: skip
    world.after(seconds=1).append({"type": "session.exported", "of": "gone", **about})
    replies.append(world.prompt("are the prices in the cart rounded?"))
    world.append({"type": "context.queued", "to": world.sid, "title": "t", "text": "sent words"})
    replies += [world.prompt(), world.compacting()]
    world.append({"type": "context.queued", "to": world.sid, "text": '"\\\n' * 3000})
    replies += [world.start("compact"), world.compacted(), world.prompt()]
    whats = [event["what"] for event in world.events("context.injected")]
    assert whats == ["related", "related", "pack", "recovery", "pack"]
    assert recomputed(world) == digests_by_call(world, replies)
    verdicts = [step.verdict for step in steps(world.records(), (), flat(world), answers=True)]
    assert verdicts.count("same") == 5
    assert set(verdicts) == {"", "same"}


def test_the_digest_is_of_the_text(make_world: Callable[..., World]) -> None:
    """The sibling: the recorded digest is that of the printed text."""
    world = make_world(inline=True)
    world.flow(3)
    reply = world.start()
    assert world.one("context.injected")["digest"] == "b2:" + digest(reply.context)
    world.worked()
    reply = world.stop()
    assert world.one("advice.given")["digest"] == "b2:" + digest(reply.message)


def _received(reply: Reply) -> dict[str, str]:
    """Return what the client received from one call, by recipient."""
    if not reply.out.startswith("{"):
        return {"plain": reply.out} if reply.out else {}
    output = reply.output
    context = output.get("hookSpecificOutput", {}).get("additionalContext", "")
    found = {"context": context, "message": output.get("systemMessage", ""),
             "block": output.get("reason", "")}  # fmt: skip
    return {name: text for name, text in found.items() if text}


@pytest.mark.parametrize("prompt", ["add codes", "割引コードを追加して", "할인 코드를 추가해줘"])
def test_replay_gives_what_was_received(prompt: str, make_world: Callable[..., World]) -> None:
    """`replay --answers` is what the client received, byte for byte, even after settings change."""
    world = make_world(inline=True)
    world.flow(12)
    world.stock(confirmed=1, unverified=6)
    world.write("../journal.toml", 'nonsense = "x"\n')
    replies = [
        world.start(),
        world.prompt(prompt),
        world.tool("Edit", file_path="a.py"),
        world.stop(),
    ]
    world.reading(79)
    world.append({"type": "context.queued", "to": world.sid, "text": '"\\\n' * 3000})
    replies += [world.prompt(prompt), world.prompt(prompt), world.tool(), world.stop(),
                world.compacting(), world.start("compact"), world.compacted(), world.end()]  # fmt: skip
    received = [texts for texts in map(_received, replies) if texts]
    assert len(received) >= 5
    for settings in (
        "",
        "[pressure]\ninfo = 0.1\n[messages]\nlanguage = 'ko'\n[start]\nannounce = false\n",
    ):
        world.write("../journal.toml", settings)
        shown = world.run("replay", "--answers", "--json").data
        said = [step["said"] for step in shown if step["said"] and not step["reconstructed"]
                and step["recorded"]]  # fmt: skip
        names = ("context", "message", "block", "plain")
        again = [{name: item[name] for name in names if item[name]} for item in said]
        assert [texts for texts in again if texts] == received


def test_an_answer_of_before_is_marked(make_world: Callable[..., World]) -> None:
    """The sibling: a record without its text is shown as reconstructed, and marked so."""
    world = make_world(inline=True)
    world.flow(3)
    path = world.journal / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('[capture]\nlevel = "minimal"\n')
    assert world.start().context
    (step,) = [item for item in world.run("replay", "--answers", "--json").data if item["recorded"]]
    assert step["reconstructed"] is True
    assert "(reconstructed" in world.run("replay", "--answers").out
