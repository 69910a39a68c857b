"""What of a work log is not saved as learnings yet, and what a turn used."""

from __future__ import annotations

from projections.compound import promoted_since_compact, unpromoted
from tests.projections.timeline import view
from tests.support.rows import each

WAITING: dict[str, tuple[str, int]] = {
    "nothing": ("09:00 start", 0),
    "log": ("09:00 stop 5", 5),
    "all-promoted": ("09:00 stop 5 / 09:01 compound 5", 0),
    "some-promoted": ("09:00 stop 5 / 09:01 compound 3", 2),
    "new-after": ("09:00 stop 5 / 09:01 compound 5 / 09:02 stop 7", 2),
    "notes": ("09:00 note a / 09:00 note b", 2),
    "notes-promoted": ("09:00 note a / 09:01 compound 0 / 09:02 note b", 1),
    "trimmed": ("09:00 stop 5 / 09:01 compact auto 5 / 09:01 trimmed 1 / 09:01 trimmed 2", 5),
    "trimmed-after-promotion": ("09:00 stop 5 / 09:01 compound 5 / 09:01 trimmed 1", 0),
    "trimmed-then-seen": ("09:00 compact auto 5 / 09:01 trimmed 5 / 09:02 compound 4", 0),
    "more-than-digests": ("09:00 stop 80", 80),
    "subagents-do-not-end-turns": ("09:00 stop 5 by x", 5),
}


@each("text, count", WAITING.values(), ids=WAITING)
def test_what_waits_for_promotion(text: str, count: int) -> None:
    """Unsaved entries and notes, in the order of events; trimmed entries count too."""
    assert unpromoted(view("compound", text)) == count


def test_promoted_since_the_compaction_before() -> None:
    """PX17 and PX18 in the views: promoted means since the session's previous compaction."""
    assert not promoted_since_compact(view("compound", "09:00 start"), "a")
    assert promoted_since_compact(view("compound", "09:00 compact auto / 09:01 compound 1"), "a")
    text = "09:00 compound 1 / 09:01 compact auto"
    assert not promoted_since_compact(view("compound", text), "a")
    assert promoted_since_compact(view("compound", text), "b")


def test_names_of_a_turn() -> None:
    """Skills and commands of the turn that just ended, without those of subagents."""
    text = "09:00 tool Skill p:implement / 09:00 command /review / 09:00 tool Skill debug by x / "
    work = view("compound", text + "09:01 stop").sessions["a"]
    assert (work.running, work.ended) == ([], ["/review", "p:implement"])
    work = view("compound", text + "09:01 stop / 09:02 stop").sessions["a"]
    assert (work.ended, len(work.used)) == ([], 2)
