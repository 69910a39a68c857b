"""The sessions of a project's two logs, listed once each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.sessions import sessions_of
from tests.laws.surfaces import Journals
from tests.projections.timeline import fields_of

if TYPE_CHECKING:
    from pathlib import Path


def test_sessions_of_two_logs(tmp_path: Path) -> None:
    """Each session names the log that was counted; one only imported ended at its last event."""
    journals = Journals(str(tmp_path))
    journals.add([
        ("a 09:00 prompt x", "both"), ("b 09:01 prompt x", "imported"),
        ("c 09:02 prompt x", "both"), ("c 09:03 prompt y", "imported"),
    ])  # fmt: skip
    found = sessions_of(journals.scope("shop").directory)
    assert {sid: (item.is_imported, item.counted) for sid, item in found.items()} == {
        "a": (False, "live"), "b": (True, "imported"), "c": (False, "imported"),
    }  # fmt: skip
    assert list(found) == ["a", "b", "c"]
    assert [(item.session.ended, item.session.inferred) for item in found.values()] == [
        ("", False), ("2026-11-21T09:01:00.000Z", True), ("", False),
    ]  # fmt: skip
    assert sessions_of(str(tmp_path / "none")) == {}


@pytest.mark.parametrize("more", [[], ["a 09:05 prompt y"]], ids=["hooks", "import"])
def test_tokens_of_a_compaction_are_those_of_claude_code(tmp_path: Path, more: list[str]) -> None:
    """Where a transcript has a compaction too, its tokens count, whichever log is the fuller one."""
    journals = Journals(str(tmp_path))
    begun = fields_of("a 09:01 compact auto")
    events = [
        (fields_of("a 09:00 prompt x"), "both"),
        ({**begun, "tokens": 160_000}, "live"),
        ({**begun, "tokens": 167_000}, "imported"),
        (fields_of("a 09:01 done"), "live"),
        *((fields_of(line), "imported") for line in more),
    ]
    journals.append(events, "shop")
    (item,) = sessions_of(journals.scope("shop").directory).values()
    assert item.counted == ("imported" if more else "live")
    ((is_imported, compaction),) = item.compactions
    assert (is_imported, compaction.tokens, compaction.restarted) == (False, 167_000, True)
