"""The loopback stand-in's HTTP side: replies in the form the Messages API sends.

Invariant: it listens on 127.0.0.1 alone, and builds every reply completely before sending it.
"""

from __future__ import annotations

import itertools
import json
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEFAULT_TOKENS = 3_000
"""Input tokens reported if a test specifies none: far below every level."""

_ids = itertools.count()


@dataclass(frozen=True)
class Tool:
    """One tool call of a reply."""

    name: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """One answer of the model: text, then tool calls; or an error when `status` is not 200.

    `tokens` is the input usage reported (None: the next of the token queue, else the default).
    `only_if` keeps the reply in the queue until a request body satisfies it.
    `once` holds the reply back until it is true.
    `again` gives the reply to every request that satisfies `only_if`.
    """

    text: str = ""
    tools: tuple[Tool, ...] = ()
    tokens: int | None = None
    output: int = 20
    status: int = 200
    error: str = ""
    only_if: Callable[[Any], bool] | None = None
    once: Callable[[], object] | None = None
    again: bool = False


def frames(reply: Reply, model: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Build the server-sent events of a reply, as (event name, data)."""
    usage = {
        "input_tokens": reply.tokens or 0,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 1,
    }
    message: dict[str, Any] = {
        "id": f"msg_{next(_ids):06d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield "message_start", {"message": message}
    blocks = [("text", "", reply.text)] if reply.text or not reply.tools else []
    blocks += [("tool_use", t.name, json.dumps(t.input)) for t in reply.tools]
    for index, (kind, name, content) in enumerate(blocks):
        yield from _block(index, kind, name, content)
    delta = {"stop_reason": "tool_use" if reply.tools else "end_turn", "stop_sequence": None}
    yield "message_delta", {"delta": delta, "usage": {"output_tokens": reply.output}}
    yield "message_stop", {}


def _block(index: int, kind: str, name: str, content: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if kind == "text":
        start: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": content}
    else:
        use = f"toolu_{next(_ids):06d}"
        start = {"type": "tool_use", "id": use, "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": content}
    yield "content_block_start", {"index": index, "content_block": start}
    yield "content_block_delta", {"index": index, "delta": delta}
    yield "content_block_stop", {"index": index}


class Server(ThreadingHTTPServer):
    """An HTTP server on a free loopback port; `take` turns a posted body into a reply."""

    daemon_threads = True

    def __init__(self, take: Callable[[dict[str, Any]], Reply]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.take = take


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def handle(self) -> None:
        """Serve the connection; a client that ends while waiting for a reply is not an error."""
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, *_: object) -> None:
        """Log nothing: the stand-in stores the requests."""

    def do_HEAD(self) -> None:
        self._send(200, b"")

    def do_GET(self) -> None:
        self._send(200, b"{}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send(200, json.dumps({"input_tokens": DEFAULT_TOKENS}).encode())
        elif path.endswith("/v1/messages"):
            self._answer(json.loads(raw))
        else:
            self._send(200, b"{}")

    def _answer(self, body: dict[str, Any]) -> None:
        reply = self.server.take(body)
        if reply.status != 200:
            error = {"type": "invalid_request_error", "message": reply.error}
            self._send(reply.status, json.dumps({"type": "error", "error": error}).encode())
            return
        made = frames(reply, str(body.get("model")))
        if body.get("stream"):
            text = "".join(
                f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
                for name, data in made
            )
            self._send(200, text.encode(), "text/event-stream")
        else:
            message = next(made)[1]["message"]
            message["content"] = [{"type": "text", "text": reply.text}]
            message["stop_reason"] = "end_turn"
            self._send(200, json.dumps(message).encode())

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("request-id", "req_loopback")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
