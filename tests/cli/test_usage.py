"""`journal usage`: what it prints at a terminal, in a pipe, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import itertools
import json

import pytest

from journal.text import width
from tests.journal.history.usage.test_report import MODEL, compacted, reply
from tests.support.examples import part
from tests.support.journals import SID, journals, workspace

__all__ = ["journals", "workspace"]

DAYS = ("2026-11-17T22:30:00.000Z", "2026-11-20T12:00:00.000Z", "2026-11-21T10:30:00.000Z")


@pytest.fixture
def spent(journals):
    """A project with replies on three days, one by a model without a price, and a compaction."""
    title = {"type": "session.titled", "title": '=HYPERLINK("x")', "source": "custom"}
    journals.write(
        [{"type": "session.started", "source": "startup", "ts": DAYS[0]}, title,
         reply(1, 1000, 2000, 3000, 4_000_000, ts=DAYS[0], branch="main"),
         reply(2, 10, 20, 30, 40, ts=DAYS[1], model="new-model"),
         compacted(9, ts=DAYS[1]), reply(3, 0, 0, 1_000_000, ts=DAYS[2])],
        side="imported",
    )  # fmt: skip
    return journals


def test_the_table(spent):
    """Empty days are shown; an unknown price is a question mark, with an explanation."""
    result = spent.workspace.journal("usage", "--all", JOURNAL_NOW="2026-11-21T12:00:00.000Z")
    assert result.code == 0, result.err
    assert result.out.splitlines() == [
        "Tokens and cost of all projects, by day; times are UTC",
        "",
        "DAY         REPLIES  INPUT  OUTPUT  C.WRITE  C.READ       COST  COMPACTION",
        "2026-11-17        1     1k      2k       3k    4.0M      $2.07           -",
        "2026-11-18        -      -       -        -       -          -           -",
        "2026-11-19        -      -       -        -       -          -           -",
        "2026-11-20        1     10      20       30      40          ?           -",
        "2026-11-21        1      0       0     1.0M       0      $6.25       $6.25",
        "total             3     1k      2k     1.0M    4.0M  $8.32 + ?   $6.25 + ?",
        "",
        "No price is known for new-model (1 reply); ? marks the missing cost. You can add",
        "prices in prices.json in the journal home (docs/usage.md).",
        "COMPACTION is the part of COST that 1 compaction caused: the context is written",
        "again after each, and files are read again.",
        "The cost of 1 summary request is unknown, because the transcripts do not contain",
        "it.",
        "Costs are API list prices (genai-prices 0.2.3, 2026-11-22); a subscription is",
        "billed differently.",
    ]


@pytest.mark.parametrize(("counted", "is_low"), [(9, True), (300, False)])
def test_counts_of_only_the_beginning_are_named(journals, counted, is_low):
    """If many replies have the count of their first tokens, output and cost are said to be low."""
    journals.write([reply(at, 10, counted, 30, 40) for at in range(20)])
    found = journals.workspace.journal("usage", "--all", COLUMNS="200").out
    note = "OUTPUT and COST are too low: of 20 of 20 replies, the transcripts contain only"
    assert (note in found) == is_low
    assert (note in journals.workspace.journal("stats", "usage", "--all").out) == is_low


def test_a_pipe_is_not_cut(spent):
    """Without a terminal every figure is complete, however wide the line."""
    result = spent.workspace.journal("usage", "--all", "--by", "session,model", COLUMNS="")
    assert '5e5510a0 =HYPERLINK("x")  claude-opus-4-5-20251101' in result.out
    assert "1,003,000" in result.out


def test_a_narrow_terminal_shows_where_a_title_begins(spent):
    """Wherever sessions stand among the groups, a long title loses its end, not its beginning."""
    for by in ("session,model", "model,session"):
        result = spent.workspace.journal("usage", "--all", "--by", by, COLUMNS="72")
        assert "5e5510a0 =HY" in result.out


BY = ("day", "session", "day,project,branch,model", "block")


@pytest.mark.parametrize(("columns", "by"), part(itertools.product((20, 40, 60, 100), BY), 5))
def test_any_width(by, columns, spent):
    """No line is wider than the terminal; rows that would be become records."""
    result = spent.workspace.journal("usage", "--all", "--by", by, COLUMNS=str(columns))
    assert [line for line in result.out.splitlines() if width(line) > columns] == []
    assert "total" in result.out


def test_json_is_exact_and_utc(spent, in_zone):
    """JSON has every figure, the bounds of a local day in UTC, and null for an unknown cost."""
    in_zone("Europe/Berlin")
    data = spent.workspace.journal("usage", "--all", "--json", TZ="Europe/Berlin").data
    assert (data["zone"], data["by"], data["project"]) == ("CET (UTC+01:00)", ["day"], None)
    assert list(data) == ["by", "zone", "project", "since", "until", "prices", "rows", "total"]
    first, second, third = data["rows"]
    assert (first["day"], first["start"]) == ("2026-11-17", "2026-11-16T23:00:00.000Z")
    assert (second["cost_usd"], second["unpriced"]) == (None, {"new-model": 1})
    assert (third["compactions"], third["compaction_cost_usd"]) == (1, 6.25)
    assert data["total"]["total_tokens"] == 1000 + 2000 + 3000 + 4_000_000 + 100 + 1_000_000


def test_a_local_day(spent, in_zone):
    """An evening in London is the next day in Kathmandu; the zone is named once."""
    in_zone("Asia/Kathmandu")
    out = spent.workspace.journal("usage", "--all", TZ="Asia/Kathmandu").out
    assert "times are UTC+05:45" in out.splitlines()[0]
    assert out.splitlines()[3].startswith("2026-11-18        1 ")


def test_csv_has_no_formula(spent):
    """A title a spreadsheet would run starts with a quotation mark; an unknown value is empty."""
    out = spent.workspace.journal("usage", "--all", "--by", "session", "--csv").out
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["session"], row["title"], row["replies"]) == (SID, '\'=HYPERLINK("x")', "3")
    out = spent.workspace.journal("usage", "--all", "--by", "model", "--csv").out
    costs = {row["model"]: row["cost_usd"] for row in csv.DictReader(io.StringIO(out))}
    assert costs == {MODEL: "8.32375", "new-model": ""}


@pytest.mark.parametrize("words,what", [
    (("--by", "hour"), "unknown group hour one of: day, week, month, block"),
    (("--by", "day,week"), "--by: more than one period"),
    (("--csv", "--json"), "--csv and --json cannot be combined"),
    (("--since", "12"), "12 is a sequence number"),
    (("--until", "soon"), "'soon' is not a time"),
])  # fmt: skip
def test_wrong_usage(words, what, spent):
    """An invalid grouping or bound is refused, with the valid ones."""
    result = spent.workspace.journal("usage", "--all", *words)
    assert (result.code, what in " ".join(result.err.split())) == (2, True), result.err


def test_nothing_yet(workspace):
    """Without replies it says so and what to try; transcripts that it reads need no import."""
    result = workspace.journal("usage")
    assert result.code == 0
    assert "No replies of Claude are recorded yet." in result.out
    assert "projects: journal import PATH." in result.out
    assert "Past sessions" not in result.out
    assert "Past sessions: journal import." in workspace.journal("usage", "--no-import").out
    assert workspace.journal("usage", "--json").data["rows"] == []


def test_nothing_then(spent):
    """Without replies in the named time it says so; it does not say that none are recorded."""
    out = spent.workspace.journal("usage", "--all", "--until", "2001-01-01").out
    assert "No replies in this period. Without --since and --until" in out
    assert "journal import" not in out


def test_one_project(spent):
    """A named project shows its own replies alone."""
    spent.write([reply(1, 7)], "mall-00000002", "imported")
    data = spent.workspace.journal("usage", "--project", "mall-00000002", "--json").data
    assert (data["project"], data["total"]["input_tokens"]) == ("mall-00000002", 7)


def test_sql_has_the_same_cost(spent):
    """`usage.cost_usd` adds up to the command's cost; without a price it is NULL, never zero."""
    said = json.loads(spent.workspace.journal("usage", "--all", "--json").out)
    (row,) = spent.sql("select sum(cost_usd) cost, count(*) - count(cost_usd) unpriced from usage")
    assert row["cost"] == pytest.approx(said["total"]["cost_usd"], abs=1e-6)
    assert row["unpriced"] == 1
    assert said["total"]["cost_usd"] > 8


def test_stats_has_the_same_cost(spent):
    """The report `usage` has the figures of the command, by day, model and session."""
    said = json.loads(spent.workspace.journal("usage", "--all", "--json").out)
    report = json.loads(spent.workspace.journal("stats", "usage", "--all", "--json").out)
    assert report["day"] == said["rows"]
    assert [row["model"] for row in report["model"]] == ["claude-opus-4-5-20251101", "new-model"]
    text = spent.workspace.journal("stats", "usage", "--all").out
    assert "$8.32 + ? at list prices, $6.25 + ? of it for compactions" in " ".join(text.split())
    assert "no known price for new-model" in text


def test_a_report_by_project_names_the_other_ones(spent, tmp_path):
    """Of one project alone, it says how to see the others, where there are some."""
    words = ("usage", "--by", "project")
    only = ("--project", "shop-00000001")
    for project in ("shop", "till"):
        out = spent.workspace.journal(*words, *only).out
        assert ("Other projects: journal usage --all." in out) is (project == "till")
        (tmp_path / "till").mkdir(exist_ok=True)
        spent.workspace.journal("note", "x", cwd=tmp_path / "till")
    assert "Other projects" not in spent.workspace.journal(*words, "--all").out


def test_only_the_block_of_the_present_is_active(workspace):
    """A block is active from its start to its end: a reply of a wrong clock makes no other one."""
    folder = workspace.top / "claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    for number, at in enumerate(("2026-11-21T09:10", "2026-11-21T03:00", "2027-03-19T10:00")):
        line = {
            "type": "assistant", "uuid": f"u{number}", "sessionId": SID, "timestamp": f"{at}:00.000Z",
            "cwd": str(workspace.project), "requestId": f"r{number}",
            "message": {"id": f"m{number}", "model": MODEL, "role": "assistant", "content": [],
                        "usage": {"input_tokens": 1, "output_tokens": 1}},
        }  # fmt: skip
        (folder / f"{number}.jsonl").write_text(json.dumps(line) + "\n")
    rows = workspace.journal("usage", "--all", "--by", "block", "--json").data["rows"]
    assert [row["active"] for row in rows] == [False, True, False]
