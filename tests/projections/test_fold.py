"""Laws of folding: batches, snapshots and repeats change no state."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.log.record import type_of
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.projections.drawn import LINES
from tests.projections.timeline import timeline
from tests.support.examples import examples

ALL = tuple(REGISTRY.values())
ENCODE = msgspec.json.encode


def folded(text: list[str], **options: Any) -> Fold:
    """Return the fold of some lines' records."""
    return Fold(ALL, **options).feed(timeline("\n".join(text)))


def as_kept(fold: Fold) -> dict[str, bytes]:
    """Return states as a snapshot stores them."""
    return {name: ENCODE(state) for name, state in fold.states.items()}


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
