"""A line of which only a reply's members are decoded tells the same as one that is decoded whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from journal.history.importer.records import light_lines, line_of
from tests.journal.history.importer.lines import prompt, reply

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


@pytest.mark.parametrize("name", LINES)
def test_the_same_line(name: str) -> None:
    """Content, results, subagent, compaction, reply and kind are equal."""
    data = json.dumps(LINES[name]).encode()
    whole, lines = line_of(data), light_lines(data)
    assert whole is not None
    if lines is None:  # then it is read as a whole
        assert name == "half a surrogate"
        return
    (light,) = lines
    for one, other in ((whole, light), (light, whole)):
        assert str(one.blocks) == str(other.blocks) or len(one.blocks) == len(other.blocks)
        assert [(block.type, block.id, block.text) for block in one.blocks] == [
            (block.type, block.id, block.text) for block in other.blocks
        ]
    assert isinstance(whole.content, str) == isinstance(light.content, str)
    assert whole.content == light.content or not isinstance(whole.content, str)
    assert len(whole.results) == len(light.results)
    assert (whole.type, whole.subagent, whole.reply) == (light.type, light.subagent, light.reply)
    assert (whole.boundary.kind, whole.promptSource) == (light.boundary.kind, light.promptSource)


def test_a_reply_that_only_its_position_identifies() -> None:
    """A reply without an ID is not decoded together with others, whose position would be lost."""
    line = reply("m1")
    del line["uuid"]
    assert light_lines(json.dumps(line).encode()) is None
