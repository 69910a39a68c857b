"""The API: what it returns from the journal, what it records, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from freezegun import freeze_time

from tests.cli.serve.conftest import OTHER, SID, TOKEN, Asker

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize("ref", ["nobody", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%00", "%ff", " "])
def test_no_session_by_that_name(asker: Asker, ref: str) -> None:
    """An unknown session is a 404 with a hint."""
    for more in ("", "/conversation"):
        answer = asker.ask("GET", f"/api/sessions/{ref}{more}")
        assert (answer.status_code, set(answer.json())) == (404, {"error", "hint"})


def test_a_beginning_of_two_sessions_is_not_guessed(asker: Asker, played: Workspace) -> None:
    """An ambiguous prefix is a 409 that names some of the sessions."""
    for number in (1, 2):
        played.hook("UserPromptSubmit", f"twin-{number}", prompt="hello")
    answer = asker.get("/api/sessions/twin")
    assert answer.status_code == 409
    assert "twin-1" in answer.json()["hint"]


def test_observations_are_the_tool_calls(asker: Asker) -> None:
    """They belong to the session alone, oldest first."""
    found = asker.get("/api/observations", session=OTHER).json()
    assert [(item["tool"], item["title"]) for item in found["items"]] == [("Read", "total.py")]
    seqs = [item["seq"] for item in asker.get("/api/observations", session=SID).json()["items"]]
    assert len(seqs) > 2
    assert seqs == sorted(seqs)


def test_observations_come_in_pages(asker: Asker) -> None:
    """Following `next` gives the same as asking for all."""
    everything = asker.get("/api/observations", session=SID).json()["items"]
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = asker.get("/api/observations", session=SID, after=after, limit=2).json()
        found += page["items"]
        after = page["next"]
    assert found == everything


def test_an_observation_is_recorded_as_a_tool_call(
    asker: Asker, events: Callable[[], list[bytes]]
) -> None:
    """It is one event of that session, and can be read immediately."""
    before = len(events())
    body = {"session": OTHER, "tool": "deploy", "title": "staging", "text": "went out", "ms": 1200}
    answer = asker.post("/api/obs", body)
    assert answer.status_code == 201
    added = [json.loads(line) for line in events()[before:]]
    assert [(one["type"], one["sid"], one["target"]) for one in added] == [
        ("tool.finished", OTHER, "staging")
    ]
    assert answer.json()["seq"] == added[0]["seq"]
    assert answer.json()["truncated"] == []
    last = asker.get("/api/observations", session=OTHER).json()["items"][-1]
    assert (last["tool"], last["title"], last["text"], last["ok"]) == (
        "deploy", "staging", "went out", True,
    )  # fmt: skip


def test_a_failed_observation(asker: Asker) -> None:
    """An error, or ok false, makes it a failed call."""
    for body in ({"error": "no disk"}, {"ok": False}):
        asker.post("/api/obs", {"session": OTHER, "title": "staging", **body})
    found = asker.get("/api/observations", session=OTHER).json()["items"][-2:]
    assert [(item["ok"], item["error"]) for item in found] == [
        (False, "no disk"),
        (False, "failed"),
    ]


@pytest.mark.parametrize(("given", "kept"), [(None, None), (0, 0), (7, 7), (7.0, 7)])
def test_the_milliseconds_of_an_observation(asker: Asker, given: Any, kept: int | None) -> None:
    """A whole number however JSON spells it; null is unknown, which is not zero."""
    asker.post("/api/obs", {"session": OTHER, "title": "x", "ms": given})
    found = asker.get("/api/observations", session=OTHER).json()["items"][-1]
    assert (found["title"], found["ms"]) == ("x", kept)


@pytest.mark.parametrize("size", [500, 501, 100_000], ids=["fits", "one over", "far over"])
def test_a_long_text_is_kept_truncated(asker: Asker, size: int) -> None:
    """A title over 500 characters is cut and marked as cut; one of 500 is kept."""
    answer = asker.post("/api/obs", {"session": OTHER, "title": "t" * size, "text": "x" * size})
    assert answer.status_code == 201
    assert answer.json()["truncated"] == ([] if size == 500 else ["title", "text"])
    last = asker.get("/api/observations", session=OTHER).json()["items"][-1]
    assert len(last["title"]) == len(last["text"]) == 500
    assert last["size"] == size


@pytest.mark.parametrize("lead", [0, 490], ids=["in the text", "where it is cut"])
def test_a_secret_in_an_observation_is_not_kept(
    asker: Asker, events: Callable[[], list[bytes]], lead: int
) -> None:
    """No file has text that looks like a secret, even if the cut goes through it."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    asker.post("/api/obs", {"session": OTHER, "title": "x" * lead + " " + secret, "text": secret})
    assert secret[:12].encode() not in events()[-1]
    asker.post("/api/obs", {"session": OTHER, "title": "x" * lead + " plain"})
    assert b" plain" in events()[-1]


BAD_OBSERVATIONS: dict[str, tuple[Any, int]] = {
    "unknown session": ({"session": "nobody", "title": "x"}, 404),
    "unknown project": ({"session": OTHER, "title": "x", "project": "nowhere"}, 404),
    "no title": ({"session": OTHER}, 422),
    "no session": ({"title": "x"}, 422),
    "empty title": ({"session": OTHER, "title": ""}, 422),
    "title is a number": ({"session": OTHER, "title": 7}, 422),
    "ok is a word": ({"session": OTHER, "title": "x", "ok": "yes"}, 422),
    "ms is a text": ({"session": OTHER, "title": "x", "ms": "7"}, 422),
    "ms is no whole number": ({"session": OTHER, "title": "x", "ms": 7.5}, 422),
    "ms is negative": ({"session": OTHER, "title": "x", "ms": -1}, 422),
    "a member nobody knows": ({"session": OTHER, "title": "x", "path": "/etc"}, 422),
    "a list": ([], 422),
    "null": (None, 422),
    "half a character": (f'{{"session": "{OTHER}", "title": "\\ud800"}}', 422),
    "no JSON": ("{", 422),
    "not UTF-8": (b'{"session": "\xff"}', 400),
    "deep": ("[" * 100_000, 400),
    "10 MB": (json.dumps({"session": OTHER, "title": "x", "text": "y" * 10_000_000}), 413),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_OBSERVATIONS)
def test_nothing_is_stored_half(asker: Asker, events: Callable[[], list[bytes]], name: str) -> None:
    """An observation that cannot be recorded is refused with a reason; the journal is unchanged."""
    body, status = BAD_OBSERVATIONS[name]
    before = events()
    content = body if isinstance(body, (str, bytes)) else json.dumps(body)
    headers = {"content-type": "application/json"}
    answer = asker.ask("POST", "/api/obs", content=content, headers=headers, token=TOKEN)
    assert (answer.status_code, set(answer.json())) == (status, {"error", "hint"})
    assert events() == before
    assert asker.post("/api/obs", {"session": OTHER, "title": "x"}).status_code == 201


def test_search_marks_what_was_found(asker: Asker) -> None:
    """A hit has its session and the positions of the matches."""
    hit = asker.get("/api/search", q="wrong total").json()["items"][0]
    assert hit["session"]["id"] == OTHER
    assert {hit["snippet"][a:b].lower() for a, b in hit["spans"]} == {"wrong", "total"}
    assert asker.get("/api/search", q="zzzz").json()["items"] == []


@pytest.mark.parametrize("q", ["", "   "], ids=["empty", "blank"])
def test_a_search_for_nothing(asker: Asker, q: str) -> None:
    """An empty search is refused with what is missing."""
    answer = asker.get("/api/search", q=q)
    assert (answer.status_code, set(answer.json())) == (422, {"error", "hint"})


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


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api", 404), ("GET", "/api/", 404), ("GET", "/api/nothing", 404),
        ("DELETE", "/api/sessions", 405), ("OPTIONS", "/api/obs", 405), ("GET", "/api/obs", 405),
        ("PUT", "/api/packs", 405), ("GET", "/docs", 404), ("GET", "/redoc", 404),
    ],
)  # fmt: skip
def test_what_is_not_there(asker: Asker, method: str, path: str, status: int) -> None:
    """A wrong address or method has the usual form of error; a method's names the right ones."""
    answer = asker.ask(method, path)
    assert (answer.status_code, set(answer.json())) == (status, {"error", "hint"})
    assert bool(answer.headers.get("allow")) == (status == 405)


def test_the_openapi_names_what_there_is(asker: Asker) -> None:
    """Every address is in it, every write requires the token, all errors have one form."""
    document = asker.get("/openapi.json").json()
    assert {(path, *methods) for path, methods in document["paths"].items()} == {
        ("/api/sessions", "get"), ("/api/sessions/{id}", "get"), ("/api/observations", "get"),
        ("/api/obs", "post"), ("/api/search", "get"), ("/api/packs", "post"),
        ("/api/views/{name}", "get"), ("/api/sessions/{id}/conversation", "get"),
    }  # fmt: skip
    for methods in document["paths"].values():
        for method, operation in methods.items():
            assert bool(operation.get("security")) == (method == "post")
            for status, answer in operation["responses"].items():
                if status >= "400":
                    ref = answer["content"]["application/json"]["schema"]["$ref"]
                    assert ref.endswith("/ErrorResponse")


def test_the_journals_are_not_read_at_every_request(asker: Asker) -> None:
    """Within two seconds one update is enough; an observation recorded here shows immediately."""
    with freeze_time("2026-11-21T10:00:00Z", real_asyncio=True) as clock:
        asker.get("/api/sessions")
        clock.tick(1.9)
        asker.get("/api/sessions")
        assert asker.index.updates == 1
        asker.post("/api/obs", {"session": OTHER, "title": "x"})
        assert asker.get(f"/api/sessions/{OTHER}").json()["tools"] == 2
        assert asker.index.updates == 2


def test_what_others_recorded_is_seen_in_time(asker: Asker, played: Workspace) -> None:
    """After two seconds the next request reads the journals again."""
    with freeze_time("2026-11-21T10:00:00Z", real_asyncio=True) as clock:
        asker.get("/api/sessions")
        played.hook("UserPromptSubmit", "a-new-one", prompt="hello")
        clock.tick(2)
        assert asker.get("/api/sessions").json()["total"] == 3


# -- packs ---------------------------------------------------------------------------------------


def test_a_pack_is_saved(asker: Asker, played: Workspace) -> None:
    """It has the sessions in order, and the text that `journal get` prints of them."""
    answer = asker.post(
        "/api/packs", {"sessions": [OTHER, SID], "title": "Both", "note": "Mind it"}
    )
    assert answer.status_code == 201
    found = answer.json()
    (kept,) = saved(played)
    assert (kept["pack"], kept["title"], kept["sids"]) == (found["pack"], "Both", [OTHER, SID])
    assert kept["text"].startswith("Mind it\n\n# Past sessions")
    assert kept["text"].index(OTHER) < kept["text"].index(SID)
    assert all(source.startswith(f"{played.directory.name}#") for source in kept["sources"])
    assert found["queued"] is None
    assert found["characters"] == len(kept["text"])


def test_a_pack_of_own_text(asker: Asker, played: Workspace) -> None:
    """A given text is stored instead of the sessions' own blocks."""
    asker.post("/api/packs", {"sessions": [SID], "text": "Only this."})
    (kept,) = saved(played)
    assert (kept["text"], kept["sids"]) == ("Only this.", [SID])
    assert kept["title"]


def test_a_pack_that_is_sent_is_told_once(asker: Asker, played: Workspace) -> None:
    """It reaches that session's next prompt, once, and no other session."""
    body = {"sessions": [SID], "text": "The discounts were settled.", "send_to": OTHER}
    queued = asker.post("/api/packs", body).json()["queued"]
    assert queued["to"] == OTHER
    assert "settled" not in played.hook("UserPromptSubmit", "another", prompt="Hello")
    first = played.hook("UserPromptSubmit", OTHER, prompt="And now?")
    again = played.hook("UserPromptSubmit", OTHER, prompt="And then?")
    assert ("settled" in first, "settled" in again) == (True, False)


def saved(workspace: Workspace) -> list[dict[str, Any]]:
    """Return the events of saved packs."""
    found = map(json.loads, workspace.segment.read_bytes().splitlines())
    return [one for one in found if one["type"] == "pack.saved"]


BAD_PACKS: dict[str, tuple[dict[str, Any], int]] = {
    "nothing chosen": ({"sessions": []}, 422),
    "too many": ({"sessions": [SID] * 41}, 422),
    "no list": ({"sessions": SID}, 422),
    "one is unknown": ({"sessions": [SID, "nobody"]}, 404),
    "sent to nobody": ({"sessions": [SID], "send_to": "nobody"}, 404),
    "sent, too long": ({"sessions": [SID], "text": "x" * 9001, "send_to": OTHER}, 422),
    "too long": ({"sessions": [SID], "text": "x" * 200_001}, 422),
}


@pytest.mark.parametrize("name", BAD_PACKS)
def test_a_pack_is_kept_whole_or_not(
    asker: Asker, events: Callable[[], list[bytes]], name: str
) -> None:
    """If saving or sending is refused, neither is recorded."""
    body, status = BAD_PACKS[name]
    before = events()
    answer = asker.post("/api/packs", body)
    assert (answer.status_code, set(answer.json())) == (status, {"error", "hint"})
    assert events() == before
    assert asker.post("/api/packs", {"sessions": [SID], "send_to": OTHER}).status_code == 201
