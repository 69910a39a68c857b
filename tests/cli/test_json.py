"""The JSON shapes that scripts rely on."""

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


@pytest.mark.parametrize("variable", ["JOURNAL_SESSION", "CLAUDE_CODE_SESSION_ID"])
def test_session_of_the_environment(variable, played):
    """A command's default session is the one it runs in, if the journal knows it."""
    assert played.journal("view", "recovery", **{variable: SID}).data["session"] == SID
    assert played.journal("view", "recovery", **{variable: "other"}).data["session"] is None


def test_recovery_holds_what_was_told(played):
    """The recovery view has the request, files, decisions and the recovery text."""
    data = played.journal("view", "recovery", "--session", "c00f").data
    assert data["checkpoint_id"] == "cp-23"
    assert data["recent_files"] == ["discount.py", "cart.py"]
    assert data["key_decisions"] == ["Prices are rounded to cents once, in cart.total."]
    assert (data["compactions"], data["attempts"], data["told"]) == (1, 1, True)
    assert "make test_expired_code_is_refused pass" in data["compaction"]["summary"]
    assert "Yes, make the failing test pass." in data["recovery_prompt"]


def test_pressure_terms_have_provenance(played):
    """Each term of the compaction threshold names its source."""
    data = played.journal("view", "pressure", "--session", "c00f", "--until", "20").data
    assert (data["tokens"], data["point"], data["level"]) == (884_000, 967_000, "urgent")
    assert data["told"] == "urgent"
    assert {term["provenance"] for term in data["terms"]} == {"status line", "default"}


def test_events_are_their_records(played):
    """`events --json` gives the fields of the records, without the checksum."""
    found = played.journal("events", "--json").data
    assert [event["seq"] for event in found] == list(range(1, 32))
    assert all({"seq", "ts", "type", "v"} <= event.keys() for event in found)
    assert not any("crc" in event for event in found)


@pytest.mark.parametrize("words, seqs", [
    (["--type", "compact.started"], [22]),
    (["--type", "compact."], [22, 24, 28]),
    (["--type", "compact.started", "--type", "compact.finished"], [22, 28]),
    (["--type", "compact"], []),
    (["--since", "29"], [29, 30, 31]),
    (["--until", "2"], [1, 2]),
    (["--since", "2026-11-21T09:28:50Z", "--until", "2026-11-21T09:28:51Z"], [24, 25, 26, 27]),
    (["--until", "2026-11-20"], []),
    (["--since", "2026-11-22"], []),
    (["--until", "2026-11-21", "--limit", "2"], [30, 31]),
    (["--since", "31m"], [29, 30, 31]),
    (["--limit", "0"], []),
    (["--limit", "1"], [31]),
    (["--session", "c00f", "--limit", "1"], [31]),
], ids=lambda value: " ".join(map(str, value)))  # fmt: skip
def test_events_chosen(words, seqs, played):
    """Type, since, until, session and limit select events; bounds are inclusive."""
    assert [event["seq"] for event in played.journal("events", "--json", *words).data] == seqs


@pytest.mark.parametrize("until, tokens", [
    ("9", 412_000), ("20", 884_000), ("2026-11-21T09:15:05Z", 741_000), ("40m", 741_000),
])  # fmt: skip
def test_views_of_the_past(until, tokens, played):
    """--until makes a view of the events up to then."""
    data = played.journal("view", "pressure", "--session", "c00f", "--until", until).data
    assert data["tokens"] == tokens


def test_status_holds_all_views(played):
    """`status --json` is one object with a short form of every view."""
    data = played.journal("status", "--json").data
    assert {"project", "home", "journal", "seq", "events", "at", "complete", "findings", "pressure",
            "levels", "compound", "learnings", "compactions", "sessions", "config",
            "client"} <= data.keys()  # fmt: skip
    assert data["client"] == {"version": "2.1.330", "tested": True, "tested_range": "2.1.330"}
    assert data["sessions"]["open"] == [SID]


def test_unknown_types_are_shown_and_counted(played):
    """An event of a later version is listed as it is, counted, and changes no view."""
    from journal.log.append import Writer

    with Writer(str(played.directory), "2026-11-21T10:00:00.000Z") as writer:
        writer.append({"type": "cart.emptied", "v": 7, "sid": SID, "why": "later"})
    assert played.journal("events", "--json", "--limit", "1").data[0]["why"] == "later"
    assert "why=later" in played.journal("events", "--limit", "1").out
    assert played.journal("view", "compound").data["seq"] == 32
    assert played.journal("verify").code == 0
    assert played.journal("verify", "--json").data["counts"]["unknown"] == 1
    assert played.journal("verify", "--strict").code == 1


@pytest.mark.parametrize("name, kind", [("", "all"), ("unfiled", "unfiled")])
def test_project_by_name_of_its_journal(name, kind, played):
    """--project also takes the name of a journal, even one without a project."""
    played.hook("SessionStart", source="startup", cwd="/")
    wanted = name or played.directory.name
    data = played.journal("status", "--json", "--project", wanted, cwd=played.top).data
    assert data["journal"].endswith(wanted)
    assert data["events"] == (31 if kind == "all" else 2)


def test_project_by_directory(played):
    """--project takes any directory of the project, and overrides the environment."""
    inside = played.project / "deep" / "down"
    inside.mkdir(parents=True)
    result = played.journal(
        "events",
        "--json",
        "--project",
        str(inside),
        cwd=played.top,
        CLAUDE_PROJECT_DIR=str(played.top),
    )
    assert len(result.data) == 31
