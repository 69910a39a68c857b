"""Lines that are decoded together are those that are decoded one by one."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from journal.history.importer.records import line_of, whole_lines
from tests.journal.history.importer.lines import prompt, reply
from tests.support.rows import each

CALL = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a"}}
PARTS = [{"type": "text", "text": "a"}, {"type": "image", "source": {}}]
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": PARTS, "is_error": True}
LINES: dict[str, dict[str, Any]] = {
    "a text": prompt("hello"),
    "texts": prompt([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
    "a call": {**reply("m1"), "message": {"id": "m1", "content": [CALL]}},
    "a result": prompt([RESULT], toolUseResult={"file": {"content": "x"}}),
    "a block of another form": prompt([{"type": 3, "text": "a"}, CALL]),
    "no content": {"type": "user", "message": {"role": "user"}},
    "no message": {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}},
    "a sidechain": reply("m1", isSidechain=True, agentId="a1"),
    "half a surrogate": prompt("a\ud83d"),
    "a prompt in a turn": {"type": "attachment", "attachment": {
        "type": "queued_command", "commandMode": "prompt", "prompt": "more"}},
    "another attachment": {"type": "attachment", "attachment": {"type": "file", "content": "x"}},
}  # fmt: skip


@each("name", LINES)
def test_the_same_line(name: str) -> None:
    """Members and content are equal."""
    data = json.dumps(LINES[name]).encode()
    alone, lines = line_of(data), whole_lines(data)
    assert alone is not None
    if lines is None:  # then it is read alone
        assert name == "half a surrogate"
        return
    (line,) = lines
    assert msgspec.json.encode(line) == msgspec.json.encode(alone)
    assert msgspec.json.encode(line.content) == msgspec.json.encode(alone.content)


def test_a_reply_that_only_its_position_identifies() -> None:
    """A reply without an ID is not decoded together with others, whose position would be lost."""
    line = reply("m1")
    del line["uuid"]
    assert whole_lines(json.dumps(line).encode()) is None
