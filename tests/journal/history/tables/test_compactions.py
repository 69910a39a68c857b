"""One row per compaction, whichever of its events were recorded."""

from __future__ import annotations

import shutil
from collections import defaultdict

import pytest

from journal.history.replay import run
from journal.history.tables import logs
from journal.history.tables.views import LOST
from journal.log.read import Reader

STARTED = {"type": "compact.started", "trigger": "auto", "tokens": 168_000, "point": 167_000,
           "unpromoted": 3}  # fmt: skip
FORK = {"type": "compact.summarized", "summary": "early", "size": 5}
AGAIN = {"type": "session.started", "source": "compact", "context_tokens": 21_000}
FINISHED = {
    "type": "compact.finished",
    "trigger": "auto",
    "summary": "Worked on cart.py.",
    "size": 18,
}
WARNED = {"type": "advice.given", "what": "pressure", "level": "info", "tokens": 120_000,
          "point": 167_000}  # fmt: skip
BEGUN = {"type": "session.started", "source": "startup"}
PROMPT = {"type": "prompt.submitted", "origin": "human", "text": "go on"}
COMPOUND = {"type": "compound.ran", "promoted": 1}
WHOLE = [STARTED, FORK, AGAIN, FINISHED]
ORDER = "from compactions order by imported, seq"


def test_a_whole_one(journals):
    """Start, summary, new start and finish make one row, with the facts before and after."""
    journals.write([
        {"type": "session.started", "source": "startup"}, WARNED, PROMPT, PROMPT, *WHOLE,
    ])  # fmt: skip
    (row,) = journals.sql(ORDER)
    assert row["done"] is True
    assert (row["tokens_before"], row["tokens_after"]) == (168_000, 21_000)
    assert (row["point"], row["point_from"], row["unpromoted"]) == (167_000, "formula", 3)
    assert (row["warned_level"], row["lead_seconds"], row["lead_turns"]) == ("info", 3.0, 2)
    assert (row["lead_tokens"], row["heeded"], row["summary_size"]) == (48_000, False, 18)
    assert row["lineage"] == row["session"]


CASES = {
    "no-start": ([AGAIN, FINISHED], [True]),
    "finished-alone": ([FINISHED], [True]),
    "start-alone": ([STARTED], [False]),
    "failed-then-done": ([STARTED, *WHOLE], [False, True]),
    "two": ([*WHOLE, *WHOLE], [True, True]),
    "two-without-starts": ([AGAIN, FINISHED, AGAIN, FINISHED], [True, True]),
    "finished-first": ([STARTED, FINISHED, AGAIN], [True]),
    "parts": ([STARTED, AGAIN, {**FINISHED, "part": 1, "parts": 2}, {**FINISHED, "part": 2, "parts": 2}],
              [True]),
    "subagent": ([{**STARTED, "agent": "a1"}], []),
}  # fmt: skip


def test_how_many(journals):
    """A compaction is one row whichever of its events exist, and so is a failed attempt."""
    for name, (events, _done) in CASES.items():
        journals.write(events, f"{name}-00000001")
    rows = by_project(journals)
    for name, (_events, done) in CASES.items():
        assert [row["done"] for row in rows[f"{name}-00000001"]] == done, name


def by_project(journals) -> dict[str, list[dict]]:
    """Return the rows of each project, read at once."""
    found = defaultdict(list)
    for row in journals.sql(ORDER):
        found[row["project"]].append(row)
    return found


HEED = {
    "none": ([], None),
    "ignored": ([WARNED], False),
    "compound": ([WARNED, COMPOUND], True),
    "compound-of-no-session": ([WARNED, {**COMPOUND, "sid": ""}], True),
    "compound-of-another": ([WARNED, {**COMPOUND, "sid": "other"}], False),
    "compound-before": ([COMPOUND, WARNED], False),
    "told-before-the-last-one": ([WARNED, COMPOUND, *WHOLE], None),
}


def test_heeded(journals):
    """A warning is heeded by a compound after it or a manual compaction; without one it is unknown."""
    for name, (before, _heeded) in HEED.items():
        journals.write([BEGUN, *before, *WHOLE], f"{name}-00000001")
    journals.write([BEGUN, WARNED, {**STARTED, "trigger": "manual"}, AGAIN], "manual-00000001")
    rows = by_project(journals)
    for name, (_before, heeded) in {**HEED, "manual": ([], True)}.items():
        last = rows[f"{name}-00000001"][-1]
        assert last["heeded"] is heeded, name
        assert (last["warned"] is None) == (heeded is None), name


def test_samples_stand_in(journals):
    """Tokens and T that the start does not have come from the readings around it."""
    sample = {"type": "pressure.sampled", "window": 200_000, "point": 160_000}
    journals.write([
        {**sample, "tokens": 150_000}, {**STARTED, "tokens": None, "point": 0}, FINISHED,
        {**sample, "tokens": 30_000},
    ])  # fmt: skip
    (row,) = journals.sql(ORDER)
    assert (row["tokens_before"], row["tokens_after"], row["point"]) == (150_000, 30_000, 160_000)


def test_a_point_that_claude_code_states(journals):
    """No compaction corrects the threshold that a session's readings have from Claude Code."""
    auto = [[{**STARTED, "tokens": tokens}, AGAIN] for tokens in (100, 300, 200, 400)]
    terms = [["compaction threshold", "167000", "Claude Code"]]
    sample = {"type": "pressure.sampled", "tokens": 100, "point": 167_000, "terms": terms}
    journals.write([BEGUN, sample, *(event for pair in auto for event in pair)])
    rows = journals.sql(ORDER)
    assert [(row["point"], row["point_from"]) for row in rows] == [(167_000, "Claude Code")] * 4


def test_the_observed_point(journals):
    """After three automatic compactions T is their median, and the row says so."""
    auto = [[{**STARTED, "tokens": tokens}, AGAIN] for tokens in (100, 300, 200, 400)]
    journals.write([event for pair in auto for event in pair])
    rows = journals.sql(ORDER)
    assert [row["point"] for row in rows] == [167_000] * 3 + [200]
    assert rows[3]["point_from"] == "observed (median of 3 automatic compactions)"


def test_a_compaction_of_an_idle_session_shows_no_threshold(journals):
    """Claude Code compacts an idle session long before T, so T stays; with a prompt since, it moves."""
    over = {"type": "turn.ended"}
    auto = [{**STARTED, "tokens": 100}, AGAIN]
    journals.write([over, *auto] * 4, "idle-00000001")
    journals.write(
        [over, {"type": "prompt.submitted", "text": "go on"}, *auto] * 4, "busy-00000001"
    )
    for name, last in (("idle", 167_000), ("busy", 100)):
        rows = journals.sql(ORDER, "--project", f"{name}-00000001")
        assert [row["point"] for row in rows] == [*[167_000] * 3, last], name


@pytest.mark.parametrize(
    "compacted",
    [
        WHOLE,
        [STARTED, {**FORK, "summary": "Worked on cart.py."}, AGAIN],
        [
            STARTED,
            AGAIN,
            {**FINISHED, "summary": "Worked on ca", "parts": 2},
            {**FINISHED, "summary": "rt.py.", "part": 2, "parts": 2},
        ],
    ],
    ids=["whole", "without-finish", "in-parts"],
)
def test_what_the_summary_dropped(journals, compacted):
    """The row lists changed files, decisions and open items that the summary omits."""

    def edit(path: str) -> dict:
        return {"type": "tool.finished", "tool": "Edit", "target": path, "changed": True}

    todo = {
        "type": "tool.finished",
        "tool": "TodoWrite",
        "items": [["1", "write the changelog", "pending"], ["2", "look around", "completed"]],
    }
    journals.write([
        edit("cart.py"), edit("src/till.py"), todo,
        {"type": "decision.recorded", "text": "Round half up per line"},
        compacted[0], {"type": "files.changed", "paths": ["cart.py", "out.txt"]}, *compacted[1:],
        edit("src/later.py"),
    ])  # fmt: skip
    (row,) = journals.sql(ORDER)
    assert row["dropped_paths"] == ["out.txt", "src/till.py"]
    assert row["dropped_decisions"] == ["Round half up per line"]
    assert row["dropped_items"] == ["write the changelog"]


def test_a_transcript_tells_it_again(journals):
    """For a session in both logs the fuller log counts; a compaction in both is the hooks' row."""
    late = "2026-11-21T18:00:00.000Z"
    told = [{**event, "imported": True} for event in (
        STARTED, FINISHED, {**STARTED, "ts": late}, {**FINISHED, "ts": late})]  # fmt: skip
    journals.write(WHOLE)
    journals.write(told[:2], side="imported")
    query = "select imported, ts from compactions order by ts"
    live = {"imported": False, "ts": "2026-11-21T10:00:01Z"}
    assert journals.sql(query) == [live]
    journals.write(told, side="imported")
    assert journals.sql(query) == [live, {"imported": True, "ts": "2026-11-21T18:00:00Z"}]
    assert journals.one("select compactions from sessions") == 2


def test_compactions_within_two_minutes_are_not_exchanged(journals):
    """Hooks that saw the later one of a transcript's two compactions do not replace the earlier."""
    late = "2026-11-21T10:01:00.000Z"
    journals.write([{**event, "ts": late} for event in WHOLE])
    journals.write([PROMPT, *(
        {**event, "imported": True, "ts": at}
        for at in ("2026-11-21T10:00:20.000Z", late) for event in (STARTED, FINISHED)
    )], side="imported")  # fmt: skip
    assert journals.sql("select imported, ts from compactions order by ts") == [
        {"imported": True, "ts": "2026-11-21T10:00:20Z"},
        {"imported": False, "ts": "2026-11-21T10:01:00Z"},
    ]


def test_the_first_query_reads_the_log_once(journals, monkeypatch):
    """One pass over a new log folds its sessions and writes its rows; the next query reads none."""
    monkeypatch.setattr(run, "SAVE_AFTER", 0)
    passes = []
    batches = Reader.batches

    def counted(reader):
        for batch in batches(reader):
            passes.append(batch[0][0])
            yield batch

    monkeypatch.setattr(Reader, "batches", counted)
    journals.write([BEGUN, PROMPT, *WHOLE])
    for _ in range(2):
        assert [row["done"] for row in journals.sql(ORDER)] == [True]
        assert passes == [1]


def test_one_pass_gives_the_rows_of_two(journals, monkeypatch):
    """Rows are the same if sessions were folded before, also with parts and with damage."""
    monkeypatch.setattr(logs, "_PART", 300)
    path = journals.write([BEGUN, PROMPT, *WHOLE, PROMPT, *WHOLE])
    for damage in (b"", b'{"seq":12,'):
        path.write_bytes(path.read_bytes() + damage)
        rows = []
        for first in ("from compactions limit 0", "from sessions limit 0"):
            shutil.rmtree(journals.home / "cache", ignore_errors=True)
            journals.sql(first)
            rows.append(journals.sql(ORDER))
        assert rows[0] == rows[1]
        assert [row["done"] for row in rows[0]] == [True, True]


def test_a_query_of_counts_reads_no_work(journals, monkeypatch):
    """A query without columns of the work writes no rows; one with them gives what `*` gives."""
    monkeypatch.setattr(run, "SAVE_AFTER", 0)
    journals.write([BEGUN, PROMPT, *WHOLE])
    assert journals.sql("select count(*) as n from compactions where done") == [{"n": 1}]
    assert not list(journals.home.rglob("work*.parquet"))
    whole = journals.sql(ORDER)[0]
    named = journals.sql("select done, columns('drop.+') from compactions")[0]
    assert named == {name: whole[name] for name in ("done", *LOST)}
