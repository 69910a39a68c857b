"""An event in a few words."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cli.render.event_text import summary_of
from journal.events.registry import KINDS
from tests.support.rows import each

EVENTS: list[tuple[dict[str, Any], str]] = [
    ({"type": "session.started", "source": "resume", "model": "m", "previous": "0123456789"},
     "resume m after 01234567"),
    ({"type": "session.ended", "reason": "exit", "inferred": True}, "exit (inferred)"),
    ({"type": "prompt.submitted", "text": "fix it", "size": 6}, '"fix it"'),
    ({"type": "prompt.submitted", "size": 6, "origin": "human"},
     "human 6 characters, text not recorded"),
    ({"type": "tool.finished", "tool": "Edit", "target": "a.py", "changed": True, "ms": 12},
     "Edit a.py changed 12 ms"),
    ({"type": "tool.failed", "tool": "Bash", "target": "make", "error": "exit 2"},
     "Bash make failed: exit 2"),
    ({"type": "pressure.sampled", "tokens": 120_000, "point": 167_000, "pressure": 71.9,
      "source": "transcript"}, "120,000 tokens, 71.9% of 167k (transcript)"),
    ({"type": "pressure.sampled", "tokens": 5}, "5 tokens, of unknown (?)"),
    ({"type": "usage.recorded", "model": "m", "input_tokens": 3, "cache_read_input_tokens": 41_000,
      "output_tokens": 512}, "m 41k tokens in, 512 out"),
    ({"type": "session.titled", "title": "Round", "source": "ai"}, '"Round" ai'),
    ({"type": "advice.given", "what": "pressure", "level": "info", "channel": "context",
      "tokens": 1_000, "point": 2_000}, "pressure info to Claude: 1,000 of 2,000 tokens"),
    ({"type": "advice.given", "what": "gate", "reason": "new"}, "gate to the user: new"),
    ({"type": "context.injected", "what": "recovery", "characters": 1_200,
      "reason": "0123456789abcdef"}, "recovery 1,200 characters"),
    ({"type": "compact.started", "trigger": "auto", "tokens": 168_000, "unpromoted": 2},
     "auto at 168k tokens 2 not saved yet"),
    ({"type": "compact.finished", "trigger": "auto", "part": 1, "parts": 2, "summary": "s"},
     'auto part 1 of 2: "s"'),
    ({"type": "compact.gathered", "calls": ["Bash x"], "withdrawn": ["a", "b"]},
     "1 calls, 2 withdrawn"),
    ({"type": "turn.ended", "background": 2, "message": "Done."}, '2 in background "Done."'),
    ({"type": "unit.item.checked", "unit": "u", "item": "i", "done": False}, "u i (opened again)"),
    ({"type": "journal.collected", "removed": {"prompts": 3}}, "3 prompts"),
    ({"type": "tool.finished", "tool": "Read", "agent": "agent-12345"}, "[agent-12] Read"),
    ({"type": "of.later", "seq": 1, "ts": "t", "sid": "s", "colour": "red"}, "colour=red"),
    ({"type": "learning.recorded", "title": "Round once", "count": 3, "file": "a.md"},
     '"Round once" (now 3) a.md'),
]  # fmt: skip


@each(("fields", "text"), EVENTS)
def test_an_event_in_words(fields: dict[str, Any], text: str) -> None:
    """Each type has its words; unknown members are left out, and an unknown type is listed."""
    assert summary_of(fields) == text


def test_each_type_has_words() -> None:
    """No event that the journal records is shown as a list of its members."""
    named = [kind for kind in KINDS if "digest=" in summary_of({"type": kind, "digest": "b2:1"})]
    assert named == []


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers())
NAMES = ("tokens", "point", "pressure", "text", "parts", "part", "removed", "covered", "paths",
         "name", "agent", "ms", "previous", "withdrawn", "input_tokens", "output_tokens")  # fmt: skip


@given(st.sampled_from(sorted(KINDS)), st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_a_body_of_any_form_gives_a_text(kind: str, body: dict[str, Any]) -> None:
    """Members of other types lead to a text and no exception."""
    assert isinstance(summary_of({"type": kind, **body}), str)
