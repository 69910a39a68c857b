"""`journal team`: one journal and the tables exported from it give the same reports."""

from __future__ import annotations

import json
import re
import shutil

import duckdb
import pytest

from tests.cli.conftest import workspace
from tests.journal.history.team.conftest import STREAM, ask, both, journals, team
from tests.journal.history.test_hook_calls import CALLS, NO_CALLS

__all__ = ["both", "journals", "team", "workspace"]

pytestmark = pytest.mark.team


def test_the_same_reports(both):
    """Compactions, heeded warnings, sessions, stages, tokens and cost agree to the last token."""
    at = ("--at", str(both.there))
    for name in ("pressure", "hooks"):
        here, there = ask(both, "stats", name, "--all-projects"), ask(both, "team", name, *at)
        assert here
        assert here == there, name
    for name in ("compactions", "advice", "sessions", "stages"):
        here, there = ask(both, "stats", name, "--all-projects"), ask(both, "team", name, *at)
        assert name != "sessions" or any(row["title"] for row in there)  # exported with texts
        for row in (*here, *there):  # the table has more titles, and no tokens per stage
            row.pop("title", None)
            if name == "stages":
                row.pop("tokens", None)
        assert here, name
        assert sorted(map(str, here)) == sorted(map(str, there)), name
    for by in ("project", "model", "day", "day,branch"):
        here = ask(both, "usage", "--all-projects", "--by", by)
        assert here["rows"] == ask(both, "team", "usage", *at, "--by", by)["rows"], by
        assert (here["total"]["replies"], here["total"]["compactions"]) == (7, 3)


def test_names_without_rows(both):
    """A filter that nothing passes asks for no import, and a name to forget is said to be unknown."""
    at = str(both.there)
    shown = both.journals.workspace.journal("team", "--at", at, "--repo", "github.com/no/one").out
    assert "no session here" in shown
    assert "yet; to" not in shown
    words = ("export", "--to", at, "--forget", "project:shop", "--dry-run")
    assert "no row of project shop" in both.journals.workspace.journal(*words).err


def test_only_calls_of_hooks_count(team):
    """What no hook call recorded counts here and for the team as none: each figure is the same."""
    team.journals.write([*NO_CALLS, *({"type": kind, "us": 7} for kind in CALLS)], "shop-00000001")
    team.export()
    here = ask(team, "stats", "hooks", "--all-projects")
    assert sum(row["calls"] for row in here["hooks"]) == len(CALLS)
    assert here == ask(team, "team", "hooks", "--at", str(team.there))


def test_a_repository_is_a_project(both):
    """Rows are named by the repository; --repo and --person narrow; text has the same."""
    for name in ("shop-00000001", "till-00000002"):
        (both.journals.home / name / "repo").write_text("github.com/shop/cart")
    both.journals.write([*STREAM, {"type": "turn.ended"}], "shop-00000001")
    both.export()
    at = ("--at", str(both.there))
    (only,) = ask(both, "team", "sessions", *at, "--repo", "github.com/shop/cart")
    assert only["project"] == "github.com/shop/cart"
    assert ask(both, "team", "sessions", *at, "--person", "nobody") == []
    assert "github.com/shop/cart" in both.journals.workspace.journal("team", "compactions", *at).out


def test_short_names_are_those_of_the_team(both):
    """A project's name is short where no other one of the tables has it, whatever this home has."""
    journal, at = both.journals.workspace.journal, ("--at", str(both.there))
    names = {row["project"] for row in ask(both, "team", "sessions", *at)}
    assert names == {"shop-00000001", "till-00000002"}
    for digest in ("00000003", "00000004"):
        both.journals.write(STREAM, f"till-{digest}")
    both.journals.write([*STREAM, {"type": "turn.ended"}], "shop-00000009")
    both.export("--project", "shop-00000009")
    for words in (["team", "sessions"], ["team", "usage"]):
        printed = journal(*words, *at, COLUMNS="200").out
        assert "till " in printed, words
        assert "shop-00000001" in printed, words


def test_reports_at_full_hold_no_text(both):
    """An export with `full` is enough for every report, and no report has a text or a path."""
    shutil.rmtree(both.there)
    both.journals.write([*STREAM, {"type": "tool.failed", "tool": "Edit", "target": "/home/ann/x.py"},
                      {"type": "prompt.submitted", "text": "plan B", "origin": "human", "size": 6}],
                     "shop-00000001")  # fmt: skip
    both.export()
    at = ("--at", str(both.there))
    assert ask(both, "team", *at)["pressure"]["moments"]
    here, there = ask(both, "stats", "hooks", "--all-projects"), ask(both, "team", "hooks", *at)
    assert here == there
    for words in (at, (*at, "--json")):
        printed = both.journals.workspace.journal("team", *words).out
        assert printed
        assert not any(text in printed for text in ("/home/ann", "plan B", "All."))


def test_faults(team):
    """An unknown report exits with 2; missing tables with 3 and the command that makes them."""
    journal = team.journals.workspace.journal
    assert journal("team", "weather", "--at", str(team.there)).code == 2
    missing = journal("team", "--at", str(team.there))
    assert (missing.code, "journal export --to" in missing.err) == (3, True)


def _add(team, table: str, change: str) -> None:
    """Add the rows of a table's largest file again as another program would, with a change."""
    log = team.there / table / "_delta_log"
    lines = [json.loads(x) for path in log.glob("*.json") for x in path.read_text().splitlines()]
    adds = (line["add"] for line in lines if "add" in line)
    first = max(adds, key=lambda add: add["size"])  # one of an imported log has no hook calls
    path = team.there / table / first["path"]
    other = path.with_name("other.parquet")
    duckdb.sql(f"copy (select * replace ({change}) from '{path}') to '{other}'")
    made = {
        **first,
        "path": str(other.relative_to(team.there / table)),
        "size": other.stat().st_size,
    }
    made.pop("stats", None)
    (log / f"{len(list(log.glob('*.json'))):020}.json").write_text(json.dumps({"add": made}) + "\n")


@pytest.mark.parametrize(
    ("table", "change", "report"),
    [("usage", "9223372036854775807::bigint as input_tokens", "usage"),
     ("usage", "null::bigint as output_tokens", "usage"),
     ("events", "9223372036854775807::bigint as us", "hooks"),
     ("sessions", "null::varchar as project", "sessions"),
     ("pressure", "'290000-01-01'::timestamptz as ts", "pressure")],
)  # fmt: skip
def test_rows_that_no_journal_wrote(both, table, change, report):
    """They are left out, and counted on stderr with exit code 1; the others count as before."""
    words = ("team", report, "--at", str(both.there))
    before = ask(both, *words)
    _add(both, table, change)
    result = both.journals.workspace.journal(*words, "--json")
    assert (result.code, json.loads(result.out)) == (1, before)
    assert re.search(r"left out \d+ rows? that no journal wrote", result.err)


@pytest.mark.parametrize("name", ["", "hooks"])
def test_groups_are_of_one_report(workspace, name):
    """A report that has no groups refuses them, before it opens the tables."""
    result = workspace.journal("team", *filter(None, [name]), "--at", "none", "--by", "day")
    assert result.code == 2
    assert "--by is for the usage report" in result.err
