"""Members that every view has, of a session, of all, and of the past."""

from __future__ import annotations

import pytest

from tests.cli.conftest import SID

HEAD = {"view", "project", "journal", "seq", "at", "complete", "session"}
RECOVERY = {"checkpoint_id", "summary", "active_unit", "progress", "pending_tasks", "recent_files",
            "key_decisions", "recovery_prompt", "compactions", "attempts", "last_request"}  # fmt: skip
SHAPES = {
    "pressure": {"known", "unknown", "tokens", "pressure", "used", "level", "told", "point",
                 "point_source", "window", "source", "terms", "levels", "observed"},
    "compound": {"unpromoted", "entries", "headings", "ran", "notes", "stock", "suggested",
                 "compound_since_compact"},
    "recovery": RECOVERY,
    "lineage": {"root", "parent", "chain", "lineages"},
    "sessions": {"sessions", "open"},
    "learnings": {"stock", "recorded", "confirmed", "entries"},
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_view_of_a_session(name, played):
    """A session's view is one object: project, seq, completeness and the view's members."""
    data = played.journal("view", name, "--session", SID, "--json").data
    assert HEAD - {"session"} <= data.keys()
    assert SHAPES[name] <= data.keys()
    assert (data["view"], data["seq"], data["complete"]) == (name, 31, True)
    assert data["project"] == str(played.project)


@pytest.mark.parametrize("name", ["pressure", "recovery"])
def test_view_of_all_sessions(name, played):
    """Without a session the members are under `sessions`, by id."""
    data = played.journal("view", name).data
    assert data["session"] is None
    assert SHAPES[name] - {"levels", "observed"} <= data["sessions"][SID].keys()


@pytest.mark.parametrize("until, tokens", [
    ("9", 412_000), ("20", 884_000), ("2026-11-21T09:15:05Z", 741_000), ("40m", 741_000),
])  # fmt: skip
def test_views_of_the_past(until, tokens, played):
    """--until makes a view of the events up to then."""
    data = played.journal("view", "pressure", "--session", "c00f", "--until", until).data
    assert data["tokens"] == tokens
