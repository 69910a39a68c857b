"""Trials of thresholds: known history gives known numbers."""

from __future__ import annotations

from journal.history.timeline import SessionTimeline, TimelineEntry
from journal.history.trials import Outcome, Trial, best, grid, outcomes, trial, urgent_above
from tests.support.rows import each

POINT = 100_000
INFO, URGENT = 0.72, 0.90


def session(*moments: tuple[object, ...]) -> SessionTimeline:
    """Return a session made of (minute, kind or thousands of tokens)."""
    made = SessionTimeline("p", "s", imported=False)
    for minute, what in moments:
        kind, tokens = (
            ("reading", what * 1000)
            if isinstance(what, int)
            else (what, 99_000 if what in ("auto", "manual") else 0)
        )
        made.entries.append(TimelineEntry(int(minute * 60_000), kind, tokens, POINT))
    return made


TABLE: dict[str, tuple[SessionTimeline, list[Outcome]]] = {
    "nothing read": (session((0, "prompt")), []),
    "below": (session((0, 50)), [Outcome("session", (), False, None)]),
    "warned once": (session((0, 73), (1, 80), (2, 85)), [Outcome("session", (("info", 73_000),), False, None)]),
    "both levels": (session((0, 73), (1, 91), (2, 95)), [Outcome("session", (("info", 73_000), ("urgent", 91_000)), False, None)]),
    "straight to urgent": (session((0, 91), (1, 92)), [Outcome("session", (("urgent", 91_000),), False, None)]),
    "fell and rose": (session((0, 73), (1, 60), (2, 74)), [Outcome("session", (("info", 73_000), ("info", 74_000)), False, None)]),
    "fell to info": (session((0, 91), (1, 80), (2, 92)),
                     [Outcome("session", (("urgent", 91_000), ("urgent", 92_000)), False, None)]),
    "compacted": (session((0, 73), (1, "prompt"), (2, 80), (3, "prompt"), (5, "auto"), (6, 20)),
                  [Outcome("auto", (("info", 73_000),), False, (300.0, 2, 26_000)), Outcome("session", (), False, None)]),
    "missed": (session((0, 60), (5, "auto")), [Outcome("auto", (), False, None)]),
    "at once again": (session((0, 73), (1, "auto"), (2, 73), (3, "auto")),
                      [Outcome("auto", (("info", 73_000),), False, (60.0, 0, 26_000))] * 2),
    "heeded by compacting": (session((0, 73), (1, "manual")), [Outcome("manual", (("info", 73_000),), True, None)]),
    "compacted unwarned": (session((0, 60), (1, "manual")), [Outcome("manual", (), False, None)]),
    "heeded by a compound": (session((0, 73), (1, "compound")), [Outcome("session", (("info", 73_000),), True, None)]),
    "a compound before": (session((0, "compound"), (1, 73)), [Outcome("session", (("info", 73_000),), False, None)]),
    "no point": (SessionTimeline("p", "s", imported=False), []),
}  # fmt: skip


TABLE["no point"][0].entries.append(TimelineEntry(0, "reading", 99_000, 0))


TABLE["no point"][1].append(Outcome("session", (), False, None))


@each("name", TABLE)
def test_stretches(name: str) -> None:
    """Each stretch up to a compaction or the end has its warnings, lead and outcome."""
    made, expected = TABLE[name]
    assert outcomes(made, INFO, URGENT) == expected


def test_a_trial() -> None:
    """A trial adds up counts and takes medians over sessions."""
    made = [
        TABLE[name][0]
        for name in ("compacted", "missed", "warned once", "heeded by compacting", "nothing read")
    ]
    assert trial(made, INFO, URGENT) == Trial(
        info=INFO, urgent=URGENT, sessions=4, warnings=3, compactions=2, misses=1, noise=1, heeded=1,
        per_session=0.75, seconds=300.0, prompts=2, tokens=26_000,
    )  # fmt: skip
    assert trial([], INFO, URGENT).seconds is None


def test_a_lower_level_never_misses_more() -> None:
    """Along the grid a lower info level never misses more compactions."""
    made = [TABLE[name][0] for name in TABLE]
    rows = [row for row in grid(made, INFO, URGENT) if row.urgent == URGENT]
    assert [row.info for row in rows] == sorted({row.info for row in rows})
    assert [row.misses for row in rows] == sorted(row.misses for row in rows)
    assert any(row.info == INFO for row in rows)
    assert all(row.info < row.urgent for row in grid(made, INFO, URGENT))


def test_what_is_proposed() -> None:
    """The best row has the fewest misses, then enough lead, then the least noise, else the current one."""
    late = [session((0, 60), (1, 75), (1.5, "auto")), session((0, 52), (9, 60))]
    now = trial(late, INFO, URGENT)
    rows = [row for row in grid(late, INFO, URGENT) if row.urgent == URGENT]
    assert best(rows, now, 60).info == 0.60
    assert best(rows, now, 0).info in (INFO, 0.75)
    unseen = [session((0, 99))]
    assert best(grid(unseen, INFO, URGENT), trial(unseen, INFO, URGENT), 60) == trial(
        unseen, INFO, URGENT
    )
    assert [urgent_above(info, 0.9) for info in (0.5, 0.85, 0.88)] == [0.9, 0.9, 0.93]
