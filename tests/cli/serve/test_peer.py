"""Who owns a connection: the user who serves, and nobody else on the machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cli.serve.guard import allowed_users, owner_of
from tests.cli.conftest import Workspace
from tests.cli.serve.conftest import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

linux = pytest.mark.skipif(sys.platform != "linux", reason="the table is Linux's")
little = pytest.mark.skipif(sys.byteorder != "little", reason="the rows below are little-endian")

HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
)
ROW = (
    "   0: {local} {remote} 01 00000000:00000000 00:00000000 00000000 {uid:>5}        0 7 1 0 20\n"
)
CLIENT, SERVER = ("127.0.0.1", 0xC001), ("127.0.0.1", 3048)
HERE, THERE = "0100007F:C001", "0100007F:0BE8"


@little
@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([(HERE, THERE, 1000)], 1000),
        ([(THERE, HERE, 7), (HERE, THERE, 1000)], 1000),
        ([(HERE, "0100007F:0BE9", 7), (HERE, THERE, 1000)], 1000),
        ([("0200007F:C001", THERE, 7)], None),
        ([], None),
    ],
    ids=["the client's", "not the server's", "not to another server", "another address", "none"],
)
def test_the_row_of_the_client(
    tmp_path: Path, rows: list[tuple[str, str, int]], found: int | None
) -> None:
    """The row is the one from client to server, for each family of sockets."""
    for lead in ("", "0000000000000000FFFF0000"):
        table = tmp_path / "tcp"
        table.write_text(HEAD + "".join(
            ROW.format(local=lead + local, remote=lead + remote, uid=uid)
            for local, remote, uid in rows
        ))  # fmt: skip
        missing = (str(tmp_path / "missing"), "")
        assert owner_of(CLIENT, SERVER, [missing, (str(table), lead)]) == found


@pytest.mark.parametrize("client", [("::1", 1), ("", 1), ("testclient", 50000)])
def test_an_address_the_table_cannot_have(client: tuple[str, int]) -> None:
    """An address not in the table is unknown, without an error."""
    assert owner_of(client, SERVER) is None


@linux
@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6], ids=["4", "6"])
def test_a_real_connection_is_this_user_s(family: socket.AddressFamily) -> None:
    """The kernel reports this process's user while the connection lasts."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        host = "127.0.0.1" if family == socket.AF_INET else "::ffff:127.0.0.1"
        with socket.socket(family, socket.SOCK_STREAM) as client:
            try:
                client.connect((host, address[1]))
            except OSError:
                pytest.skip("no such family here")
            accepted, whence = server.accept()
            with accepted:
                assert owner_of(whence, address) == os.geteuid()


def test_who_may_ask() -> None:
    """This user and root may ask; the user behind sudo only if root serves."""
    assert allowed_users({}) == {os.geteuid(), 0}
    assert (12345 in allowed_users({"SUDO_UID": "12345"})) == (os.geteuid() == 0)
    assert allowed_users({"SUDO_UID": "x"}) == {os.geteuid(), 0}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    with serving(Workspace(str(tmp_path_factory.mktemp("serve"))), "--port", "0") as (_, lines):
        yield lines[0].removeprefix("Past sessions: http://").partition("/#")[0]


ASK = """
import encodings.idna, os, socket, sys
host = sys.argv[1]
os.setuid(int(sys.argv[3]))
with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), 60) as sock:
    sock.sendall(f"GET {sys.argv[2]} HTTP/1.1\\r\\nHost: {host}\\r\\n\\r\\n".encode())
    print(sock.recv(12).decode())
"""


@linux
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("path", ["/api/sessions", "/", "/openapi.json"])
@pytest.mark.parametrize(("user", "status"), [(0, "200"), (65534, "403")], ids=["own", "other"])
def test_another_user_of_the_machine_is_refused(
    server: str, path: str, user: int, status: str
) -> None:
    """A process of another user is refused, one of this user is answered."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ASK, server, path, str(user)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["HTTP/1.1", status], done.stderr
