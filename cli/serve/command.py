"""`journal serve`: bind, print the address, serve until interrupted.

Invariant: it listens on 127.0.0.1 only, stops no other process, and leaves nothing behind except
what was recorded through it; if it cannot start, it says why before it prints an address. An error
of a request, page or connection is printed as one escaped line, the same one once a minute at most;
JOURNAL_DEBUG=1 adds the traceback.
"""

import errno
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cli.error import OK, report, warn
from cli.render.text import emit
from cli.scope import Scope
from cli.serve.token import Token, new_token
from journal.errors import JournalError
from journal.installation import extra_command

HOST = "127.0.0.1"
_CONNECTIONS = 128  # at a time; each holds at most one body
_QUIET = 60.0  # seconds until the console prints the same line again
_LINE = 300  # characters of a line there
_GRACE = 3  # seconds an open page has when the server stops


def serve(scope: Scope, *, port: int | None, open_page: bool = False) -> int:
    """Serve page and API; raise JournalError without the extra or a free port."""
    wanted = scope.settings["serve.port"] if port is None else port
    _check_extra(scope)
    token = new_token(scope.env)
    with _listen(wanted) as listening:
        try:
            _run(scope, listening, token, open_page=open_page)
        finally:
            token.remove_files()
    return OK


def _check_extra(scope: Scope) -> None:
    os.environ.setdefault("NICEGUI_STORAGE_PATH", os.path.join(scope.home, "cache", "page"))
    try:
        import nicegui  # noqa: F401 (whether it is there)
    except ImportError as error:
        what = f"the page and its API need the extra `ui`, and {error.name or 'it'} is missing"
        raise JournalError("", what, f"run: {extra_command('ui')}") from error


def _listen(port: int) -> socket.socket:
    """Return a socket that listens on a port of 127.0.0.1; 0 chooses a free port."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((HOST, port))
        sock.listen(socket.SOMAXCONN)  # without it two could be bound to one port
    except OSError as error:
        sock.close()
        what = f"cannot be listened on: {(error.strerror or str(error)).lower()}"
        if error.errno == errno.EADDRINUSE:
            what = "another process uses this port"
        remedy = "stop that process, or choose another port: journal serve --port N"
        raise JournalError(f"{HOST}:{port}", what, remedy) from error
    return sock


def _run(scope: Scope, listening: socket.socket, token: Token, *, open_page: bool) -> None:
    import uvicorn

    from cli.serve.app import build_app

    port = int(listening.getsockname()[1])
    app = build_app(scope.home, scope.env, port=port, token=token)
    index, past = app.state.service.index, app.state.service.past_import
    logging.basicConfig(handlers=[WarningLines(scope.env)], level=logging.WARNING, force=True)
    for name in list(logging.root.manager.loggerDict):
        logging.getLogger(name).handlers.clear()  # the websockets' library prints tracebacks
    logging.getLogger("nicegui").setLevel(logging.ERROR)  # it warns of every wrong address

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                _announce(scope, port, token, open_page=open_page)
                index.start()
                if not scope.no_import:
                    past.start(scope)

        async def shutdown(self, sockets: Any = None) -> None:
            index.stop()
            past.stop()
            await super().shutdown(sockets)

    server = Server(_config(app))
    with _signals_end_it():
        server.run(sockets=[listening])
    if not server.started:
        raise JournalError(f"{HOST}:{port}", "the server could not start", "the reason is above")
    token.remove_files()
    sys.stdout.flush()
    os._exit(OK)  # a thread may still build the index; the next start removes what is left of it


def _config(app: Any) -> Any:
    """Return the configuration of uvicorn for an application."""
    import uvicorn

    from cli.serve.guard import BODY_LIMIT

    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE,
        limit_concurrency=_CONNECTIONS,
        http="h11",  # it bounds the size of a request's head
        ws="websockets-sansio",
        ws_max_size=BODY_LIMIT,
    )


@contextmanager
def _signals_end_it() -> Iterator[None]:
    """Ignore the signal that uvicorn raises again once it has stopped: that is not an error."""
    signals = (signal.SIGINT, signal.SIGTERM)
    handlers = {name: signal.signal(name, lambda *_: None) for name in signals}
    try:
        yield
    finally:
        for name, handler in handlers.items():
            signal.signal(name, handler)


def _announce(scope: Scope, port: int, token: Token, *, open_page: bool) -> None:
    address = f"http://{HOST}:{port}"
    path = token.write_file(scope.home, port)
    emit(
        [
            f"Past sessions: {address}/#token={token.value}",
            f"API: {address}/openapi.json; the token for scripts is in {path}",
            "Press Ctrl-C to stop.",
        ]
    )
    sys.stdout.flush()
    if open_page:
        import webbrowser

        # Through a file only the user can read: an address is an argument, which everyone can see.
        page = f"file://{token.write_page(address)}"
        threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()


class WarningLines(logging.Handler):
    """The console: print each warning and error of the server and its libraries as a line."""

    def __init__(self, env: Mapping[str, str]) -> None:
        super().__init__(logging.WARNING)
        self.env = env
        self.last = ("", 0.0)

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record, unless it is about a browser that went away."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ConnectionError):
            return
        text = repr(error) if error else (record.getMessage().splitlines() or [""])[0][:_LINE]
        if text == self.last[0] and record.created < self.last[1] + _QUIET:
            return
        self.last = (text, record.created)
        if error is None:
            warn(text)
        else:
            report(error, self.env)
