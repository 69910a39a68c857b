"""Events of a compaction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.codec import dumps
from journal.events.hook_input.compact import assign, in_parts
from journal.log.record import frame, prepare
from tests.journal.events.hook_input.made import built, event_of


@pytest.mark.parametrize(
    ("text", "summary"),
    [("<analysis>a</analysis><summary> S </summary>", "S"), ("plain", "plain"),
     ("<summary>cut off", "cut off"), ("a </summary> b", "a </summary> b")],
)  # fmt: skip
def test_the_analysis_is_left_out(text: str, summary: str) -> None:
    """Only what Claude Code passes on is stored; the size is that of the whole answer."""
    event = event_of("PostCompact", compact_summary=text, trigger="auto")
    assert (event["summary"], event["size"], event["trigger"]) == (summary, len(text), "auto")


@pytest.mark.parametrize("text", [None, "", "  \n", 7, ["S"]])
def test_without_a_summary_there_is_no_event(text: object) -> None:
    """A compaction without a summary did not succeed."""
    assert built("PostCompact", compact_summary=text) == []


def test_the_minimal_level_stores_no_summary() -> None:
    """That it happened, and its size, is recorded."""
    event = event_of("PostCompact", compact_summary="words", level="minimal")
    assert ("summary" in event, event["size"]) == (False, 5)


@given(st.text(st.characters(codec="utf-8", exclude_characters="<>"), max_size=40),
       st.integers(1, 1200))  # fmt: skip
def test_parts_fit_a_record_and_join_to_the_text(word: str, times: int) -> None:
    """A long text loses nothing; the JSON of each piece has at most 12,000 bytes."""
    text = word * times
    parts = in_parts(text)
    assert "".join(parts) == text or "[redacted" in "".join(parts)
    assert all(len(dumps(part)) <= 12_000 for part in parts)
    assert parts


@pytest.mark.parametrize("text", ['"no"\n' * 3_000, "word " * 2_400 + "漢" * 12_000])
def test_a_summary_is_recorded_whole(text: str) -> None:
    """Characters that take more bytes in JSON, or only later in the text, do not cost its end."""
    events = built("PostCompact", compact_summary=text)
    recorded = [prepare(event, "2026-11-26T09:00:00.000Z").fields for event in events]
    assert "".join(fields["summary"] for fields in recorded) == text.strip()


def test_parts_are_numbered_and_one_call_has_one_key() -> None:
    """Only the first part has the key, so that a repeated call is noticed once."""
    first, second, third = built("PostCompact", compact_summary="漢" * 9_000)
    assert [event.get("part") for event in (first, second, third)] == [None, 2, 3]
    assert {event["parts"] for event in (first, second, third)} == {3}
    assert (bool(first.get("key")), second.get("key"), third.get("key")) == (True, None, None)


def test_a_secret_is_not_cut_in_two() -> None:
    """Redaction comes before the parts."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for at in range(11_960, 12_001, 8):
        assert "a1B2" not in "".join(in_parts("x " * (at // 2) + token))


def _tail(*rows: tuple[str, str, str]) -> bytes:
    return b"".join(
        frame(seq, {"ts": "", "type": f"compact.{kind}", "v": 1, "sid": sid,
                    **({"agent": agent} if agent else {})})
        for seq, (kind, sid, agent) in enumerate(rows, 1)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "agent"),
    [
        ([], None),
        ([("started", "s", "")], None),
        ([("started", "s", "x")], "x"),
        ([("started", "s", "x"), ("started", "s", "")], None),
        ([("started", "s", ""), ("started", "s", "x")], "x"),
        ([("started", "s", "x"), ("summarized", "s", "x")], None),
        ([("started", "s", "x"), ("finished", "s", "x"), ("started", "s", "y")], "y"),
        ([("started", "t", "x")], None),
    ],
    ids=["none", "main", "subagent", "main last", "subagent last", "has one", "next", "other"],
)
def test_whose_summary_it_is(rows: list[tuple[str, str, str]], agent: str | None) -> None:
    """It is of the thread whose compaction is the newest without a summary."""
    parts = [{"sid": "s"}, {"sid": "s"}]
    assign(parts, _tail(*rows))
    assert [part.get("agent") for part in parts] == [agent, agent]
