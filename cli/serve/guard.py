"""The guard around the server: checks Host, Origin, user and size, and sets the response headers.

Invariant: a request or websocket is passed on only if its Host and Origin are exactly this server's
and no browser sends it for another site; every response has the headers that restrict a browser; an
exception of the application is one line on the console.

Any user of the machine can reach 127.0.0.1, while a journal's files are of one user alone. The
kernel's table of connections names the user who owns a client's socket. Another user is refused if
the table names them; without a table (not Linux, a tunnel) nobody is refused.
"""

import json
import logging
import os
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

Refusal = tuple[int, str, str]  # status, error, hint
Owner = Callable[[tuple[str, int], tuple[str, int]], int | None]

USER_KNOWN = "journal.user_known"
"""Member of a request's scope: whether the system says that an allowed user sent it."""
WEBSOCKETS = 40  # open at a time; each open page has one

BODY_LIMIT = 1024 * 1024  # bytes
_DISCARDED = 32 * BODY_LIMIT  # read and dropped after a refusal, so that the sender gets the answer
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self' ws://{host}; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)  # the page's toolkit compiles its templates in the browser, hence unsafe-eval
_API_POLICY = "default-src 'none'; frame-ancestors 'none'"
_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
}
_POLICY_VIOLATION, _TRY_LATER = 1008, 1013  # codes of a closed websocket
_OTHER_SITE = (403, "requests of other sites are refused", "open the page of this server")
_OWN_SITE = (b"same-origin", b"none")  # none: typed by the user

# A client whose socket is of the newer family reaches the older one under a mapped address.
_TABLES = (("/proc/net/tcp", ""), ("/proc/net/tcp6", "0000000000000000FFFF0000"))
_ENDS, _UID = slice(1, 3), 7  # columns


def allowed_users(env: Mapping[str, str]) -> frozenset[int]:
    """Return the users that may ask: this one, root, and the one who ran sudo."""
    caller = env.get("SUDO_UID", "")
    own = os.geteuid()
    sudo = {int(caller)} if own == 0 and caller.isascii() and caller.isdigit() else set()
    return frozenset({own, 0, *sudo})


def owner_of(
    client: tuple[str, int], server: tuple[str, int], tables: Iterable[tuple[str, str]] = _TABLES
) -> int | None:
    """Return the user id of the process that connected from `client`; None where unknown."""
    try:
        wanted = [_name(client), _name(server)]
    except (OSError, ValueError, TypeError):
        return None
    for path, lead in tables:
        row = [lead + name for name in wanted]
        try:
            with open(path, encoding="ascii") as file:
                for line in file:
                    parts = line.split()
                    if parts[_ENDS] == row:
                        return int(parts[_UID])
        except (OSError, ValueError, IndexError):
            continue
    return None


def _name(address: tuple[str, int]) -> str:
    """Return address and port as in the table: the address in the machine's own byte order."""
    host, port = address
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


class Guard:
    """ASGI middleware.

    port: the one the server listens on; users: who may ask, None for all; owner: finds the user of
    a connection.
    """

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        users: frozenset[int] | None = None,
        owner: Owner = owner_of,
    ) -> None:
        self.app = app
        self.server = (_HOSTS[0], port)
        self.users = users
        self.owner = owner
        self.websockets = 0
        self.hosts = frozenset(f"{host}:{port}".encode() for host in _HOSTS)
        self.origins = frozenset(b"http://" + host for host in self.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self._check_user(scope) or self._check_headers(scope)
        if scope["type"] == "websocket":
            await self._pass_websocket(scope, receive, send, refusal)
            return
        send = _with_headers(scope, send)
        if refusal:
            await _refuse(send, *refusal)
            return
        body = _Body(scope, receive)
        if not await body.read():
            hint = f"a request holds at most {BODY_LIMIT:,} bytes"
            await _refuse(send, 413, "the request is too large", hint, body.discard)
            return
        begun: list[bool] = []

        async def sender(message: Message) -> None:
            begun.append(True)
            await send(message)

        try:
            await self.app(scope, body.replay, sender)
        except Exception as error:  # noqa: BLE001 - whatever it is, one line and an answer
            _report(error)
            if not begun:
                hint = "see the stderr of journal serve"
                await _refuse(send, 500, "an unexpected error occurred", hint)

    async def _pass_websocket(
        self, scope: Scope, receive: Receive, send: Send, refusal: Refusal | None
    ) -> None:
        code, reason = _POLICY_VIOLATION, refusal[1] if refusal else ""
        if not refusal and self.websockets >= WEBSOCKETS:
            code, reason = _TRY_LATER, "too many pages are open"
        if reason:
            await receive()
            await send({"type": "websocket.close", "code": code, "reason": reason})
            return
        self.websockets += 1
        try:
            await self.app(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - the server closes the connection
            _report(error)
        finally:
            self.websockets -= 1

    def _check_user(self, scope: Scope) -> Refusal | None:
        client = scope.get("client")
        user = self.owner(tuple(client), self.server) if self.users is not None and client else None
        scope[USER_KNOWN] = self.users is None or user is not None
        if self.users is None or user is None or user in self.users:
            return None
        return 403, "this server is another user's", "start one of your own: journal serve"

    def _check_headers(self, scope: Scope) -> Refusal | None:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            names = ", ".join(sorted(name.decode() for name in self.hosts))
            return 421, "this server does not answer to that name", f"Host is one of {names}"
        origins = [value for name, value in headers if name == b"origin"]
        if origins and (len(origins) != 1 or origins[0].lower() not in self.origins):
            return _OTHER_SITE
        sites = [value for name, value in headers if name == b"sec-fetch-site"]
        if any(site not in _OWN_SITE for site in sites) and not _follows_link(scope):
            return _OTHER_SITE
        return None


def _follows_link(scope: Scope) -> bool:
    """Return whether a browser follows a link to the page, which holds no data yet."""
    if scope["type"] != "http" or (scope.get("method"), scope.get("path")) != ("GET", "/"):
        return False
    wanted = [(b"sec-fetch-mode", b"navigate"), (b"sec-fetch-dest", b"document")]
    return [pair for pair in scope["headers"] if pair[0] in dict(wanted)] in (wanted, wanted[::-1])


def _report(error: Exception) -> None:
    logging.getLogger("journal.serve").error("a request failed", exc_info=error)


class _Body:
    """A request's body, read completely before the application gets it."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.receive = receive
        self.messages: list[Message] = []
        self.size = 0
        self.more = True
        declared = dict(scope["headers"]).get(b"content-length", b"")
        self.declared = int(declared) if declared.isdigit() and len(declared) < 20 else 0

    async def read(self) -> bool:
        """Read the body; return False as soon as it is known to be too large."""
        if self.declared > BODY_LIMIT:
            return False
        while self.more:
            message = await self._next()
            if self.size > BODY_LIMIT:
                self.messages.clear()
                return False
            self.messages.append(message)
        return True

    async def replay(self) -> Message:
        """Return the messages that were read, then further ones."""
        return self.messages.pop(0) if self.messages else await self.receive()

    async def discard(self) -> None:
        """Read and drop the rest, up to a limit."""
        while self.more and self.size < _DISCARDED:
            await self._next()

    async def _next(self) -> Message:
        message = await self.receive()
        self.size += len(message.get("body", b""))
        self.more = message["type"] == "http.request" and bool(message.get("more_body"))
        return message


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return a `send` that sets the headers of every response and drops those of CORS."""
    path = str(scope.get("path", ""))
    own = dict(_HEADERS)
    if path.startswith("/api/") or path == "/openapi.json":
        own[b"content-security-policy"] = _API_POLICY.encode()
        own[b"cache-control"] = b"no-store"
    else:
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        own[b"content-security-policy"] = _PAGE_POLICY.format(host=host).encode()

    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            others = [
                (name, value)
                for name, value in message.get("headers", [])
                if name.lower() not in own and not name.lower().startswith(b"access-control-")
            ]
            message = {**message, "headers": [*others, *own.items()]}
        await send(message)

    return sender


async def _refuse(
    send: Send,
    status: int,
    error: str,
    hint: str,
    then: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Send an `ErrorResponse`. then: done before the response is finished."""
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
