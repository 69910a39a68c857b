"""The guard: what reaches the server, and which headers its answers have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve.guard import Guard
from tests.cli.serve.conftest import HOST, PORT, TOKEN, ran

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace
    from tests.cli.serve.conftest import Asker

HOSTS = {
    "address": (f"127.0.0.1:{PORT}", True),
    "name": (f"localhost:{PORT}", True),
    "six": (f"[::1]:{PORT}", True),
    "capitals": (f"LOCALHOST:{PORT}", True),
    "no port": ("127.0.0.1", False),
    "other port": ("127.0.0.1:3049", False),
    "begins alike": (f"localhost.evil:{PORT}", False),
    "ends alike": (f"evil-localhost:{PORT}", False),
    "rebound name": (f"evil.example:{PORT}", False),
    "user part": (f"localhost:{PORT}@evil.example", False),
    "space": (f" localhost:{PORT}", False),
    "dot": (f"localhost.:{PORT}", False),
    "two": (f"localhost:{PORT}, evil.example", False),
    "any address": (f"0.0.0.0:{PORT}", False),
    "other loopback": (f"127.0.0.2:{PORT}", False),
    "number": (f"2130706433:{PORT}", False),
    "empty": ("", False),
}
ORIGINS = {
    "none": (None, True),
    "address": (f"http://127.0.0.1:{PORT}", True),
    "name": (f"http://localhost:{PORT}", True),
    "six": (f"http://[::1]:{PORT}", True),
    "null": ("null", False),
    "other site": ("https://evil.example", False),
    "https": (f"https://localhost:{PORT}", False),
    "other port": ("http://localhost:3049", False),
    "no port": ("http://localhost", False),
    "begins alike": (f"http://localhost:{PORT}.evil.example", False),
    "with a path": (f"http://localhost:{PORT}/", False),
    "two": (f"http://localhost:{PORT} http://evil.example", False),
    "empty": ("", False),
}
ASKED = (("GET", "/api/sessions"), ("POST", "/api/obs"), ("GET", "/openapi.json"), ("GET", "/"))
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize("name", HOSTS)
def test_the_host_is_exactly_this_server(api: Asker, name: str) -> None:
    """Any other Host is a 421, for every address, with the token or without."""
    host, let = HOSTS[name]
    for method, path in ASKED:
        answer = api.ask(method, path, headers={"host": host}, token=TOKEN)
        assert (answer.status_code == 421) is not let
        if not let:
            assert set(answer.json()) == {"error", "hint"}


@pytest.mark.parametrize("name", ORIGINS)
def test_the_origin_is_exactly_this_server(api: Asker, name: str) -> None:
    """Any other Origin is a 403, even with the token."""
    origin, let = ORIGINS[name]
    for method, path in ASKED:
        headers = {} if origin is None else {"origin": origin}
        answer = api.ask(method, path, headers=headers, token=TOKEN)
        assert (answer.status_code == 403) is not let


@pytest.mark.parametrize("name", ["host", "origin"])
def test_a_header_given_twice_is_not_weighed(api: Asker, name: str) -> None:
    """Two Hosts, or two Origins, are refused, even if each alone would be right."""
    right = {"host": HOST, "origin": f"http://{HOST}"}[name]
    once = api.ask("GET", "/api/sessions", headers=[(name, right)])
    twice = api.ask("GET", "/api/sessions", headers=[(name, right), (name, right)])
    assert (once.status_code, twice.status_code) == (200, 421 if name == "host" else 403)


@pytest.mark.parametrize("body", [b"title=x", b"{}", b'{"session":"x"}'])
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_a_form_of_another_site_writes_nothing(api: Asker, kind: str, body: bytes) -> None:
    """A request a browser sends without preflight is refused before the token is checked."""
    headers = {"content-type": kind, "origin": "http://evil.example"}
    assert api.ask("POST", "/api/obs", content=body, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("method", "path", "more"),
    [
        ("GET", "/api/sessions", {}), ("GET", "/api/nothing", {}), ("POST", "/api/obs", {}),
        ("GET", "/", {}), ("GET", "/api/sessions", {"host": "evil.example"}),
        ("GET", "/api/sessions", {"origin": "http://evil.example"}),
        ("GET", "/api/search", {}),
    ],
    ids=["ok", "404", "401", "page", "421", "403", "422"],
)  # fmt: skip
def test_headers_of_every_answer(api: Asker, method: str, path: str, more: dict[str, str]) -> None:
    """Every answer has headers against sniffing, framing and referrers, and none for CORS."""
    answer = api.ask(method, path, headers=more)
    for name, value in HEADERS.items():
        assert answer.headers.get_list(name) == [value]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-type"] == "application/json"


class Inner:
    """An application that records its requests and would allow every site."""

    def __init__(self) -> None:
        self.reached = 0
        self.body = b""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer whatever comes."""
        self.reached += 1
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            return
        more = True
        while more:
            message = await receive()
            self.body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = [(b"Access-Control-Allow-Origin", b"*"), (b"X-Frame-Options", b"ALLOWALL")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


def through(kind: str, headers: list[tuple[bytes, bytes]], received: list[dict[str, Any]]) -> Any:
    """Send one request through the gate; return the messages, the application, the rest."""
    inner, sent = Inner(), []

    async def receive() -> dict[str, Any]:
        return received.pop(0)

    async def send(message: Any) -> None:
        sent.append((dict(message), len(received)))

    scope = {"type": kind, "path": "/x", "headers": headers}
    ran(Guard(inner, PORT)(scope, receive, send))
    return sent, inner, received


@pytest.mark.parametrize(
    ("headers", "let"),
    [
        ([(b"host", HOST.encode())], True),
        ([(b"host", HOST.encode()), (b"origin", b"http://" + HOST.encode())], True),
        ([(b"host", b"evil.example")], False),
        ([(b"host", HOST.encode()), (b"origin", b"https://evil.example")], False),
        ([(b"host", HOST.encode()), (b"origin", b"null")], False),
        ([], False),
    ],
    ids=["no origin", "own origin", "other host", "other origin", "null origin", "no host"],
)
def test_the_websocket_passes_the_same_gate(headers: list[tuple[bytes, bytes]], let: bool) -> None:
    """A refused websocket is closed before it is accepted, and never reaches the toolkit."""
    sent, inner, _ = through("websocket", headers, [{"type": "websocket.connect"}])
    assert inner.reached == let
    assert [message["type"] for message, _ in sent] == [
        "websocket.accept" if let else "websocket.close"
    ]


def test_nothing_is_opened_to_other_sites() -> None:
    """The gate removes the application's own headers about CORS and frames."""
    received = [{"type": "http.request", "body": b"hi"}]
    sent, inner, _ = through("http", [(b"host", HOST.encode())], received)
    names = [name.lower() for name, _ in sent[0][0]["headers"]]
    assert inner.body == b"hi"
    assert b"access-control-allow-origin" not in names
    assert names.count(b"x-frame-options") == 1


def pieces(count: int, size: int = 64 * 1024) -> list[dict[str, Any]]:
    """Give a body in pieces, as a server receives it."""
    return [
        {"type": "http.request", "body": b"x" * size, "more_body": number + 1 < count}
        for number in range(count)
    ]


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "in chunks"])
@pytest.mark.parametrize("over", [0, 1], ids=["as much as may be", "one piece more"])
def test_a_body_is_bounded(declared: bool, over: int) -> None:
    """One mebibyte passes; a larger body is refused before all of it has been read."""
    count = 16 + over * 100
    headers = [(b"host", HOST.encode())]
    if declared:
        headers.append((b"content-length", str(count * 64 * 1024).encode()))
    sent, inner, _ = through("http", headers, pieces(count))
    start, left = sent[0]
    if not over:
        assert (start["status"], len(inner.body)) == (200, 1024 * 1024)
        return
    assert (start["status"], inner.reached) == (413, 0)
    assert left == (count if declared else count - 16 - 1)
    assert set(json.loads(sent[1][0]["body"])) == {"error", "hint"}


HOSTILE = "<img src=x onerror=alert(1)>\"'</script>"


def test_hostile_text_is_data(api: Asker, home: Workspace) -> None:
    """Markup in a prompt comes back as text, in JSON that no browser shows as a page."""
    home.hook("UserPromptSubmit", "hostile", prompt=HOSTILE)
    api.index.refresh()
    answer = api.get("/api/sessions/hostile")
    assert answer.json()["prompt_texts"] == [HOSTILE]
    assert answer.headers["content-type"] == "application/json"
    assert "<img" not in answer.json()["block"]
