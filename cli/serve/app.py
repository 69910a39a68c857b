"""The server's application: the API, the page unless it is left out, and the guard around both.

The page's toolkit is NiceGUI: its wheel contains every asset, so nothing is loaded from elsewhere.
It is mounted in an application of our own (`ui.run_with`), so that the guard also sees every
request and websocket of the page.

Invariant: every request passes the guard; the API works without the page.
"""

from collections.abc import Mapping

from fastapi import FastAPI
from starlette.routing import Route

from cli.serve import errors
from cli.serve.data.service import Service
from cli.serve.guard import Guard, Owner, allowed_users, owner_of
from cli.serve.routes import build_router
from cli.serve.token import Token

_HISTORY = 100  # messages kept for a page whose connection was interrupted
_TAB_AGE = 60.0  # seconds


def build_app(
    home: str,
    env: Mapping[str, str],
    *,
    port: int,
    token: Token,
    page: bool = True,
    owner: Owner = owner_of,
) -> FastAPI:
    """Build the application of a journal home. port: the one it listens on.

    API and page use `app.state.service` and `app.state.token`. With the page, call it only once in
    a process, because the toolkit has only one application of its own.
    """
    from cli.install import source

    app = FastAPI(
        title="journal",
        version=source.version(),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        description="Past sessions of Claude Code: listed, searched, packed and sent on.",
    )
    app.state.service = Service(home, env)
    app.state.token = token
    errors.install_handlers(app)
    router = build_router(app.state.service)
    app.include_router(router, prefix="/api")
    # The router again, so that it answers unknown addresses below /api (404, 405), not the page.
    app.mount("/api", router)
    app.router.routes.append(Route("/api", router))
    if page:
        _add_page(app)
    app.add_middleware(Guard, port=port, users=allowed_users(env), owner=owner)
    return app


def _add_page(app: FastAPI) -> None:
    from nicegui import app as toolkit
    from nicegui import core, ui

    from cli.serve.page import add_page

    add_page(app.state.service, app.state.token)
    ui.run_with(
        app,
        title="Journal",
        dark=None,
        show_welcome_message=False,
        message_history_length=_HISTORY,
    )
    # A wrong address would cost as much memory as a page; so would a connection by polling.
    toolkit.add_exception_handler(404, errors.http_error)
    toolkit.storage.max_tab_storage_age = _TAB_AGE
    toolkit.config.socket_io_js_transports = ["websocket"]
    core.sio.eio.transports = ["websocket"]
