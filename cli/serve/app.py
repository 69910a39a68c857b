"""The server's application: the API, the page where it is wanted, and the guard around both.

The page's toolkit is NiceGUI: its wheel carries every asset, so nothing is fetched from elsewhere.
It is mounted into an application of our own (`ui.run_with`), not the other way round, so that the
guard sees every request and websocket of the page too.

Invariant: nothing is reachable but through the guard; the API works without the page.
"""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse
from starlette.routing import Match, Route

from cli.serve import answers, routes
from cli.serve.guard import Guard
from cli.serve.model import Model
from cli.serve.peer import allowed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from cli.serve.token import Token

__all__ = ["make"]

TITLE = "Journal"


def make(
    home: str,
    env: Mapping[str, str],
    *,
    port: int,
    token: Token,
    model: Model | None = None,
    page: bool = True,
) -> FastAPI:
    """Make the application of a journal home. port: the one it is listened to on.

    `app.state.model` and `app.state.token` are what page and API work with. With page, once only
    in a process: the toolkit has one application of its own.
    """
    from cli.version import version

    app = FastAPI(
        title="journal",
        version=version(),
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        redirect_slashes=False,
        description="Past sessions of Claude Code: listed, searched, packed and sent on.",
    )
    app.state.model = model or Model(home, env)
    app.state.token = token
    answers.install(app)
    app.include_router(routes.router)
    for path in ("/api", "/api/{rest:path}"):
        app.router.routes.append(Route(path, _Elsewhere()))
    if page:
        _put_page(app)
    app.add_middleware(Guard, port=port, users=allowed(env))
    return app


def _put_page(app: FastAPI) -> None:
    from nicegui import ui

    from cli.serve.page import build

    build(app.state.model, app.state.token)
    logging.getLogger("nicegui").setLevel(logging.ERROR)  # it warns of every wrong address
    ui.run_with(app, title=TITLE, dark=None, show_welcome_message=False)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.model.close()


class _Elsewhere:
    """Answers for what the API does not have, whatever the method, before the page is asked."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        allowed = {
            method
            for route in routes.router.routes
            if route.matches(dict(scope))[0] is Match.PARTIAL
            for method in getattr(route, "methods", ())
        }
        error, status, headers = "there is nothing at this address", 404, {}
        if allowed:
            error, status = "that is not done here", 405
            headers = {"Allow": ", ".join(sorted(allowed))}
        body = {"error": error, "hint": "GET /openapi.json says what there is"}
        await JSONResponse(body, status, headers)(scope, receive, send)
