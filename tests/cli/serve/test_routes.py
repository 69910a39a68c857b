"""Rules for every route, found by walking the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest import TestCase

import pytest

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from starlette.routing import Mount, Route

from tests.cli.serve.conftest import TOKEN, asking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.cli.conftest import Workspace
    from tests.cli.serve.conftest import Asker


@pytest.fixture(scope="module")
def stranger(home: Workspace) -> Iterator[Asker]:
    """The application where the system does not report who asks."""
    with asking(home, user=None) as found:
        yield found


def walk(routes: Sequence[Any], lead: str = "") -> Iterator[tuple[str, str]]:
    """Yield method and path of every route, including the page toolkit's."""
    for route in routes:
        if isinstance(route, Mount):
            yield from walk(route.routes or [], lead + route.path)
        elif isinstance(route, Route):
            for method in sorted(route.methods or {"GET"}):
                yield method, lead + route.path


def every_route(api: Asker) -> list[tuple[str, str]]:
    """Return each route once, with a value for each parameter."""
    from nicegui import app as toolkit

    found = {(method, path.partition("{")[0] + ("x" if "{" in path else ""))
             for method, path in [*walk(api.app.routes), *walk(toolkit.routes)]}  # fmt: skip
    assert {("GET", "/api/sessions"), ("POST", "/api/obs"), ("GET", "/openapi.json")} <= found
    assert any(path.startswith("/_nicegui/") for _, path in found)
    return sorted(found)


SITES = {"same-origin": True, "none": True, "same-site": False, "cross-site": False, "": False,
         "Same-Origin": False}  # fmt: skip
REFUSALS = {
    "another site's Host": ({"host": "evil.example:3048"}, 421),
    "another site's Origin": ({"origin": "http://evil.example"}, 403),
}


@pytest.mark.parametrize("site", SITES)
def test_no_route_answers_a_browser_at_another_site(api: Asker, site: str) -> None:
    """Reads, writes, assets and unknown addresses answer only this site's own requests."""
    for method, path in [*every_route(api), ("GET", "/"), ("GET", "/nothing")]:
        answer = api.ask(method, path, headers={"sec-fetch-site": site}, token=TOKEN)
        assert (answer.status_code == 403) is not SITES[site], (method, path)


@pytest.mark.parametrize("name", REFUSALS)
def test_no_route_answers_to_another_name(api: Asker, name: str) -> None:
    """A name rebound to this machine, or another site's origin, reaches nothing."""
    headers, status = REFUSALS[name]
    for method, path in every_route(api):
        assert api.ask(method, path, headers=headers, token=TOKEN).status_code == status


def test_no_route_of_data_answers_a_user_nobody_knows(api: Asker, stranger: Asker) -> None:
    """If the system does not report the user, every API route requires the token."""
    routes = [one for one in every_route(api) if one[1].startswith("/api/") and one[0] != "HEAD"]
    assert len(routes) >= 7
    for method, path in routes:
        given = {"params": {"session": "0ther000", "q": "x"}} if method == "GET" else {"json": {}}
        assert stranger.ask(method, path, **given).status_code == 401, path
        assert stranger.ask(method, path, token=TOKEN, **given).status_code != 401, path
        known = api.ask(method, path, **given).status_code
        assert (known == 401) is (method == "POST"), path


LINKS = {
    "a link": ("GET", "/", "navigate", "document", True),
    "a frame": ("GET", "/", "navigate", "iframe", False),
    "an image": ("GET", "/", "no-cors", "image", False),
    "a form": ("POST", "/", "navigate", "document", False),
    "a link to data": ("GET", "/api/sessions", "navigate", "document", False),
}


@pytest.mark.parametrize("name", LINKS)
def test_a_link_leads_to_the_page_alone(api: Asker, name: str) -> None:
    """The page is empty until it is connected; a link does not reach data."""
    method, path, mode, dest, let = LINKS[name]
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": mode, "sec-fetch-dest": dest}
    assert (api.ask(method, path, headers=headers).status_code != 403) is let


def test_an_error_is_an_answer_and_no_traceback(
    api: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unexpected error behind the guard is a 500 of the usual form, logged once."""

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(api.index, "open", fail)
    with TestCase().assertLogs(level="WARNING") as logged:
        answer = api.get("/api/sessions")
    assert (answer.status_code, set(answer.json())) == (500, {"error", "hint"})
    assert answer.headers["x-frame-options"] == "DENY"
    assert [record.name for record in logged.records] == ["journal.serve"]
    assert "broken" not in answer.text
