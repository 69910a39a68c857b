"""`journal gc` removes old texts by class; the counts of sessions and compactions stay the same."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.forget.collect import CLASSES, Collected, collect
from journal.history.replay.run import replay_all
from journal.log.read import Reader
from journal.log.record import is_tombstone, unframe
from journal.log.verify import verify
from projections.registry import REGISTRY
from tests.cli.conftest import Workspace, play
from tests.journal.history.forget.conftest import fill
from tests.support.copied import Copied, copied

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LATER = "2027-11-22T10:00:00.000Z"
SOON = "2026-11-22T10:00:00.000Z"


@pytest.fixture(scope="module")
def built() -> Iterator[Copied[Workspace]]:
    """Build `two` once."""
    yield from copied(_built)


@pytest.fixture
def two(built: Copied[Workspace]) -> Workspace:
    """Return a home with the recorded session, sealed, and files of every class."""
    return built.restore()


def _built(top: Path) -> Workspace:
    workspace = play(Workspace(str(top)))
    workspace.journal("seal")
    fill(workspace)
    shutil.rmtree(workspace.directory / "spool")
    workspace.journal("status")
    return workspace


def _run(home: Path, now: str = LATER, *, dry: bool = False, **days: int) -> dict[str, Collected]:
    names = [path.name for path in home.iterdir() if path.is_dir() and path.name != "cache"]
    return collect(str(home), names, now, days, dry=dry)


def _lines(directory: Path) -> list[bytes]:
    return [line for _, line in Reader(str(directory))]


def _states(directory: Path) -> dict[str, Any]:
    """Return the state of every projection of a log, folded without a cache."""
    shutil.rmtree(directory.parent / "cache", ignore_errors=True)
    return dict(replay_all(str(directory), list(REGISTRY)).fold.states)


def test_nothing_is_removed_of_a_class_without_an_age(two: Workspace) -> None:
    """Without an age, or with records younger than it, every file stays byte for byte."""
    before = {path: path.read_bytes() for path in two.home.rglob("*") if path.is_file()}
    assert _run(two.home) == {}
    assert {one.number for one in _run(two.home, SOON, **dict.fromkeys(CLASSES, 30)).values()} == {
        0
    }
    counted = _run(two.home, **dict.fromkeys(CLASSES, 30), dry=True)
    assert all(one.number and one.saved for one in counted.values())
    after = {path: path.read_bytes() for path in two.home.rglob("*") if path.is_file()}
    assert after == before


def test_files_without_a_log_count(two: Workspace) -> None:
    """Old files of a project that has no log any more are counted as they are removed."""
    left = two.home / "gone-00000009" / "conversations" / "a.gz"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"x" * 9)
    os.utime(left, (0, 0))
    for dry in (True, False):
        found = collect(str(two.home), ["gone-00000009"], LATER, {"conversations": 30}, dry=dry)
        assert found == {"conversations": Collected(1, 9)}
    assert not left.exists()


def test_the_dry_run_counts_what_goes(two: Workspace) -> None:
    """A run removes what the dry run counted, a second run nothing, and the log verifies."""
    days = dict.fromkeys(CLASSES, 30)
    counted = _run(two.home, **days, dry=True)
    size = len(_lines(two.directory))
    assert _run(two.home, **days) == counted
    assert {one.number for one in _run(two.home, **days).values()} == {0}
    lines = _lines(two.directory)
    assert len(lines) == size + 1
    marker = unframe(lines[-1])
    assert (marker["type"], marker["removed"]["quarantine"]) == ("journal.collected", 1)
    report = verify(str(two.directory))
    assert (report.exit_code, report.tombstones) == (0, sum(map(is_tombstone, lines)))
    assert report.tombstones > 4
    assert "journal gc emptied" in two.journal("verify").out
    assert not list(two.home.rglob("conversations/*"))


@pytest.mark.parametrize(
    ("name", "differs"),
    [
        ("observations", {"files"}),
        ("prompts", {"prompt", "asked", "title", "title_source", "title_at"}),
    ],
)
def test_sessions_and_compactions_outlive_their_texts(
    two: Workspace, name: str, differs: set[str]
) -> None:
    """Sessions then differ only in texts; pressure, stages, progress and units do not differ."""
    before = _states(two.directory)
    _run(two.home, **{name: 30})
    after = _states(two.directory)
    assert any(is_tombstone(line) for line in _lines(two.directory))
    for same in ("pressure", "stage", "progress", "queue", "learnings", "unit"):
        if same in before:
            assert after[same] == before[same], same
    # The lineage differs only in when a user first asked something in words of their own.
    assert name == "prompts" or after["lineage"] == before["lineage"]
    for sid, old in before["sessions"].sessions.items():
        new = after["sessions"].sessions[sid]
        changed = {f for f in old.__struct_fields__ if getattr(old, f) != getattr(new, f)}
        assert changed <= differs, changed
        assert new.compacted == old.compacted


def test_counts_in_sql_are_the_same(two: Workspace) -> None:
    """Sessions, turns, tools and compactions have the same row counts and sums in SQL."""
    query = (
        "select (select count(*) from sessions), (select sum(tools) from sessions), "
        "(select sum(failures) from sessions), (select count(*) from turns), "
        "(select sum(ms) from tools), (select count(*) from compactions), (select count(*) from events)"
    )
    before = two.journal("sql", query, "--json").data
    _run(two.home, observations=30, prompts=30)
    after = two.journal("sql", query, "--json").data
    events = '(SELECT count_star() FROM "events")'
    changed = {k for k in before[0] if before[0][k] != after[0][k]}
    assert len(changed) == 1, (changed, events)  # the rows of the two markers


def test_an_import_does_not_bring_texts_back(two: Workspace) -> None:
    """Tombstones keep the keys of imported facts, so an import adds nothing again."""
    _run(two.home, prompts=30)
    count = len(_lines(two.directory / "imported"))
    (two.home / "import.state").unlink(missing_ok=True)
    assert two.journal("import").code == 0
    assert len(_lines(two.directory / "imported")) == count


def test_a_removed_conversation_does_not_come_back(two: Workspace) -> None:
    """An import of the transcript, which is still there, stores nothing of what was removed."""
    folder = two.directory / "conversations"
    assert two.journal("import").code == 0  # a restored transcript is another file
    assert list(folder.iterdir())
    _run(two.home, conversations=30, prompts=30)
    assert two.journal("import").code == 0
    assert list(folder.iterdir()) == []


def test_an_interrupted_run_is_finished_by_the_next(two: Workspace) -> None:
    """The next run finishes an interrupted one."""
    from journal.log.rewrite import begin
    from journal.log.rewrite_watch import is_unfinished

    begin(str(two.directory))
    assert {one.number for one in _run(two.home, observations=3000).values()} == {0}
    assert not is_unfinished(str(two.directory))
