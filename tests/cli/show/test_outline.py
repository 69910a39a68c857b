"""The parts of a text: code blocks, code in a line, bold words."""

from __future__ import annotations

import pytest

from cli.render.text import Style
from cli.show.html import prose
from cli.show.outline import (
    Passage,
    about,
    facts_of,
    outline,
    passages_of,
    source_of,
    tool_line,
)
from cli.show.terminal import lines_of
from journal.history.conversations.model import TOKENS, Conversation, Entry, ToolCall, tokens_of
from tests.support.rows import each


@each(
    ("text", "parts"),
    [
        ("plain", [Passage("text", [("plain", "")])]),
        ("a `b` c", [Passage("text", [("a ", ""), ("b", "code"), (" c", "")])]),
        ("**a** b", [Passage("text", [("a", "bold"), (" b", "")])]),
        ("**a `b`**", [Passage("text", [("a b", "bold")])]),
        ("2 ** 3 ** 4", [Passage("text", [("2 ** 3 ** 4", "")])]),
        ("one ` alone", [Passage("text", [("one ` alone", "")])]),
        ("## A **b**\n# c", [Passage("text", [("A b", "bold"), ("\n# c", "")])]),
        ("a\n```py\n`b`\n```\nc",
         [Passage("text", [("a", "")]), Passage("code", [("`b`", "")]), Passage("text", [("c", "")])]),
        ("```\na | b\n--|--\n```", [Passage("code", [("a | b\n--|--", "")])]),
        ("", []),
    ],
)  # fmt: skip
def test_parts(text: str, parts: list[Passage]) -> None:
    """Fences make blocks in which nothing is marked; elsewhere code and bold words are marked."""
    assert passages_of(text) == parts


@pytest.mark.parametrize(
    ("text", "kinds", "cells"),
    [
        ("| a | b |\n|---|:-:|\n| 1 | `2` |\nend", ["table", "text"], [["a", "b"], ["1", "2"]]),
        ("before\na | b\n- | -\n1 \\| 2 | 3", ["text", "table"], [["a", "b"], ["1 | 2", "3"]]),
        ("|a|\n|-|\n|1|2|", ["table"], [["a"], ["1", "2"]]),
        ("| a | b |\n|---|", ["text"], []),
        ("a | b\nc | d", ["text"], []),
        ("title\n-----", ["text"], []),
        ("| a |", ["text"], []),
    ],
)  # fmt: skip
def test_tables(text: str, kinds: list[str], cells: list[list[str]]) -> None:
    """A row with a rule of as many cells below it begins a table; no cell of a row is left out."""
    parts = passages_of(text)
    assert [part.kind for part in parts] == kinds
    found = [
        ["".join(text for text, _ in cell) for cell in row] for part in parts for row in part.rows
    ]
    assert found == cells


def test_markup_of_a_text_stays_text() -> None:
    """Whatever is marked is escaped."""
    assert "<td>&lt;s&gt;</td>" in prose("<a>|b\n-|-\n<s>|t")
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


@pytest.mark.parametrize(
    ("last", "clocks"), [("09:00:40", "09:00"), ("09:02:00", "09:00 to 09:02")]
)
def test_the_zone_is_named_however_short_the_session(
    last: str, clocks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session that ended in the minute of its start names the zone like any other."""
    monkeypatch.setattr("cli.show.outline.zone_between", lambda *_: "CET")
    monkeypatch.setattr("cli.show.outline.local_time", lambda at: at[:16].replace("T", " "))
    found = Conversation(started="2026-11-21T09:00:00Z", last=f"2026-11-21T{last}Z", branch="main")
    assert about(found)[0] == f"2026-11-21 {clocks} CET · main"


@pytest.mark.parametrize("agent,line", [
    ("sidechain", "Subagent: 0 tool calls"),
    ("a1b2c3d4e5f6a7b8", "Subagent a1b2c3d4: 0 tool calls"),
])  # fmt: skip
def test_subagent_without_an_id(agent: str, line: str) -> None:
    """A subagent is named by its ID; in transcripts of older clients it has none."""
    found = Conversation(entries=[Entry("note", agent=agent)])
    assert [item.text for item in outline(found)] == [line]


def test_a_message_is_what_its_speaker_wrote() -> None:
    """Blank lines around it are gone, and Claude Code's note below a plan is not the user's."""
    plan = (
        "Implement the following plan:\n\n# Barn\n\n\nIf you need specific details from before exiting "
        "plan mode (like content you generated), read the full transcript at: /home/a/b.jsonl"
    )
    entries = [Entry("prompt", text=plan), Entry("answer", text="\n\n  Red.\n\nDone.\n")]
    told = [item.text for item in outline(Conversation(entries=entries)) if item.kind != "speaker"]
    assert told == ["Implement the following plan:\n\n# Barn", "  Red.\n\nDone."]


def test_a_call_says_whether_it_ran() -> None:
    """A refusal in the user's words needs no other word; an error that reads like one does."""
    calls = [
        ToolCall("Edit", ok=False, outcome="no such file"),
        ToolCall("Edit", ok=False, ran=False, outcome="no such file"),
        ToolCall("Edit", ok=False, ran=False, outcome="refused by the user: not this one"),
        ToolCall("Bash", ok=False, outcome="refused by the user: not this one"),
        ToolCall("AskUserQuestion", ok=True, outcome='"Red?": "Blue"'),
    ]
    assert [tool_line(call)[2] for call in calls] == [
        "failed: no such file", "did not run or finish: no such file",
        "refused by the user: not this one", "failed: refused by the user: not this one",
        '"Red?": "Blue"',
    ]  # fmt: skip


@pytest.mark.parametrize(("out", "shown"), [(3, "output unknown"), (30, "300 out")])
def test_output_that_was_counted_only_at_its_beginning_is_unknown(out: int, shown: str) -> None:
    """The sum is unknown if replies have only the count of their first tokens."""
    replies = [dict.fromkeys(TOKENS, 0) | {"input_tokens": 200, "output_tokens": out}] * 10
    assert facts_of(Conversation(tokens=tokens_of(replies)))[-1] == f"2k tokens in, {shown}"


@pytest.mark.parametrize(
    ("kinds", "missing"),
    [(["answer", "prompt"], True), (["tool"], True), (["prompt", "answer"], False),
     (["compaction", "answer"], False), (["note", "prompt"], False), ([], False)],
    ids=str,
)  # fmt: skip
def test_a_beginning_that_is_missing_is_said(kinds: list[str], missing: bool) -> None:
    """A conversation in which Claude speaks first lacks its beginning; that of a subagent may."""
    side = Entry("answer", agent="a")
    found = Conversation(source="transcript", entries=[side, *map(Entry, kinds)])
    assert ("The beginning is missing" in " ".join(source_of(found))) is missing
