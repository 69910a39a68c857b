"""One request to the warm child, handled in a process forked for it.

    POST /17         body: a command hook's stdin; headers `sent`: time in ms; `measured`: tokens,
                     window and threshold as Claude Code reports them, 0 for unknown; `toasts`: 1
                     if the module can show the user a message itself; `answers`: no if nobody
                     waits for an answer
                     200 with "" (recorded, no answer) or 17 (name of the file with the answer),
                     followed by lines with the message to show; header `silence`: see `Request`
                     503 (not recorded: the command hook has to do it)
    POST /cancel/17  200 with 1: call 17 is not recorded and will not be; with 0: it is or will be

    POST /tool/17    {"name", "input", "session_id", "cwd"} → {"text", "failed"}
    POST /screen/17  {"session_id", "cwd", "pane"} → what `hooks.warm.screen` returns

The module cancels a call that takes too long, and leaves it to the command hook. Invariant: either
a call or its cancellation wins, because both create the same file. The process is forked for each
call, so it has no state of an earlier one.
"""

from __future__ import annotations

import os
import time

from hooks.capture import begin
from hooks.context import Context
from hooks.packages import ready
from hooks.warm.request import Request
from journal.codec import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping
    from typing import Any

    from hooks.warm.folder import Folder

LATEST = 0.9  # seconds after which a call is not recorded; the module cancels it after 1
_LARGEST = 64 * 1024 * 1024
_LARGEST_HEAD = 1024 * 1024
_DIGITS = 24


def answer(connection: socket.socket, folder: Folder, env: Mapping[str, str]) -> None:
    """Read the request on `connection`, handle it and reply."""
    line, headers, body = _read(connection)
    verb, _, rest = line.decode("ascii", "replace").partition(" /")
    what, _, number = rest.split(" ")[0].rpartition("/")
    if verb != "POST" or not number.isdigit() or len(number) > _DIGITS:
        _reply(connection, 503)
    elif what == "cancel":
        _reply(connection, 200, "1" if folder.claim(number) else "0")
    elif not what:
        _reply(connection, *_recorded(body, number, headers, folder, env))
    else:
        _reply(connection, *_answered(what, body, env))


def _recorded(
    body: bytes, number: str, headers: dict[bytes, bytes], folder: Folder, env: Mapping[str, str]
) -> tuple[int, str, tuple[int, int] | None]:
    """Record the event, write its answer to a file, and return what `_reply` takes."""
    sent = headers.get(b"sent", b"")
    until = int(sent) / 1000 + LATEST if sent.isdigit() else 0
    request = Request(
        lambda: time.time() < until and folder.claim(number),
        _measured(headers.get(b"measured", b"")),
        answers=headers.get(b"answers") != b"no",
    )
    try:
        respond = begin(body, env, request)
    except Exception:  # noqa: BLE001 (the command hook meets the same error and reports it)
        return 503, "", None
    answer = respond() if respond else ""
    message = ""
    if answer and headers.get(b"toasts") == b"1":
        answer, message = _split_message(answer, body, env)
    if message:
        message = f"\n{message}"
    if not answer:
        return 200, message, request.silence
    path = folder.answer(number)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(answer.encode("utf-8", "replace"))
    return 200, number + message, None


def _answered(route: str, body: bytes, env: Mapping[str, str]) -> tuple[int, str]:
    """Call a tool, or return the texts on the screen; 503 if that is not possible."""
    try:
        data = loads(body)
    except ValueError:
        return 503, ""
    if not isinstance(data, dict) or not ready():
        return 503, ""
    sid, cwd = (str(data.get(name) or "") for name in ("session_id", "cwd"))
    output: Any
    if route == "tool":
        from journal.history.tools import run

        try:
            result = run.call(str(data.get("name")), data.get("input"), env, cwd=cwd, session=sid)
        except KeyError:
            return 503, ""
        output = result._asdict()
    elif route == "screen":
        from hooks.warm.screen import screen

        output = screen(env, sid, cwd, pane=data.get("pane") is True)
    else:
        return 503, ""
    return 200, dumps(output).decode("utf-8", "replace")


def _split_message(answer: str, body: bytes, env: Mapping[str, str]) -> tuple[str, str]:
    """Return an answer without its message to the user, and that message; either may be ""."""
    data: Any
    event: Any
    data, event = loads(answer.encode()), loads(body)
    cwd = str(event.get("cwd") or "")
    if "systemMessage" not in data or not Context(env, cwd).settings["screen.toast"]:
        return answer, ""
    message = str(data.pop("systemMessage"))
    return dumps(data).decode() if data else "", message


def _measured(header: bytes) -> dict[str, int]:
    """Parse the header with Claude Code's own context figures; {} if it is invalid."""
    names, values = ("tokens", "window", "threshold"), header.split(b" ")
    if len(values) != len(names) or not all(v.isdigit() and len(v) < 10 for v in values):
        return {}
    return {name: int(value) for name, value in zip(names, values, strict=True) if int(value)}


def _read(connection: socket.socket) -> tuple[bytes, dict[bytes, bytes], bytes]:
    """Return the request line, the headers (lower-case names) and the whole body."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _receive(connection)
        if len(received) > _LARGEST_HEAD and b"\r\n\r\n" not in received:
            raise ValueError("the head of the request is too large")
    head, _, body = received.partition(b"\r\n\r\n")
    line, *rest = head.split(b"\r\n")
    fields = (each.partition(b":") for each in rest)
    headers = {name.lower(): value.strip() for name, _, value in fields}
    size = int(headers.get(b"content-length", b"0"))
    if size > _LARGEST:
        raise ValueError("the request is too large")
    parts, missing = [body], size - len(body)
    while missing > 0:
        parts.append(_receive(connection))
        missing -= len(parts[-1])
    return line, headers, b"".join(parts)


def _receive(connection: socket.socket) -> bytes:
    received = connection.recv(1 << 18)
    if not received:
        raise ConnectionError("the request ends early")
    return received


def _reply(
    connection: socket.socket, status: int, text: str = "", silence: tuple[int, int] | None = None
) -> None:
    body = text.encode("utf-8", "replace")
    head = f"HTTP/1.1 {status} -\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    if silence:
        head += f"Silence: {silence[0]} {silence[1]}\r\n"
    connection.sendall(f"{head}\r\n".encode() + body)
    connection.close()
