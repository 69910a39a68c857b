"""Texts of a conversation, redacted before they are cut, and calls in a few words."""

from __future__ import annotations

from typing import Any

import pytest

from journal.history.conversations.model import Compacted, Entry, ToolCall
from journal.history.conversations.text import (
    bounded,
    call_of,
    clean,
    details_of,
    outcome_of,
    redact_entries,
    without_reminder,
)

SECRET = "ghp_" + "Ab3dEf6hIj" * 4


def test_a_text_is_cut_and_says_how_much_is_missing() -> None:
    """At most so many characters are shown; without a limit it is 100,000."""
    assert clean("short") == ("short", 0)
    assert clean("x" * 100, 60) == ("x" * 60, 40)
    assert clean("x" * 100_001) == ("x" * 100_000, 1)
    assert len(bounded("x" * 10_000, 60)[0]) == 2_060
    assert clean("a <private>b</private> c") == ("a [private] c", 0)


def test_a_secret_at_the_cut_is_redacted_first() -> None:
    """No beginning of a secret stays, wherever the cut is."""
    text = f"the key is {SECRET} ok"
    for most in range(12, len(text)):
        shown, _ = clean(text, most)
        assert len(shown) <= most
        assert "ghp_A" not in shown


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("Bash", {"command": "pytest\n  -q", "description": "run"}, "pytest -q"),
    ("Read", {"file_path": "/a.py", "limit": 3}, "/a.py"),
    ("Grep", {"pattern": "total", "path": "src"}, "total src"),
    ("Strange", {"n": 3, "what": "this"}, "this"),
    ("Strange", {}, ""),
    ("Bash", {"command": ["a"]}, ""),
]


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


CLARIFIED = f"""{REFUSED} the user said:
The user wants to clarify these questions.
  Ask.

  Questions asked:
- "Which barn?"
  Answer: The red one"""


@pytest.mark.parametrize(("name", "arguments", "about"), CALLS)
def test_a_call_in_one_line(name: str, arguments: dict[str, Any], about: str) -> None:
    """A call shows its target: known members of a known tool, the first text of another."""
    assert call_of(name, "t1", arguments) == ToolCall(name, "t1", about)


@pytest.mark.parametrize(
    ("output", "failed", "shown"),
    [("", False, ""), ("one", False, ""), ("one\n", False, ""), ("one\ntwo", False, "2 lines"),
     ("\n Exit code 1 \n\noops\nmore", True, "Exit code 1 oops"), ("", True, ""),
     ("Exit code 1\n=== RUN   TestCart\n--- FAIL: TestCart\ncart_test.go:9: want 3", True,
      "--- FAIL: TestCart cart_test.go:9: want 3"),
     (f"{REFUSED} STOP", True, "refused or interrupted by the user"),
     (f"{REFUSED} the user said:\nUse cents\n\nNote: x", True, "refused by the user: Use cents"),
     (CLARIFIED, True,
      'refused by the user: to clarify the questions:\n- "Which barn?"\n  Answer: The red one'),
     ("<tool_use_error>File is gone.</tool_use_error>", True, "File is gone.")],
)  # fmt: skip
def test_a_result_in_a_few_words(output: str, failed: bool, shown: str) -> None:
    """Of a result the number of lines is shown, of an error its cause, of a refusal why."""
    assert outcome_of(output, failed=failed) == shown


@pytest.mark.parametrize(
    ("output", "shown"),
    [('User has answered your questions: "Red?"="No". You can now continue with the user\'s answers',
      '"Red?": "No"'),
     ('Your questions have been answered: "A: b?"="c", "D?"="e". You can now continue with these',
      '"A: b?": "c", "D?": "e"'),
     ('The user answered: "Red?"="No, stop". Read the answers carefully — they may',
      '"Red?": "No, stop"'),
     ('The user responded: paint "it" red', 'paint "it" red'),
     ("The user did not answer the questions.", "The user did not answer the questions.")],
)  # fmt: skip
def test_answers_without_the_clients_words(output: str, shown: str) -> None:
    """Of each form in which Claude Code reports answers, the user's words are shown."""
    assert outcome_of(output, failed=False, tool="AskUserQuestion") == shown


BELOW = "<system-reminder>\nBe careful.\n</system-reminder>\n"


@pytest.mark.parametrize(
    ("output", "shown"),
    [(f"a barn\n\n{BELOW}", "a barn"), (BELOW, ""), (f"{BELOW}a barn", f"{BELOW}a barn"),
     ("a barn", "a barn"), ("</system-reminder>", "</system-reminder>"),
     ("  1→<system-reminder>x</system-reminder>", "  1→<system-reminder>x</system-reminder>")],
)  # fmt: skip
def test_the_clients_reminder_is_no_output(output: str, shown: str) -> None:
    """A reminder below an output goes; one inside of it, or in a file's line, stays."""
    assert without_reminder(output) == shown


def test_the_users_words_are_whole() -> None:
    """An answer or the reason of a refusal is longer than other outcomes; a cut shows."""
    words = "paint it red " * 20
    asked = f'User has answered your questions: "How?"="{words}". You can now continue with it.'
    said = outcome_of(asked, failed=False, tool="AskUserQuestion")
    assert said == f'"How?": "{words}"'
    refused = outcome_of(f"{REFUSED} the user said:\n{words}", failed=True)
    calls = [ToolCall("AskUserQuestion", outcome=said), ToolCall("Bash", outcome=refused),
             ToolCall("Bash", about=words, outcome=words)]  # fmt: skip
    redact_entries([Entry("tool", tool=call) for call in calls])
    assert [call.outcome for call in calls[:2]] == [said, refused]
    cut = calls[2]
    assert cut.about == cut.outcome == words[:199] + "…"


def test_details_are_whole_up_to_a_limit() -> None:
    """Members stand on lines of their own, redacted by name; what is cut off is counted."""
    shown, output = details_of({"command": "make", "n": 3, "password": "h7Gq2vLs9Xw"}, "y" * 8_001)
    assert shown.splitlines()[:2] == ["command: make", "n: 3"]
    assert "h7Gq2vLs9Xw" not in shown
    assert output == "y" * 8_000 + "\n… 1 character more"


def test_every_text_of_an_entry_is_redacted() -> None:
    """Text, agent, call and compaction of an entry are redacted together."""
    call = ToolCall(SECRET, SECRET, SECRET, outcome=SECRET)
    entries = [
        Entry("tool", text=SECRET, agent=SECRET, tool=call),
        Entry("compaction", compaction=Compacted(SECRET, summary=SECRET)),
    ]
    redact_entries(entries)
    assert SECRET not in repr(entries)
    assert repr(entries).count("[redacted:") == 8
