"""A proxy before an object store that counts requests and answers some with faults."""

from __future__ import annotations

import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

CUT = "cut"
"""The connection ends before the store gets the request."""
LOST = "lost"
"""The store executes the request, and its answer is lost."""

_ERROR = "<?xml version='1.0'?><Error><Code>{0}</Code><Message>{0}</Message></Error>"
_HOP = {"connection", "transfer-encoding", "content-length", "host"}


class Proxy:
    """A server in a thread. `requests`: method and path of each; `fault`: which fault a request gets.

    A fault is "" for none, CUT, LOST, or the code of an error to answer with status 403.
    """

    def __init__(self, target: str) -> None:
        self.requests: list[tuple[str, str]] = []
        self.fault: Callable[[str, str], str] = lambda _method, _path: ""
        proxy, port = self, urlsplit(target).port

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                proxy.requests.append((self.command, self.path))
                fault = proxy.fault(self.command, self.path)
                if fault == CUT:
                    self.close_connection = True
                    return
                if fault not in ("", LOST):
                    self.reply(
                        403, {"Content-Type": "application/xml"}, _ERROR.format(fault).encode()
                    )
                    return
                store = HTTPConnection("127.0.0.1", port, timeout=30)
                headers = {k: v for k, v in self.headers.items() if k.lower() not in _HOP}
                store.request(self.command, self.path, body, headers)
                got = store.getresponse()
                answer = got.read()
                if fault == LOST:
                    self.close_connection = True
                    return
                found = {k: v for k, v in got.getheaders() if k.lower() not in _HOP}
                length = got.getheader("Content-Length") if self.command == "HEAD" else None
                self.reply(got.status, found, answer, length)

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815

            def reply(self, status: int, headers: dict[str, str], body: bytes, length=None) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", length or str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *_words: object) -> None:
                """Stay silent."""

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_request: object) -> None:
                """Stay silent: a client may disconnect."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()
