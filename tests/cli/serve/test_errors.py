"""Each failure of a request has its status, and one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace
    from tests.cli.serve.conftest import Asker

pytestmark = pytest.mark.page


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


@pytest.mark.parametrize("q", ["", "   "], ids=["empty", "blank"])
def test_a_search_for_nothing(asker: Asker, q: str) -> None:
    """An empty search is refused with what is missing."""
    answer = asker.get("/api/search", q=q)
    assert (answer.status_code, set(answer.json())) == (422, {"error", "hint"})


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
