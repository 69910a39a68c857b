"""Examples for the views: short histories as text, and the resulting state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from journal.log.record import frame
from projections.compound import promoted_since_compact, unpromoted
from projections.fold import Fold
from projections.level import warned_level
from projections.lineage import root_of
from projections.pressure import point_of
from projections.registry import REGISTRY
from tests.projections.timeline import fields_of, timeline

if TYPE_CHECKING:
    from collections.abc import Callable


def view(name: str, text: str) -> Any:
    """Fold one projection over a timeline."""
    return Fold([REGISTRY[name]]).feed(timeline(text)).states[name]


def told(text: str) -> str:
    """Return the level that session a was last told."""
    gauge = view("pressure", text).sessions["a"]
    return warned_level(gauge.told, gauge.lowest, 0.72, 0.90)


TOLD: dict[str, tuple[str, str]] = {
    "nothing-told": ("09:00 reading 130000", ""),
    "info": ("09:00 reading 130000 / 09:00 told info 130000", "info"),
    "still": ("09:00 told info 130000 / 09:00 reading 130000 / 09:00 told info 130000 / 09:01 reading 140000", "info"),
    "dropped": ("09:00 reading 130000 / 09:00 told info 130000 / 09:01 reading 110000", ""),
    "dropped-and-back": ("09:00 reading 130000 / 09:00 told info 130000 / 09:01 reading 110000 / 09:02 reading 130000", ""),
    "urgent": ("09:00 reading 160000 / 09:00 told urgent 160000", "urgent"),
    "urgent-to-info": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 reading 130000",
                       "info"),
    "compaction": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 compact auto / 09:01 done",
                   ""),
    "failed-compaction": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 compact auto",
                          "urgent"),
    "subagent-compaction": ("09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 compact auto by x / 09:01 done by x / 09:01 summary s by x", "urgent"),
    "other-session": ("09:00 reading 160000 / 09:00 told urgent 160000 / b 09:01 compact auto / b 09:01 done / b 09:02 reading 1000", "urgent"),
    "clear": ("09:00 start / 09:00 reading 160000 / 09:00 told urgent 160000 / 09:01 end clear / b 09:01 start clear a / 09:02 start resume", "urgent"),
}  # fmt: skip


@pytest.mark.parametrize("text, level", TOLD.values(), ids=TOLD)
def test_what_counts_as_told(text: str, level: str) -> None:
    """A level counts as told until the reading falls below it or a compaction succeeds."""
    assert told(text) == level


def test_three_compactions_correct_the_formula() -> None:
    """From the third automatic compaction on the median of the observed sizes is used."""
    one = "09:00 reading 150000 / 09:00 compact auto / 09:00 done / "
    other = "b 09:00 reading 156000 / b 09:00 compact auto / b 09:00 done / "
    by_hand = "09:00 reading 90000 / 09:00 compact manual / 09:00 done / "
    assert point_of(view("pressure", one + by_hand + other), 167_000) == (167_000, "formula")
    point, source = point_of(view("pressure", one + other + by_hand + one), 167_000)
    assert (point, source[:8]) == (150_000, "observed")
    assert point_of(view("pressure", one * 3), 900_000) == (900_000, "formula")


def test_a_compaction_of_an_idle_session_corrects_nothing() -> None:
    """Claude Code also compacts an idle session, long before the threshold."""
    idle = (
        "09:00 reading 40000 / 09:00 stop 0 / 09:50 compact auto / 09:50 done / 09:59 prompt x / "
    )
    assert point_of(view("pressure", idle * 3), 167_000) == (167_000, "formula")
    begun = (
        "09:00 stop 0 / 09:01 prompt x / 09:01 reading 150000 / 09:02 compact auto / 09:02 done / "
    )
    assert point_of(view("pressure", begun * 3), 167_000)[0] == 150_000


@pytest.mark.parametrize("late", ["08:50 stop 0", "08:50 prompt x"])
def test_a_late_event_does_not_tell_what_is_idle(late: str) -> None:
    """A turn's end or a prompt that was added from the transcript leaves the gauge as it is."""
    text = "09:00 reading 40000 / 09:00 stop 0"
    fields = fields_of(late)
    added = (3, frame(3, {**fields, "via": "reconciled"})[:-1])
    fold = Fold([REGISTRY["pressure"]]).feed([*timeline(text), added])
    assert fold.states["pressure"] == view("pressure", text)
    assert view("pressure", f"{text} / {late}") != view("pressure", text)


UNKNOWN: dict[str, str] = {
    "never": "09:00 start startup / 09:00 model claude-opus-5-5",
    "compacted": "09:00 reading 1000 / 09:00 compact auto / 09:00 done",
    "compacted-by-post": "09:00 reading 1000 / 09:00 compact auto / 09:00 summary s",
    "cleared": "b 09:00 reading 1000 / 09:00 start clear b",
}


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_is_not_zero(text: str) -> None:
    """Without a usable reading there are no tokens, and the view gives the reason."""
    gauge = view("pressure", text).sessions.get("a")
    assert gauge is None or (gauge.tokens is None and gauge.unknown)


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


@pytest.mark.parametrize("text, count", WAITING.values(), ids=WAITING)
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


COMPACTIONS: dict[str, tuple[str, int, int]] = {
    "attempt": ("09:00 compact auto", 1, 0),
    "both-hooks": ("09:00 compact auto / 09:00 forked s / 09:00 done / 09:00 summary s", 1, 1),
    "post-alone": ("09:00 compact auto / 09:00 summary s", 1, 1),
    "start-alone": ("09:00 compact auto / 09:00 done", 1, 1),
    "nothing-before": ("09:00 done / 09:00 summary s", 1, 1),
    "failed-then-done": ("09:00 compact auto / 09:01 compact auto / 09:01 done", 2, 1),
    "two": ("09:00 compact auto / 09:00 done / 09:00 summary s / 09:01 compact manual / 09:01 done / 09:01 summary t", 2, 2),
    "subagent": ("09:00 prompt x / 09:00 compact auto by x / 09:00 done by x / 09:00 summary s by x", 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("text, attempts, done", COMPACTIONS.values(), ids=COMPACTIONS)
def test_a_compaction_is_counted_once(text: str, attempts: int, done: int) -> None:
    """A compaction counts once, however many hooks report it; an attempt is not a compaction."""
    trail = view("recovery", text).sessions["a"]
    assert (trail.attempts, trail.compactions) == (attempts, done)


def test_lineage_goes_by_name() -> None:
    """A link comes from an event that names the predecessor, never from the order of sessions."""
    text = ("09:00 start / b 09:01 start / 09:02 end clear / c 09:02 start clear a / d 09:03 start fork c / e 09:04 start startup / c 09:05 done")  # fmt: skip
    state = view("lineage", text)
    assert {sid: root_of(state, sid) for sid in "abcde"} == {
        "a": "a", "b": "b", "c": "a", "d": "a", "e": "e",
    }  # fmt: skip
    assert state.sessions["c"].runs == 1
    assert (state.sessions["a"].ended != "", state.sessions["a"].reason) == (True, "clear")


def _is_bounded(make: Callable[[int], str], name: str) -> bool:
    small, large = (len(msgspec.json.encode(view(name, make(count)))) for count in (300, 900))
    return large < small * 1.2


GROWING: dict[str, Callable[[int], str]] = {
    "sessions": lambda count: "\n".join(
        f"s{n} 09:00 {word}"
        for n in range(1000, 1000 + count)
        for word in ("start startup", "prompt x", "reading 1000", "tool Edit f", "stop 2")
    ),
    "one-session": lambda count: "\n".join(
        f"a 09:00 {word}"
        for n in range(1000, 1000 + count)
        for word in (f"prompt p{n}", f"tool Edit f{n}", f"tool Skill s{n}", f"decide d{n}",
                     f"note n{n}", f"fail Bash c{n}", f"suggested r{n}", f"reading {n}000",
                     "compact auto 9", "done", f"summary s{n}", "progress saved 1", f"trimmed {n}")
    ),
}  # fmt: skip


@pytest.mark.parametrize("growth", GROWING)
@pytest.mark.parametrize("name", ["lineage", "pressure", "compound", "recovery", "stage", "progress", "unit"])  # fmt: skip
def test_a_hooks_state_is_bounded(name: str, growth: str) -> None:
    """The state a hook folds and stores does not grow with the age of the project."""
    assert _is_bounded(GROWING[growth], name)
