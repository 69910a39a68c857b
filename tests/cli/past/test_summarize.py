"""`journal summarize`: which sessions are summarized, and what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.past import summarize as command
from projections.summary import Summary, summarize
from tests.cases.world import OTHER, SID, World
from tests.cli.past.conftest import made, work

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from projections.digest import Digest
    from tests.support.command import Result


def test_it_says_what_it_did(inline: World, journal: Callable[..., Result]) -> None:
    """One line per session with title and engine, and a count; a second run has nothing to do."""
    work(inline)
    work(inline, OTHER, "テストを追加してください。")
    ran = journal()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "summarized 22222222  テストを追加してください。 (extractive)",
        "summarized 11111111  make the totals right (extractive)",
        "2 summaries recorded",
    ]
    assert made(inline) == [(OTHER, "extractive"), (SID, "extractive")]
    assert (
        journal().out
        == "Nothing to summarize. To make the summaries again: journal summarize --again\n"
    )
    assert len(made(inline)) == 2


def test_nothing_of_hooks(inline: World, journal: Callable[..., Result]) -> None:
    """--again does not suggest itself: without an ended session of hooks it says so."""
    inline.hook("SessionStart", source="startup")
    assert journal("--again").out.startswith("Nothing to summarize: no session that hooks recorded")


def test_json(inline: World, journal: Callable[..., Result]) -> None:
    """JSON has project, session, engine, events seen and the new event, and nothing else."""
    work(inline)
    upto = inline.events()[-1]["seq"]
    ran = journal("--json")
    assert ran.data == [
        {"project": inline.directory.name, "session": SID, "title": "make the totals right",
         "engine": "extractive", "upto": upto, "recorded": True, "seq": upto + 1}
    ]  # fmt: skip
    assert journal("--json").data == []


def test_dry_run(inline: World, journal: Callable[..., Result]) -> None:
    """--dry-run prints what would be done and records nothing; without it the command does it."""
    work(inline)
    ran = journal("--dry-run")
    assert ran.out.splitlines() == [
        "would summarize 11111111  make the totals right (extractive)"
    ]  # fmt: skip
    assert made(inline) == []
    journal()
    assert made(inline) == [(SID, "extractive")]


def test_again(inline: World, journal: Callable[..., Result]) -> None:
    """--again makes another summary for completed sessions; open ones are still skipped."""
    work(inline)
    journal()
    inline.sid = OTHER
    inline.start()
    inline.prompt("still at it")
    journal("--again")
    assert made(inline) == [(SID, "extractive")] * 2
    journal("--again", "--engine", "extractive")
    assert len(made(inline)) == 3


def test_two_at_once(
    inline: World, journal: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two concurrent runs one records a session, even if the index has the other's summary."""
    work(inline)

    def late(digest: Digest) -> Summary:
        monkeypatch.setattr(command, "extract", summarize)
        assert journal().out.endswith("1 summary recorded\n")
        assert journal().out.startswith("Nothing to summarize")  # the index is past the summary
        return summarize(digest)

    monkeypatch.setattr(command, "extract", late)
    assert journal().out == "0 summaries recorded\n"
    assert made(inline) == [(SID, "extractive")]


def test_one_session(inline: World, journal: Callable[..., Result]) -> None:
    """A named session is summarized, open or not; the others are not."""
    work(inline)
    inline.sid = OTHER
    inline.start()
    inline.prompt("still at it")
    assert journal("--session", "2222").code == 0
    assert made(inline) == [(OTHER, "extractive")]
    assert journal("--session", "2222").out.startswith("Nothing to summarize")
    inline.prompt("and going on")
    journal("--session", "2222")
    assert made(inline) == [(OTHER, "extractive")] * 2


def test_a_session_that_is_not_there(inline: World, journal: Callable[..., Result]) -> None:
    """An unknown id is an error that says where ids are listed; nothing is written."""
    work(inline)
    ran = journal("--session", "zzz")
    assert ran.code == 2
    assert 'no session matches "zzz"' in ran.err
    assert made(inline) == []


def test_all_projects(inline: World, journal: Callable[..., Result]) -> None:
    """--all means the sessions of every journal; without it those of this project."""
    work(inline)
    here = inline.directory
    shop, inline.project = inline.project, inline.home / "other"
    (inline.project / ".git").mkdir(parents=True)
    work(inline, OTHER)
    inline.project = shop
    journal()
    assert len(list(inline.journal.glob("*/active.jsonl"))) == 2
    ran = journal("--all", "--json")
    assert [row["session"] for row in ran.data] == [OTHER]
    assert ran.data[0]["project"] != here.name


def test_no_journal(inline: World, journal: Callable[..., Result]) -> None:
    """Without a journal it is an error, and none is created."""
    assert journal().code == 3
    assert "no journal" in journal("--all").err
    assert not inline.journal.exists()
