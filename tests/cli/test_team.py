"""`journal team`: one journal and the tables exported from it give the same reports."""

from __future__ import annotations

import json
import shutil

import pytest

from journal.history.team import columns, read, store
from tests.cli.conftest import workspace
from tests.journal.history.team.conftest import journals, team
from tests.journal.history.team.test_push import MORE
from tests.journal.history.test_hook_calls import CALLS, NO_CALLS

__all__ = ["journals", "team", "workspace"]

pytestmark = pytest.mark.team

LINE = {"type": "usage.recorded", "model": "claude-sonnet-4-5", "input_tokens": 10, "output_tokens": 7,
        "cache_creation_input_tokens": 900, "cache_read_input_tokens": 50_000}  # fmt: skip
STREAM = [
    {"type": "session.started", "source": "startup", "model": "claude-sonnet-4-5", "us": 41_000},
    {"type": "prompt.submitted", "text": "go", "origin": "human", "size": 2, "prompt": "p1"},
    {"type": "pressure.sampled", "tokens": 130_000, "point": 160_000, "used": 65.0, "source": "transcript"},
    {"type": "advice.given", "what": "pressure", "level": "info", "tokens": 130_000, "point": 160_000,
     "hook": "UserPromptSubmit", "channel": "context", "characters": 80},
    {"type": "compound.ran", "promoted": 1},
    {"type": "turn.ended"},
    {"type": "compact.started", "trigger": "auto", "tokens": 158_000, "point": 160_000},
    {"type": "compact.finished", "summary": "All.", "size": 4, "trigger": "auto"},
    {"type": "stage.started", "cycle": "c", "stage": "sprint", "remaining": 90.0},
    {"type": "stage.finished", "cycle": "c", "stage": "sprint", "remaining": 55.0},
    {"type": "tool.finished", "tool": "Read", "us": 9_000, "short": True},
    {"type": "tool.finished", "tool": "Read", "us": 19_000},
    {"type": "session.ended", "reason": "other"},
]  # fmt: skip


@pytest.fixture
def both(team):
    """A journal with hooks and imports of two projects, and its export."""
    team.journals.write(STREAM, "shop-00000001")
    replies = [LINE | {"message": f"m{n}", "key": f"usage:m{n}", "request": "r"} for n in range(5)]
    team.journals.write(
        [*STREAM[:2], *replies[:2], *STREAM[6:8], *replies[2:]], "shop-00000001", "imported"
    )
    other = [event | {"sid": "77777777-0000-4000-8000-000000000001"} for event in MORE]
    team.journals.write(
        [*other, {**LINE, "message": "x", "sid": other[0]["sid"]}], "till-00000002", "imported"
    )
    team.export("--redact", "none")
    return team


def ask(both, *words: str):
    """Run a command and return its JSON."""
    result = both.journals.workspace.journal(*words, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out)


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


def test_only_calls_of_hooks_count(team):
    """What no hook call recorded counts here and for the team as none: each figure is the same."""
    team.journals.write([*NO_CALLS, *({"type": kind, "us": 7} for kind in CALLS)], "shop-00000001")
    team.export()
    here = ask(team, "stats", "hooks", "--all-projects")
    assert sum(row["calls"] for row in here["hooks"]) == len(CALLS)
    assert here == ask(team, "team", "hooks", "--at", str(team.there))


def test_versions_share_tables(team, monkeypatch):
    """Versions with fewer columns create, read, extend and replace the tables of a newer one."""
    real = columns.team_columns

    def older(table: str) -> list[tuple[str, str]]:
        return [item for item in real(table) if item[0] not in ("hook_call", "tokens")]

    def use(version) -> None:
        for module in (columns, read, store):
            monkeypatch.setattr(module, "team_columns", version)

    def agree() -> None:
        for name in ("hooks", "compactions"):
            here = ask(team, "stats", name, "--all-projects")
            assert here == ask(team, "team", name, "--at", str(team.there)), name

    use(older)
    team.journals.write(STREAM, "shop-00000001")
    team.export()
    use(real)
    agree()  # an older version's tables
    assert ask(team, "team", "sessions", "--at", str(team.there))
    ended = [*NO_CALLS, {"type": "turn.ended", "us": 9}]
    team.journals.write([*STREAM, *ended], "shop-00000001")
    team.export()
    agree()  # rows of both versions
    use(older)
    team.export("--compact")
    team.journals.write([*STREAM, *ended, {"type": "turn.ended"}], "shop-00000001")
    assert team.export()["rows"]["events"] == 1
    use(real)
    agree()  # the older version's after the newer one's
    changed = [*STREAM[:-1], {"type": "session.ended", "reason": "clear"}, *ended]
    team.journals.write([*changed, {"type": "turn.ended"}], "shop-00000001")
    assert team.export()["replaced"] == ["shop-00000001"]
    agree()


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
