"""The command line's projections: sessions and learnings."""

from __future__ import annotations

from typing import Any

import pytest

from journal.events.registry import class_of
from projections import learnings, sessions
from projections.fold import Fold
from tests.support.rows import each

S = "session.started"
COMPACT = {"source": "compact"}


def state_of(projection: Any, *events: tuple[str, dict[str, Any]]) -> Any:
    """Return the fold of events, numbered in order and one second apart."""
    fold = Fold([projection])
    for seq, (kind, body) in enumerate(events, 1):
        ts = f"2026-11-21T09:{seq // 60:02d}:{seq % 60:02d}.000Z"
        fold.apply(class_of(kind)(**{"seq": seq, "ts": ts, "sid": "a", **body}), kind)
    return fold.states[projection.name]


STARTED = ("compact.started", {"trigger": "auto"})
FINISHED = ("compact.finished", {"summary": "s"})
AGAIN = (S, COMPACT)


@each("events, done, attempts", [
    ([], 0, 0),
    ([STARTED], 0, 1),
    ([STARTED, AGAIN], 1, 1),
    ([STARTED, FINISHED], 1, 1),
    ([STARTED, AGAIN, FINISHED], 1, 1),
    ([STARTED, FINISHED, AGAIN], 1, 1),
    ([AGAIN, FINISHED], 1, 1),
    ([FINISHED], 1, 1),
    ([STARTED, STARTED, AGAIN, FINISHED], 1, 2),
    ([STARTED, AGAIN, FINISHED, STARTED, AGAIN, FINISHED], 2, 2),
    ([STARTED, AGAIN, STARTED, AGAIN], 2, 2),
    ([STARTED, ("compact.finished", {"part": 1}), ("compact.finished", {"part": 2})], 1, 1),
    ([("compact.started", {"agent": "x"}), (S, {**COMPACT, "agent": "x"})], 0, 0),
], ids=range(13))  # fmt: skip
def test_compactions_count_once(events, done, attempts):
    """A compaction counts once, whichever of its events are seen and in whatever order."""
    state = state_of(sessions.PROJECTION, (S, {"source": "startup"}), *events)
    session = state.sessions["a"]
    assert (session.compactions, session.attempts) == (done, attempts)


ASKED, STOPPED, FAILED = ("prompt.submitted", {}), ("turn.ended", {}), ("turn.failed", {})
WENT_ON = ("turn.ended", {"continued": True})
NOTIFIED = ("prompt.submitted", {"origin": "task-notification"})
EDITED = ("tool.finished", {"tool": "Edit"})


@pytest.mark.parametrize("imported", [False, True])
@pytest.mark.parametrize("events, turns", [
    ([ASKED, EDITED], 0),
    ([ASKED, STOPPED, EDITED, WENT_ON, WENT_ON, ASKED, STOPPED], 2),
    ([ASKED, STOPPED, ASKED, WENT_ON], 2),  # its first end was not recorded
    ([ASKED, FAILED, ASKED, STOPPED], 2),
    ([ASKED, ASKED, STOPPED], 1),  # interrupted, and asked again
    ([ASKED, STOPPED, EDITED, ASKED, STOPPED], 2),  # interrupted after a Stop hook
    ([ASKED, STOPPED, NOTIFIED, STOPPED], 2),
    ([ASKED, STOPPED, (S, {"source": "resume"}), ASKED, STOPPED], 2),
    ([ASKED, ("turn.ended", {"agent": "x"}), STOPPED], 1),
], ids=range(9))  # fmt: skip
def test_a_turn_counts_at_its_first_end(events, turns, imported):
    """A turn is a prompt with all that follows. Transcripts do not say which ends are continued."""
    told = [
        (kind, {name: value for name, value in body.items() if name != "continued"})
        for kind, body in events
    ]
    session = [(kind, {**body, "imported": True}) for kind, body in told] if imported else events
    assert state_of(sessions.PROJECTION, *session).sessions["a"].turns == turns


@pytest.mark.parametrize("events, word", [
    ([], "open"),
    ([("session.ended", {"reason": "clear"})], "ended"),
    ([("session.ended", {"inferred": True})], "ended (inferred)"),
    ([("session.ended", {}), (S, {"source": "resume"})], "open"),
    ([("session.ended", {}), ("session.ended", {"inferred": True})], "ended"),
    ([("session.ended", {"agent": "x"})], "open"),
])  # fmt: skip
def test_ends(events, word):
    """A session is open until its end is recorded or inferred, and again once it is resumed."""
    from cli.view.sessions import state_word

    state = state_of(sessions.PROJECTION, (S, {"source": "startup"}), *events)
    assert state_word(state.sessions["a"]) == word


def test_an_inferred_end_is_no_activity():
    """The inferred end, written by a later session, does not change its last activity."""
    state = state_of(sessions.PROJECTION, (S, {}), ("session.ended", {"inferred": True}))
    assert state.sessions["a"].last == "2026-11-21T09:00:01.000Z"


def test_lineage_of_a_cleared_session():
    """A session that continues another has that one's root; so has a third one."""
    state = state_of(
        sessions.PROJECTION, (S, {"source": "startup"}), (S, {"sid": "b", "previous": "a"}),
        (S, {"sid": "c", "previous": "b"}), (S, {"sid": "d", "previous": "gone"}),
    )  # fmt: skip
    roots = {sid: (session.root, session.parent) for sid, session in state.sessions.items()}
    assert roots == {"a": ("a", ""), "b": ("a", "a"), "c": ("a", "b"), "d": ("gone", "gone")}


def test_no_session_is_forgotten():
    """All sessions are listed, however many, by last activity."""
    events = [(S, {"sid": f"s{n}"}) for n in range(100)]
    events += [("prompt.submitted", {"sid": "s3", "text": "late"})]
    state = state_of(sessions.PROJECTION, *events)
    assert len(state.sessions) == 100
    assert list(state.sessions)[-1] == "s3"
    assert state.sessions["s3"].prompts == 1


def test_what_a_session_did():
    """Prompts, the first of them, tools, failures, files and tokens are counted and kept."""
    state = state_of(
        sessions.PROJECTION, (S, {"source": "startup", "model": "m", "title": "t"}),
        ("prompt.submitted", {"text": "one"}), ("prompt.submitted", {"text": "two"}),
        ("prompt.submitted", {"text": "x", "origin": "task-notification"}),
        ("tool.finished", {"tool": "Edit", "target": "a.py", "changed": True}),
        ("tool.finished", {"tool": "Read", "target": "b.py"}),
        ("tool.failed", {"tool": "Bash"}), ("turn.ended", {}),
        ("pressure.sampled", {"tokens": 7, "at": "2026"}), ("model.switched", {"after": "n"}),
        ("session.summarized", {"sid": "z", "of": "a", "title": "u"}),
    )  # fmt: skip
    session = state.sessions["a"]
    assert (session.prompts, session.prompt, session.tools, session.failures, session.turns) == (
        2, "one", 3, 1, 1,
    )  # fmt: skip
    assert (session.files, session.tokens, session.model, session.title) == (["a.py"], 7, "n", "t")
    assert "z" not in state.sessions


@pytest.mark.parametrize("kind", ["flow.noted", "segment.opened", "hook.failed", "advice.given"])
def test_an_event_of_no_concern_changes_nothing(kind):
    """A projection returns the same state object for an event it does not handle."""
    for item in (sessions.PROJECTION, learnings.PROJECTION):
        assert state_of(item, (kind, {})) is item.initial


@pytest.mark.parametrize(
    ("ts", "expected"),
    [
        ("2026-11-21T08:00:00.000Z", ("2026-11-21T08:00:00.000Z", "2026-11-21T09:00:01.000Z", "/new")),
        ("2026-11-21T10:00:00.000Z", ("2026-11-21T09:00:01.000Z", "2026-11-21T10:00:00.000Z", "/old")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["turn.ended", "tool.finished"])
def test_an_event_appended_late(kind, ts, expected):
    """An event of a transcript that is older than the last one moves only the beginning."""
    late = (kind, {"ts": ts, "via": "reconcile", "cwd": "/old"})
    session = state_of(sessions.PROJECTION, ("turn.ended", {"cwd": "/new"}), late).sessions["a"]
    assert (session.started, session.last, session.cwd) == expected


def test_a_call_without_a_directory():
    """A tool call that names no directory leaves the session where it was."""
    calls = [("tool.finished", {"cwd": "/new"}), ("tool.finished", {})]
    assert state_of(sessions.PROJECTION, *calls).sessions["a"].cwd == "/new"
