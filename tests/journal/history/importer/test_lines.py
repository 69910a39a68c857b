"""Bad lines, long lines and lines without an end cost no other line of a transcript."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.importer import lines as reading
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox


def _nested(*depths: int) -> list[bytes]:
    """Return whole lines with a value nested that deeply in each member that may have one."""
    forms = ('"toolUseResult":%s', '"error":%s', '"content":%s', '"message":{"content":%s}', '"new":%s',
             '"message":{"content":[{"type":"tool_use","id":"t","name":"Edit","input":%s}]}')  # fmt: skip
    return [
        b'{"type":"%s","isApiErrorMessage":true,%s}\n'
        % (kind, (form % ('{"a":' * depth + "1" + "}" * depth)).encode())
        for kind in (b"user", b"system", b"attachment")
        for form in forms
        for depth in depths
    ]


BAD: dict[str, tuple[list[dict[str, Any] | bytes], int]] = {
    "a torn line before a whole one": ([b'{"parentUuid":null,"type":"user","mess', reply("m2")], 2),
    "two lines without a newline": ([json.dumps(reply("m2")).encode(), reply("m3")], 3),
    "a run of NULs before a line": ([b"\0" * 5000, reply("m2")], 2),
    "NULs within a line": ([b'{"type":"user","x":"\0\0\0"}\n', reply("m2")], 2),
    "a reply cut by another": ([json.dumps(reply("m9")).encode()[:-90], reply("m2")], 2),
    "invalid UTF-8": ([b'{"type":"user","message":{"content":"\xff\xfe"}}\n', reply("m2")], 2),
    "half a surrogate": ([b'{"type":"user","uuid":"z","timestamp":"2026-11-20T10:00:00.000Z","message":{"content":"\\ud83d"}}\n', reply("m2")], 2),
    "half a surrogate in a name": ([json.dumps({**prompt(), "type": "\ud83d", "sessionId": "\ud83d"}).encode() + b"\n", reply("m2")], 2),
    "not an object": ([b'["user"]\n"user"\n17\n\n', reply("m2")], 2),
    "members of other types": ([{"type": "user", "message": 3, "uuid": [], "timestamp": {}, "cwd": 7}, reply("m2")], 2),
    "a deep one": ([b'{"type":"user","message":' + b"[" * 90_000 + b"\n", reply("m2")], 2),
    "a deep object": ([*_nested(90_000), b'{"message":' + b'{"a":' * 90_000 + b"\n", reply("m2")], 2),
    "objects as deep as can just be read": ([*_nested(*range(700, 1000, 12)), reply("m2")], 2),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_lines(sandbox: Sandbox, name: str) -> None:
    """A bad line costs no other line; whole records around and inside it are kept."""
    lines, count = BAD[name]
    sandbox.write(reply("m1"), *lines, reply("m8", second=9))
    sandbox.run()
    assert len(sandbox.outputs()) == count + 1
    assert {"m1", "m2", "m8"} <= set(sandbox.outputs())


def test_a_bad_line_is_told(sandbox: Sandbox) -> None:
    """A bad line in the middle is a finding; at the end it is a torn line of a killed client."""
    sandbox.write(reply("m1"), b'{"type":"user","x\n', reply("m2"), b'{"type":"assistant","mess')
    done = sandbox.run()
    assert [(offset > 0, saved) for _, offset, saved in done.bad] == [(True, 0)]
    assert done.torn == 1


def test_a_line_too_long(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line past the limit is counted and skipped; the next one is read."""
    monkeypatch.setattr(reading, "LONGEST", 4096)
    sandbox.write(reply("m1"), prompt("x" * 9000), reply("m2"))
    done = sandbox.run()
    assert (done.long, set(sandbox.outputs())) == (1, {"m1", "m2"})


def test_lines_at_the_ends_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of a file that is read in many blocks is read once."""
    monkeypatch.setattr(reading, "LONGEST", 4096)
    data = b"".join(json.dumps(reply(f"m{at}")).encode() + b"\n" for at in range(60))
    assert len(data) > 3 * 4096
    found = [line for _, lines in reading.lines_of(BytesIO(data)) for line in lines]
    assert [line.message.id for line in found if line.message] == [f"m{at}" for at in range(60)]


def test_a_last_line_without_newline(sandbox: Sandbox) -> None:
    """A whole record without a newline counts, and only once."""
    sandbox.write(reply("m1"), json.dumps(reply("m2")).encode())
    assert sandbox.run().torn == 0
    sandbox.write(b"\n", reply("m3"))
    sandbox.run()
    assert len(sandbox.events("usage.recorded")) == 3
