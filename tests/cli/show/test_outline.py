"""The parts of a text: code blocks, code in a line, bold words."""

from __future__ import annotations

import pytest

from cli.render.text import Style
from cli.show.html import prose
from cli.show.outline import facts_of, parts_of
from cli.show.terminal import lines_of
from journal.history.conversations.model import Conversation, Entry, ToolCall


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", [([("plain", "")], False)]),
        ("a `b` c", [([("a ", ""), ("b", "code"), (" c", "")], False)]),
        ("**a** b", [([("a", "bold"), (" b", "")], False)]),
        ("**a `b`**", [([("a b", "bold")], False)]),
        ("2 ** 3 ** 4", [([("2 ** 3 ** 4", "")], False)]),
        ("one ` alone", [([("one ` alone", "")], False)]),
        ("a\n```py\n`b`\n```\nc",
         [([("a", "")], False), ([("`b`", "")], True), ([("c", "")], False)]),
        ("", []),
    ],
)  # fmt: skip
def test_parts(text: str, parts: list[tuple[list[tuple[str, str]], bool]]) -> None:
    """Fences make blocks in which nothing is marked; elsewhere code and bold words are marked."""
    assert parts_of(text) == parts


def test_markup_of_a_text_stays_text() -> None:
    """Whatever is marked is escaped."""
    assert prose("`<b>` **<i>** <u>") == (
        '<div class="t"><code>&lt;b&gt;</code> <b>&lt;i&gt;</b> &lt;u&gt;</div>'
    )


@pytest.mark.parametrize("columns", [40, 120])
def test_the_path_of_the_transcript_is_whole(columns: int) -> None:
    """The path has a line of its own where it does not fit, so that it can be copied."""
    path = "/home/ann lee/.claude/projects/-home-ann-lee-shop/5e5510a0.jsonl"
    found = Conversation(source="transcript", path=path)
    lines = list(lines_of(found, Style({}), columns))
    head = "Read from the transcript"
    assert (path if columns < 100 else f"{head} {path}") in lines
    assert (head in lines) == (columns < 100)


def test_the_counts_are_those_of_hooks() -> None:
    """Calls that did not run are counted apart; commands without a hook are no prompts."""
    found = Conversation(
        session="s1",
        entries=[
            Entry("prompt", text="fix it"),
            Entry("prompt", text="/model opus"),
            Entry("prompt", text="! ls"),
            Entry("prompt", text="/journal:get"),
            Entry("tool", tool=ToolCall("Bash", ok=True)),
            Entry("tool", tool=ToolCall("Bash", ok=False)),
            Entry("tool", tool=ToolCall("Edit", ok=False, ran=False)),
            Entry("tool", tool=ToolCall("Read", ok=None)),
        ],
    )
    assert facts_of(found) == [
        "2 prompts",
        "2 tool calls (1 failed)",
        "2 more did not run or finish",
        "0 compactions",
    ]


@pytest.mark.parametrize("columns", [0, 30])
def test_code_keeps_its_indentation(columns: int) -> None:
    """The lines of an answer are indented as it has them, also where they are wrapped."""
    text = "```\ndef total(cart):\n    return sum(item.price for item in cart)\n```"
    lines = list(lines_of(Conversation(entries=[Entry("answer", text=text)]), Style({}), columns))
    (at,) = (at for at, line in enumerate(lines) if "def total" in line)
    wanted = ["return sum(item.price for item in cart)"]
    if columns:
        wanted = ["return sum(item.price", "for item in cart)"]
    assert lines[at] == "    def total(cart):"
    assert [line.strip() for line in lines[at + 1 : at + 1 + len(wanted)]] == wanted
    assert all(line.startswith(" " * 8) for line in lines[at + 1 : at + 1 + len(wanted)])
