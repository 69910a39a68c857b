"""Laws of every projection: pure handlers, and states that a snapshot can store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.log.record import type_of
from projections.fold import Fold
from projections.projection import with_files
from projections.registry import REGISTRY
from tests.projections.drawn import LINES
from tests.projections.timeline import WORDS, fields_of, timeline
from tests.support.examples import examples

if TYPE_CHECKING:
    from projections.projection import Projection


ALL = tuple(REGISTRY.values())
ENCODE = msgspec.json.encode


def folded(text: list[str], **options: Any) -> Fold:
    """Return the fold of some lines' records."""
    return Fold(ALL, **options).feed(timeline("\n".join(text)))


def stepped(item: Projection, state: Any, kind: str, event: Any) -> Any:
    """Return the state after one event."""
    fold = Fold([item], {item.name: state})
    fold.apply(event, kind)
    return fold.states[item.name]


def test_the_words_reach_every_handler() -> None:
    """The random histories can exercise every handler."""
    handled = {kind for item in ALL for kind in item.handlers}
    drawn = {fields_of(f"a 09:00 {word} 1")["type"] for word in WORDS}
    drawn |= {
        f"stage.{word}" for word in ("started", "finished", "stopped", "resumed", "abandoned")
    }
    drawn |= {f"progress.{word}" for word in ("saved", "closed", "adopted", "discarded")}
    drawn |= {"unit.started", "unit.item.checked", "unit.finished", "subagent.started"}
    drawn |= {"subagent.ended", "session.summarized", "session.exported"}
    assert handled - drawn == set()


@given(LINES)
@examples(100)
def test_handlers_are_pure(lines: list[str]) -> None:
    """A handler changes neither state nor event, and returns the same object if nothing changes."""
    for item in ALL:
        state = item.initial
        pristine = ENCODE(item.initial)
        for _, line in timeline("\n".join(lines)):
            kind = type_of(line)
            event = decode(line, kind)
            if isinstance(event, Unknown):
                continue
            kept, given_event = ENCODE(state), ENCODE(event)
            after = stepped(item, state, kind, event)
            assert (ENCODE(state), ENCODE(event)) == (kept, given_event), (item.name, kind)
            if kind not in item.handlers:
                assert after is state
            state = after
        assert ENCODE(item.initial) == pristine, item.name


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_an_unhandled_event_leaves_the_same_object(item: Projection) -> None:
    """An event that a projection does not handle leaves its state object unchanged."""
    state = folded(["a 09:00 start", "a 09:01 prompt x"]).states[item.name]
    for word in WORDS:
        _, line = timeline(f"a 09:00 {word} 1")[0]
        kind = type_of(line)
        event = decode(line, kind)
        if kind not in item.handlers and not isinstance(event, Unknown):
            assert stepped(item, state, kind, event) is state


@given(LINES)
@examples(60)
def test_states_are_what_they_say(lines: list[str]) -> None:
    """A state written and read back as its type equals itself, so a snapshot loses nothing."""
    fold = folded(lines)
    for item in ALL:
        state = fold.states[item.name]
        assert msgspec.json.decode(ENCODE(state), type=item.state, strict=True) == state


@pytest.mark.parametrize(("known", "found", "taken"), [(3, 3, 3), (3, 20, 7), (10, 20, 5)])
def test_many_files_at_once_leave_half_of_the_list(known: int, found: int, taken: int) -> None:
    """What a formatter changed does not displace the files that were at work before."""
    old, new = [f"old{at}" for at in range(known)], [f"new{at}" for at in range(found)]
    assert with_files(old, new, 10) == [*new[:taken], *old[: 10 - taken]]
