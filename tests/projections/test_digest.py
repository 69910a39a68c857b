"""What a digest collects about a session, event by event."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.clock import elapsed_ms
from journal.events.registry import decode
from journal.log.record import frame, type_of
from projections.all_parts import every
from projections.digest import Digest, duration_ms, outcome, status, title_of
from projections.digests import KINDS, PROJECTION, sid_of, step
from projections.fold import Fold
from projections.sessions import PROJECTION as SESSIONS
from tests.projections.drawn import LINES
from tests.projections.timeline import timeline
from tests.support.examples import examples

ENCODE = msgspec.json.encode


def folded(text: str) -> dict[str, Digest]:
    """Return the digests of a history."""
    return every(Fold([PROJECTION]).feed(timeline(text)).states["digests"])


def one(text: str, sid: str = "a") -> Digest:
    """Return the digest of the only session of a history."""
    return folded(text)[sid]


def fed(*events: dict[str, Any]) -> Digest:
    """Return the digest after events given as fields, one per minute."""
    digest: Digest | None = None
    for seq, fields in enumerate(events, 1):
        head = {"ts": f"2026-11-21T09:{seq % 60:02}:00.000Z", "v": 1, "sid": "a"}
        line = frame(seq, {**head, **fields})[:-1]
        kind = type_of(line)
        digest = step(digest, kind, decode(line, kind))
    assert digest is not None
    return digest


SUMMED = {"type": "session.summarized", "of": "a", "upto": 1, "title": "Summed up", "sid": ""}


def prompt(text: str, **more: Any) -> dict[str, Any]:
    """Build the event of a prompt."""
    return {"type": "prompt.submitted", "origin": "human", "text": text, **more}


def tool(name: str, target: str = "", **more: Any) -> dict[str, Any]:
    """Build the event of a successful tool call."""
    return {"type": "tool.finished", "tool": name, "target": target, **more}


def failed(name: str, target: str = "", error: str = "boom", **more: Any) -> dict[str, Any]:
    """Build the event of a failed tool call."""
    return {"type": "tool.failed", "tool": name, "target": target, "error": error, **more}


# -- laws ------------------------------------------------------------------------------------------


@given(LINES, st.integers(0, 40))
@examples(80)
def test_folding_all_is_folding_the_tail_onto_a_prefix(lines: list[str], cut: int) -> None:
    """Stepping on from digests written and read back equals stepping through everything."""
    records = timeline("\n".join(lines))
    kept: dict[str, Digest] = {}
    for seq, line in records:
        if seq == cut:
            kept = msgspec.json.decode(ENCODE(kept), type=dict[str, Digest])
        _stepped(kept, line)
    whole: dict[str, Digest] = {}
    for _, line in records:
        _stepped(whole, line)
    assert ENCODE(kept) == ENCODE(whole)


def _stepped(digests: dict[str, Digest], line: bytes) -> None:
    kind = type_of(line)
    if kind not in KINDS:
        return
    event = decode(line, kind)
    if sid := sid_of(kind, event):
        digests[sid] = step(digests.get(sid), kind, event)


@given(LINES)
@example(["a 09:00 about summarized b key k0", "a 09:00 start clear b"])
@examples(80)
def test_the_session_is_that_of_the_sessions_view(lines: list[str]) -> None:
    """The digest's session follows the rules of the sessions view, and equals its result."""
    fold = Fold([PROJECTION, SESSIONS]).feed(timeline("\n".join(lines)))
    sessions = every(fold.states["sessions"])
    digests = every(fold.states["digests"])
    for sid, session in sessions.items():
        found = digests[sid].session
        if session.seq:  # otherwise it has a title and no event of its own
            assert found == session


@given(st.lists(st.sampled_from(["prompt", "tool", "fail", "decide", "stop", "sum"]), max_size=100))
@examples(8)
def test_a_digest_is_bounded(words: list[str]) -> None:
    """However long the session and its texts, the digest stays below 256 KiB."""
    long = "語" * 600
    made = {
        "prompt": lambda at: prompt(f"{at} {long}"),
        "tool": lambda at: tool("Edit", f"{at}{long[:296]}", changed=True),
        "fail": lambda at: failed("Bash", f"{at % 30}{long}", long),
        "decide": lambda at: {"type": "decision.recorded", "text": f"{at}{long}"},
        "stop": lambda at: {"type": "turn.ended", "message": f"{at}{long}"},
        "sum": lambda at: {"type": "compact.finished", "summary": f"{at}{long * 6}"},
    }
    digest: Digest | None = None
    for at, word in enumerate(words * 3, 1):
        line = frame(at, {"ts": "2026-11-21T09:00:00.000Z", "v": 1, "sid": "a", **made[word](at)})
        kind = type_of(line)
        digest = step(digest, kind, decode(line[:-1], kind))
    assert len(ENCODE(digest)) < 256 * 1024


@given(LINES)
@examples(40)
def test_whatever_happened_it_can_be_shown(lines: list[str]) -> None:
    """Every digest has a title, status, outcome and duration."""
    for digest in folded("\n".join(lines)).values():
        assert title_of(digest)
        assert len(title_of(digest)) <= 80
        assert status(digest) in ("open", "completed")
        assert outcome(digest)
        assert duration_ms(digest) >= 0


# -- prompts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("fix it", True, id="said"),
        pytest.param("  \n ", False, id="blank"),
        pytest.param("/journal:get last", False, id="own command"),
        pytest.param("/journal:discover cart", False, id="own skill"),
        pytest.param("/compact keep the plan", False, id="client's command"),
        pytest.param("/shop:review cart.py", True, id="another plugin's command"),
        pytest.param("/home/dev/shop is broken", True, id="a path"),
        pytest.param("<task-notification>done</task-notification>", False, id="task"),
        pytest.param("<system-reminder>x</system-reminder>", False, id="system"),
        pytest.param("[Request interrupted by user]", False, id="interrupted"),
        pytest.param("journal the decision", True, id="the word alone"),
    ],
)
def test_which_prompts_are_kept(text: str, kept: bool) -> None:
    """CN16: the plugin's own commands, blanks and the client's texts are not requests."""
    found = fed(prompt(text))
    assert found.prompts == ([text.strip()] if kept else [])
    assert bool(found.session.title) == kept


@pytest.mark.parametrize("more", [{"agent": "x"}, {"origin": "task-notification"}])
def test_prompts_of_machines(more: dict) -> None:
    """A prompt given to a subagent or a task is not a request of the person."""
    assert fed(prompt("do it", **more)).prompts == []


def test_the_first_prompt_and_the_newest() -> None:
    """Of many prompts the first and the latest are kept, each bounded."""
    found = fed(*(prompt(f"number {at}. {'x' * 600}") for at in range(30)))
    assert len(found.prompts) == 20
    assert found.prompts[0].startswith("number 0.")
    assert [text.split(".")[0] for text in found.prompts[1:]] == [
        f"number {at}" for at in range(11, 30)
    ]
    assert max(map(len, found.prompts)) == 500


def test_a_command_reported_twice_is_one() -> None:
    """A command reported as prompt and as expansion counts once, by its short or long name."""
    expanded = {"type": "command.expanded", "name": "shop:review", "args": "cart.py"}
    assert fed(prompt("/shop:review cart.py"), expanded).prompts == ["/shop:review cart.py"]
    assert fed(prompt("/review cart.py"), expanded).prompts == ["/shop:review cart.py"]
    own = {"type": "command.expanded", "name": "journal:get", "args": "last"}
    found = fed(prompt("/get last"), own, prompt("Now fix it."))
    assert (found.prompts, found.session.title) == (["Now fix it."], "Now fix it.")


# -- failures and repairs --------------------------------------------------------------------------


def test_a_failure_is_repaired_by_the_same_call() -> None:
    """A later success of the same tool on the same target repairs a failure; another does not."""
    found = fed(
        failed("Bash", "make"), failed("Bash", "ls x"), tool("Bash", "make all"),
        tool("Bash", "make"), failed("Bash", "make"),
    )  # fmt: skip
    assert [(one.seq, one.target, one.repaired) for one in found.failures] == [
        (1, "make", 4), (2, "ls x", 0), (5, "make", 0),
    ]  # fmt: skip


def test_red_tests_are_failures_until_they_pass() -> None:
    """A failing test run is a failure even if the command succeeded; a green run repairs it."""
    red = tool("Bash", "pytest | tail", tests="failed")
    green = tool("Bash", "pytest | tail", tests="passed")
    assert fed(red).failures[0].error == "tests failed"
    assert fed(red).tests == "failed"
    found = fed(red, red, green)
    assert ([one.repaired for one in found.failures], found.tests) == ([3, 3], "passed")


def test_what_the_person_stopped_is_no_failure() -> None:
    """A call the person interrupted is not a failure; the same call that failed is."""
    assert fed(failed("Bash", "make", interrupted=True)).failures == []
    assert len(fed(failed("Bash", "make")).failures) == 1


def test_failures_are_bounded() -> None:
    """The newest twenty failures are kept, with bounded target and error."""
    found = fed(*(failed("Bash", f"{at} {'y' * 400}", "z" * 900) for at in range(30)))
    assert [one.seq for one in found.failures] == list(range(11, 31))
    assert {(len(one.target), len(one.error)) for one in found.failures} == {(200, 400)}


# -- the rest --------------------------------------------------------------------------------------


def test_decisions_messages_units() -> None:
    """Decisions are kept once each, with the last three replies and the names of units."""
    found = one(
        "09:00 decide cents / 09:01 decide cents / 09:02 decide integers / 09:03 unit started / "
        "09:04 progress saved 2 / 09:05 stage started audit / 09:06 unit checked a"
    )
    assert found.decisions == ["cents", "integers"]
    assert found.units == ["U", "s: phase 2", "stage audit"]
    assert [item.done for item in found.work.units[0].items] == [True, False, False]
    found = fed(*({"type": "turn.ended", "message": f"said {at}"} for at in range(5)))
    assert found.messages == ["said 2", "said 3", "said 4"]


@pytest.mark.parametrize(
    ("events", "kept"),
    [
        pytest.param([("compact.summarized", "S", 1), ("compact.finished", "S", 1)], ["S"],
                     id="the same twice"),
        pytest.param([("compact.finished", "S", 1)], ["S"], id="without the first"),
        pytest.param([("compact.summarized", "S", 1)], ["S"], id="without the second"),
        pytest.param([("compact.finished", "S", 1), ("compact.finished", "T", 1)], ["S", "T"],
                     id="two compactions"),
        pytest.param([("compact.finished", "a", 1), ("compact.finished", "b", 2)], ["ab"],
                     id="parts"),
        pytest.param([("compact.summarized", "a", 1), ("compact.summarized", "b", 2),
                      ("compact.finished", "a", 1), ("compact.finished", "b", 2)], ["ab"],
                     id="parts twice"),
        pytest.param([("compact.finished", "  ", 1)], [], id="blank"),
    ],
)  # fmt: skip
def test_summaries_of_compactions(events: list[tuple[str, str, int]], kept: list[str]) -> None:
    """Each compaction's summary is kept once, with its parts joined."""
    found = fed(*({"type": kind, "summary": text, "part": part} for kind, text, part in events))
    assert found.compacts == kept


def test_summaries_of_compactions_are_bounded() -> None:
    """The newest five summaries are kept, with up to 4,000 characters each."""
    found = fed(*({"type": "compact.finished", "summary": f"{at} {'s' * 9000}"} for at in range(7)))
    assert [text[0] for text in found.compacts] == ["2", "3", "4", "5", "6"]
    assert {len(text) for text in found.compacts} == {4000}


@pytest.mark.parametrize(
    ("text", "status_", "outcome_"),
    [
        pytest.param("09:00 start / 09:01 prompt x", "open", "open", id="open"),
        pytest.param("09:00 start / 09:01 end", "completed", "ended", id="ended"),
        pytest.param("09:00 start / 09:01 end / 09:02 start resume", "open", "open", id="resumed"),
        pytest.param("09:00 prompt x / 09:01 failed overloaded / 09:02 end", "completed",
                     "ended by error (overloaded)", id="error"),
        pytest.param("09:00 failed overloaded / 09:01 stop / 09:02 end", "completed", "ended",
                     id="error got over"),
        pytest.param("09:00 about exported z", "completed", "exported", id="exported"),
    ],
)  # fmt: skip
def test_status_and_outcome(text: str, status_: str, outcome_: str) -> None:
    """A session is over if it ended and was not resumed; its outcome is one word."""
    found = next(iter(folded(text).values()))
    assert (status(found), outcome(found)) == (status_, outcome_)


def test_an_outcome_of_tests() -> None:
    """The last test run decides a session's outcome."""
    end = {"type": "session.ended", "reason": "other"}
    red, green = (tool("Bash", "pytest", tests=word) for word in ("failed", "passed"))
    assert outcome(fed(red, green, end)) == "tests passed"
    assert outcome(fed(green, red, end)) == "tests failed"
    assert outcome(fed({**end, "inferred": True})) == "ended (inferred)"


def test_duration_leaves_out_the_time_between() -> None:
    """Duration counts from start to last activity, without the time between end and resumption."""
    assert duration_ms(one("09:00 start / 09:10 end")) == 600_000
    resumed = "09:00 start / 09:10 end / 09:40 start resume / 09:45 end"
    assert duration_ms(one(resumed)) == 900_000
    assert duration_ms(Digest()) == 0


@given(st.datetimes(), st.integers(0, 10**11))
def test_times_without_a_clock(moment: Any, gap: int) -> None:
    """Time differences agree with the calendar, to the millisecond."""
    from datetime import timedelta

    later = moment + timedelta(milliseconds=gap) if moment.year < 9000 else moment

    def text(value: Any) -> str:
        return (
            f"{value:%Y}".zfill(4)
            + value.strftime("-%m-%dT%H:%M:%S.")
            + (f"{value.microsecond // 1000:03}Z")
        )

    exact = (later.replace(microsecond=later.microsecond // 1000 * 1000)
             - moment.replace(microsecond=moment.microsecond // 1000 * 1000))  # fmt: skip
    assert elapsed_ms(text(moment), text(later)) == exact // timedelta(milliseconds=1)
    assert elapsed_ms(text(later), text(moment)) == 0 or later == moment


@pytest.mark.parametrize("text", ["", "yesterday", "2026-11-2"])
def test_no_time(text: str) -> None:
    """An invalid time gives no duration."""
    assert elapsed_ms(text, "2026-11-21T09:00:00.000Z") == 0


def test_a_summary_is_no_activity() -> None:
    """A summary changes neither last event nor time; one of fewer events does not replace it."""
    text = "09:00 start / 09:01 prompt x / 09:02 end / 09:30 about summarized a"
    found = one(text)
    assert (found.seq, found.session.last[11:16], found.summary_seq) == (3, "09:02", 4)
    newer = fed(
        prompt("x"), {**SUMMED, "upto": 1, "summary": "new", "engine": "claude"},
        {**SUMMED, "upto": 0, "summary": "old"},
    )  # fmt: skip
    assert (newer.summary, newer.summary_upto, newer.engine) == ("new", 1, "claude")


def test_an_exported_part_is_a_session() -> None:
    """An exported part's id names its origin; it is over and summarised, and can be again."""
    found = folded("09:00 prompt x / 09:01 about exported a")
    part = found["a.2"]
    assert (part.of, part.summary, title_of(part), part.decisions) == ("a", "S", "T", ["d"])
    assert (part.session.files, part.session.root) == (["f"], "a.2")
    assert found["a"].prompts == ["x"]
    anew = {**SUMMED, "of": "a.1", "upto": 2, "summary": "better"}
    state = fed({"type": "session.exported", "of": "a", "summary": "S"}, anew)
    assert (state.sid, state.summary, state.summary_seq, state.of) == ("a.1", "better", 2, "a")


def test_imported_until_seen_live() -> None:
    """A session known only from a transcript is over; a live event makes it like any other."""
    past = {**prompt("x"), "imported": True}
    assert (fed(past).imported, status(fed(past))) == (True, "completed")
    assert (fed(past, prompt("y")).imported, status(fed(past, prompt("y")))) == (False, "open")


def test_events_of_no_session() -> None:
    """Events without a session create no digest."""
    assert folded("- 09:00 note x / - 09:01 decide y") == {}


def test_tokens_of_a_transcript() -> None:
    """If no reading was taken, the last reply's context gives the session's tokens."""
    used = {"type": "usage.recorded", "input_tokens": 10, "cache_read_input_tokens": 900,
            "output_tokens": 90, "model": "m"}  # fmt: skip
    found = fed(used, {**used, "input_tokens": 5, "agent": "sub"})
    assert (found.session.tokens, found.session.model) == (1000, "m")


def test_what_was_taken_back_is_in_no_digest() -> None:
    """Neither the prompt, nor the answer, nor what the answer found out remain."""
    answer = "The root cause is that `cart.py` rounds each line before the sum of 12 lines."
    events = (
        prompt("Why does the cart round so badly?"),
        {"type": "turn.ended", "message": answer},
        prompt("Write the tests of the parser."),
    )
    assert fed(*events).findings
    gone = {"type": "prompts.withdrawn", "withdrawn": [events[0]["text"], answer]}
    digest = fed(*events, gone)
    assert digest.prompts == [events[2]["text"]]
    assert digest.messages == []
    assert digest.findings == []
