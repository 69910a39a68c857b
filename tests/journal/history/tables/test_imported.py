"""Imported facts in the tables: ended sessions, grown replies, duplicates; and the time of hooks."""

from __future__ import annotations

from tests.support.journals import SID

OTHER = "5e5510a0-0000-4000-8000-000000000002"


def reply(message: str, output: int, **more: object) -> dict:
    """Return the record of an imported reply."""
    return {"type": "usage.recorded", "message": message, "key": f"k-{message}", "model": "m",
            "input_tokens": 1, "output_tokens": output, "source": "transcript", "imported": True,
            **more}  # fmt: skip


def test_a_reply_that_grew(journals):
    """A reply that two imports recorded counts once, with the later figures."""
    far = [reply(f"x{n}", 1) for n in range(600)]
    journals.write([reply("m1", 1), reply("m1", 42), reply("m2", 7), *far, reply("m2", 9)],
                side="imported")  # fmt: skip
    rows = journals.sql("select message_id, output_tokens from usage where message_id like 'm%' "
                     "order by 1")  # fmt: skip
    assert [(row["message_id"], row["output_tokens"]) for row in rows] == [("m1", 42), ("m2", 9)]
    assert journals.one("select sum(output_tokens) from usage") == 42 + 9 + 600
    assert journals.err == ""
    assert journals.one("select count(*) from events where type = 'usage.recorded'") == 604


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


def test_twins_only_where_both_logs_are(journals):
    """A fact in both logs of a project is the hooks' row; another project is not affected."""
    tool = {"type": "tool.finished", "tool": "Bash", "use": "t1", "ms": 5}
    journals.write([tool])
    journals.write([{**tool, "imported": True}, {**tool, "use": "t2"}], side="imported")
    journals.write([tool], project="alone-00000002", side="imported")
    rows = journals.sql('select project, "use", imported from tools order by all')
    assert [tuple(row.values()) for row in rows] == [
        ("alone-00000002", "t1", True), ("shop-00000001", "t1", False),
        ("shop-00000001", "t2", True),
    ]  # fmt: skip


def test_what_hooks_took(journals):
    """`ms` is the sum of the recorded times; without any it is unknown, not zero."""
    journals.write([
        {"type": "prompt.submitted", "prompt": "p", "us": 21_500}, {"type": "prompt.submitted"},
        {"type": "prompt.submitted", "us": 1_000}, {"type": "turn.ended"},
    ])  # fmt: skip
    rows = {row["hook"]: row for row in journals.sql("from hooks")}
    prompts = rows["UserPromptSubmit"]
    assert (prompts["calls"], prompts["timed"], prompts["ms"]) == (3, 2, 22.5)
    assert (rows["Stop"]["calls"], rows["Stop"]["timed"], rows["Stop"]["ms"]) == (1, 0, None)


def test_records_laid_out_otherwise(journals):
    """A time in another form is read from the JSON, with the same values in the other columns."""
    journals.write([{"type": "turn.ended"}], "a-00000001")
    journals.write([{"type": "turn.ended", "ts": "2026-11-21T10:00:07Z"}], "b-00000002")
    large = [{"type": "tool.finished", "tool": "日本" * 900} for _ in range(40)]
    journals.write(large, "c-00000003")
    journals.write([{"type": "turn.ended", "ts": "2026-11-21T10:00:07Z"}, *large], "d-00000004")
    heads = journals.sql("select project, seq, ts, type from events order by project, seq")
    whole = journals.sql("select project, seq, ts, type, session from events order by project, seq")
    assert heads == [{k: v for k, v in row.items() if k != "session"} for row in whole]
    assert len(heads) == 2 + 2 + 41 + 42
    assert {row["type"] for row in heads} == {"segment.opened", "turn.ended", "tool.finished"}
    assert [row["ts"] for row in heads if row["type"] == "turn.ended"] == [
        "2026-11-21T10:00:01Z", "2026-11-21T10:00:07Z", "2026-11-21T10:00:07Z"
    ]  # fmt: skip
