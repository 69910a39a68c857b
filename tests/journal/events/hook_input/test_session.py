"""Events of sessions, subagents, models and notifications."""

from __future__ import annotations

import msgspec
import pytest

from journal.events.registry import KINDS, class_of
from tests.journal.events.hook_input.made import built, call_of, event_of

START = {"source": "startup", "model": "m", "transcript_path": "/t/s.jsonl", "cwd": "/p/api"}


def test_a_start_says_what_claude_code_says() -> None:
    """Source, model, transcript and directory; a size only if it is a whole number."""
    event = event_of("SessionStart", context_tokens=1200, session_title="Cart", **START)
    assert event["source"] == "startup"
    assert (event["model"], event["transcript"], event["cwd"]) == ("m", "/t/s.jsonl", "api")
    assert (event["context_tokens"], event["title"]) == (1200, "Cart")
    for odd in (-1, True, "1200", 1.5, 10**12, None):
        assert "context_tokens" not in event_of("SessionStart", context_tokens=odd, **START)


def test_facts_beside_the_input_are_added() -> None:
    """Process, predecessor and work files come from the machine, not from the input."""
    facts = {"pid": 7, "pid_start": 8, "previous": "r", "flow": {"entries": 1}, "branch": "main"}
    event = event_of("SessionStart", facts=facts, **START)
    assert {name: event[name] for name in facts} == facts
    assert event_of("SessionEnd", reason="clear", facts=facts)["pid"] == 7


@pytest.mark.parametrize(
    ("agent", "kinds"),
    [("general-purpose", ["subagent.ended"]), ("", ["compact.summarized"]),
     (None, ["subagent.ended"])],
)  # fmt: skip
def test_a_compactions_own_subagent_is_none(agent: str | None, kinds: list[str]) -> None:
    """A SubagentStop with an empty type brings the compaction's summary."""
    events = built("SubagentStop", agent_id="x", agent_type=agent,
                   last_assistant_message="<summary>S</summary>")  # fmt: skip
    assert [event["type"] for event in events] == kinds
    assert ("agent" in events[0]) is (kinds == ["subagent.ended"])


def test_texts_stay_out_of_the_minimal_level() -> None:
    """Names stay; titles, messages and notifications do not."""
    start = event_of("SessionStart", session_title="Cart", level="minimal", **START)
    assert ("title" in start, start["model"]) == (False, "m")
    told = event_of("Notification", notification_type="idle", message="words", level="minimal")
    assert ("message" in told, told["kind"]) == (False, "idle")
    ended = event_of("SubagentStop", agent_type="x", last_assistant_message="w", level="minimal")
    assert ("message" in ended, ended["size"]) == (False, 1)


def test_a_model_switch_has_both_models() -> None:
    """The window may have another size from here on."""
    event = event_of("PostModelSwitch", from_model="a", to_model="b", context_tokens=5)
    assert (event["before"], event["after"], event["context_tokens"]) == ("a", "b", 5)


def test_a_truth_value_that_its_type_has_by_default_is_left_out() -> None:
    """What is read without the member is what was meant; the other value stands."""
    members = ((kind, each) for kind in KINDS for each in msgspec.structs.fields(class_of(kind)))
    for kind, member in members:
        if isinstance(member.default, bool) and member.name != "ok":  # which no hook says
            for value in (True, False):
                event = call_of("Stop").event(kind, "", **{member.name: value})
                assert (member.name in event) == (value is not member.default), kind
