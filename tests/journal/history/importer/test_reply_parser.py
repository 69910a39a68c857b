"""Where replies and compactions end: the same for an import and for the report without one."""

from __future__ import annotations

from typing import Any

import pytest

from journal.history.importer.builder import Builder
from journal.history.importer.owners import ProjectFinder
from journal.history.importer.parser import Parser
from journal.history.importer.records import line_from
from journal.history.importer.state import RecordedKeys
from journal.history.usage.parser import UsageParser
from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import prompt, reply

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


@pytest.mark.parametrize("name", LINES)
def test_replies_and_compactions(sandbox: Sandbox, name: str) -> None:
    """Both parsers find as many replies and ends of compactions."""
    lines, replies, compactions = LINES[name]
    owners = ProjectFinder(sandbox.env, str(sandbox.home), ())
    parser = Parser(Builder(owners.of_session, RecordedKeys(), SID))
    light = UsageParser(Builder(owners.of_session, RecordedKeys(), SID), is_whole=True)
    for number, line in enumerate(lines):
        parser.parse(line_from(line), number)
        light.parse(line_from(line), number)
    parser.finish()
    found = light.finish()
    ends = [event for _, event in parser.builder.events if event.get("type") == "compact.finished"]
    assert (len(parser.replies.found), len(ends)) == (replies, compactions)
    assert (len(found.replies), len(found.compactions)) == (replies, compactions)
