"""The API's observations: read in pages, and recorded as tool calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.serve.conftest import OTHER, SID, TOKEN, Asker

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.page


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
