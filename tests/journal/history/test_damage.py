"""What every reader reports of a damaged log, and of what is known to be missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.damage import LogState, findings_of, states_of
from journal.log.findings import ANOMALY, CORRUPT, TORN, Findings
from journal.log.reached import seen_seq
from tests.journal.log.book import Book

if TYPE_CHECKING:
    from pathlib import Path


def state(found: Findings, **more: Any) -> LogState:
    """Return the state of a log with these findings."""
    members = {"missed": 0, "waiting": 0, "unread": 0, "is_changing": False, **more}
    return LogState("shop", members.pop("side", "live"), "/home/shop", found, **members)


def damaged(count: int) -> Findings:
    """Return findings of corrupt lines."""
    found = Findings("/home/shop/active.jsonl")
    for line in range(1, count + 1):
        found.note(CORRUPT, "a blank line", line)
    return found


def test_the_first_three_places_are_named() -> None:
    """Damage is named by segment and line, the rest of it is counted; a torn end is none."""
    assert state(damaged(1)).damage == "active.jsonl:1: a blank line"
    assert state(damaged(5)).places == [
        "active.jsonl:1: a blank line", "active.jsonl:2: a blank line",
        "active.jsonl:3: a blank line", "and 2 more",
    ]  # fmt: skip
    assert state(damaged(1), side="imported").damage == "imported/active.jsonl:1: a blank line"
    torn = Findings("active.jsonl")
    torn.note(TORN, "a cut record", 1)
    assert (state(torn).is_damaged, state(torn).damage) == (False, "")


LOSSES: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"missed": 1}, "1 event never recorded: nothing could be written then"),
    ({"missed": -1}, "how many were never recorded is unknown: `missed` is not a file"),
    ({"waiting": 1}, "1 hook call waits for the next one to append"),
    ({"waiting": 2}, "2 hook calls wait for the next one to append"),
    ({"waiting": -1, "unread": -1}, "how many hook calls wait is unknown: `spool` cannot be read"),
    ({"unread": 2}, "2 hook calls lost in part: see spool/*.bad"),
    ({"is_changing": True}, "journal redact or journal gc is running or was interrupted: run the same command again"),
    ({"missed": 2, "waiting": 1}, "2 events never recorded: nothing could be written then; 1 hook call waits for the next one to append"),
]  # fmt: skip


@pytest.mark.parametrize(("members", "text"), LOSSES)
def test_known_losses(members: dict[str, Any], text: str) -> None:
    """What was never recorded, waits or is being changed is no damage, and is said."""
    found = state(Findings("active.jsonl"), **members)
    assert (found.losses, found.is_damaged) == (text, False)


def test_losses_that_the_log_tells_of() -> None:
    """Gaps that a repair named, events of a gap and texts that were removed are known losses."""
    found = Findings("active.jsonl")
    found.miss(3, 6, 1, 0)
    found.read_own({"type": "journal.repaired", "segment": "active.jsonl", "missing": [[3, 6]]})
    found.read_own({"type": "journal.gap", "missed": 2})
    found.read_own({"type": "journal.collected", "before": {"prompts": "2026-01-01T00:00:00Z"}})
    assert state(found, missed=1).losses == (
        "4 events lost before a repair (seq 3 to 6); 3 events never recorded: nothing could be "
        "written then; texts removed by journal gc: prompts before 2026-01-01"
    )


def test_each_log_of_a_home_has_a_state(tmp_path: Path) -> None:
    """Live and imported logs are read, all or those of named projects; a corrupt line is found."""
    for name in ("a-1", "b-2", "b-2/imported"):
        Book(tmp_path / name).fill(3)
    bad = Book(tmp_path / "b-2" / "imported")
    bad.set_lines([*bad.lines(), b"milk"])
    (tmp_path / "a-1" / "missed").write_bytes(b"..")
    states = {(item.project, item.side): item for item in states_of(str(tmp_path))}
    assert {key: item.is_damaged for key, item in states.items()} == {
        ("a-1", "live"): False, ("b-2", "live"): False, ("b-2", "imported"): True,
    }  # fmt: skip
    assert states["a-1", "live"].missed == 2
    assert [item.project for item in states_of(str(tmp_path), ["a-1"])] == ["a-1"]
    given = damaged(1)
    (only,) = states_of(str(tmp_path), ["a-1"], {str(tmp_path / "a-1"): given})
    assert only.found is given


@pytest.mark.parametrize("stores", [True, False])
def test_how_far_a_log_was_read_is_stored(tmp_path: Path, stores: bool) -> None:
    """After a whole reading a lost end would be noticed, unless nothing may be stored."""
    book = Book(tmp_path / "a-1")
    book.fill(3)
    assert findings_of(book.directory, stores=stores).listed == []
    assert seen_seq(book.directory) == (4 if stores else 0)


def test_a_log_that_cannot_be_read_is_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the system becomes a finding."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("journal.history.replay.run.replay_all", refuse)
    found = findings_of(str(tmp_path))
    assert [(item.verdict, item.what) for item in found.unrepaired] == [
        (CORRUPT, "cannot be read: Permission denied")
    ]
    assert ANOMALY not in found.counts
