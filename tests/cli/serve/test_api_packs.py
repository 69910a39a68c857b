"""The API's packs: saved as a whole, and sent once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.serve.conftest import OTHER, SID, Asker

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Workspace

pytestmark = pytest.mark.page


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
