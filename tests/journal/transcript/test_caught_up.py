"""Whether the last reply has been written to the transcript."""

from __future__ import annotations

import json

import pytest

from journal.transcript.caught_up import caught_up, wait_caught_up
from tests.journal.transcript.lines import (
    RECORDED,
    assistant,
    compact,
    result,
    user,
    write,
)

__all__ = ["write"]

LANDED = {
    "the same text": ([assistant(text="All good.")], "All good.", True),
    "white space differs": ([assistant(text="All good.\n")], "  All  good.", True),
    "internal lines after it": ([assistant(text="A"), {"type": "mode"}], "A", True),
    "several lines of one message": (
        [assistant(text="One.", id="m"), assistant(text="Two.", id="m")],
        "One.\n\nTwo.",
        True,
    ),
    "only its last block is given": (
        [assistant(text="One.", id="m"), assistant(text="Two.", id="m")],
        "Two.",
        True,
    ),
    "a hook's remark after it": ([assistant(text="A"), user("feedback", isMeta=True)], "A", True),
    "nothing to wait for": ([], "", True),
    "an older text": ([assistant(text="Old.")], "New.", False),
    "the same text before a newer prompt": (
        [assistant(text="Done."), user("go on")],
        "Done.",
        False,
    ),
    "the same text before a tool result": ([assistant(text="Done."), result("ok")], "Done.", False),
    "a subagent's text": ([assistant(text="Done.", isSidechain=True)], "Done.", False),
    "two messages do not add up": (
        [assistant(text="One.", id="a"), assistant(text="Two.", id="b")],
        "One. Two.",
        False,
    ),
    "torn": ([compact(assistant(text="Done."))[:-9]], "Done.", False),
    "quoted in tool output": ([result(json.dumps(assistant(text="Done.")))], "Done.", False),
}


@pytest.mark.parametrize(("lines", "message", "landed"), LANDED.values(), ids=LANDED.keys())
def test_caught_up(write, lines: list, message: str, landed: bool) -> None:
    """Only the newest reply of the main thread counts, and only if it follows the newest user line."""
    assert caught_up(write(user("go"), *lines), message) is landed


def test_recorded_sessions_have_caught_up() -> None:
    """Each recorded session ends with the reply that its last Stop hook received."""
    for path in sorted(RECORDED.glob("*.jsonl")):
        texts = [
            record["message"]["content"][-1].get("text")
            for line in path.read_text().splitlines()
            if (record := json.loads(line))["type"] == "assistant"
        ]
        assert caught_up(str(path), texts[-1]), path.name
        assert not caught_up(str(path), texts[-1] + " And more."), path.name


def test_waiting_ends_when_the_reply_lands(write) -> None:
    """Waiting pauses by the caller's clock and returns true as soon as the reply is written."""
    path = write(user("go"))
    now = [100.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds
        if now[0] > 100.05:
            write(user("go"), assistant(text="Done."))

    assert wait_caught_up(path, "Done.", lambda: now[0], sleep) is True
    assert 100.05 < now[0] < 100.15


def test_waiting_gives_up_at_the_limit(write) -> None:
    """Without the reply, waiting returns false at the limit."""
    now = [100.0]

    def sleep(seconds: float) -> None:
        assert seconds > 0
        now[0] += seconds

    assert wait_caught_up(write(user("go")), "Done.", lambda: now[0], sleep) is False
    assert now[0] == pytest.approx(100.3)
