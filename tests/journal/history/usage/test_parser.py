"""Files that are read again after a compaction, however the lines are written."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from tests.journal.history.importer.conftest import Sandbox, sandbox
from tests.journal.history.importer.lines import prompt, reply
from tests.journal.history.importer.test_reply_parser import BOUNDARY, SUMMARY
from tests.journal.history.usage.test_unread import check_rows

__all__ = ["sandbox"]

PATH = "/home/dev/shop/a.py"
IDS = re.compile(r'"([mtpc]\d|p-\d|u-[^"]*)"')
"""What is unique in all transcripts: IDs of replies, calls and lines."""


def call(number: int, name: str = "Read", **given: Any) -> dict[str, Any]:
    """Return a block that calls a tool."""
    return {
        "type": "tool_use",
        "id": f"t{number}",
        "name": name,
        "input": given or {"file_path": PATH},
    }


def result(number: int, text: str = "x" * 300, **more: Any) -> dict[str, Any]:
    """Return a block with the result of a call."""
    return {"tool_use_id": f"t{number}", "type": "tool_result", "content": text, **more}


def session(first: list[Any], results: list[Any], again: list[Any], more: list[Any]) -> list[Any]:
    """Return lines that use files, compact, and use files again."""
    lines = [prompt("hello"), reply("m1", second=1), prompt(results, 8), BOUNDARY, SUMMARY,
             reply("m2", second=20), prompt(more, 9), reply("m3", second=40)]  # fmt: skip
    for line, second in zip(lines, (0, 1, 2, 5, 6, 20, 30, 40), strict=True):
        line["timestamp"] = f"2026-11-20T10:00:{second:02d}.000Z"
    lines[1]["message"]["content"], lines[5]["message"]["content"] = first, again
    lines[7]["message"]["usage"]["cache_creation_input_tokens"] = 5000
    return lines


CASES: dict[str, tuple[list[Any], int]] = {
    "one call a line": (session([call(1)], [result(1)], [call(2)], [result(2)]), 100),
    "several calls and results a line": (
        session([call(1), call(3, "Edit", file_path="/b")], [result(1), result(3)],
                [call(2), call(4, "Read", file_path="/b")], [result(2), result(4, "y" * 30)]), 110,
    ),
    "a path with escapes": (
        session([call(1, file_path='/a"\\')], [result(1)], [call(2, file_path='/a"\\')], [result(2)]), 100,
    ),
    "an error": (session([call(1)], [result(1)], [call(2)], [result(2, is_error=True)]), 0),
    "no error": (session([call(1)], [result(1)], [call(2)], [result(2, is_error=False)]), 100),
    "other members first": (
        session([call(1, limit=3, file_path=PATH)], [result(1)], [call(2, limit=3, file_path=PATH)], [result(2)]),
        100,
    ),
    "another tool": (session([call(1)], [result(1)], [call(2, "Grep", pattern="x")], [result(2)]), 0),
    "a file not opened before": (session([call(1)], [result(1)], [call(2, file_path="/new")], [result(2)]), 0),
    "a notebook": (
        session([call(1, "NotebookEdit", notebook_path="/n")], [result(1)], [call(2, file_path="/n")], [result(2)]),
        100,
    ),
}  # fmt: skip


@pytest.mark.parametrize("is_spaced", [False, True])
def test_files_read_again(sandbox: Sandbox, is_spaced: bool) -> None:
    """The tokens of the second reading are those that an import finds, also in spaced JSON."""
    separators = (", ", ": ") if is_spaced else (",", ":")
    names = {str(uuid5(NAMESPACE_URL, name)): name for name in CASES}
    for number, (sid, name) in enumerate(names.items()):
        for line in CASES[name][0]:
            row = json.dumps({**line, "sessionId": sid}, separators=separators)
            row = IDS.sub(rf'"\1-{number}"', row)
            sandbox.write(row.encode() + b"\n", to=sandbox.file.with_stem(sid))
    *rows, _total = check_rows(sandbox, ("session",))
    first = 5  # what the first reply after the compaction takes as input
    assert {names[row["session"]]: row["compaction_tokens"] - first for row in rows} == {
        name: tokens for name, (_, tokens) in CASES.items()
    }
