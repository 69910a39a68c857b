"""One hook call, from its input to the appended events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from hooks.capture import begin, capture, parsed
from hooks.warm.request import Request
from journal.errors import JournalOffError
from journal.log.append import Busy, Writer
from journal.log.reached import seen_seq

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World


def raw_of(world: World, event: str = "UserPromptSubmit", **fields: Any) -> bytes:
    """Return the input of a hook."""
    given = {"session_id": world.sid, "cwd": str(world.project), "hook_event_name": event,
             "prompt": "go on", "prompt_id": "p1", **fields}  # fmt: skip
    return json.dumps(given).encode()


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b"", "input is empty"),
        (b" \n", "input is empty"),
        (b"{", "input is not JSON"),
        (b"\xff\xfe", "input is not UTF-8"),
        (b"[1]", "input is not a JSON object"),
        (b"{}", "input has no hook_event_name"),
        (b'{"hook_event_name": 3}', "input has no hook_event_name"),
        (b'{"hook_event_name": "Stop"}', ""),
    ],
)
def test_what_is_wrong_with_an_input(raw: bytes, fault: str) -> None:
    """Every input is an object or has a fault; it never raises."""
    data, found = parsed(raw)
    assert (found, isinstance(data, dict)) == (fault, True)


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"\xff\xfe"])
def test_an_invalid_call_is_recorded_without_its_content(
    make_world: Callable[..., World], raw: bytes
) -> None:
    """That it came, its size and the fault are in the log; nothing is printed."""
    world = make_world(inline=True)
    assert capture(raw, world.env()) == ""
    (event,) = world.events("hook.failed")
    assert event["error"].startswith("input is")
    assert event.get("size", 0) == len(raw)


def test_the_same_call_twice_has_one_effect(make_world: Callable[..., World]) -> None:
    """A hook that is registered twice appends once; another prompt is another event."""
    world = make_world(inline=True)
    for number in (1, 1, 2):
        capture(raw_of(world, prompt_id=f"p{number}"), world.env())
    assert len(world.events("prompt.submitted")) == 2


@pytest.mark.parametrize("env", [{"JOURNAL_OFF": "1"}, {"JOURNAL_OFF": "0"}, {}])
def test_it_can_be_switched_off(make_world: Callable[..., World], env: dict[str, str]) -> None:
    """JOURNAL_OFF, any value but 0, leaves no trace of a call."""
    world = make_world(inline=True)
    capture(raw_of(world), {**world.env(), **env})
    assert world.journal.exists() is (env.get("JOURNAL_OFF") != "1")


def test_what_the_module_recorded_is_not_recorded_again(make_world: Callable[..., World]) -> None:
    """An input marked as recorded by the module inside Claude Code leaves no trace."""
    world = make_world(inline=True)
    assert capture(b'{"journal":"done",' + raw_of(world)[1:], world.env()) == ""
    assert not world.journal.exists()


def test_a_locked_log_loses_no_event(make_world: Callable[..., World]) -> None:
    """The events wait in the spool, and the next writer appends them first, in order."""
    world = make_world(inline=True)
    world.start()
    with Writer(str(world.directory), world.iso):
        capture(raw_of(world, prompt="first", prompt_id="p1"), world.env())
    assert world.events("prompt.submitted") == []
    capture(raw_of(world, prompt="second", prompt_id="p2"), world.env())
    assert [event["text"] for event in world.events("prompt.submitted")] == ["first", "second"]


def test_a_call_that_another_process_took_over_appends_nothing(
    make_world: Callable[..., World],
) -> None:
    """`claim` is asked under the lock; if it says no, the call raises Busy and writes nothing."""
    world = make_world(inline=True)
    world.start()
    before = world.events()
    with pytest.raises(Busy):
        begin(raw_of(world), world.env(), Request(lambda: False))
    assert world.events() == before
    begin(raw_of(world), world.env(), Request(lambda: True))
    assert len(world.events("prompt.submitted")) == 1


def test_a_claimed_call_says_that_the_log_cannot_be_written(
    make_world: Callable[..., World],
) -> None:
    """Without `claim` such a call is silent or tells the person; with it the caller decides."""
    world = make_world(inline=True)
    world.start()
    world.directory.chmod(0o777)
    with pytest.raises(JournalOffError):
        begin(raw_of(world), world.env(), Request(lambda: True))


def test_the_fact_stands_behind_its_reading(make_world: Callable[..., World]) -> None:
    """A reading of the transcript is appended with the call, just before it."""
    world = make_world(inline=True)
    world.start()
    world.reading(20)
    world.prompt()
    assert [event["type"] for event in world.events()][-2:] == [
        "pressure.sampled", "prompt.submitted",
    ]  # fmt: skip


def test_private_text_is_recorded_nowhere(make_world: Callable[..., World]) -> None:
    """What stands between <private> tags, in any field, is left out before anything is built."""
    world = make_world(inline=True)
    capture(raw_of(world, prompt="a <private>word</private> b"), world.env())
    (event,) = world.events("prompt.submitted")
    assert "word" not in json.dumps(event)
    assert event["text"].startswith("a ")


def test_a_lost_end_is_not_numbered_again(world: World) -> None:
    """A hook gives no record a seq that the snapshot has seen, also where the log lost its end."""
    world.start()
    world.prompt("add discount codes")
    seen = seen_seq(str(world.directory))
    active = world.directory / "active.jsonl"
    lines = active.read_bytes().splitlines(keepends=True)
    active.write_bytes(b"".join(lines[: seen - 1]))
    world.tool()
    assert json.loads(active.read_bytes().splitlines()[-1])["seq"] > seen
