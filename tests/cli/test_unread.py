"""`journal usage` before and after an import: what counts, and when it imports."""

from __future__ import annotations

import errno
import gc
from typing import TYPE_CHECKING, Any

import pytest

from cli.render.text import dollars
from journal.history.importer import owners
from journal.history.importer.find import find
from journal.history.importer.lines import without_collector
from journal.history.usage.unread import Unread
from tests.cli.import_.test_automatic import SID, at_a_terminal, day_one, imported, write_transcript
from tests.support.command import run_command

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

__all__ = ["day_one"]


def test_usage_reads_what_is_new_or_says_so(day_one: Workspace) -> None:
    """Replies since the last import count, unless imports are declined, which it says."""
    day_one.journal("import")
    quiet = day_one.journal("usage", "--json")
    assert (quiet.err, quiet.data["total"]["replies"]) == ("", 3)
    write_transcript(day_one, 6, day_one.project)
    told = day_one.journal("usage", "--json", "--no-import")
    assert told.data["total"]["replies"] == 3
    assert told.err == (
        "journal: 1 transcript has changed since the last import; new replies are not counted: "
        "run `journal import`.\n"
    )
    assert "1 transcript has" in at_a_terminal(day_one, "usage", "--no-import")
    counted = day_one.journal("usage", "--json")
    assert (counted.err, counted.data["total"]["replies"]) == ("", 4)
    assert "since the last import" not in at_a_terminal(day_one, "usage")
    stored = day_one.journal("usage", "--json", "--no-import")
    assert (stored.err, stored.data["total"]) == ("", counted.data["total"])


@pytest.mark.parametrize("command", ["usage", ""])
def test_a_transcript_that_cannot_be_read_is_reported(
    day_one: Workspace, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """One of another user is not counted as a session, and both reports of the cost say so."""
    words = command.split()
    day_one.hook("SessionStart", "live", source="startup")
    assert "Cannot read" not in day_one.journal(*words).err
    read, (first, *_) = owners.open_readable, sorted(find(str(day_one.top / "claude")))

    def refuses(path: str) -> int:
        if path == first.path:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return read(path)

    monkeypatch.setattr(owners, "open_readable", refuses)
    told = day_one.journal(*words).err
    assert "Cannot read 1 transcript, so not all replies count: run `journal import`" in told
    assert ("Counted 2 past sessions" in told) == bool(words)
    day_one.journal("import")
    assert "Cannot read 1 transcript" in day_one.journal(*words).err


def test_usage_answers_before_it_imports(day_one: Workspace) -> None:
    """Without a journal a report counts the transcripts; at a terminal they are imported then."""
    counted = day_one.journal("usage", "--json")
    assert (counted.data["project"][:4], counted.data["total"]["replies"]) == ("shop", 3)
    assert counted.err == (
        "journal: Counted 3 past sessions from transcripts that are not imported yet: "
        "run `journal import`.\n"
    )
    assert day_one.journal("usage", "--json", "--all").data["total"]["replies"] == 5
    session = day_one.journal("usage", "--json", "--session", SID.format(2))
    assert session.data["total"]["replies"] == 1
    assert not day_one.home.exists()
    shown = at_a_terminal(day_one, "usage")
    assert shown.index("total 3") < shown.index("Found 3 past sessions of this project")
    assert shown.endswith("Imported 3 sessions.")
    assert imported(day_one) == ["shop"]


def test_titles_need_no_import(day_one: Workspace) -> None:
    """Sessions have the same titles before an import as after it."""
    words = ("usage", "--by", "session", "--all", "--json")
    before = day_one.journal(*words).data["rows"]
    day_one.journal("import")
    assert before == day_one.journal(*words).data["rows"]
    assert all(row["title"] for row in before)


def test_projects_are_named_alike_before_and_after_an_import(day_one: Workspace) -> None:
    """A project without a journal is shown without the digest of its path, too."""
    before = [day_one.journal("usage", *words).out for words in ((), ("--all", "--by", "project"))]
    assert "of shop, by day" in before[0]
    day_one.journal("import")
    after = [day_one.journal("usage", *words).out for words in ((), ("--all", "--by", "project"))]
    assert before == after


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[list[object]]:
    """Return the listings of transcripts so far."""
    found: list[list[object]] = []

    def counted(*args: Any) -> list[Any]:
        found.append(find(*args))
        return found[-1]

    monkeypatch.setattr("journal.history.importer.find.find", counted)
    monkeypatch.setattr("journal.history.conversations.resume.find", counted)
    return found


def test_outside_projects_transcripts_are_listed_once(
    day_one: Workspace, listed: list[list[object]]
) -> None:
    """A report of all projects lists the transcripts once, also where it was asked of none."""
    result = run_command(["usage", "--json"], day_one.env, day_one.top)
    assert (result.data["project"], result.data["total"]["replies"]) == (None, 5)
    assert len(listed) == 1


@pytest.mark.parametrize(
    "command",
    [
        "",
        "doctor",
        "show last",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("status", "sessions", "get last")
        ),
    ],
)
def test_a_command_lists_the_transcripts_once(
    day_one: Workspace, listed: list[list[object]], command: str
) -> None:
    """Whatever a report wants to know of transcripts, it lists them once."""
    day_one.journal("import")
    listed.clear()
    run_command(command.split(), day_one.env, day_one.project)
    assert len(listed) == 1


def test_bare_journal_counts_what_is_not_imported(day_one: Workspace) -> None:
    """In a pipe, `journal` has the cost that `journal usage` has, with nothing imported."""
    day_one.hook("SessionStart", "live", source="startup")
    total = day_one.journal("usage", "--json").data["total"]
    assert total["replies"]
    assert f"{dollars(total['cost_usd'])} in all" in " ".join(day_one.journal().out.split())


def test_what_was_read_is_frozen_at_once(
    day_one: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's cycle collector never goes through what was read: it runs before or not at all."""
    steps: list[str] = []
    read, freeze, threshold = Unread.read, gc.freeze, gc.get_threshold()

    def reading(unread: Unread, *given: Any) -> Unread:
        with without_collector():
            found = read(unread, *given)
            steps.append("read")
        return found

    def collecting(phase: str, _info: object) -> None:
        steps.append(phase)

    def freezing() -> None:
        steps.append("frozen")
        freeze()

    monkeypatch.setattr(Unread, "read", reading)
    monkeypatch.setattr(gc, "freeze", freezing)
    gc.set_threshold(1)
    gc.callbacks.append(collecting)
    try:
        assert day_one.journal("usage", "--json").data["total"]["replies"] == 3
    finally:
        gc.callbacks.remove(collecting)
        gc.set_threshold(*threshold)
    assert "start" in steps
    assert steps[steps.index("read") + 1] == "frozen"
