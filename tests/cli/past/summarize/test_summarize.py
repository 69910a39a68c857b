"""`journal summarize`: which sessions are summarized, and what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.past import summarize as command
from projections.summary import Summary, summarize
from tests.cases.world import OTHER, SID, World
from tests.cli.past.summarize.conftest import made, work

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from projections.digest import Digest
    from tests.support.command import Result


def test_it_says_what_it_did(world: World, journal: Callable[..., Result]) -> None:
    """One line per session with title and engine, and a count; a second run has nothing to do."""
    work(world)
    work(world, OTHER, "テストを追加してください。")
    ran = journal()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "summarized 22222222  テストを追加してください。 (extractive)",
        "summarized 11111111  make the totals right (extractive)",
        "2 summaries recorded",
    ]
    assert made(world) == [(OTHER, "extractive"), (SID, "extractive")]
    assert (
        journal().out
        == "Nothing to summarize. To make the summaries again: journal summarize --again\n"
    )
    assert len(made(world)) == 2


def test_nothing_of_hooks(world: World, journal: Callable[..., Result]) -> None:
    """--again does not suggest itself: without an ended session of hooks it says so."""
    world.hook("SessionStart", source="startup")
    assert journal("--again").out.startswith("Nothing to summarize: no session that hooks recorded")


def test_json(world: World, journal: Callable[..., Result]) -> None:
    """JSON has project, session, engine, events seen and the new event, and nothing else."""
    work(world)
    upto = world.events()[-1]["seq"]
    ran = journal("--json")
    assert ran.data == [
        {"project": world.directory.name, "session": SID, "title": "make the totals right",
         "engine": "extractive", "upto": upto, "recorded": True, "seq": upto + 1}
    ]  # fmt: skip
    assert journal("--json").data == []


def test_dry_run(world: World, journal: Callable[..., Result]) -> None:
    """--dry-run prints what would be done and records nothing; without it the command does it."""
    work(world)
    ran = journal("--dry-run")
    assert ran.out.splitlines() == [
        "would summarize 11111111  make the totals right (extractive)"
    ]  # fmt: skip
    assert made(world) == []
    journal()
    assert made(world) == [(SID, "extractive")]


def test_again(world: World, journal: Callable[..., Result]) -> None:
    """--again makes another summary for completed sessions; open ones are still skipped."""
    work(world)
    journal()
    world.sid = OTHER
    world.start()
    world.prompt("still at it")
    journal("--again")
    assert made(world) == [(SID, "extractive")] * 2
    journal("--again", "--engine", "extractive")
    assert len(made(world)) == 3


def test_two_at_once(
    world: World, journal: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two concurrent runs one records a session, even if the index has the other's summary."""
    work(world)

    def late(digest: Digest) -> Summary:
        monkeypatch.setattr(command, "extract", summarize)
        assert journal().out.endswith("1 summary recorded\n")
        assert journal().out.startswith("Nothing to summarize")  # the index is past the summary
        return summarize(digest)

    monkeypatch.setattr(command, "extract", late)
    assert journal().out == "0 summaries recorded\n"
    assert made(world) == [(SID, "extractive")]


def test_one_session(world: World, journal: Callable[..., Result]) -> None:
    """A named session is summarized, open or not; the others are not."""
    work(world)
    world.sid = OTHER
    world.start()
    world.prompt("still at it")
    assert journal("--session", "2222").code == 0
    assert made(world) == [(OTHER, "extractive")]
    assert journal("--session", "2222").out.startswith("Nothing to summarize")
    world.prompt("and going on")
    journal("--session", "2222")
    assert made(world) == [(OTHER, "extractive")] * 2


def test_a_session_that_is_not_there(world: World, journal: Callable[..., Result]) -> None:
    """An unknown id is an error that says where ids are listed; nothing is written."""
    work(world)
    ran = journal("--session", "zzz")
    assert ran.code == 2
    assert 'no session matches "zzz"' in ran.err
    assert made(world) == []


def test_all_projects(world: World, journal: Callable[..., Result]) -> None:
    """--all means the sessions of every journal; without it those of this project."""
    work(world)
    here = world.directory
    shop, world.project = world.project, world.home / "other"
    (world.project / ".git").mkdir(parents=True)
    work(world, OTHER)
    world.project = shop
    journal()
    assert len(list(world.journal.glob("*/active.jsonl"))) == 2
    ran = journal("--all", "--json")
    assert [row["session"] for row in ran.data] == [OTHER]
    assert ran.data[0]["project"] != here.name


def test_no_journal(world: World, journal: Callable[..., Result]) -> None:
    """Without a journal it is an error, and none is created."""
    assert journal().code == 3
    assert "no journal" in journal("--all").err
    assert not world.journal.exists()
