"""Sessions as rows: their lineage, and when they are over."""

from __future__ import annotations

from tests.support.journals import SID


def test_sessions_follow_their_lineage(journals):
    """`root` is the first session of the chain, over any number of links, also with cycles."""
    journals.write([
        {"type": "session.started", "sid": "a", "source": "startup", "model": "m"},
        {"type": "session.ended", "sid": "a", "reason": "clear"},
        {"type": "session.started", "sid": "b", "source": "clear", "previous": "a"},
        {"type": "session.started", "sid": "c", "source": "fork", "previous": "b"},
        {"type": "session.started", "sid": "x", "source": "fork", "previous": "y"},
        {"type": "session.started", "sid": "y", "source": "fork", "previous": "x"},
    ])  # fmt: skip
    rows = {row["session"]: row for row in journals.sql("from sessions")}
    assert {sid: row["root"] for sid, row in rows.items() if sid in "abc"} == dict.fromkeys(
        "abc", "a"
    )
    assert rows["c"]["parent"] == "b"
    assert rows["a"]["ended"] == "2026-11-21T10:00:02Z"
    assert (rows["a"]["reason"], rows["b"]["ended"]) == ("clear", None)
    assert set(rows) == {"a", "b", "c", "x", "y"}


def test_a_resumed_session_is_open_again(journals):
    """A start after an end opens the session again."""
    start = {"type": "session.started", "source": "resume"}
    journals.write([start, {"type": "session.ended", "reason": "exit"}])
    assert journals.one("select ended from sessions") == "2026-11-21T10:00:02Z"
    journals.write([start, {"type": "session.ended", "reason": "exit"}, start])
    assert journals.one("select ended from sessions") is None


OTHER = "5e5510a0-0000-4000-8000-000000000002"


def test_an_imported_session_is_over(journals):
    """An imported session ended with its last event, as inferred; a live one without an end is open."""
    prompt = {"type": "prompt.submitted", "prompt": "p", "origin": "human", "imported": True}
    journals.write([{"type": "session.started", "source": "startup", "imported": True}, prompt],
                side="imported")  # fmt: skip
    journals.write([{"type": "session.started", "sid": OTHER}, {**prompt, "sid": OTHER}])
    rows = {row["session"]: row for row in journals.sql("from sessions")}
    assert rows[SID]["ended"] == rows[SID]["last"] == "2026-11-21T10:00:02Z"
    assert (rows[SID]["reason"], rows[SID]["inferred"]) == ("unknown", True)
    assert (rows[OTHER]["ended"], rows[OTHER]["reason"], rows[OTHER]["inferred"]) == (
        None, None, None
    )  # fmt: skip
    turns = {row["session"]: row["outcome"] for row in journals.sql("from turns")}
    assert turns == {SID: "cut", OTHER: "open"}
