"""A session has the same counts on every surface, however hooks and an import share its events."""

from __future__ import annotations

import tempfile
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cli.import_.command import run_import
from cli.scope import Scope
from journal.history import merged
from journal.history.merged import Timeline, by_time
from journal.history.replay.facts import sid_of
from journal.log.read import Reader
from journal.log.record import type_of, unframe
from tests.laws.surfaces import COUNTED, NOW, Journals, surfaces, triggers, view
from tests.projections.drawn import LINES
from tests.support.examples import examples, scaled
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.laws.surfaces import Counts

# These tables list the facts of both logs, so their sums equal a session's counts only if one of
# the two logs has all of the session, as a transcript or a complete recording does.
ROWS = ("sql turns", "sql tools", "export of turns", "export of tools")
LISTS = ("stats sessions", "sql sessions", "export of sessions", "the timeline")
# It also lists a session of which only a command recorded something, such as a decision.
LISTS_MORE = ("the API",)
BY_PROJECT = ("stats compactions", "the page's compactions")

# What only transcripts have.
NOT_OF_HOOKS = ("usage.recorded", "session.titled")

_WHERE = st.sampled_from(["live", "imported", "both"])


@st.composite
def _split(draw: st.DrawFn, *, whole: bool) -> list[tuple[str, str]]:
    """Draw a stream and the log of each line; with `whole` one log has all of each session."""
    lines = draw(LINES)
    sides: dict[str, str] = {}
    found = []
    for line in lines:
        where = draw(_WHERE)
        if whole:
            side = sides.setdefault(line.split()[0], draw(st.sampled_from(["live", "imported"])))
            where = side if where != "both" else "both"
        found.append((line, where))
    return found


def _disagreements(journals: Journals, *, rows: bool) -> list[str]:
    """Return each number in which a surface differs from the view.

    A row that is missing counts as zero, except in a surface that lists sessions.
    """
    expected = view(journals)
    found = []
    for surface, counted in surfaces(journals).items():
        if surface in ROWS and not rows:
            continue
        wanted = _of_projects(journals, expected) if surface in BY_PROJECT else expected
        names = sorted({name for numbers in counted.values() for name in numbers})
        for key in {**wanted, **counted}:
            if key not in counted and surface in LISTS + LISTS_MORE:
                found.append(f"{surface}: {key} is missing")
            if key not in wanted and surface in LISTS:
                found.append(f"the view: {key} is missing")
            have = {name: counted.get(key, {}).get(name, 0) for name in names}
            want = {name: wanted.get(key, {}).get(name, 0) for name in names}
            if have != want:
                found.append(f"{surface}: {key} has {have}, the view {want}")
    return found


def _of_projects(journals: Journals, counts: Counts) -> Counts:
    found: Counts = {(project, ""): dict.fromkeys(COUNTED, 0) for project in journals.named()}
    for (project, _sid), numbers in counts.items():
        for name, number in numbers.items():
            found[project, ""][name] += number
    return found


@pytest.mark.parametrize("whole", [False, True], ids=["any-split", "one-log-has-all"])
@given(st.data())
@examples(24, sample=1)
def test_every_surface_counts_the_same(whole: bool, data: st.DataObject) -> None:
    """All surfaces agree for any streams of two projects, and any split into hooks and import."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journals = Journals(top)
        for project in ("shop", "till"):
            journals.add(data.draw(_split(whole=whole)), project)
        assert _disagreements(journals, rows=whole) == []
        by_trigger = triggers(journals)
        assert by_trigger["stats"] == by_trigger["sql"]


def _imported(top: Path, seed: int) -> list[list[dict[str, Any]]]:
    """Return the events that an import builds from a corpus of transcripts, by project."""
    write(
        top / "claude",
        sessions=scaled(5, 4),
        entries=70,
        projects=scaled(2, 1),
        subagents=1,
        copies=0.5,
        seed=seed,
    )
    env = {"HOME": str(top), "JOURNAL_HOME": str(top / "all"), "JOURNAL_NOW": NOW}
    run_import(Scope({**env, "CLAUDE_CONFIG_DIR": str(top / "claude")}, cwd=str(top)), "", "")
    found = []
    for log in sorted((top / "all").glob("*/imported")):
        events = [unframe(line) for _, line in Reader(str(log))]
        found.append([event for event in events if event["type"] != "segment.opened"])
    return found


@pytest.mark.parametrize("seed", [3, pytest.param(8, marks=pytest.mark.long)])
def test_every_surface_counts_the_same_of_transcripts(tmp_path: Path, seed: int) -> None:
    """All surfaces agree on turns that end as real ones do, with each session in either log or both."""
    journals, random_ = Journals(str(tmp_path)), Random(seed)
    for number, events in enumerate(_imported(tmp_path, seed)):
        sides: dict[str, str] = {}
        split = []
        for event in events:
            of_hooks = {k: v for k, v in event.items() if k not in ("seq", "imported")}
            where = sides.setdefault(event["sid"], random_.choice(["live", "imported", "both"]))
            split.append((of_hooks, "imported" if event["type"] in NOT_OF_HOOKS else where))
        journals.append(split, f"shop{number}")
    assert sum(numbers["turns"] for numbers in view(journals).values()) > 0
    assert _disagreements(journals, rows=True) == []


SPLITS = {
    "a compaction that both saw, a tool call that only the transcript has": [
        ("c 09:00 done", "both"), ("c 09:00 tool Bash x by agent1", "imported"),
    ],
    "a failed turn that only the transcript has": [
        ("a 09:58 usage x", "live"), ("a 09:49 usage y", "both"),
        ("a 09:58 failed unknown", "imported"),
    ],
}  # fmt: skip


def test_a_split_that_was_counted_differently(tmp_path) -> None:
    """Splits found by the law above for which the timeline and the view once disagreed."""
    journals = Journals(str(tmp_path))
    for number, lines in enumerate(SPLITS.values()):
        journals.add(lines, first=100 * number)
    assert _disagreements(journals, rows=False) == []


def _is_in_transcripts(line: str) -> bool:
    """Return whether transcripts have it, too: of compactions only what shows that they happened."""
    return line.split()[2] != "compact"


@given(LINES)
@examples(30)
def test_what_was_imported_too_counts_once(lines: list[str]) -> None:
    """If what transcripts have of it is imported as well, the counts stay the same."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journals = Journals(top)
        journals.add([(line, "live") for line in lines])
        before = view(journals)
        journals.add([(line, "imported") for line in lines if _is_in_transcripts(line)])
        assert view(journals) == before


CASES = {
    "a compaction whose PreCompact no hook saw": (
        "start / compact auto / done / 09:03 done / 09:04 summary s",
        "live", {"compactions": 2, "attempts": 2}),
    "an attempt that came to nothing": (
        "start / compact auto / prompt x", "live", {"compactions": 0, "attempts": 1, "prompts": 1}),
    "a second type with the same key": (
        "prompt x key k / stop key k / prompt x key k / tool Bash y key k",
        "live", {"prompts": 1, "turns": 1, "tools": 1}),
    "a hook call twice": (
        "tool Bash x key k / tool Bash x key k / fail Bash x key k", "live",
        {"tools": 2, "failures": 1}),
    "an import after hooks": (
        "start / prompt a / tool Edit x / stop / prompt b / stop / compact auto / done / fail Bash x",
        "both",
        {"prompts": 2, "turns": 2, "tools": 2, "failures": 1, "compactions": 1}),
    "a subagent's compaction": (
        "start / prompt a / compact auto by a1 / summary s by a1 / stop by a1 / tool Bash x by a1",
        "live", {"prompts": 1, "turns": 0, "tools": 1, "compactions": 0, "attempts": 0}),
    "an import alone": (
        "prompt a / tool Bash x / stop / compact manual / subagent started", "imported",
        {"prompts": 1, "turns": 1, "tools": 1, "subagents": 1, "compactions": 1, "attempts": 1}),
}  # fmt: skip
SIDS = "abcdefg"


def test_counts(tmp_path) -> None:
    """Cases that surfaces once counted differently, as sessions of projects with one log or both."""
    journals = Journals(str(tmp_path))
    for number, (sid, (text, where, _)) in enumerate(zip(SIDS, CASES.values(), strict=True)):
        steps = text.replace("key k", f"key {sid}").split(" / ")  # keys are unique in a project
        lines = [_timed(line, at, sid) for at, line in enumerate(steps)]
        journals.add([(line, where) for line in lines], where, 100 * number)
    counts = view(journals)
    assert len(counts) == len(CASES)
    for sid, (name, (_, where, expected)) in zip(SIDS, CASES.items(), strict=True):
        found = counts[journals.scope(where).project.name, sid]
        assert {item: found[item] for item in expected} == expected, name
    _check_what_one_of_the_logs_has_alone(journals)
    assert _disagreements(journals, rows=True) == []


def _timed(line: str, minute: int, sid: str = "a") -> str:
    return f"{sid} {line}" if line[:1].isdigit() else f"{sid} 09:{minute:02} {line}"


def _check_what_one_of_the_logs_has_alone(journals: Journals) -> None:
    """Add cases in which each log has a part: an attempt, a warning alone, a key twice."""
    # Only a hook sees a failed attempt; one that the transcript has as done is not counted again.
    journals.add([("h 09:00 compact auto", "live"), ("h 09:30 compact auto", "live")], "both", 800)
    imported = [("h 09:10 prompt x", "imported"), ("h 09:31 compact auto", "imported")]
    journals.add(imported, "both", 810)
    # If hooks recorded only a warning, the session has the counts of its transcript.
    told = [("i 09:00 told info 110000", "live"), ("i 09:05 compact manual", "imported")]
    journals.add(told, "both", 820)
    titled = [("j 09:00 titled x", "live"), ("j 09:05 subagent started", "imported")]
    journals.add(titled, "both", 830)
    # The tables leave out what the fold ignores, in the imported log as in the live one.
    lines = ["k 09:17 fail Bash x key k0 by agent1", "k 09:19 fail Bash cart.py key k0"]
    journals.add([(line, "both") for line in lines], "both", 840)
    found = view(journals)
    project = journals.scope("both").project.name
    counts = found[project, "h"]
    assert (counts["prompts"], counts["compactions"], counts["attempts"]) == (1, 1, 2)
    assert found[project, "i"]["compactions"] == 1


@given(st.data())
@examples(40)
def test_the_timeline(data: st.DataObject) -> None:
    """Each event is listed once, ordered by time, live before imported, each log in its own order."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journals = Journals(top)
        journals.add(data.draw(_split(whole=data.draw(st.booleans()))))
        (scope,) = journals.named().values()
        entries = list(Timeline(scope.directory).entries())
        assert entries == list(Timeline(scope.directory).entries())
        cites = [str(entry.cite) for entry in entries]
        assert len(set(cites)) == len(cites)
        assert entries == sorted(entries, key=by_time)
        live = [entry.seq for entry in entries if entry.side == "live"]
        assert live == sorted(live)
        chained: dict[str, list[int]] = {}
        for entry in entries:
            if entry.side == "imported":
                chained.setdefault(sid_of(entry.line), []).append(entry.seq)
        assert all(seqs == sorted(seqs) for seqs in chained.values())


@given(LINES)
@example(["a 09:00 task 0 pending key k1", "b 09:00 todos one key k1"])
@examples(30)
def test_what_was_imported_too_is_in_the_timeline_once(lines: list[str]) -> None:
    """Events in both logs are listed once, as the hooks recorded them."""
    # Keys are unique in a project: a session whose only fact repeats another's does not exist.
    lines = [line.replace(" key k", f" key {line.split()[0]}") for line in lines]
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journals = Journals(top)
        journals.add([(line, "live") for line in lines])
        (scope,) = journals.named().values()
        alone = [entry.seq for entry in Timeline(scope.directory).entries()]
        journals.add([(line, "imported") for line in lines if _is_in_transcripts(line)])
        entries = list(Timeline(scope.directory).entries())
        assert [entry.seq for entry in entries if entry.side == "live"] == alone
        counted = {"prompt.submitted", "turn.ended", "tool.finished", "compact.finished"}
        assert not [
            entry
            for entry in entries
            if entry.side == "imported" and sid_of(entry.line) and type_of(entry.line) in counted
        ]


def test_more_than_is_sorted_at_a_time(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorting through temporary files gives the same entries in the same order."""
    journals = Journals(str(tmp_path))
    journals.add([(_timed(f"tool Bash x{at}", at * 7 % 60), "imported") for at in range(60)])
    (scope,) = journals.named().values()
    whole = list(Timeline(scope.directory).entries())
    monkeypatch.setattr(merged, "_MEMORY", 500)
    assert list(Timeline(scope.directory).entries()) == whole
