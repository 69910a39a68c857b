"""The text of `journal status`, from its data."""

from __future__ import annotations

import copy

import pytest

from cli.scope import Scope
from cli.status import collect
from cli.status_text import brief, lines
from cli.view.sessions import facts_of
from projections.session import Session
from tests.cli.conftest import AFTER


@pytest.fixture
def scope(played):
    """Return the scope of a command in the recorded session's project."""
    return Scope({**played.env, "COLUMNS": "400", "JOURNAL_NOW": AFTER}, cwd=str(played.project))


@pytest.fixture
def data(scope):
    """Return the data of the status."""
    return collect(scope)


def rows(found) -> dict[str, str]:
    """Return the first row of each label."""
    shown: dict[str, str] = {}
    for line in found:
        if line[:1].strip():
            shown.setdefault(line[:12].strip(), line[12:])
    return shown


def test_each_part_has_its_row(data, scope):
    """The whole status has a row for each part; the brief form only what matters now."""
    assert {"project", "journal", "events", "pressure", "levels", "work log", "compound",
            "learnings", "compaction", "sessions", "client", "status line", "config"} <= set(
        rows(lines(data, scope))
    )  # fmt: skip
    assert "client" not in rows(brief(data, scope))


SHOWN = {**facts_of("a", Session()), "compactions": 2}
SESSIONS = {"known": 2, "open": ["b"], "shown": [], "compactions": 3}
CHANGES = {
    "damage": ({"damage": ["active.jsonl:3: a blank line"]}, "findings",
               "damaged: active.jsonl:3: a blank line; run: journal verify"),
    "a torn end": ({"findings": {"torn": 1}}, "findings", "1 torn; nothing is lost"),
    "types of later": ({"unknown_types": {"of.later": 2}}, "unknown",
                       "events that this version does not know: 2 of.later"),
    "no session": ({"pressure": {}}, "pressure", "unknown: no session yet"),
    "no compaction": (
        {"compactions": {}, "sessions": SESSIONS}, "compaction",
        "none in open sessions; 3 in all: journal stats compactions"),
    "compactions of transcripts": (
        {"compactions": {}, "sessions": {**SESSIONS, "open": [], "shown": [SHOWN]}}, "compaction",
        "2 in the latest session; 3 in all: journal stats compactions"),
    "no compaction at all": (
        {"compactions": {}, "sessions": {**SESSIONS, "compactions": 0}}, "compaction", "none"),
    "a finished stage": (
        {"work": {"a": {"stage": {"cycle": "c1", "stage": "sprint", "status": "open", "open": False, "finished": True}}}},
        "work", "a: stage sprint of c1 finished"),
    "no learnings": ({"learnings": None}, "learnings", "none (no learnings file)"),
    "soon deleted": ({"losses": {"sessions": 2, "first": "2026-12-01T00:00:00.000Z", "days": 30}},
                     "transcripts",
                     "2 sessions would lose text that is stored nowhere: Claude Code deletes transcripts after 30 days, the next on 2026-12-01. Run: journal import"),
}  # fmt: skip


@pytest.mark.parametrize("change, label, text", CHANGES.values(), ids=CHANGES)
def test_what_a_row_says(change, label, text, data, scope):
    """Each state of a part has its words."""
    changed = {**copy.copy(data), **change}
    assert rows(lines(changed, scope))[label] == text


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_no_line_is_wider_than_the_terminal(columns, data, scope):
    """Rows are wrapped below their beginning; only the path of the journal stays whole."""
    scope.columns = columns
    for line in lines(data, scope):
        assert len(line) <= columns or line.startswith("journal  "), line
