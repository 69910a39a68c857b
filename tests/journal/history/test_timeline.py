"""The threshold of each entry, as it was known then."""

from __future__ import annotations

import pytest

from journal.history.entries import TimelineEntry
from journal.history.timeline import SessionTimeline, measure

FORMULA = 167_000


def compacted(seq: int, tokens: int, point: int) -> TimelineEntry:
    """Return an automatic compaction as a team's tables give it; 0 is unknown."""
    return TimelineEntry(seq, "auto", tokens, point, str(point), seq)


@pytest.mark.parametrize(
    ("tokens", "point", "known"),
    [(150_000, FORMULA, 150_000), (0, FORMULA, FORMULA), (150_000, 0, FORMULA)],
)
def test_only_a_measured_compaction_corrects_the_threshold(
    tokens: int, point: int, known: int
) -> None:
    """Three automatic compactions correct the formula if their tokens and threshold are known."""
    session = SessionTimeline("shop", "s1", imported=False)
    found = [compacted(seq, tokens, point) for seq in range(1, 4)]
    found.append(TimelineEntry(4, "reading", 90_000, FORMULA, str(FORMULA), 4))
    measure((entry.seq, session, entry) for entry in found)
    assert session.entries[-1].point == known
    unknown = [TimelineEntry(5, "reading", 90_000, 0, "0", 5)]
    measure((entry.seq, session, entry) for entry in unknown)
    assert session.entries[-1].point == 0
