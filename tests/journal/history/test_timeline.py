"""The entries of a session, each with the threshold as it was known then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.entries import TimelineEntry
from journal.history.timeline import SessionTimeline, compaction_rows, measure, sessions_of
from tests.laws.surfaces import Journals

if TYPE_CHECKING:
    from pathlib import Path

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
    measure((session, entry) for entry in found)
    assert session.entries[-1].point == known
    unknown = [TimelineEntry(5, "reading", 90_000, 0, "0", 5)]
    measure((session, entry) for entry in unknown)
    assert session.entries[-1].point == 0


def test_hooks_give_readings_of_a_session_whose_transcript_has_more(tmp_path: Path) -> None:
    """Hooks installed halfway: prompts are the transcript's, readings and compactions the hooks'."""
    journals = Journals(str(tmp_path))
    journals.add([
        ("a 09:00 prompt one", "imported"), ("a 09:05 compact auto", "imported"),
        ("a 10:00 prompt two", "both"), ("a 10:01 reading 150000", "live"),
        ("a 10:02 told info 150000", "live"), ("a 10:03 compact auto", "live"),
        ("a 10:03 start compact", "live"), ("a 10:03 compact auto", "imported"),
        ("a 10:04 compound", "live"),
    ])  # fmt: skip
    (session,) = sessions_of("shop", journals.scope("shop").directory)
    assert not session.imported
    assert [(entry.kind, entry.seq, entry.imported) for entry in session.entries] == [
        ("prompt", 2, False), ("auto", 3, True), ("prompt", 4, False), ("reading", 3, False),
        ("told", 4, False), ("auto", 5, False), ("compound", 7, False),
    ]  # fmt: skip
    assert [(row["seq"], row["imported"]) for row in compaction_rows([session])] == [
        (3, True), (5, False),
    ]  # fmt: skip
