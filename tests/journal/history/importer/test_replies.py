"""Which lines are one reply, and which figures count."""

from __future__ import annotations

from typing import Any

import pytest

from journal.history.importer.builder import Builder
from journal.history.importer.owners import ProjectFinder
from journal.history.importer.records import line_from
from journal.history.importer.replies import Replies, Reply
from journal.history.importer.state import RecordedKeys
from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import reply


def read(sandbox: Sandbox, lines: list[dict[str, Any]]) -> Replies:
    """Read lines of a session."""
    builder = Builder(
        ProjectFinder(sandbox.env, str(sandbox.home), ()).of_session, RecordedKeys(), SID
    )
    replies = Replies(builder)
    for number, value in enumerate(lines):
        line = line_from(value)
        builder.follow(line)
        replies.read(line, SID, number)
    replies.close_all()
    return replies


def shown(replies: list[Reply]) -> list[tuple[Any, ...]]:
    """Return name, tokens of the output and time of replies."""
    return [(item.name, item.figures[1], item.ts[17:19]) for item in replies]


NO_FIGURES = reply("m1", 40, second=4)
NO_FIGURES["message"]["usage"] = {"output_tokens": 40}
LINES: dict[str, tuple[list[dict[str, Any]], list[tuple[Any, ...]]]] = {
    "the last line counts": ([reply("m1", 3, second=1), reply("m1", 9, second=2)], [("m1", 9, "02")]),
    "also if it has less": ([reply("m1", 9, second=1), reply("m1", 3, second=2)], [("m1", 3, "02")]),
    "one without figures does not": (
        [reply("m1", 3, second=1), reply("m1", 9, second=2), NO_FIGURES], [("m1", 9, "02")],
    ),
    "another request is another reply": (
        [reply("m1", 3, second=1), reply("m1", 4, second=2, requestId="r2")],
        [("m1", 3, "01"), ("m1", 4, "02")],
    ),
    "a sidechain's reply does not end it": (
        [reply("m1", 3, second=1), reply("s1", 5, second=2, isSidechain=True), reply("m1", 9, second=3)],
        [("m1", 9, "03"), ("s1", 5, "02")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_the_figures_that_count(sandbox: Sandbox, name: str) -> None:
    """Each reply is found once, with the figures and the time of its last line that has any."""
    lines, wanted = LINES[name]
    assert shown(read(sandbox, lines).found) == wanted


def test_a_reply_that_may_go_on(sandbox: Sandbox) -> None:
    """A reply at the end of a file that does not say why it ended counts as far as it is there."""
    replies = read(sandbox, [reply("m1", 3), reply("m2", 4, stop=None)])
    assert shown(replies.found) == [("m1", 3, "00"), ("m2", 4, "00")]
