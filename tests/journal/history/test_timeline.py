"""The entries of a session, each with the threshold as it was known then."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.clock import iso
from journal.history.tables.database import History
from journal.history.timeline import (
    COMPACTIONS,
    EntryGroup,
    SessionTimeline,
    Thresholds,
    TimelineEntry,
    compaction_rows,
    session_timelines,
)
from journal.log.append import Writer
from projections import stage
from projections.fold import Fold
from tests.laws.surfaces import Journals
from tests.projections.drawn import LINES
from tests.projections.timeline import fields_of, timeline
from tests.support.examples import examples

FORMULA = 167_000


def found_in(home: str) -> tuple[list[SessionTimeline], list[stage.Span]]:
    """Return the timelines, with all entries, and the finished stages of a journal home."""
    with closing(History(home)) as history:
        found = session_timelines(history)
        list(map(whole, found))  # entries are read while the history is open
        return found, history.spans("")


def add(log: Path, lines: list[str]) -> None:
    """Append the events that the lines describe, each at its own time."""
    for line in lines:
        fields = fields_of(line)
        with Writer(str(log), fields.pop("ts"), sync="none") as writer:
            writer.append(fields)


@given(LINES, st.integers(0, 40))
@examples(20, sample=2)
def test_going_on_gives_what_reading_all_gives(lines: list[str], cut: int) -> None:
    """Rows stored before and those appended since give what a first reading gives."""
    with tempfile.TemporaryDirectory() as top:
        log = Path(top) / "shop-00000000"
        add(log, ["a 08:00 prompt x", *lines[:cut]])
        found_in(top)
        add(log, lines[cut:])
        found, spans = found_in(top)
        shutil.rmtree(log.parent / "cache")
        sessions, again = found_in(top)
        assert spans == again
        assert list(map(whole, found)) == list(map(whole, sessions))


def whole(session: SessionTimeline) -> tuple[object, ...]:
    """Return what is known of a session, as values that can be compared."""
    return session.sid, session.imported, session.title, session.entries


@given(LINES)
@examples(20, sample=4)
def test_figures_of_a_session_are_those_of_its_entries(lines: list[str]) -> None:
    """Ends, numbers and the highest pressure are the same before the entries are read.

    Claude Code measures the context at a compaction, too, so that is one of the highest.
    """
    with tempfile.TemporaryDirectory() as top:
        add(Path(top) / "shop-00000000", ["a 08:00 prompt x", *lines])
        with closing(History(top)) as history:
            found = session_timelines(history)
            figures = [(one.first, one.last, one.highest) for one in found]
            kinds = ("prompt", "reading", "told")
            numbers = [[one.count(kind) for kind in kinds] for one in found]
            several = [[one.of(kind) for kind in kinds] for one in found]
            entries = [one.entries for one in found]
        for figure, number, parts, all_ in zip(figures, numbers, several, entries, strict=True):
            measured = [e for e in all_ if e.kind in ("reading", *COMPACTIONS)]
            shares = [e.tokens / e.point for e in measured if e.tokens and e.point]
            ends = (all_[0].at, all_[-1].at) if all_ else (0, 0)
            assert figure == (*ends, max(shares, default=None))
            assert parts == [[e for e in all_ if e.kind == kind] for kind in kinds]
            assert number == list(map(len, parts))


@given(LINES)
@examples(10, sample=2)
def test_since_a_time_there_are_the_entries_since_then(lines: list[str]) -> None:
    """Entries before that time are left out, compactions too; the others stay."""
    with tempfile.TemporaryDirectory() as top:
        add(Path(top) / "shop-00000000", ["a 08:00 prompt x", *lines])
        add(Path(top) / "mill-00000000", ["a 08:00 compact auto", "a 08:00 start compact"])
        found = found_in(top)[0]
        times = sorted(entry.at for session in found for entry in session.entries)
        start = times[len(times) // 2]
        with closing(History(top)) as history:
            since = facts(session_timelines(history, iso(start)))
        assert since == [fact for fact in facts(found) if fact[1] >= start]


@pytest.mark.parametrize(("since", "listed"), [("", ["a", "b"]), ("2026-11-21T08:30:00Z", ["b"])])
def test_a_session_without_entries_is_a_session(
    tmp_path: Path, since: str, listed: list[str]
) -> None:
    """One that was opened and left is listed if it lasted until that time."""
    add(tmp_path / "shop-00000000", ["a 08:00 start", "b 08:00 start", "b 09:00 todos one"])
    with closing(History(str(tmp_path))) as history:
        assert [session.sid for session in session_timelines(history, since)] == listed


def facts(sessions: list[SessionTimeline]) -> list[tuple[str, int, str, int]]:
    """Return what does not depend on earlier entries: session, time, kind, and seq of each."""
    return sorted((one.sid, e.at, e.kind, e.seq) for one in sessions for e in one.entries)


def test_finished_stages_are_those_of_the_view(tmp_path: Path) -> None:
    """Their readings count as in the view, also in a session that /clear began."""
    lines = [
        "a 08:00 start", "a 08:01 reading 1000", "a 08:02 stage started sprint",
        "a 08:03 reading 5000", "a 08:04 reading 4000", "a 08:05 reading 6000",
        "b 08:06 start clear a", "b 08:07 reading 9000", "b 08:08 reading 9500",
        "b 08:09 stage finished sprint", "b 08:10 stage started audit",
    ]  # fmt: skip
    add(tmp_path / "shop-00000000", lines)
    fold = Fold([stage.PROJECTION]).feed(timeline("\n".join(lines)))
    (span,) = [each for each in fold.states["stage"].sessions["b"].spans if each.finished]
    assert found_in(str(tmp_path))[1] == [span]
    assert span.cost == 2500


def compacted(seq: int, tokens: int, point: int) -> TimelineEntry:
    """Return an automatic compaction as a team's tables give it; 0 is unknown."""
    return TimelineEntry(seq, "auto", tokens, point, str(point), seq)


@pytest.mark.parametrize(
    ("tokens", "point", "stated", "known"),
    [(150_000, FORMULA, 0, 150_000), (0, FORMULA, 0, FORMULA), (150_000, 0, 0, FORMULA),
     (150_000, FORMULA, FORMULA, FORMULA)],
)  # fmt: skip
def test_only_a_measured_compaction_corrects_the_threshold(
    tokens: int, point: int, stated: int, known: int
) -> None:
    """Three compactions of known tokens correct the formula, but not what Claude Code states."""
    session = SessionTimeline("shop", "s1", imported=False)
    session.compactions = [compacted(seq, tokens, point) for seq in range(1, 4)]
    session.thresholds = Thresholds(session.compactions, [stated])
    session.groups = [
        EntryGroup("reading", formula, "", False, 1, at, at, 90_000, [(at, at, 90_000)])
        for at, formula in ((2, FORMULA), (4, FORMULA), (5, 0))
    ]
    points = [entry.point for entry in session.of("reading")]
    assert points == [FORMULA, known, 0]
    assert len(session.measured) == 2 + 3 * bool(tokens and point)
    assert session.highest == max(90_000 / known, tokens / FORMULA if point else 0)


def test_hooks_give_readings_of_a_session_whose_transcript_has_more(tmp_path: Path) -> None:
    """Hooks installed halfway: prompts are the transcript's, readings and compactions the hooks'."""
    journals = Journals(str(tmp_path))
    journals.add([
        ("a 09:00 prompt one", "imported"), ("a 09:05 compact auto", "imported"),
        ("a 10:00 prompt two", "both"), ("a 10:01 reading 150000", "live"),
        ("a 10:01 usage one", "imported"),
        ("a 10:02 told info 150000", "live"), ("a 10:03 compact auto", "live"),
        ("a 10:03 start compact", "live"), ("a 10:03 compact auto", "imported"),
        ("a 10:04 compound", "live"),
    ])  # fmt: skip
    (session,) = found_in(journals.home)[0]
    assert not session.imported
    assert [(entry.kind, entry.seq, entry.imported) for entry in session.entries] == [
        ("prompt", 2, True), ("auto", 3, True), ("prompt", 4, True), ("reading", 3, False),
        ("told", 4, False), ("auto", 5, False), ("compound", 7, False),
    ]  # fmt: skip
    assert [(row["seq"], row["imported"]) for row in compaction_rows([session])] == [
        (3, True), (5, False),
    ]  # fmt: skip
