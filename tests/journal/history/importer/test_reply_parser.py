"""Which lines are one reply and which figures count; where replies and compactions end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.importer.builder import Builder
from journal.history.importer.owners import ProjectFinder
from journal.history.importer.parser import Parser
from journal.history.importer.records import line_from
from journal.history.importer.state import RecordedKeys
from journal.history.usage.parser import FileUsage, UsageParser
from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from journal.history.importer.reply_parser import Reply

BOUNDARY = {"type": "system", "subtype": "compact_boundary", "uuid": "c1", "sessionId": SID,
            "timestamp": "2026-11-20T10:00:05.000Z", "compactMetadata": {"trigger": "auto"}}  # fmt: skip
SUMMARY = prompt("This session is being continued\nSummary:\nall", 2, isCompactSummary=True)
LINES: dict[str, tuple[list[dict[str, Any]], int, int]] = {
    "one reply": ([reply("m1", 3), reply("m1", 4)], 1, 0),
    "a prompt between its lines": ([reply("m1", 3), prompt("x"), reply("m1", 4)], 2, 0),
    "the end of a turn between them": (
        [reply("m1", 3), {"type": "system", "subtype": "turn_duration", "sessionId": SID}, reply("m1", 4)],
        2, 0,
    ),
    "an API error between them": ([reply("m1", 3), reply("e", isApiErrorMessage=True), reply("m1", 4)], 2, 0),
    "a compaction with a summary": ([reply("m1", 3), BOUNDARY, SUMMARY, reply("m2", 4)], 2, 1),
    "a compaction without one": ([reply("m1", 3), BOUNDARY, reply("m2", 4)], 2, 1),
    "a compaction without a next line": ([reply("m1", 3), BOUNDARY], 1, 0),
    "a summary without a boundary": ([reply("m1", 3), SUMMARY], 1, 1),
    "a synthetic reply": ([reply("m1", 3), {**reply("m2"), "message": {"model": "<synthetic>"}}], 1, 0),
}  # fmt: skip


def read(sandbox: Sandbox, lines: list[dict[str, Any]]) -> FileUsage:
    """Read lines of a session."""
    owners = ProjectFinder(sandbox.env, str(sandbox.home), ())
    parser = UsageParser(Builder(owners.of_session, RecordedKeys(), SID), is_whole=True)
    for number, line in enumerate(lines):
        parser.parse(line_from(line), number)
    return parser.finish()


@pytest.mark.parametrize("name", LINES)
def test_replies_and_compactions(sandbox: Sandbox, name: str) -> None:
    """Both parsers find as many replies and ends of compactions."""
    lines, replies, compactions = LINES[name]
    owners = ProjectFinder(sandbox.env, str(sandbox.home), ())
    parser = Parser(Builder(owners.of_session, RecordedKeys(), SID))
    for number, line in enumerate(lines):
        parser.parse(line_from(line), number)
    parser.finish()
    found = read(sandbox, lines)
    usage = [event for _, event in parser.builder.events if event.get("type") == "usage.recorded"]
    ends = [event for _, event in parser.builder.events if event.get("type") == "compact.finished"]
    assert (len(usage), len(ends)) == (replies, compactions)
    assert (len(found.replies), len(found.compactions)) == (replies, compactions)


def shown(replies: list[Reply]) -> list[tuple[Any, ...]]:
    """Return name, tokens of the output and time of replies."""
    return [(item.name, item.figures[1], item.ts[17:19]) for item in replies]


NO_FIGURES = reply("m1", 40, second=4)
NO_FIGURES["message"]["usage"] = {"output_tokens": 40}
REPLIES: dict[str, tuple[list[dict[str, Any]], list[tuple[Any, ...]]]] = {
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


@pytest.mark.parametrize("name", REPLIES)
def test_the_figures_that_count(sandbox: Sandbox, name: str) -> None:
    """Each reply is found once, with the figures and the time of its last line that has any."""
    lines, wanted = REPLIES[name]
    assert shown(read(sandbox, lines).replies) == wanted


def test_a_reply_that_may_go_on(sandbox: Sandbox) -> None:
    """A reply at the end of a file that does not say why it ended counts as far as it is there."""
    found = read(sandbox, [reply("m1", 3), reply("m2", 4, stop=None)])
    assert shown(found.replies) == [("m1", 3, "00"), ("m2", 4, "00")]
