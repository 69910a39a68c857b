"""`journal rebuild` and `journal seal` on the journal of a recorded session."""

from __future__ import annotations

import shutil

import pytest


@pytest.mark.parametrize("damage", [b"", b"rubbish" * 100])
def test_rebuild_needs_no_snapshot(damage, played):
    """`rebuild` produces the views again, whatever state the snapshot is in."""
    before = played.journal("view", "pressure").out
    (played.directory / "snapshot").write_bytes(damage)
    result = played.journal("rebuild", "--json")
    assert (result.data["seq"], result.data["kept"]) == (31, True)
    assert played.journal("view", "pressure").out == before


def test_seal_then_read(played):
    """A sealed and compressed log reads as before."""
    before = played.journal("events", "--json").data
    sealed = played.journal("seal", "--json").data["sealed"]
    assert sealed == ["000000001-000000031.jsonl.gz"]
    assert played.journal("events", "--json").data[:31] == before
    assert played.journal("seal").out == "nothing to seal\n"


@pytest.mark.parametrize("words", [["seal"], ["seal", "--no-compress"], ["repair"], ["rebuild"]])
def test_hooks_answer_after_maintenance(words, played):
    """A compaction in the turn in which the log was sealed, repaired or made anew is answered."""
    with played.segment.open("ab") as file:
        file.write(b"rubbish\n" if words == ["repair"] else b"")
    assert played.journal(*words).code == 0
    played.hook("PreCompact", trigger="auto")
    assert "the context was compacted" in played.hook("SessionStart", source="compact")


def test_a_lost_log_is_found_beside_an_imported_one(played):
    """`verify` reports that the hooks' log is gone, although an imported one is there."""
    played.journal("status")
    shutil.copytree(played.directory, played.directory / "imported")
    played.segment.unlink()
    assert played.journal("verify").code == 1
