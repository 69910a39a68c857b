"""The content of each table, and that it matches its description."""

from __future__ import annotations

import json

import pytest

from journal.events.registry import KINDS, class_of
from journal.history.tables.columns import COLUMNS
from journal.history.tables.database import History
from journal.history.tables.schema import TABLES
from tests.support.journals import SID, at

OTHER = "5e5510a0-0000-4000-8000-000000000002"


@pytest.mark.parametrize("records", [False, True])
def test_views_have_the_described_columns(records, journals):
    """Each table has the columns of its description, in order and of the same types."""
    journals.write([])
    journals.write([], side="imported")
    history = History(str(journals.home))
    if records:
        for result in history.query("select record from events"):
            result.all()
    for name, table in TABLES.items():
        (result,) = history.query(f"describe {name}")
        found = [(row[0], row[1]) for row in result.all()]
        assert found == [(column.name, column.type) for column in table.columns], name
    history.close()


def test_columns_read_are_members_of_events():
    """Every column read from a record is a member of some event's type."""
    members = {name for kind in KINDS for name in class_of(kind).__struct_fields__}
    assert sorted(set(COLUMNS) - members - {"type", "seq", "ts"}) == []


def test_no_journal_at_all(journals):
    """Without a journal every table exists and is empty."""
    for name in TABLES:
        assert journals.sql(f"select * from {name}") == []


def test_events_have_the_record_as_it_stands(journals):
    """`record` is the whole record, even of an unknown type."""
    journals.write([{"type": "later.thing", "v": 9, "colour": ["red"]}])
    (row,) = journals.sql("from events where type = 'later.thing'")
    assert row["record"]["colour"] == ["red"]
    assert row["seq"] == 2
    assert row["ts"] == "2026-11-21T10:00:01Z"
    assert journals.one("select record->>'v' from events where type = 'later.thing'") == "9"
    assert journals.one("with n as (select 1) from events select count(record->'colour')") == 1


def test_a_member_of_another_shape_is_null_there(journals):
    """A member of another type is NULL in the table, and the row stays."""
    journals.write([{"type": "tool.finished", "v": 1, "tool": ["x"], "ms": "long", "target": "a"}])
    (row,) = journals.sql("from tools")
    assert (row["target"], row["ms"]) == ("a", None)


def turn(prompt: str, *more: dict) -> list[dict]:
    """Return the events of a prompt."""
    return [{"type": "prompt.submitted", "prompt": prompt, "origin": "human", "text": prompt,
             "size": 5}, *more]  # fmt: skip


def test_turns(journals):
    """A turn is a prompt with what follows up to the next prompt; its outcome is how it ended."""
    tool = {"type": "tool.finished", "tool": "Edit", "target": "a.py", "ms": 40, "changed": True}
    failed = {"type": "tool.failed", "tool": "Bash", "ms": 2, "error": "x", "agent": "sub"}
    journals.write([
        {"type": "session.started", "source": "startup"},
        *turn("one", tool, failed, {"type": "turn.ended"}),
        *turn("two", {"type": "turn.failed", "error": "overloaded"}),
        *turn("three"), *turn("four"),
        *[{**event, "sid": OTHER} for event in turn("five", {"type": "session.ended"})],
    ])  # fmt: skip
    rows = {row["text"]: row for row in journals.sql("from turns order by seq")}
    assert [(row["text"], row["outcome"]) for row in rows.values()] == [
        ("one", "ended"), ("two", "failed"), ("three", "cut"), ("four", "open"), ("five", "cut")
    ]  # fmt: skip
    one = rows["one"]
    assert (one["tools"], one["failures"], one["tool_ms"], one["files"]) == (2, 1, 42, 1)
    assert (one["seconds"], one["prompt"]) == (3.0, "one")
    assert rows["two"]["error"] == "overloaded"


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


def test_stages(journals):
    """A stage ends with the next event of its cycle that is not another start."""
    journals.write([
        {"type": "stage.started", "cycle": "c1", "stage": "sprint", "remaining": 80.0},
        {"type": "stage.finished", "cycle": "c1", "stage": "sprint", "remaining": 55.0},
        {"type": "stage.started", "cycle": "c1", "stage": "audit", "remaining": 55.0},
        {"type": "stage.stopped", "cycle": "c1", "stage": "audit", "reason": "context_budget",
         "skipped": ["ship"], "remaining": 20.0, "metrics": {"found": 3}},
        {"type": "stage.resumed", "cycle": "c1", "stage": "audit"},
    ])  # fmt: skip
    rows = journals.sql("from stages order by seq")
    assert [(row["stage"], row["outcome"], row["cost"]) for row in rows] == [
        ("sprint", "finished", 25.0), ("audit", "stopped", 35.0), ("audit", "open", None)
    ]  # fmt: skip
    assert (rows[1]["skipped"], rows[1]["metrics"]) == (["ship"], {"found": 3})
    assert rows[2]["ended"] is None


def test_hooks(journals):
    """The table has calls, answers, failures and gaps by hook event."""
    journals.write([
        {"type": "session.started"}, {"type": "tool.finished"}, {"type": "tool.finished"},
        {"type": "advice.given", "what": "pressure", "hook": "PostToolUse", "characters": 90},
        {"type": "hook.failed", "hook": "Stop"}, {"type": "journal.gap", "missed": 4, "sid": ""},
    ])  # fmt: skip
    rows = {row["hook"]: row for row in journals.sql("from hooks")}
    assert (rows["PostToolUse"]["calls"], rows["PostToolUse"]["answers"]) == (2, 1)
    assert rows["PostToolUse"]["characters"] == 90
    assert (rows["Stop"]["failed"], rows["Stop"]["calls"]) == (1, 0)
    assert rows[None]["missed"] == 4


def test_advice_and_pressure(journals):
    """Advice and readings are rows; an unknown point is NULL, not zero."""
    journals.write([
        {"type": "pressure.sampled", "tokens": 100, "window": 200, "point": 0, "pressure": 0.0},
        {"type": "advice.given", "what": "pressure", "level": "info", "channel": "message"},
        {"type": "context.injected", "what": "recovery", "characters": 7},
    ])  # fmt: skip
    (row,) = journals.sql("from pressure")
    assert (row["tokens"], row["point"], row["pressure"]) == (100, None, None)
    kinds = journals.sql("select kind, what, channel from advice order by seq")
    assert [tuple(row.values()) for row in kinds] == [
        ("advice", "pressure", "message"), ("context", "recovery", "context")
    ]  # fmt: skip


USAGE = {"type": "usage.recorded", "model": "m", "input_tokens": 2, "output_tokens": 3,
         "cache_creation_input_tokens": 5, "cache_read_input_tokens": 7}  # fmt: skip


def test_live_facts_win(journals):
    """A tool call, prompt or reply in both logs is one row, the live one."""
    tool = {"type": "tool.finished", "tool": "Read", "use": "toolu_1", "target": "a"}
    prompt = {"type": "prompt.submitted", "prompt": "p1", "text": "hello"}
    journals.write([{**tool, "ms": 12}, {**prompt}])
    journals.write(
        [tool, {**tool, "use": "toolu_2"}, prompt, {**prompt, "prompt": "p2"},
         {**USAGE, "message": "m1"}, {**USAGE, "message": "m2"}],
        side="imported",
    )  # fmt: skip
    rows = journals.sql('from tools order by "use"')
    assert [(row["use"], row["ms"], row["imported"]) for row in rows] == [
        ("toolu_1", 12, False), ("toolu_2", None, True)
    ]  # fmt: skip
    assert journals.one("select count(*) from turns") == 2
    assert journals.sql(
        "select sum(input_tokens) i, sum(output_tokens) o, count(*) n from usage"
    ) == [{"i": 4, "o": 6, "n": 2}]
    assert journals.one("select prompts from sessions") == 2
    assert journals.one("select imported from sessions") is False


def test_projects(journals):
    """A query reads all projects or the named one; a project without a journal exits 3."""
    journals.write([{"type": "turn.ended"}], "shop-00000001")
    journals.write([{"type": "turn.ended"}], "till-00000002")
    query = "select distinct project from events order by 1"
    assert [r["project"] for r in journals.sql(query)] == ["shop-00000001", "till-00000002"]
    assert [r["project"] for r in journals.sql(query, "--project", "till-00000002")] == [
        "till-00000002"
    ]
    result = journals.workspace.journal("sql", query, "--project", str(journals.workspace.project))
    assert result.code == 3
    assert "no journal for" in result.err


def test_schema(journals):
    """`journal schema` prints all tables or one, as text, JSON or Markdown; an unknown name exits 2."""
    journal = journals.workspace.journal
    assert journal("schema").out.count("\n\n") == len(TABLES) - 1
    data = json.loads(journal("schema", "usage", "--json").out)
    assert [column["name"] for column in data[0]["columns"]][:4] == [
        "project",
        "session",
        "ts",
        "model",
    ]
    assert journal("schema", "usage", "--markdown").out.startswith("## usage\n")
    wrong = journal("schema", "usages")
    assert (wrong.code, "did you mean usage?" in wrong.err) == (2, True)


def test_times_are_of_the_record(journals):
    """The time of a row is the record's time, in UTC."""
    journals.write([{"type": "turn.ended", "ts": at(75)}])
    assert journals.one("select ts from events where type = 'turn.ended'") == "2026-11-21T10:01:15Z"
    assert (
        journals.one("select count(*) from events where ts >= timestamp '2026-11-21 10:01:15'") == 1
    )
    assert SID
