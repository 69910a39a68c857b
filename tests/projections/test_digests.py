"""What a digest collects about a session, event by event."""

from __future__ import annotations

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from journal.events.registry import decode
from journal.log.record import frame, type_of
from projections.digest import Digest, duration_ms, outcome, status, title_of
from projections.digests import KINDS, PROJECTION, sid_of, step
from projections.fold import Fold
from projections.sessions import PROJECTION as SESSIONS
from tests.projections.digested import SUMMED, failed, fed, folded, one, prompt, tool
from tests.projections.drawn import LINES
from tests.projections.timeline import timeline
from tests.support.examples import examples

ENCODE = msgspec.json.encode


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
        digests[sid] = step(digests.get(sid, Digest()), kind, event)


@given(LINES)
@example(["a 09:00 about summarized b key k0", "a 09:00 start clear b"])
@examples(80)
def test_the_session_is_that_of_the_sessions_view(lines: list[str]) -> None:
    """The digest's session follows the rules of the sessions view, and equals its result."""
    fold = Fold([PROJECTION, SESSIONS]).feed(timeline("\n".join(lines)))
    sessions = fold.states["sessions"].sessions
    digests = fold.states["digests"].sessions
    for sid, session in sessions.items():
        found = digests[sid].session
        if session.seq:  # otherwise it has a title and no event of its own
            assert found == session


@given(st.lists(st.sampled_from(["prompt", "tool", "fail", "decide", "stop", "sum"]), max_size=100))
@example(["prompt", "tool", "fail", "fail", "decide", "stop", "sum"] * 14)
@examples(8)
def test_a_digest_is_bounded(words: list[str]) -> None:
    """However long the session and its texts, the digest stays below 512 KiB."""
    long = "語" * 600
    made = {
        "prompt": lambda at: prompt(f"{at} {long}"),
        "tool": lambda at: tool("Edit", f"{at}{long[:296]}", changed=True),
        "fail": lambda at: failed("Bash", f"{at % 30}{long}", long),
        "decide": lambda at: {"type": "decision.recorded", "text": f"{at}{long}"},
        "stop": lambda at: {"type": "turn.ended", "message": f"{at}{long}"},
        "sum": lambda at: {"type": "compact.finished", "summary": f"{at}{long * 6}"},
    }
    digest = Digest()
    for at, word in enumerate(words * 3, 1):
        line = frame(at, {"ts": "2026-11-21T09:00:00.000Z", "v": 1, "sid": "a", **made[word](at)})
        kind = type_of(line)
        digest = step(digest, kind, decode(line[:-1], kind))
    assert len(ENCODE(digest)) < 512 * 1024


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
