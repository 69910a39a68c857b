"""A session has the same title on every surface, however hooks and an import share its events."""

from __future__ import annotations

import tempfile

from hypothesis import example, given
from hypothesis import strategies as st

from cli.view.context import build_view
from journal.history.search.index import Index
from journal.history.tables.database import History
from projections.digest import title_of
from tests.laws.surfaces import Journals
from tests.projections.drawn import LINES
from tests.support.examples import examples

LOGS = ("live", "imported", "both")


@given(LINES, st.lists(st.sampled_from(LOGS), min_size=1, max_size=9))
@example(["a 09:00 prompt go_on", "a 09:01 about summarized a"], ["imported", "live"])
@example(["a 09:00 titled T", "a 09:01 prompt x", "a 09:02 unit started"], ["live", "imported"])
@example(["a 09:00 titled T"], ["both"])
@examples(40)
def test_one_title(lines: list[str], logs: list[str]) -> None:
    """View, SQL, reports and the index, which lists, `show`, search and the page read, agree."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journals = Journals(top)
        journals.add([(line, logs[at % len(logs)]) for at, line in enumerate(lines)])
        (scope,) = journals.named().values()
        viewed = {
            item["session"]: item["title"] for item in build_view(scope, "sessions")["sessions"]
        }
        history, index = History(journals.home), Index(journals.home)
        try:
            index.update()
            (rows,) = history.query("select session, title from sessions")
            assert dict(rows.all()) == viewed
            shown = {sid: viewed[sid] or f"Session {sid} 2026-11-21" for sid in viewed}
            assert {item.sid: item.title for item in history.timelines()} == shown
            for past in index.sessions():
                sid = past.digest.sid
                if sid in viewed:
                    assert title_of(past.digest) == shown[sid]
        finally:
            history.close()
            index.close()
