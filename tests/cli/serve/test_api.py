"""The API's sessions, search and views, and its errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.serve.conftest import OTHER, SID, Asker

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

pytestmark = pytest.mark.page


def test_sessions_newest_first(asker: Asker) -> None:
    """The list holds every session, the newest first, with what it was about."""
    found = asker.get("/api/sessions").json()
    assert [card["id"] for card in found["items"]] == [OTHER, SID]
    assert found["total"] == 2
    assert found["next"] is None
    assert found["items"][0]["status"] == "open"
    assert found["items"][0]["title"] == "Why is the total wrong?"


def test_paging_gives_each_session_once(asker: Asker) -> None:
    """Following `next` returns every session once, and then ends."""
    first = asker.get("/api/sessions", limit=1).json()
    second = asker.get("/api/sessions", limit=1, offset=first["next"]).json()
    assert [first["items"][0]["id"], second["items"][0]["id"]] == [OTHER, SID]
    assert second["next"] is None
    assert (first["total"], second["total"]) == (2, 2)
    past = asker.get("/api/sessions", limit=1, offset=7).json()
    assert (past["items"], past["next"], past["total"]) == ([], None, 2)


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({}, 2),
        ({"status": "open"}, 1),
        ({"status": "completed"}, 1),
        ({"text": "total"}, 1),
        ({"text": "nowhere to be found"}, 0),
        ({"since": "2026-11-21T09:30:00Z"}, 1),
        ({"until": "2026-11-21T09:30:00Z"}, 1),
        ({"since": "30m"}, 1),
        ({"since": "2030-01-01"}, 0),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else None,
)
def test_filters(asker: Asker, asked: dict[str, str], count: int) -> None:
    """Each filter returns exactly the matching sessions."""
    found = asker.get("/api/sessions", **asked).json()
    assert (len(found["items"]), found["total"]) == (count, count)
    short = asker.get("/api/sessions", limit=1, **asked).json()
    assert (len(short["items"]), short["total"]) == (min(count, 1), count)


def test_a_project_is_one_of_those_there_are(asker: Asker, played: Workspace) -> None:
    """Its name selects; another name is refused, whatever it may mean to a file system."""
    name = played.directory.name
    assert asker.get("/api/sessions", project=name).json()["total"] == 2
    for wrong in ("shop", "../" + name, "..", "/etc", f"{name}/imported", "cache"):
        answer = asker.get("/api/sessions", project=wrong)
        assert (answer.status_code, set(answer.json())) == (404, {"error", "hint"})


def test_a_session_by_a_beginning_of_its_id(asker: Asker, played: Workspace) -> None:
    """Id, prefix and PROJECT/ID name a session; its data come from its events."""
    for ref in (SID, SID[:8], f"{played.directory.name}/{SID}"):
        found = asker.get(f"/api/sessions/{ref}").json()
        assert found["id"] == SID
        assert found["prompt_texts"]
        assert found["source"].startswith(f"{played.directory.name}#")
        assert found["block"].startswith("# Past sessions")
        assert found["block_tokens"] > 10


def test_decisions_and_files_are_those_of_journal_get(asker: Asker, played: Workspace) -> None:
    """What came after a session's summary is listed too, as in `journal get`."""
    assert played.journal("summarize", "--again", "--session", SID).code == 0
    assert played.journal("decide", "Round once, at the end", "--session", SID).code == 0
    path = str(played.project / "late.py")
    played.hook("PostToolUse", SID, tool_name="Write", tool_use_id="late",
                tool_input={"file_path": path, "content": "x"},
                tool_response={"filePath": path, "type": "create"})  # fmt: skip
    asker.index.refresh()
    [shown] = played.journal("get", SID, "--json").data
    found = asker.get(f"/api/sessions/{SID}").json()
    assert "late.py" in shown["files"]
    assert (found["decision_texts"], found["file_names"]) == (shown["decisions"], shown["files"])
    assert (found["decisions"], found["files"]) == (len(shown["decisions"]), len(shown["files"]))


def test_a_conversation_is_that_of_journal_show(asker: Asker, played: Workspace) -> None:
    """Its pages have each entry once, in order, and otherwise equal the command's output."""
    shown = json.loads(played.journal("show", SID, "--json").out)
    entries, offset = [], 0
    while offset is not None:
        path = f"/api/sessions/{played.directory.name}/{SID}/conversation"
        page = asker.get(path, limit=3, offset=offset).json()
        assert (len(page["entries"]) <= 3, page["total"]) == (True, len(shown["entries"]))
        entries += page["entries"]
        offset = page["next"]
    assert len(entries) > 3
    assert entries == shown["entries"]
    assert {name: page[name] for name in shown if name != "entries"} == {
        name: value for name, value in shown.items() if name != "entries"
    }


@pytest.mark.parametrize("path", [
    "sessions", f"sessions/{SID}", f"sessions/{SID}/conversation", "search?q=total",
    f"observations?session={SID}", "views/sessions",
])  # fmt: skip
def test_every_answer_names_the_damage(asker: Asker, played: Workspace, path: str) -> None:
    """With a line that cannot be read, each route that reads says so."""
    with played.segment.open("ab") as file:
        file.write(b"rubbish\n")
    [damage] = asker.get(f"/api/{path}").json()["damage"]
    assert "active.jsonl" in damage


def test_search_marks_what_was_found(asker: Asker) -> None:
    """A hit has its session and the positions of the matches."""
    hit = asker.get("/api/search", q="wrong total").json()["items"][0]
    assert hit["session"]["id"] == OTHER
    assert {hit["snippet"][a:b].lower() for a, b in hit["spans"]} == {"wrong", "total"}
    assert asker.get("/api/search", q="zzzz").json()["items"] == []


@pytest.mark.parametrize("name", ["pressure", "sessions", "lineage", "recovery", "unit", "stage"])
def test_a_view_is_what_the_command_prints(asker: Asker, played: Workspace, name: str) -> None:
    """The members equal those of `journal view NAME`, except for those of the directory."""
    found = asker.get(f"/api/views/{name}", session=OTHER).json()
    shown = played.journal(
        "view", name, "--project", played.directory.name, "--session", OTHER
    ).data
    assert (found.pop("damage"), found.pop("losses")) == ([], [])
    assert found == shown


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("nothing", {}, 404),
        ("pressure", {"session": "nobody"}, 404),
        ("pressure", {"project": "../x"}, 404),
        ("pressure", {"until": "whenever"}, 422),
        ("pressure", {"until": "9999999999"}, 200),
    ],
    ids=["view", "session", "project", "time", "a seq to come"],
)
def test_a_view_that_cannot_be(asker: Asker, path: str, asked: dict[str, str], status: int) -> None:
    """Each mistake has its own error; a bound beyond the end is valid."""
    assert asker.get(f"/api/views/{path}", **asked).status_code == status
