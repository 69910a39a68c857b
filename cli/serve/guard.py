"""The gate of the server: who is asked (Host), who asks (Origin, user), how much, what goes back.

Invariant: nothing behind it is called for a request, or for a websocket, whose Host and Origin are
not exactly this server's; every answer carries the headers that keep a browser from doing more.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cli.serve.peer import owner

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Message, Receive, Send], Awaitable[None]]

__all__ = ["MOST", "Guard", "names_of"]

MOST = 1024 * 1024  # bytes of a request's body
_DISCARDED = 32 * MOST  # read and thrown away behind a refusal, so that the sender gets to read it
_PAGE = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self' ws://{host}; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)  # the page's toolkit compiles its templates in the browser, hence unsafe-eval
_DATA = "default-src 'none'; frame-ancestors 'none'"
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
_CLOSED = 1008  # websocket: policy violation


def names_of(port: int) -> frozenset[str]:
    """Names this server answers to, as a Host header has them."""
    return frozenset(f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]"))


class Guard:
    """ASGI application around another one.

    port: the one that is listened on. users: ids of those who may ask, None for all.
    """

    def __init__(self, app: App, port: int, users: frozenset[int] | None = None) -> None:
        self.app = app
        self.server = ("127.0.0.1", port)
        self.users = users
        self.hosts = frozenset(name.encode() for name in names_of(port))
        self.origins = frozenset(b"http://" + name for name in self.hosts)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer, or let through."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self._stranger(scope) or self._refusal(scope["headers"])
        if scope["type"] == "websocket":
            if refusal:
                await receive()
                await send({"type": "websocket.close", "code": _CLOSED, "reason": refusal[1]})
                return
            await self.app(scope, receive, send)
            return
        send = _dressed(scope, send)
        if refusal:
            await _refuse(send, *refusal)
            return
        body = _Body(scope, receive)
        if not await body.read():
            hint = f"a request holds at most {MOST:,} bytes"
            await _refuse(send, 413, "the request is too large", hint, body.discard)
            return
        await self.app(scope, body.replay, send)

    def _stranger(self, scope: Message) -> tuple[int, str, str] | None:
        if self.users is None or not scope.get("client"):
            return None
        user = owner(tuple(scope["client"]), self.server)
        if user is None or user in self.users:
            return None
        return 403, "this server is another user's", "start one of your own: journal serve"

    def _refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str, str] | None:
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            names = ", ".join(sorted(name.decode() for name in self.hosts))
            return 421, "this server does not answer to that name", f"Host is one of {names}"
        origins = [value for name, value in headers if name == b"origin"]
        if origins and (len(origins) != 1 or origins[0].lower() not in self.origins):
            return 403, "requests of other sites are refused", "open the page of this server"
        return None


class _Body:
    """A request's body, read whole before anybody acts on it."""

    def __init__(self, scope: Message, receive: Receive) -> None:
        self.declared = _length(scope["headers"])
        self.receive = receive
        self.messages: list[Message] = []
        self.size = 0
        self.more = True

    async def read(self) -> bool:
        """Take the body in; False as soon as it is known to be too large."""
        if self.declared > MOST:
            return False
        while self.more:
            message = await self.receive()
            if message["type"] != "http.request":
                self.messages.append(message)
                return True
            self.size += len(message.get("body", b""))
            self.more = bool(message.get("more_body"))
            if self.size > MOST:
                self.messages.clear()
                return False
            self.messages.append(message)
        return True

    async def replay(self) -> Message:
        """Give what was read, then what comes."""
        return self.messages.pop(0) if self.messages else await self.receive()

    async def discard(self) -> None:
        """Read on for a bounded while and keep nothing."""
        while self.more and self.size < _DISCARDED:
            message = await self.receive()
            if message["type"] != "http.request":
                return
            self.size += len(message.get("body", b""))
            self.more = bool(message.get("more_body"))


def _length(headers: list[tuple[bytes, bytes]]) -> int:
    value = next((value for name, value in headers if name == b"content-length"), b"")
    return int(value) if value.isdigit() and len(value) < 20 else 0


def _dressed(scope: Message, send: Send) -> Send:
    """Put the headers of every answer in, and take out what would open it to other sites."""
    path = str(scope.get("path", ""))
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    data = path.startswith("/api/") or path == "/openapi.json"
    policy = _DATA if data else _PAGE.format(host=host.decode("latin-1"))

    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            set_here = {name for name, _ in _HEADERS}
            kept = [
                (name, value)
                for name, value in message.get("headers", [])
                if name.lower() not in set_here and not name.lower().startswith(b"access-control-")
            ]
            own = [*_HEADERS, (b"content-security-policy", policy.encode())]
            if data:
                own.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*kept, *own]}
        await send(message)

    return sender


async def _refuse(
    send: Send,
    status: int,
    error: str,
    hint: str,
    then: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Answer with the JSON of a refusal. then: done before the answer counts as finished."""
    body = json.dumps({"error": error, "hint": hint}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": then is not None})
    if then is not None:
        await then()
        await send({"type": "http.response.body", "body": b""})
