"""What is stored of a line of a transcript: the readable conversation, redacted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from journal.history.archive.files import conversation
from journal.home import project_of
from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from journal.history.importer.records import TranscriptLine

SECRET = "ghp_" + "aB3" * 12


def directory(sandbox: Sandbox) -> str:
    """Return the journal directory of the transcript's project."""
    return str(sandbox.home / project_of("/home/dev/shop", sandbox.env).name)


def stored(sandbox: Sandbox) -> list[TranscriptLine]:
    """Return the stored lines of the session."""
    return list(conversation(directory(sandbox), SID))


def reply_line(*blocks: dict[str, Any], message: str = "m1") -> dict[str, Any]:
    """Return a line of a reply with these content blocks."""
    line = reply(message)
    line["message"]["content"] = list(blocks)
    return line


def test_what_is_stored(sandbox: Sandbox) -> None:
    """Prompts and answers are stored whole, tools with the start of input and result, no thinking."""
    long = "word " * 400
    sandbox.write(
        prompt("fix the parser"),
        reply_line(
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": long},
            {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": long, "n": 3}},
        ),
        prompt([{"type": "tool_result", "tool_use_id": "t1", "content": long}], 2),
        {"type": "system", "subtype": "compact_boundary", "uuid": "b1", "sessionId": SID,
         "timestamp": "2026-11-20T10:00:03.000Z", "compactMetadata": {"trigger": "auto", "preTokens": 9}},
    )  # fmt: skip
    sandbox.run()
    asked, answer, result, boundary = stored(sandbox)
    assert asked.message is not None
    assert asked.message.content == "fix the parser"
    assert answer.message is not None
    assert result.message is not None
    text, use = answer.message.content
    assert text.text == long
    assert use.name == "Bash"
    assert len(bytes(use.input)) < 500 + 60
    assert len(result.message.content[0].content) <= 500 + 8
    assert boundary.compactMetadata is not None
    assert (boundary.compactMetadata.trigger, boundary.compactMetadata.preTokens) == ("auto", 9)


def test_nothing_secret_is_stored(sandbox: Sandbox) -> None:
    """A secret is redacted in a prompt, an answer, a tool's name, input and result, and a model."""
    use = {"type": "tool_use", "id": "t", "name": f"mcp__x__{SECRET}"}
    given = {"command": SECRET, "password": "h7Gq2vLs9Xw", "more": [SECRET]}
    answer = reply_line({"type": "text", "text": SECRET}, {**use, "input": given})
    answer["message"]["model"] = f"claude-{SECRET}"
    result = {"type": "tool_result", "tool_use_id": "t", "content": SECRET}
    sandbox.write(prompt(f"use {SECRET}"), answer, prompt([result], 2))
    sandbox.run()
    found = msgspec.json.encode(stored(sandbox)).decode()
    assert SECRET not in found
    assert "h7Gq2vLs9Xw" not in found
    assert found.count("[redacted:") == 8


def test_a_secret_in_an_input_goes_by_what_is_beside_it(sandbox: Sandbox) -> None:
    """The name beside a value tells of a secret, and so does the command of an argument."""
    plain = "tango" + "falcon"
    given = {"name": "DB_PASSWORD", "value": plain, "args": ["--password", plain], SECRET: 1}
    sandbox.write(
        prompt("set it"),
        reply_line({"type": "tool_use", "id": "t1", "name": "mcp__env__set", "input": given}),
    )
    sandbox.run()
    found = msgspec.json.encode(stored(sandbox)).decode()
    assert plain not in found
    assert SECRET not in found
    assert "DB_PASSWORD" in found


def test_undecoded_members_are_not_stored(sandbox: Sandbox) -> None:
    """A prompt that a hook blocked, an API's error and an attachment are not stored: none is shown."""
    more = {"sessionId": SID, "timestamp": "2026-11-20T10:00:03.000Z"}
    blocked = f"operation blocked by hook:\nno\n\nOriginal prompt: use {SECRET}"
    sandbox.write(
        prompt("hello", attachment={"prompt": SECRET}),
        {"type": "system", "subtype": "informational", "uuid": "b1", "content": blocked, **more},
        {**reply_line({"type": "text", "text": "no"}), "error": {"message": SECRET}},
    )
    sandbox.run()
    found = msgspec.json.encode(stored(sandbox)).decode()
    assert len(stored(sandbox)) == 3
    assert SECRET not in found


def test_nothing_private_is_stored_of_a_prompt_in_blocks(sandbox: Sandbox) -> None:
    """A private passage is left out also where it begins in one block of text and ends in another."""
    parts = ("before <private>", "my salary", "is high</private> after")
    sandbox.write(prompt([{"type": "text", "text": text} for text in parts]))
    sandbox.run()
    (line,) = stored(sandbox)
    assert line.message is not None
    assert [block.text for block in line.message.content] == ["before [private] after"]


def test_a_result_is_judged_with_its_command(sandbox: Sandbox) -> None:
    """A command that prints a password says so; its result alone does not."""
    word = "qv" + "4bTmK7Rx"
    sandbox.write(
        prompt("deploy"),
        reply_line({"type": "tool_use", "id": "t1", "name": "Bash",
                    "input": {"command": "vault kv get -field=password secret/app"}}),
        prompt([{"type": "tool_result", "tool_use_id": "t1", "content": word}], 2),
        prompt([{"type": "tool_result", "tool_use_id": "t2", "content": word}], 3),
    )  # fmt: skip
    sandbox.run()
    results = [line.message.content for line in stored(sandbox)[2:] if line.message is not None]
    assert [block.content for (block,) in results] == ["[redacted:beside]", word]
