"""The sessions of a project's two logs, listed once each."""

from __future__ import annotations

from journal.history.sessions import sessions_of
from tests.laws.surfaces import Journals


def test_sessions_of_two_logs(tmp_path) -> None:
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
