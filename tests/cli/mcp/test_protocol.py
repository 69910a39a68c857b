"""Which message gets which answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cli.mcp.protocol import VERSIONS, answer
from journal.history.tools.run import Result
from tests.cli.mcp.exchange import PING, hello, result, serve, use
from tests.support.rows import each

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


def called(_name: str, _arguments: Any) -> Result:
    """Replace the tools by a stand-in."""
    return Result("done")


def test_each_result_is_text_alone(played: Workspace) -> None:
    """A result has content of type text and no structured content, even if a tool fails."""
    answers = serve(
        played, use("status"), use("recall", query="cart"), use("get", source="2"), use("get")
    )
    assert [result(one) != "" for one in answers] == [True] * 4
    assert [one["result"]["isError"] for one in answers] == [False, False, False, True]


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        *((version, version) for version in VERSIONS),
        ("2099-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ],
)
def test_the_version_is_negotiated(asked: str, spoken: str) -> None:
    """The server accepts a version it knows; for any other it offers its newest."""
    answered = answer(json.dumps(hello(asked)).encode(), called)
    assert answered["result"]["protocolVersion"] == spoken
    assert answered["result"]["capabilities"] == {"tools": {}}


@each(
    ("line", "code"),
    [
        (b"garbage", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"3", -32600),
        (b"[]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"initialize"}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["x"]}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/unheard-of"}', -32601),
    ],
)
def test_errors_by_the_specification(line: bytes, code: int) -> None:
    """A faulty message gets one error with the JSON-RPC code."""
    assert answer(line, called)["error"]["code"] == code


@pytest.mark.parametrize(
    "line",
    [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "status"}},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "x"}},
    ],
)
def test_notifications_and_answers_get_no_answer(line: dict[str, Any]) -> None:
    """Cancellations and other messages without an answer get none."""
    assert answer(json.dumps(line).encode(), called) is None


def test_a_batch_is_answered_as_one() -> None:
    """A batch in older versions gets one list, without its notifications."""
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answered = answer(json.dumps([PING, note, use("status")]).encode(), called)
    assert [one["id"] for one in answered] == ["p", 1]
    assert answer(json.dumps([note]).encode(), called) is None


def test_a_tool_that_breaks_is_an_error_of_the_server() -> None:
    """A fault in a tool fails only its own call, and the error names only its kind."""

    def broken(_name: str, _arguments: Any) -> Result:
        raise ZeroDivisionError("secret")

    answered = answer(json.dumps(use("status")).encode(), broken)
    assert answered["error"] == {"code": -32603, "message": "Internal error: ZeroDivisionError"}
