"""A session counts once, in every view and report, however hooks and an import share its events."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.scope import Scope
from cli.stats import reports
from cli.view.request import made
from journal.history.sessions import sessions_of
from journal.history.timeline import sessions_of as timeline_of
from journal.log.append import Writer
from projections.compactions import Compaction
from projections.session import Session, merge
from tests.projections.drawn import LINES
from tests.projections.timeline import fields_of
from tests.support.examples import examples


class Journal:
    """A project's journal with both of its logs."""

    def __init__(self, top: str) -> None:
        home = Path(top) / "home"
        project = Path(top) / "shop"
        (project / ".git").mkdir(parents=True)
        env = {"JOURNAL_HOME": str(home), "HOME": top, "JOURNAL_NOW": "2026-11-22T00:00:00.000Z"}
        self.scope = Scope(env, project=str(project), cwd=str(project))
        self.directory = Path(self.scope.directory)

    def add(self, lines: list[tuple[str, str]]) -> None:
        """Append each line to the log of the hooks, to the imported one, or to both."""
        with (
            Writer(str(self.directory), "2026-11-21T08:00:00.000Z", sync="none") as live,
            Writer(str(self.directory / "imported"), live.now, sync="none") as imported,
        ):
            for line, where in lines:
                if where != "imported":
                    live.append(fields_of(line))
                if where != "live":
                    imported.append({**fields_of(line), "imported": True})

    def view(self) -> dict[str, dict[str, Any]]:
        """`journal view sessions`, by session."""
        shown = made(self.scope, "sessions")[0]["sessions"]
        return {item["session"]: item for item in shown}

    def report(self) -> dict[str, dict[str, Any]]:
        """`journal stats sessions`, by session."""
        found = timeline_of("shop", str(self.directory))
        return {row["session"]: row for row in reports.sessions(found).data}

    def compactions(self) -> list[tuple[str, int]]:
        """`journal stats compactions`: session and seq are those of the records."""
        found = timeline_of("shop", str(self.directory))
        return sorted(row["seq"] for row in reports.compactions(found).data)


_WHERE = st.sampled_from(["live", "imported", "both"])
_SPLIT = LINES.flatmap(
    lambda lines: st.lists(_WHERE, min_size=len(lines), max_size=len(lines)).map(
        lambda where: list(zip(lines, where, strict=True))
    )
)


@given(_SPLIT)
@examples(60)
def test_view_and_report_count_the_same(lines: list[tuple[str, str]]) -> None:
    """For any split of a stream into hooks and import: the view, the reports and the records."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journal = Journal(top)
        journal.add(lines)
        recorded = sessions_of(str(journal.directory))
        view, report = journal.view(), journal.report()
        assert view.keys() == recorded.keys()
        for sid, item in recorded.items():
            session = item.session
            assert view[sid]["prompts"] == session.prompts
            assert view[sid]["compactions"] == session.compactions
            assert view[sid]["attempts"] == session.attempts
            row = report.get(sid, {"prompts": 0, "compactions": 0})
            assert (row["prompts"], row["compactions"]) == (session.prompts, session.compactions)
        records = [c for item in recorded.values() for c in item.session.compacted]
        assert journal.compactions() == sorted(c.seq for c in records if c.done)


@given(LINES)
@examples(30)
def test_what_was_imported_too_counts_once(lines: list[str]) -> None:
    """A journal of which every event was imported as well shows what it showed before."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journal = Journal(top)
        journal.add([(line, "live") for line in lines])
        before = journal.view(), journal.report()
        journal.add([(line, "imported") for line in lines])
        assert _counts(journal.view()) == _counts(before[0])
        assert journal.report() == before[1]


def _counts(view: dict[str, dict[str, Any]]) -> dict[str, list[Any]]:
    names = ("prompts", "turns", "tools", "failures", "subagents", "compactions", "attempts")
    return {sid: [item[name] for name in names] for sid, item in view.items()}


DONE = [Compaction(seq=4, done_seq=5)]
A = Session(started="2026-11-21T09:00", prompts=2, turns=2, tools=5, title="live", files=["a"])
B = Session(started="2026-11-21T08:00", prompts=3, turns=3, tools=9, model="m", files=["b"],
            title="imported", compacted=DONE, ended="2026-11-21T10:00")  # fmt: skip


@pytest.mark.parametrize("live, imported, prompts, compacted", [
    (A, B, 3, DONE), (B, A, 3, DONE), (A, A, 2, []), (A, None, 2, []), (None, B, 3, DONE),
], ids=["fuller-import", "fuller-hooks", "equal", "hooks-alone", "import-alone"])  # fmt: skip
def test_the_fuller_record_counts(
    live: Session | None, imported: Session | None, prompts: int, compacted: list[Compaction]
) -> None:
    """All counts come from one of the two logs, never from both."""
    session = merge(live, imported)
    assert session is not None
    assert (session.prompts, session.compacted) == (prompts, compacted)
    assert (session.tools, session.turns) == ((9, 3) if prompts == 3 else (5, 2))


def test_what_hooks_recorded_stands() -> None:
    """Title and end are the hooks'; what they did not see is filled in."""
    session = merge(A, B)
    assert session is not None
    assert (session.title, session.model, session.ended) == ("live", "m", "")
    assert session.started == "2026-11-21T08:00"
    assert session.files == ["a", "b"]
    assert merge(None, None) is None
