"""The table `events` is the timeline: live and imported facts, each once."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from journal.history.merged import Timeline
from journal.history.tables.database import History
from journal.log.record import frame
from tests.support.examples import examples
from tests.support.journals import OPENED, Journals, at

SID = "s1"
FACTS: list[dict[str, Any]] = [
    {"type": "session.started", "source": "startup"},
    {"type": "prompt.submitted", "prompt": "p1", "origin": "human", "text": "go"},
    {"type": "tool.finished", "tool": "Bash", "use": "t1"},
    {"type": "tool.failed", "tool": "Edit", "use": "t2"},
    {"type": "turn.ended", "prompt": "p1"},
    {"type": "compact.started", "trigger": "auto", "tokens": 168_000},
    {"type": "session.started", "source": "compact"},
    {"type": "compact.finished", "trigger": "auto", "summary": "Ran make."},
    {"type": "prompt.submitted", "prompt": "p2", "origin": "human", "text": "on"},
    {"type": "subagent.ended", "agent": "a1"},
    {"type": "compact.started", "trigger": "manual", "tokens": 90_000},
    {"type": "decision.recorded", "text": "cents"},
    {"type": "session.ended", "reason": "exit"},
]
FACT = st.sampled_from(range(len(FACTS)))
SIDE = st.lists(st.tuples(FACT, st.sampled_from([SID, "s2"])), max_size=18)


def events(chosen: list[tuple[int, str]], **more: Any) -> list[dict[str, Any]]:
    """Return the chosen facts in order."""
    return [{**FACTS[fact], "sid": sid, **more} for fact, sid in chosen]


def write(home: str, name: str, chosen: list[dict[str, Any]]) -> None:
    """Write a log as the journal frames its records."""
    directory = os.path.join(home, name)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    lines = []
    for number, event in enumerate([OPENED, *chosen]):
        head = {"ts": at(number), "type": event["type"], "v": 1, "sid": event["sid"]}
        lines.append(frame(1 + number, {**head, **event}))
    with open(os.path.join(directory, "active.jsonl"), "wb") as file:
        file.write(b"".join(lines))


def rows(home: str, query: str) -> set[tuple[Any, ...]]:
    """Query the rows; check that no row comes twice."""
    history = History(home)
    try:
        (result,) = history.query(query)
        found = result.all()
    finally:
        history.close()
    assert len(found) == len(set(found))
    return set(found)


@examples(8, sample=1, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(logs=st.lists(st.tuples(SIDE, SIDE), min_size=4, max_size=8))
def test_the_rows_are_the_entries_of_the_timeline(
    logs: list[tuple[list[tuple[int, str]], list[tuple[int, str]]]],
) -> None:
    """The rows are exactly the events that `journal events` shows, for any hooks and import."""
    with TemporaryDirectory() as home:
        wanted = set()
        for number, (live, imported) in enumerate(logs):
            project = f"shop-{number:08}"
            write(home, project, events(live))
            write(home, os.path.join(project, "imported"), events(imported, imported=True))
            timeline = Timeline(os.path.join(home, project))
            wanted |= {(project, one.side == "imported", one.seq) for one in timeline.entries()}
        query = "select project, imported, seq from events"
        assert rows(home, query) == wanted
        assert rows(home, f"{query} where record is not null") == wanted


def test_a_fact_in_both_logs_is_one_row(journals: Journals) -> None:
    """A fact in both logs is one row; another project is not affected."""
    chosen = [(fact, SID) for fact in range(5)]
    journals.write(events(chosen))
    journals.write(events(chosen, imported=True), side="imported")
    journals.write(events(chosen, imported=True), "alone-00000002", side="imported")
    found = journals.sql("select project, type, count(*) n from events group by all order by all")
    assert {row["n"] for row in found} == {1}
    assert len(found) == 6 + 5
