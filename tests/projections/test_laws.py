"""Laws of every projection over every history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.log.record import type_of
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.projections.drawn import LINES, lines_of
from tests.projections.timeline import WORDS, fields_of, timeline
from tests.support.examples import examples

if TYPE_CHECKING:
    from projections.projection import Projection

ALL = tuple(REGISTRY.values())
ENCODE = msgspec.json.encode


def folded(text: list[str], **options: Any) -> Fold:
    """Return the fold of some lines' records."""
    return Fold(ALL, **options).feed(timeline("\n".join(text)))


def as_kept(fold: Fold) -> dict[str, bytes]:
    """Return states as a snapshot stores them."""
    return {name: ENCODE(state) for name, state in fold.states.items()}


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


@given(LINES, st.integers(0, 40))
@examples(150)
def test_any_prefix_can_be_a_snapshot(lines: list[str], cut: int) -> None:
    """Folding everything equals folding the rest onto any prefix's stored state."""
    records = timeline("\n".join(lines))
    head, rest = records[:cut], records[cut:]
    before = Fold(ALL).feed(head)
    states = {item.name: msgspec.json.decode(ENCODE(before.states[item.name]), type=item.state)
              for item in ALL}  # fmt: skip
    keys = msgspec.json.decode(ENCODE(before.recent_keys()))
    after = Fold(ALL, states, keys, before.seq).feed(rest)
    assert as_kept(after) == as_kept(Fold(ALL).feed(records))


@given(LINES, st.lists(st.integers(0, 40), max_size=5))
@examples(80)
def test_batches_do_not_matter(lines: list[str], cuts: list[int]) -> None:
    """Records fed all at once or in pieces give the same states."""
    records = timeline("\n".join(lines))
    fold = Fold(ALL)
    at = 0
    for cut in sorted({min(cut, len(records)) for cut in cuts} | {len(records)}):
        fold.feed(iter(records[at:cut]))
        at = cut
    whole = Fold(ALL).feed(records)
    assert as_kept(fold) == as_kept(whole)
    assert fold.unknown == whole.unknown


@given(LINES)
@examples(80)
def test_one_by_one_is_all_at_once(lines: list[str]) -> None:
    """`apply` of decoded events and `feed` of records are the same fold."""
    fold = Fold(ALL)
    for seq, line in timeline("\n".join(lines)):
        kind = type_of(line)
        event = decode(line, kind)
        if not isinstance(event, Unknown):
            fold.apply(event, kind)
        assert seq
    assert as_kept(fold) == as_kept(folded(lines))


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
            after = item.step(state, kind, event)
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
            assert item.step(state, kind, event) is state


@given(LINES)
@examples(60)
def test_states_are_what_they_say(lines: list[str]) -> None:
    """A state written and read back as its type equals itself, so a snapshot loses nothing."""
    fold = folded(lines)
    for item in ALL:
        state = fold.states[item.name]
        assert msgspec.json.decode(ENCODE(state), type=item.state, strict=True) == state


@given(LINES)
@examples(60)
def test_repeats_change_nothing(lines: list[str]) -> None:
    """Records written twice under the same key have one effect."""
    keyed = [line if " key " in line else _with_key(line, f"u{n}") for n, line in enumerate(lines)]
    once = folded(_spread(keyed))
    twice = folded([copy for line in keyed for copy in (line, line)])
    assert as_kept(once) == as_kept(twice)


def _with_key(line: str, key: str) -> str:
    head, by, agent = line.partition(" by ")
    return f"{head} key {key}{by}{agent}"


def _spread(lines: list[str]) -> list[str]:
    """Replace the other history's events by ones nobody handles."""
    return [copy for line in lines for copy in (line, "- 09:00 gap 1")]


PER_SESSION = ("pressure", "recovery", "compound", "stage", "unit")


@given(lines_of("a"), lines_of("b"), st.lists(st.booleans(), max_size=50))
@examples(80)
def test_two_lineages_do_not_touch(left: list[str], right: list[str], turns: list[bool]) -> None:
    """Interleaved with another session, a session's part of the views is what it is alone.

    Alone its neighbour's events are replaced by what nobody handles, so that seqs are the same.
    Taking over (`progress`, resumed stages) is between sessions by intent and left out, as is what
    belongs to the project: flow, stock, notes and compounds.
    """
    skipped = (" note ", " compound ", " trimmed ", " clear ", " fork ", " compact ", " progress ",
               " stop ", " reading ", " resumed ")  # fmt: skip
    left = [line for line in left if not any(word in f"{line} " for word in skipped)]
    right = [line for line in right if not any(word in f"{line} " for word in skipped)]
    queue = (list(left), list(right))
    turns = [*turns, *[True] * len(left), *[False] * len(right)]
    mixed = [queue[not turn].pop(0) for turn in turns if queue[not turn]]
    alone = [line if line.startswith("a ") else "- 09:00 gap 1" for line in mixed]
    both, one = folded(mixed).states, folded(alone).states
    for name in PER_SESSION:
        part, own = both[name].sessions.get("a"), one[name].sessions.get("a")
        assert ENCODE(part) == ENCODE(own), name
