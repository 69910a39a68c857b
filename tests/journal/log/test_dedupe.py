"""Which hook calls are repeats of the one before."""

from __future__ import annotations

import pytest

from journal.log.dedupe import key_for, with_time
from journal.log.record import frame

NOW = "2026-11-21T20:31:13.123Z"
TOOL = "aaaa.tool.1"  # a call with an id happens once
START = "aaaa.start.resume."  # a resume may happen again
ADDED = START + "20261121203113123"


def log(*events: dict) -> bytes:
    """Return a log's last bytes; an event is of session s at 20:31:10 unless it says otherwise."""
    lines = [frame(seq, {"ts": "2026-11-21T20:31:10.000Z", "type": "session.started", "v": 1,
                         "sid": "s", **event}) for seq, event in enumerate(events, 1)]  # fmt: skip
    return b"".join(lines)


@pytest.mark.parametrize(
    ("tail", "kept"),
    [
        (log(), True),
        (log({"key": TOOL}), False),
        (log({"key": TOOL, "ts": "2020-01-01T00:00:00.000Z"}, {"key": "other"}), False),
        (log({"key": TOOL + "2"}), True),
        (log({"text": f'"key":"{TOOL}"'}), True),
    ],
    ids=["new", "there", "there long ago", "a longer key", "quoted in a text"],
)
def test_a_fact_that_happens_once_is_a_repeat_wherever_its_key_stands(
    tail: bytes, kept: bool
) -> None:
    """A tool call or a prompt has an id: the same key in the last bytes is the same call."""
    assert key_for(tail, TOOL, "s", NOW) == (TOOL if kept else "")


def _before(seconds: float) -> str:
    """Return the time that long before NOW, of the same minute."""
    return f"2026-11-21T20:31:{13.123 - seconds:06.3f}Z"


OWN = ("advice.given", "context.injected", "checkpoint.saved", "compact.gathered", "files.changed",
       "flow.trimmed", "segment.opened", "pressure.sampled")  # fmt: skip
RESUMED = {"key": START + "x"}
REPEATS: dict[str, tuple[bytes, bool]] = {
    "right after itself": (log(RESUMED), True),
    "ten seconds later": (log({**RESUMED, "ts": _before(10)}), True),
    "later than that": (log({**RESUMED, "ts": _before(10.001)}), False),
    "an event of the session between": (log(RESUMED, {"type": "prompt.submitted"}), False),
    "one of another session between": (log(RESUMED, {"type": "prompt.submitted", "sid": "t"}), True),
    "one of a subagent between": (log(RESUMED, {"type": "tool.finished", "agent": "x"}), True),
    "what hooks add themselves between": (log(RESUMED, *({"type": kind} for kind in OWN)), True),
    "the status line between": (log(RESUMED, {"type": "pressure.sampled",
                                              "source": "statusline"}), False),
    "another kind of start": (log({"key": "aaaa.start.clear.x"}), False),
    "a time nobody can read": (log({**RESUMED, "ts": "yesterday"}), False),
    "the log's last line is cut": (log(RESUMED)[:-1], True),
}  # fmt: skip


@pytest.mark.parametrize("name", REPEATS)
def test_a_fact_that_may_come_again_is_a_repeat_right_after_itself(name: str) -> None:
    """A resume or compaction counts again once the session went on, or after ten seconds."""
    tail, repeat = REPEATS[name]
    assert key_for(tail, START, "s", NOW) == ("" if repeat else ADDED)


def test_the_time_sets_such_keys_apart() -> None:
    """Only a key that ends in a period gets the time."""
    assert with_time(START, NOW) == ADDED
    assert with_time(TOOL, NOW) == TOOL
    assert with_time(START, "no time") == START + "no time"
