"""The server's console: one line per fault, and no traceback."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from cli.serve.command import WarningLines
from cli.serve.page import surplus
from tests.cli.serve.conftest import serving

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


def record(message: str, error: Exception | None = None, created: float = 0.0) -> logging.LogRecord:
    """Give what a library logs."""
    info = (type(error), error, None) if error else None
    made = logging.LogRecord("uvicorn.error", logging.ERROR, "x.py", 1, message, None, info)
    made.created = created
    return made


LOGGED = {
    "an error": (
        record("Exception in ASGI application", ValueError("wrong")),
        ["ValueError: wrong"],
    ),
    "a warning": (record("Invalid HTTP request received."), ["Invalid HTTP request received."]),
    "several lines": (record("first\nsecond"), ["first"]),
    "a control character": (record("\x1b[2Jgone"), ["gone"]),
    "a browser that left": (record("x", ConnectionResetError("peer")), []),
    "a pipe that broke": (record("x", BrokenPipeError("peer")), []),
}


@pytest.mark.parametrize("name", LOGGED)
def test_a_line_for_what_is_logged(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An error or a warning is one escaped line; a browser that disconnects is silent."""
    logged, words = LOGGED[name]
    WarningLines({}).emit(logged)
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "\x1b" not in said
    assert bool(said) is bool(words)
    assert all(word in said for word in words)


def test_the_same_line_once_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    """A flood of bad requests is one line; another fault, or a minute later, gives the next."""
    lines = WarningLines({})
    for message, at in (("a", 0.0), ("a", 1.0), ("a", 59.0), ("b", 59.0), ("b", 120.0)):
        lines.emit(record(message, created=at))
    assert capsys.readouterr().err.splitlines() == ["journal: a", "journal: b", "journal: b"]


def test_the_traceback_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    """JOURNAL_DEBUG=1 adds it; without it there is none."""
    for env in ({}, {"JOURNAL_DEBUG": "1"}):
        try:
            int("x")
        except ValueError as error:
            logged = record("x", error)
            logged.exc_info = (ValueError, error, error.__traceback__)
            WarningLines(env).emit(logged)
        assert ("Traceback" in capsys.readouterr().err) is bool(env)


def test_pages_nobody_connects_to_are_bounded() -> None:
    """The oldest are removed; a page with a browser stays, however old."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    pages = [SimpleNamespace(at=at, environ={} if at % 3 == 0 else None) for at in range(60)]
    gone = [page.at for page in surplus(pages)]  # type: ignore[arg-type,attr-defined]
    waiting = [at for at in range(60) if at % 3]
    assert gone == waiting[: len(waiting) - 20]
    assert not surplus(pages[:20])  # type: ignore[arg-type]


BAD = {
    "no request": b"\x00\x01garbage\r\n\r\n",
    "a head without an end": b"GET / HTTP/1.1\r\n" + b"x-long: " + b"y" * 200_000,
    "a body cut short": b"POST /api/obs HTTP/1.1\r\nHost: {host}\r\nContent-Length: 900\r\n\r\n{",
    "a page that is left": b"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n",
}


UPGRADE = (
    "GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {host}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
FRAMES = [
    b"\x81\x86\0\0\0\x0042[[[[",
    b"\x81\x83\0\0\0\x0040{",
    b"\x82\x84\0\0\0\0zzzz",
    b"\xff" * 20,
]
"""Messages, masked with zeros, that are no event of the page's."""


@pytest.mark.page
def test_no_traceback_for_bad_messages(played: Workspace) -> None:
    """What a websocket receives and nobody can read gives at most a line, as a bad request does."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    with serving(played, "--port", "0") as (process, lines):
        host = lines[0].removeprefix("Past sessions: http://").partition("/#")[0]
        port = int(host.rpartition(":")[2])
        for frame in FRAMES:
            with socket.create_connection(("127.0.0.1", port), 60) as sock:
                sock.sendall(UPGRADE.format(host=host).encode())
                assert sock.recv(12) == b"HTTP/1.1 101"
                sock.sendall(frame)
                sock.settimeout(1)
                with suppress(TimeoutError):
                    while sock.recv(4096):
                        pass
        process.terminate()
        _, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    assert all(line.startswith(("journal: ", "  set JOURNAL_DEBUG=1")) for line in err.splitlines())


@pytest.mark.page
def test_no_traceback_for_bad_requests(played: Workspace) -> None:
    """Invalid, overlong, truncated or aborted requests give at most a line each."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    with serving(played, "--port", "0") as (process, lines):
        host = lines[0].removeprefix("Past sessions: http://").partition("/#")[0]
        port = int(host.rpartition(":")[2])
        for sent in BAD.values():
            with socket.create_connection(("127.0.0.1", port), 60) as sock:
                sock.sendall(sent.replace(b"{host}", host.encode()))
        with socket.create_connection(("127.0.0.1", port), 60) as sock:
            sock.sendall(f"GET /api/sessions HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert sock.recv(12) == b"HTTP/1.1 200"
        process.terminate()
        _, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    assert all(line.startswith("journal: ") for line in err.splitlines())
