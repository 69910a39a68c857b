"""The application: what its description names, and when it reads the journals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from freezegun import freeze_time

from tests.cli.serve.conftest import OTHER, Asker

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

pytestmark = pytest.mark.page


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
