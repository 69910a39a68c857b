"""The content of each table, and that it matches its description."""

from __future__ import annotations

import pytest

from tests.support.journals import SID, at

OTHER = "5e5510a0-0000-4000-8000-000000000002"


def test_events_have_the_record_as_it_stands(journals):
    """`record` is the whole record, even of an unknown type."""
    journals.write([{"type": "later.thing", "v": 9, "colour": ["red"]}])
    (row,) = journals.sql("from events where type = 'later.thing'")
    assert row["record"]["colour"] == ["red"]
    assert row["seq"] == 2
    assert row["ts"] == "2026-11-21T10:00:01Z"
    assert journals.one("select record->>'v' from events where type = 'later.thing'") == "9"
    assert journals.one("with n as (select 1) from events select count(record->'colour')") == 1


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


@pytest.mark.parametrize("side", ["", "imported"], ids=["live", "imported"])
def test_calls_of_a_subagent_belong_to_the_prompt_that_they_name(journals, side: str):
    """Those after the next prompt, too, as in an import; without a name they count where they are."""
    call = {"type": "tool.finished", "tool": "Edit", "ms": 5, "changed": True, "agent": "sub"}
    own = {**call, "target": "own.py"}
    first = [*turn("one", {**own, "agent": None}), *turn("two"), {**own, "prompt": "one"}]
    journals.write(first, side=side)
    query = "select tools, failures, tool_ms, files from turns order by seq"
    assert len(journals.sql(query)) == 2  # stores the rows of this part
    journals.write([
        *first, *turn("three"), {**call, "target": "late.py", "prompt": "one"},
        {**call, "target": "here.py"}, {**call, "type": "tool.failed", "prompt": "two"},
        *turn("one", {**call, "prompt": "one", "agent": None}),
    ], side=side)  # fmt: skip
    assert [tuple(row.values()) for row in journals.sql(query)] == [
        (3, 0, 15, 2), (1, 1, 5, 0), (1, 0, 5, 1), (1, 0, 5, 0),
    ]  # fmt: skip


# Which logs have no IDs, and which log is the fuller one.
WITHOUT_IDS = [
    (("",), "imported"), (("", "imported"), ""),
    *(pytest.param(*case, marks=pytest.mark.long) for case in (
        (("imported",), ""),
        (("",), ""), (("imported",), "imported"), (("", "imported"), "imported"))),
]  # fmt: skip


@pytest.mark.parametrize(("without", "fuller"), WITHOUT_IDS)
def test_turns_of_a_log_without_prompt_ids_count_once(journals, without: tuple[str], fuller: str):
    """Where a log has no IDs of prompts to compare, a session's turns are those of the fuller log."""
    for side in ("", "imported"):
        names = ("one", "two", "three") if side == fuller else ("one", "two")
        events = [event for name in names for event in turn(name, {"type": "turn.ended"})]
        for event in events:
            event["prompt"] = "" if side in without else event.get("prompt", "")
        journals.write(
            [*events, *({**event, "sid": OTHER} for event in turn(f"p{side}"))], side=side
        )
    query = f"select text, imported from turns where session = '{SID}' order by seq"
    assert [tuple(row.values()) for row in journals.sql(query)] == [
        (name, fuller == "imported") for name in ("one", "two", "three")
    ]
    (counted,) = journals.sql(f"select prompts from sessions where session = '{SID}'")
    assert counted["prompts"] == 3
    other = journals.sql(f"select prompt from turns where session = '{OTHER}' order by prompt")
    assert [row["prompt"] for row in other] == ["p", "pimported"]  # two that only one log has


@pytest.mark.parametrize(("without", "fuller"), WITHOUT_IDS)
def test_calls_of_a_log_without_their_ids_count_once(journals, without: tuple[str], fuller: str):
    """Where a log has calls without an ID, a session's calls are those of the fuller log."""
    for side in ("", "imported"):
        calls = [
            {"type": "tool.finished", "use": f"{number}", "target": f"{number}"}
            for number in range(3 if side == fuller else 2)
        ]
        for call in calls[1:] if side in without else ():
            call["use"] = ""
        other = {"type": "tool.finished", "use": f"u{side}", "sid": OTHER}
        journals.write([*calls, other], side=side)
    query = f"select target, imported from tools where session = '{SID}' order by seq"
    assert [tuple(row.values()) for row in journals.sql(query)] == [
        (f"{number}", fuller == "imported") for number in range(3)
    ]
    (counted,) = journals.sql(f"select tools from sessions where session = '{SID}'")
    assert counted["tools"] == 3
    other = journals.sql(f'select "use" from tools where session = \'{OTHER}\' order by "use"')
    assert [row["use"] for row in other] == ["u", "uimported"]  # two that only one log has


def test_how_long_the_calls_of_an_imported_turn_took_is_unknown(journals):
    """A transcript has no durations: NULL, not 0, unless the turn has no calls."""
    call = {"type": "tool.finished", "tool": "Edit"}
    journals.write([*turn("one", call), *turn("two")], side="imported")
    assert journals.sql("select tool_ms from turns order by seq") == [
        {"tool_ms": None}, {"tool_ms": 0}
    ]  # fmt: skip


def test_a_long_answer_is_one_message(journals):
    """What is left of the text of an answer, in a record of its own, is no further message or call."""
    said = {"type": "context.injected", "hook": "SessionStart", "ts": at(5)}
    journals.write([
        {"type": "session.started", "source": "compact", "ts": at(5)},
        {**said, "what": "recovery", "characters": 9000}, {**said, "what": "learnings", "characters": 20},
        {**said, "what": "said"},
    ])  # fmt: skip
    assert [row["what"] for row in journals.sql("from advice")] == ["recovery", "learnings"]
    (row,) = journals.sql("from hooks")
    assert (row["hook"], row["answers"], row["characters"]) == ("SessionStart", 1, 9020)


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


def test_no_duration_is_negative(journals):
    """If the clock goes back, a session, turn, stage or warning took no time, as in reports."""
    journals.write([
        {"type": "session.started", "ts": "2026-11-27T10:00:00.000Z"},
        {"type": "prompt.submitted", "prompt": "p1", "ts": "2026-11-27T10:01:00.000Z"},
        {"type": "stage.started", "cycle": "c1", "stage": "sprint", "ts": "2026-11-27T10:02:00.000Z"},
        {"type": "pressure.sampled", "tokens": 9, "window": 20, "point": 10, "pressure": 90.0,
         "ts": "2026-11-27T10:02:00.000Z"},
        {"type": "advice.given", "what": "pressure", "level": "info", "tokens": 9, "point": 10,
         "ts": "2026-11-27T10:03:00.000Z"},
        {"type": "stage.finished", "cycle": "c1", "stage": "sprint", "ts": "2026-11-26T10:04:00.000Z"},
        {"type": "turn.ended", "prompt": "p1", "ts": "2026-11-26T10:05:00.000Z"},
        {"type": "compact.started", "trigger": "auto", "ts": "2026-11-26T10:06:00.000Z"},
        {"type": "compact.finished", "trigger": "auto", "ts": "2026-11-26T10:06:00.000Z"},
    ])  # fmt: skip
    columns = {"sessions": "seconds", "turns": "seconds", "stages": "seconds",
               "compactions": "lead_seconds"}  # fmt: skip
    for table, column in columns.items():
        assert journals.sql(f"select {column} as took from {table}") == [{"took": 0}], table


@pytest.mark.parametrize("last, seconds", [
    ("00.950", 0), ("01.100", 0), ("01.900", 1), ("02.899", 1), ("02.900", 2),
])  # fmt: skip
def test_a_session_lasts_whole_seconds(journals, last, seconds):
    """As in `journal sessions`, not the number of full seconds on the clock that it saw begin."""
    journals.write([
        {"type": "session.started", "ts": "2026-11-27T10:00:00.900Z"},
        {"type": "session.ended", "ts": f"2026-11-27T10:00:{last}Z"},
    ])  # fmt: skip
    assert journals.sql("select seconds from sessions") == [{"seconds": seconds}]


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


def test_prompts_typed_during_a_turn_count_once(journals):
    """Hooks name the running turn's ID, the transcript another or none; calls keep to their turn."""
    call = {"type": "tool.finished", "tool": "Bash"}
    one, two = ({**call, "prompt": prompt, "use": prompt} for prompt in ("p1", "p2"))
    deep = {**two, "use": "deep", "agent": "a1"}
    end = {"type": "turn.ended"}
    # "now" is read between two calls, "then" and "last" begin the next turn.
    now, then, last = (
        {"type": "prompt.submitted", "text": text} for text in ("now", "then", "last")
    )
    ask = {"type": "prompt.submitted", "prompt": "p1", "text": "ask"}
    mine = {"prompt": "p1"}
    journals.write(
        [ask, {**now, **mine}, one, {**then, **mine}, {**last, **mine}, {**end, **mine}, two,
         {**end, "prompt": "p2"}, deep]
    )  # fmt: skip
    query = "select text, prompt, tools, imported from turns order by seq"
    of_hooks = [tuple(row.values()) for row in journals.sql(query)]
    assert of_hooks == [
        ("ask", "p1", 0, False), ("now", "p1", 1, False), ("then", "p1", 0, False),
        ("last", "p2", 2, False),
    ]  # fmt: skip
    journals.write(
        [ask, now, one, end, {**then, "prompt": "p3"}, {**last, "prompt": "p2"}, two, end, deep],
        side="imported",
    )
    assert [tuple(row.values()) for row in journals.sql(query)] == of_hooks


def test_what_was_restored_belongs_to_the_prompt_that_it_names(journals):
    """A prompt and calls restored amid a later turn take nothing from it, and add nothing to it."""
    call = {"type": "tool.finished", "tool": "Bash", "ms": 1}
    late = [{**each, "via": "reconciled"} for each in
            (*turn("two"), {**call, "prompt": "two"}, {**call, "prompt": "one"})]  # fmt: skip
    now = {**call, "prompt": "three"}
    journals.write([*turn("one"), *turn("three"), *late, now, {"type": "turn.ended"}])
    query = "select text, tools, outcome from turns order by text"
    assert [tuple(row.values()) for row in journals.sql(query)] == [
        ("one", 1, "cut"), ("three", 1, "ended"), ("two", 1, "cut")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("events", "rows"),
    [
        (["ask one", "ask two", "fail one", "end two"], ["one failed boom", "two ended None"]),
        (["ask one", "end two", "late two", "end one"], ["one ended None", "two ended None"]),
        (["ask one", "end two"], ["one ended None"]),
    ],
    ids=["the next prompt is faster", "the prompt is restored later", "its prompt is unknown"],
)
def test_an_end_belongs_to_the_prompt_that_it_names(journals, events: list[str], rows: list[str]):
    """Whatever was recorded in between; if nobody knows that prompt, it ends the running turn."""
    kinds = {"ask": {"type": "prompt.submitted"}, "end": {"type": "turn.ended"},
             "late": {"type": "prompt.submitted", "via": "reconciled"},
             "fail": {"type": "turn.failed", "error": "boom"}}  # fmt: skip
    named = [each.split() for each in events]
    journals.write([{**kinds[kind], "prompt": text, "text": text} for kind, text in named])
    found = journals.sql("select text, outcome, error from turns order by text")
    assert [" ".join(map(str, row.values())) for row in found] == rows


def test_prompts_of_a_session_that_two_processes_run_count_once(journals):
    """An event of another process amid a turn of the transcript does not rename the turn."""
    call = {"type": "tool.finished", "tool": "Bash", "prompt": "p1", "use": "u1"}
    other = {"type": "tool.failed", "tool": "Bash", "prompt": "p2", "use": "u1"}
    journals.write([*turn("p1"), *({**each, "ts": at(9)} for each in turn("p2")), call])
    journals.write([*turn("p1"), other, *turn("p2"), call], side="imported")
    query = "select prompt, text from turns order by text"
    assert [tuple(row.values()) for row in journals.sql(query)] == [("p1", "p1"), ("p2", "p2")]


def test_times_are_of_the_record(journals):
    """The time of a row is the record's time, in UTC."""
    journals.write([{"type": "turn.ended", "ts": at(75)}])
    assert journals.one("select ts from events where type = 'turn.ended'") == "2026-11-21T10:01:15Z"
    assert (
        journals.one("select count(*) from events where ts >= timestamp '2026-11-21 10:01:15'") == 1
    )
    assert SID


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
