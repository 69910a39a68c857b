"""The recovery: which parts may exceed the usual size."""

from __future__ import annotations

from journal.config.schema import DEFAULTS
from journal.events.session import SessionStarted
from projections.facts.session import LastCompaction, SessionFacts, Trail
from projections.messages import answer
from projections.recovery import Recovery
from projections.views import Views

START = SessionStarted(seq=9, ts="2026-11-21T09:00:00.000Z", sid="a", source="compact")
CHANGED = [f"src/shop/part_{at}/module_{at}.py" for at in range(12)]
READ = [f"src/shop/look_{at}/module_{at}.py" for at in range(12)]


def recovery(said: int) -> str:
    """Return the text after a compaction whose summary lacks `said` long requests."""
    long = [f"request {at}: " + f"word{at} " * 40 for at in range(said)]
    facts = SessionFacts(said=long, refused=long[:6], reasons=long, commands=long, read=READ)
    last = LastCompaction(
        seq=8, summary="x", summary_size=1, done=True, lost=[[], [], CHANGED], facts=facts
    )
    views = Views(recovery=Recovery({"a": Trail(files=CHANGED, compaction=last)}))
    given = answer(views, START, DEFAULTS)
    assert given is not None
    return given.context


def test_changed_files_have_room_in_a_full_text() -> None:
    """Each changed file is named however much else the summary lacks; other lists give way."""
    short, full = recovery(0), recovery(30)
    assert all(path in short for path in (*CHANGED, *READ))
    assert all(path in full for path in CHANGED)
    assert not all(path in full for path in READ)
    assert len(full) < 4_000
