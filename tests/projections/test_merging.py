"""How the two records of one session, by hooks and by transcript, are merged."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from projections.merging import merge
from projections.session import Compaction, Session

DONE = [Compaction(seq=4, done_seq=5)]
A = Session(
    started="2026-11-21T09:00",
    prompts=2,
    turns=2,
    tools=5,
    title="live",
    title_source="custom",
    seq=9,
    files=["a"],
)
B = Session(started="2026-11-21T08:00", prompts=3, turns=3, tools=9, model="m", files=["b"],
            title="imported", title_source="ai", seq=8, compacted=DONE,
            ended="2026-11-21T10:00")  # fmt: skip


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
    """The end is the hooks', the title the better one; what hooks lack is the transcript's."""
    session = merge(A, B)
    assert session is not None
    assert (session.title, session.model, session.ended) == ("live", "m", "")
    assert session.started == "2026-11-21T08:00"
    assert session.files == ["a", "b"]
    assert merge(None, None) is None
    assert merge(B, A).title == "live"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("ended", "last", "merged"),
    [("09:30", "09:50", ("09:50", "10:00")), ("", "09:50", ("09:50", "")),
     ("09:30", "09:20", ("09:30", "09:30"))],
    ids=["without hooks", "open", "with hooks"],
)  # fmt: skip
def test_a_session_that_goes_on_without_hooks(
    ended: str, last: str, merged: tuple[str, str]
) -> None:
    """Where the transcript has more, and later, the session's end is the transcript's."""
    live = replace(A, last="09:30", ended=ended)
    session = merge(live, replace(B, last=last, ended="10:00"))
    assert session is not None
    assert (session.last, session.ended) == merged
    assert merge(replace(live, prompts=9), replace(B, last="09:50")).ended == ended  # type: ignore[union-attr]


READ = Session(seq=1, tokens=50, tokens_at="09:50", model="m")


@pytest.mark.parametrize("more, found", [
    ({}, (50, "m")),
    ({"tokens_at": "11:00", "tokens": 70, "model": "n"}, (70, "n")),
    ({"tokens_at": "11:00", "tokens": 70, "model": ""}, (70, "m")),
    ({"tokens_at": "09:00", "tokens": 70, "model": "n"}, (50, "m")),
    ({"tokens_at": "", "tokens": None, "model": ""}, (50, "m")),
])  # fmt: skip
def test_the_last_reading_is_the_newest(more: dict[str, Any], found: tuple[int, str]) -> None:
    """Whichever log has them: hooks may stop, or begin, in the middle of a session."""
    other = replace(READ, **more)
    for live, imported in ((READ, other), (other, READ)):
        session = merge(live, imported)
        assert session is not None
        assert (session.tokens, session.model) == found


def test_an_empty_record_of_the_hooks_counts_nothing() -> None:
    """If the hooks counted nothing at all, the transcript's counts are used."""
    imported = Session(started="2026-11-21T08:00", seq=5, subagents=1, compacted=DONE)
    session = merge(Session(title="live", title_source="ai", seq=1), imported)
    assert session is not None
    assert (session.title, session.subagents, session.compactions) == ("live", 1, 1)
    tried = [Compaction(seq=1, at="2026-11-21T08:00:00.000Z")]
    session = merge(Session(seq=1, compacted=tried), imported)
    assert session is not None
    assert (session.compactions, session.attempts) == (1, 1)
    named = merge(Session(seq=1, compacted=tried), Session(seq=5))
    assert named is not None
    assert named.compacted is tried


@pytest.mark.parametrize("missed", [{"subagents": 1}, {"compacted": DONE}])
def test_an_equal_activity_with_more_of_the_rest_is_fuller(missed: dict[str, Any]) -> None:
    """Hooks that missed a subagent or a compaction alone have less than the transcript."""
    session = merge(A, replace(A, **missed))
    assert session is not None
    assert (session.subagents + session.compactions, session.prompts) == (1, 2)
    attempt = replace(A, compacted=[Compaction(seq=1, at="2026-11-21T08:00:00.000Z")])
    assert merge(attempt, A).attempts == 1  # type: ignore[union-attr]


def test_a_session_that_hooks_only_named() -> None:
    """Of a session known from its transcript alone, the hooks' log may hold title and summary."""
    named = Session(title="Totals", title_source="summary", summary="Rounded.")
    session = merge(named, B)
    assert session is not None
    assert (session.title, session.summary) == ("imported", "Rounded.")
    assert (session.started, session.prompts) == (B.started, 3)
    untitled = Session(started=B.started, seq=8, title="fix it", title_source="prompt")
    assert merge(named, untitled).title == "Totals"  # type: ignore[union-attr]


@pytest.mark.parametrize("at, attempts", [
    ("2026-11-21T08:02:00.000Z", 1), ("2026-11-21T08:02:00.001Z", 2),
    ("2026-11-21T07:58:00.000Z", 1), ("2026-11-21T07:57:59.999Z", 2),
], ids=["two-minutes-on", "another-on", "two-minutes-back", "another-back"])  # fmt: skip
def test_an_attempt_that_a_hook_alone_saw(at: str, attempts: int) -> None:
    """An attempt only a hook saw is added to the transcript's compactions, unless it is there."""
    done = Compaction(seq=7, at="2026-11-21T08:00:00.000Z", done_seq=7)
    session = merge(Session(seq=1, compacted=[Compaction(seq=1, at=at)]), prompted_with([done]))
    assert session is not None
    assert (session.compactions, session.attempts) == (1, attempts)


def prompted_with(compacted: list[Compaction]) -> Session:
    """Build a session with a prompt and these compactions."""
    return Session(prompts=1, seq=7, compacted=compacted)


@pytest.mark.parametrize(
    ("sources", "started"),
    [
        (["startup"], "2026-11-21T08:00"),
        (["fork"], "2026-11-21T09:00"),
        (["clear"], "2026-11-21T09:00"),
    ],
)
def test_a_fork_or_clear_is_the_beginning(sources: list[str], started: str) -> None:
    """Hooks installed during a session saw no start, but those of a fork saw it begin."""
    session = merge(replace(A, sources=sources), replace(B, sources=["startup"]))
    assert session is not None
    assert (session.started, session.sources[0]) == (started, sources[0])


def test_the_beginning_is_told_by_the_log_that_has_it() -> None:
    """Hooks installed during a session: source, first prompts and title are the transcript's."""
    asked = {"title_source": "request", "prompts": 1}
    live = replace(A, **asked, title="Then the tests", prompt="Then the tests", sources=["resume"])
    first = replace(
        B, **asked, title="Fix the cart", prompt="Fix the cart", sources=["startup"],
        asked=["Fix the cart"],
    )  # fmt: skip
    session = merge(live, first)
    assert session is not None
    assert session.sources == ["startup", "resume"]
    assert (session.title, session.prompt, session.asked) == (*["Fix the cart"] * 2, first.asked)
    named = merge(replace(live, title_source="ai"), first)
    assert named is not None
    assert named.title == "Then the tests"
    same = merge(replace(live, started=B.started), first)
    assert same is not None
    assert (same.title, same.sources) == ("Then the tests", ["resume"])
