"""`journal serve` as a process: it prints its address, listens locally, and ends cleanly."""

from __future__ import annotations

import json
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from cli.serve.token import ENV
from journal.config import HOME_FILE
from tests.cases.world import ROOT
from tests.cli.conftest import Workspace
from tests.cli.serve.conftest import OTHER, TOKEN, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
pytestmark = pytest.mark.page


def send(address: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Send a request to a real server; return status and body."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode() if body else None
    request = Request(address, data, {"Content-Type": "application/json", **headers})
    try:
        with urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read() or b"null")


def address_of(lines: list[str]) -> tuple[str, str]:
    """Return the printed address, and its token."""
    address, _, token = lines[0].removeprefix("Past sessions: ").strip().partition("/#token=")
    return address, token


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "Ctrl-C"])
def test_from_start_to_stop(played: Workspace, how: signal.Signals) -> None:
    """It prints page and token, answers, records, and exits with 0, silent, its token deleted."""
    with serving(played, "--port", "0") as (process, lines):
        address, token = address_of(lines)
        assert address.startswith("http://127.0.0.1:")
        path = Path(lines[1].rpartition(" ")[2].strip())
        assert path.read_text().strip() == token
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert send(address + "/api/sessions")[1]["total"] == 2
        body = {"session": OTHER, "title": "x"}
        assert send(address + "/api/obs", body)[0] == 401
        assert send(address + "/api/obs", body, Authorization=f"Bearer {token}")[0] == 201
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert not path.exists()


def test_a_browser_is_led_to_the_page(played: Workspace, tmp_path: Path) -> None:
    """With --open the token is in a file of the user, not among the browser's arguments."""
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}.part && mv {seen}.part {seen}\n')
    browser.chmod(0o700)
    with serving(played, "--port", "0", "--open", BROWSER=f"{browser} %s") as (process, lines):
        address, token = address_of(lines)
        for _ in range(600):
            if seen.exists():
                break
            time.sleep(0.1)
        page = Path(seen.read_text().removeprefix("file://"))
        assert token not in str(page)
        assert f"{address}/#token={token}" in page.read_text()
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        process.terminate()
        process.communicate(timeout=60)
    assert not page.exists()


def test_it_listens_on_this_machine_alone(server: str) -> None:
    """Its one socket is bound to 127.0.0.1."""
    port = int(server.rpartition(":")[2])
    rows = [line.split() for name in ("tcp", "tcp6")
            for line in Path("/proc/net", name).read_text().splitlines()[1:]]  # fmt: skip
    bound = [row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{port:04X}")]
    assert bound == [f"0100007F:{port:04X}"]


def test_over_the_wire(played: Workspace) -> None:
    """A real server refuses a wrong Host, a wrong Origin and 10 MB; its page links nowhere else."""
    with serving(played, "--port", "0", **{ENV: TOKEN}) as (_, lines):
        address, token = address_of(lines)
        assert token == TOKEN
        assert send(address + "/api/sessions", Host="evil.example")[0] == 421
        assert send(address + "/api/sessions", Origin="http://evil.example")[0] == 403
        before = played.segment.read_bytes()
        huge = json.dumps({"session": OTHER, "title": "x" * 10_000_000}).encode()
        status, body = send(address + "/api/obs", huge, Authorization=f"Bearer {token}")
        assert (status, set(body)) == (413, {"error", "hint"})
        assert played.segment.read_bytes() == before
        with urlopen(address + "/", timeout=60) as answer:
            page = answer.read().decode()
        assert "http://" not in page.replace("http://www.w3.org", "")
        assert "https://" not in page
        assert token not in page


def test_a_body_that_never_comes_is_refused_at_once(server: str) -> None:
    """The declared size is enough: the refusal comes before any byte of the body."""
    host = server.removeprefix("http://")
    with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), 60) as sock:
        head = f"POST /api/obs HTTP/1.1\r\nHost: {host}\r\nContent-Length: 10000000\r\n\r\n"
        sock.sendall(head.encode())
        assert sock.recv(12) == b"HTTP/1.1 413"


@contextmanager
def opened(host: str, origin: str) -> Iterator[socket.socket]:
    """Open the page's websocket."""
    with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), 60) as sock:
        sock.sendall(
            "GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n"
            f"Host: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{origin}"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        yield sock


@pytest.mark.parametrize(
    ("origin", "status"),
    [("Origin: http://{host}\r\n", b"101"), ("Origin: http://evil.example\r\n", b"403"),
     ("Origin: null\r\n", b"403")],
    ids=["own", "other", "null"],
)  # fmt: skip
def test_the_page_s_websocket(server: str, origin: str, status: bytes) -> None:
    """It opens for this server's own page alone."""
    host = server.removeprefix("http://")
    with opened(host, origin.format(host=host)) as sock:
        assert sock.recv(12) == b"HTTP/1.1 " + status


@pytest.mark.parametrize("how", [
    pytest.param(signal.SIGTERM, id="TERM", marks=pytest.mark.long),
    pytest.param(signal.SIGINT, id="Ctrl-C"),
])  # fmt: skip
def test_an_open_page_does_not_hold_it(played: Workspace, how: signal.Signals) -> None:
    """The server stops with a page open, and prints nothing about it."""
    with serving(played, "--port", "0") as (process, lines):
        host = address_of(lines)[0].removeprefix("http://")
        with opened(host, "") as sock:
            assert sock.recv(12) == b"HTTP/1.1 101"
            process.send_signal(how)
            _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize(
    "path",
    [
        "/_nicegui/{version}/static/../../../../../../../../etc/passwd",
        "/_nicegui/{version}/static/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/_nicegui/{version}/static/..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc/passwd",
        "/_nicegui/{version}/static//etc/passwd",
        "/_nicegui/{version}/components/%2fetc%2fpasswd",
        "/_nicegui/{version}/resources/x/../../etc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/api/sessions/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/api/views/..%2f..%2fetc%2fpasswd",
    ],
)
def test_no_path_leads_to_a_file(server: str, path: str) -> None:
    """A path returns the toolkit's own assets or nothing."""
    version = metadata.version("nicegui")
    host = server.removeprefix("http://")
    with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), 60) as sock:
        sock.sendall(
            f"GET {path.format(version=version)} HTTP/1.1\r\nHost: {host}\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        answer = b"".join(iter(lambda: sock.recv(65536), b""))
    assert answer[9:12] in (b"404", b"403", b"422")
    assert b"root:" not in answer


def test_the_page_s_own_assets_are_there(server: str) -> None:
    """The sibling of the refusals: the page's own assets come from this server."""
    with urlopen(server + "/", timeout=60) as answer:
        page = answer.read().decode()
    asset = re.search(r'"(/_nicegui/[^"]+/static/[^"]+\.css)"', page)
    assert asset is not None
    with urlopen(server + asset[1], timeout=60) as answer:
        assert answer.status == 200
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server shared by tests that only read."""
    with serving(Workspace(str(tmp_path_factory.mktemp("serve"))), "--port", "0") as (_, lines):
        yield address_of(lines)[0]


def ended(workspace: Workspace, *words: str, **env: str) -> tuple[int, str, str]:
    """Run `journal serve` where it cannot start; return code, stdout and stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", "serve", *words], cwd=ROOT, capture_output=True, text=True,
        env={**workspace.env, "PYTHONPATH": str(ROOT), **env}, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_a_port_that_is_taken_is_left_alone(played: Workspace) -> None:
    """The message names the port and another option; the port's owner goes on, no file stays."""
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        code, out, err = ended(played, "--port", str(port))
        assert (code, out) == (3, "")
        assert f"127.0.0.1:{port}" in err
        assert "--port" in err
        with socket.create_connection(("127.0.0.1", port), 5):
            pass
    assert not list(played.home.glob("cache/serve-*"))


def test_the_port_of_the_configuration(played: Workspace) -> None:
    """`serve.port` is used where no port is given."""
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        (played.home / HOME_FILE).write_text(f"[serve]\nport = {port}\n")
        assert f"127.0.0.1:{port}" in ended(played)[2]


def test_without_the_extra(played: Workspace, tmp_path: Path) -> None:
    """It names the missing extra and how to add it, and opens no port."""
    (tmp_path / "nicegui.py").write_text("raise ModuleNotFoundError(name='nicegui')\n")
    path = f"{tmp_path}:{ROOT}"
    code, out, err = ended(played, "--port", "0", PYTHONPATH=path)
    assert (code, out) == (3, "")
    assert "extra `ui`" in err
    assert "-m pip install 'nicegui>=" in err


@pytest.mark.parametrize(
    ("words", "env"), [(("--port", "65536"), {}), (("--port", "0"), {ENV: "short"})],
    ids=["port", "token"],
)  # fmt: skip
def test_a_wrong_call(played: Workspace, words: tuple[str, ...], env: dict[str, str]) -> None:
    """A wrong call exits with 2."""
    code, out, err = ended(played, *words, **env)
    assert (code, out) == (2, "")
    assert err.startswith("journal: error: ")


def test_a_home_with_nothing_in_it(workspace: Workspace) -> None:
    """An empty home gives an empty list."""
    with serving(workspace, "--port", "0") as (_, lines):
        assert send(address_of(lines)[0] + "/api/sessions")[1]["items"] == []
