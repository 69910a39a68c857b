"""Passages that a user marked as private."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.redaction.private import without_private, without_spread_private
from journal.transcript.backup import copy_transcript
from tests.cli.conftest import AFTER, SID, workspace
from tests.journal.history.forget.conftest import holding
from tests.journal.history.importer.lines import prompt, reply
from tests.support.rows import each

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

__all__ = ["workspace"]

CASES = {
    "a <private>b</private> c": "a [private] c",
    "<PRIVATE>b</Private>": "[private]",
    "a <private>b": "a [private]",
    "a <private>b <private>c</private> d</private> e": "a [private] e",
    "<private>a</private><private>b</private>": "[private][private]",
    "İ <private>b</private> c": "İ [private] c",
    "no tag < here": "no tag < here",
    "the end of it</private> c": "[private] c",
    "b</private> c <private>d</private>": "[private] c [private]",
    # A type argument, unless something closes it.
    "a: PKey<Private>, b": "a: PKey<Private>, b",
    "PKey<Private> <private>b": "PKey<Private> [private]",
    "PKey<Private>b</private> c": "PKey[private] c",
    "PKey<private>b": "PKey[private]",
    "鍵<Private>b": "鍵[private]",
    # What documentation writes of: code in Markdown, a link in Perl's, one of two placeholders.
    "behind a `</private>` c": "behind a `</private>` c",
    "b`</private> c": "[private] c",
    "`</private>` <private>b</private> c": "`</private>` [private] c",
    "the L</a> and L</private> of L<b>": "the L</a> and L</private> of L<b>",
    "plan L</private> c": "[private] c",
    "<td>L</td><td>XL</private> c": "[private] c",
    "a <public> and a <private> key": "a <public> and a <private> key",
    "<public>a</public> <private>b": "<public>a</public> [private]",
    "a <public>, <private>b</private> c": "a <public>, [private] c",
    "<Private>b": "[private]",
}


@each("text", CASES)
def test_passages(text: str) -> None:
    """A passage is replaced whole, nested ones included; without an end, to the end of the text."""
    assert without_private(text) == CASES[text]


@given(st.lists(st.sampled_from(["<private>", "</private>", "Q", "a ", "İ", "<"])))
def test_nothing_private_comes_through(parts: list[str]) -> None:
    """A Q between the tags is never in the result; a Q outside them always is.

    A text whose first tag is a closing one begins within a passage.
    """
    tags = [at for at, part in enumerate(parts) if "private" in part]
    if tags and parts[tags[0]] == "</private>":
        parts = ["<private>", *parts]
    depth, shown = 0, 0
    for part in parts:
        depth += part == "<private>"
        depth -= part == "</private>" and depth > 0
        shown += part == "Q" and not depth
    assert without_private("".join(parts)).count("Q") == shown


def _value(parts: list[str], cuts: list[int]) -> list[object]:
    """Return a text, split at some parts, as a nested value."""
    edges = sorted({0, len(parts), *(cut % (len(parts) + 1) for cut in cuts)})
    texts = ["".join(parts[a:b]) for a, b in pairwise(edges)]
    return [
        {"content": text, "status": "pending"} if at % 2 else [text]
        for at, text in enumerate(texts)
    ]


@given(st.lists(st.sampled_from(["<private>", "</PRIVATE>", "Q", "a ", "İ", "<"])),
       st.lists(st.integers(0, 20), max_size=5))  # fmt: skip
def test_nothing_private_comes_through_several_texts(parts: list[str], cuts: list[int]) -> None:
    """However a text with whole passages is split, a Q is in the result if it is outside them."""
    depth = shown = 0
    whole = []
    for part in parts:
        if part == "</PRIVATE>" and not depth:
            continue
        depth += (part == "<private>") - (part == "</PRIVATE>")
        shown += part == "Q" and not depth
        whole.append(part)
    whole += ["</PRIVATE>"] * depth
    value = without_spread_private(_value(whole, cuts))
    clean = [without_private(text) for text in _flat(value)]
    assert "".join(clean).count("Q") == shown


def _flat(value: object) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in _flat(item)]
    return (
        [value]
        if isinstance(value, str)
        else [str(value["content"])]
        if isinstance(value, dict)
        else []
    )


@pytest.mark.parametrize("value", [
    {"a": "<private>b", "c": "d"}, {"a": "b</private>", "c": "d"}, {"a": "<private>b</private>"}, {}, 1,
])  # fmt: skip
def test_a_passage_of_one_text(value: object) -> None:
    """A passage within one text, and a tag without its other one, touch no other text."""
    assert without_spread_private(value) is value


def test_what_is_no_content() -> None:
    """Names, types and states stay readable within a passage; a name of several words is content."""
    value = [
        {"type": "text", "text": "x <private>"},
        {"status": "pending", "the Q": "Q"},
        "</private> y",
    ]
    assert without_spread_private(value) == [
        {"type": "text", "text": "x [private]"}, {"status": "pending", "[private]": "[private]"}, "[private] y"
    ]  # fmt: skip


def test_time_grows_with_the_size_only() -> None:
    """A hundred thousand tags that nothing ends take no time."""
    start = time.process_time()
    without_spread_private(["<private>" * 100_000, "x"])
    without_spread_private([["<private>"] * 10_000, ["</private>"] * 10_000])
    assert time.process_time() - start < 5


SPREAD = ["begin <private>", "Qmiddle", "the end</private> fine"]
INPUTS: dict[str, Any] = {
    "TodoWrite": {"todos": [{"content": t, "status": "pending", "activeForm": t} for t in SPREAD]},
    "Task": {"description": SPREAD[0], "subagent_type": SPREAD[1], "prompt": SPREAD[2]},
    "Bash": {"description": SPREAD[0], "command": f"echo {SPREAD[1]}", "more": SPREAD[2]},
    "AskUserQuestion": {"questions": [{"question": t, "options": [{"label": t}]} for t in SPREAD]},
    "mcp__x__y": {"a": SPREAD[0], "b": [{"c": SPREAD[1]}], "d": SPREAD[2]},
}
RESPONSES: list[Any] = [
    [{"type": "text", "text": t} for t in SPREAD],
    {"stdout": SPREAD[0], "stderr": "".join(SPREAD[1:])},
    {"answers": {SPREAD[0]: SPREAD[1], "more": SPREAD[2]}},
    {"oldTodos": [], "newTodos": [{"content": t, "status": "pending"} for t in SPREAD]},
]


@pytest.mark.parametrize("tool", INPUTS)
def test_it_is_stored_from_no_source(workspace: Workspace, tool: str) -> None:
    """A passage over several members or items of a call is in no file: hooks, import, copies."""
    folder = workspace.top / "claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    transcript = folder / f"{SID}.jsonl"
    lines = [prompt("hello")]
    workspace.hook("SessionStart", source="startup", transcript_path=str(transcript))
    for at, response in enumerate(RESPONSES):
        call = {"tool_name": tool, "tool_use_id": f"toolu_{at}", "tool_input": INPUTS[tool]}
        workspace.hook("PostToolUse", **call, tool_response=response)
        use = {"type": "tool_use", "id": f"toolu_i{at}", "name": tool, "input": INPUTS[tool]}
        asked = reply(f"m{at}")
        asked["message"]["content"] = [use]
        result = {"type": "tool_result", "tool_use_id": use["id"], "content": RESPONSES[0]}
        answered = prompt("x")
        answered["message"]["content"] = [result]
        lines += [asked, {**answered, "uuid": f"r{at}", "toolUseResult": response}]
    text = [json.dumps({**line, "cwd": str(workspace.project)}) for line in lines]
    transcript.write_text("\n".join(text) + "\n")
    copy_transcript(str(transcript), str(workspace.directory), SID, AFTER)
    assert workspace.journal("import").code == 0
    assert holding(workspace.home, (b"Qmiddle",)) == []
    assert holding(workspace.home, (b"fine",)) != []
