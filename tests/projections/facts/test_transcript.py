"""Facts that only a transcript has; what a rewind took out is told to nobody."""

from __future__ import annotations

import pytest

from projections.facts.transcript import TranscriptRow, from_transcript, split_withdrawn
from tests.support.rows import each

TALK = """The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:
The user wants to clarify these questions.
    This means they may have additional information.

    Questions asked:
- "Which stores?"
  {first}
- "Which name?"
  (No answer provided)"""
FIRST, SECOND, THIRD = ("Create the parser", "Delete it and use BETA", "Write its tests")


def rows(*lines: tuple[str, str, str, str]) -> list[TranscriptRow]:
    """Return lines, given oldest first, as a transcript is read: newest first."""
    return [TranscriptRow(*line) for line in lines[::-1]]


@pytest.mark.parametrize(
    ("first", "choices"),
    [
        ("Answer: Redis, no disk", [["Which stores?", "Redis, no disk", "Redis, no disk"]]),
        ("(No answer provided)", []),
    ],
)
def test_questions_that_the_user_wants_to_talk_about(first: str, choices: list[list[str]]) -> None:
    """The answers they gave before are choices; Claude Code's reason is not the user's words."""
    facts = from_transcript([("refusal", TALK.format(first=first))])
    assert facts == ({"choices": choices} if choices else {})


def test_a_prompt_in_the_place_of_another() -> None:
    """Prompts after the point of the rewind are withdrawn with all that followed them."""
    kept, withdrawn = split_withdrawn(rows(
        ("person", FIRST, "p1", "null"), ("claude", "Created.", "a1", ""),
        ("person", SECOND, "p2", "a1"), ("claude", "Deleted.", "a2", ""),
        ("person", "go on", "p3", "a2"), ("claude", "Went on.", "a3", ""),
        ("person", THIRD, "p4", "a1"), ("claude", "Written.", "a4", ""),
    ))  # fmt: skip
    assert [text for _, text in kept] == ["Written.", THIRD, "Created.", FIRST]
    assert sorted(withdrawn) == sorted([SECOND, "go on", "Deleted.", "Went on."])


def test_a_rewind_to_the_first_prompt() -> None:
    """It names no line to follow: Claude Code marks the prompt after it. Others are forks."""
    before = [("person", FIRST, "p1", "null"), ("claude", "Created.", "a1", ""),
              ("person", SECOND, "p2", "a1"), ("claude", "Deleted.", "a2", "")]  # fmt: skip
    after = [("person", THIRD, "p3", "a2"), ("person", "[Image]", "p3", "a2"), ("rewound", "", "", ""),
             ("claude", "Written.", "a3", ""), ("person", "go on", "p4", "a3")]  # fmt: skip
    kept, withdrawn = split_withdrawn(rows(*before, *after))
    assert [text for _, text in kept] == ["go on", "Written.", "[Image]", THIRD]
    assert sorted(withdrawn) == sorted([FIRST, SECOND, "Created.", "Deleted."])
    after[0] = ("person", THIRD, "p3", "a1")
    after[1] = ("person", "[Image]", "p3", "a1")
    kept, withdrawn = split_withdrawn(rows(*before, *after))
    assert [text for _, text in kept][-2:] == ["Created.", FIRST]
    assert sorted(withdrawn) == sorted([SECOND, "Deleted."])


def test_a_stopped_compaction_is_no_rewind() -> None:
    """The prompt after it is marked like that after a rewind, but follows a command's beginning."""
    before = [("person", FIRST, "p1", "null"), ("claude", "Created.", "a1", "")]
    after = [("person", SECOND, "p2", "c1"), ("rewound", "", "", ""), ("claude", "Used.", "a2", "")]
    kept, withdrawn = split_withdrawn(rows(*before, ("command", "", "c1", ""), *after))
    assert ([text for _, text in kept], withdrawn) == (["Used.", SECOND, "Created.", FIRST], [])
    _, withdrawn = split_withdrawn(rows(*before, ("command", "", "c0", ""), *after))
    assert withdrawn == [FIRST, "Created."]


@pytest.mark.parametrize(("previous", "gone"), [("c1", []), ("a1", [FIRST, "Created."])])
def test_a_shell_command_after_a_stopped_one(previous: str, gone: list[str]) -> None:
    """A `!` command is marked like a prompt, and its output follows it; neither is withdrawn."""
    _, withdrawn = split_withdrawn(rows(
        ("person", FIRST, "p1", "null"), ("claude", "Created.", "a1", ""),
        ("command", "", "c1", ""), ("person", "<bash-input>ls</bash-input>", "b1", previous),
        ("person", "<bash-stdout>a</bash-stdout>", "b2", "b1"), ("rewound", "", "", ""),
        ("claude", "Seen.", "a2", ""), ("person", SECOND, "p2", "a2"),
    ))  # fmt: skip
    assert withdrawn == gone


def test_a_prompt_of_several_blocks_and_one_sent_again() -> None:
    """Blocks of one line belong together; a prompt sent again unchanged is not withdrawn."""
    kept, withdrawn = split_withdrawn(rows(
        ("person", FIRST, "p1", "null"),
        ("person", SECOND, "p2", "a1"), ("person", "[Image]", "p2", "a1"),
        ("person", SECOND, "p3", "a1"), ("person", "[Image 2]", "p3", "a1"),
    ))  # fmt: skip
    assert [text for _, text in kept] == ["[Image 2]", SECOND, FIRST]
    assert withdrawn == ["[Image]"]


def test_without_links_nothing_is_withdrawn() -> None:
    """A transcript whose lines do not name what they follow tells of no rewind."""
    lines = rows(("person", FIRST, "p1", "null"), ("person", SECOND, "p2", "null"))
    assert split_withdrawn(lines) == ([(who, text) for who, text, *_ in lines], [])


def test_the_error_in_a_pasted_log() -> None:
    """Of a log in a long prompt the most relevant line is told; the event lacks its middle."""
    log = "\n".join(f"2026-11-26 10:00:{at:02} INFO served {at}" for at in range(40))
    error = "2026-11-26 10:01:02 ERROR cannot open the pool: connection refused"
    found = from_transcript([("person", f"It fails.\n{log}\n{error}\n{log}\nDo not restart it.")])
    assert found["errors"] == [error]
    assert found["said"] == ["Do not restart it."]


def test_a_short_reason_stands_with_the_call_that_the_user_refused() -> None:
    """It is told even if it is too short to be an instruction; a long one stands alone."""
    long = "Lena has to see it first, " * 9
    found = from_transcript([("call", "Bash git push\nnot yet"), ("call", f"Edit a.py\n{long}")])
    assert found["calls"] == ["Edit a.py", "Bash git push\nnot yet"]


def test_requests_that_the_view_may_have_dropped() -> None:
    """Requests older than the four newest are told in their order, without questions and "go on"."""
    asked = [
        "Create the parser of orders",
        "Hmm, Postgres is too heavy, take SQLite.",
        "What is an index?",
        "go on",
    ]
    newest = [f"Now write the test of part {number}" for number in range(4)]
    found = from_transcript([("person", text) for text in reversed([*asked, *newest])])
    assert found["said"] == asked[:2]


ASKED = "Two ways: (a) backport it, (b) only main. Which one?"


@each(
    ("asked", "answer", "choices"),
    [
        (f"Found it.\n\n{ASKED}", "b", [[ASKED, "b"]]),
        (ASKED, "the second one", [[ASKED, "the second one"]]),
        (ASKED, "Write the release notes of 2.4 now", []),
        ("Only main has it now.", "ok", []),
        (
            "Align the wiki, too?",
            "no, Lena does that on Thursday",
            [["Align the wiki, too?", "no, Lena does that on Thursday"]],
        ),
        ("It is held.", "no, Lena does that on Thursday", []),
        (
            "Options:\n1. Run once\n2. By hand\n3. In CI",
            "1 but just this once, please",
            [["1. Run once", "1 but just this once, please"]],
        ),
        (
            "Options:\n1. Run once\n2. By hand\n3. In CI",
            "1 n 3",
            [["1. Run once / 3. In CI", "1 n 3"]],
        ),
        ("Options:\n1. Run once\n2. By hand", "4", []),
        (
            "1. Bucket\n2. Redis\n\nShall I use 100 or 60?",
            "60. and 2 without Lua",
            [["1. Bucket 2. Redis Shall I use 100 or 60?", "60. and 2 without Lua"]],
        ),
        ("Which one?", "2", []),
    ],
)
def test_a_short_answer_stands_with_its_question(
    asked: str, answer: str, choices: list[list[str]]
) -> None:
    """A "b" alone says nothing; a request of its own or a word to no question is no answer."""
    rows = [("person", "Fix the leak in the pool"), ("claude", asked), ("person", answer)]
    later = [("claude", "Done."), ("person", "go on"), ("claude", "Shall I go on?")]
    assert from_transcript([*rows, *later][::-1]).get("choices", []) == choices


def test_each_list_is_bounded_by_itself() -> None:
    """Of each kind the newest are taken, whatever there is of the others."""
    reasons = [f"I chose cents in module_{at}.py because floats lose them." for at in range(30)]
    found = [f"The file cart_{at}.py cannot hold cents, so it rounds them." for at in range(20)]
    answers = [f"no, Lena does that on day {at}" for at in range(12)]
    rows = [("claude", text) for text in (*reasons, *found)]
    for answer in answers:
        rows += [("person", answer), ("claude", "Align the wiki, too?")]
    rows += [("call", f"Bash rm -rf build/{at}") for at in range(12)]
    facts = from_transcript(rows)
    made = [("result", "[main 9d0e1f2] Round"), ("claude", "SHOP-41 says how.")]
    assert from_transcript(made)["ids"] == ["9d0e1f2", "SHOP-41"], "the most mentioned is last"
    assert facts["reasons"] == [*reasons[:24], *found[:12]][::-1]
    assert facts["calls"] == [f"Bash rm -rf build/{at}" for at in reversed(range(8))]
    assert [answer for _, answer in facts["choices"]] == answers[7::-1]
