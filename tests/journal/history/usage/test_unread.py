"""The report over transcripts that no import has read equals the report after their import."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import journal.history.usage.unread as unread_module
from journal.history.importer import workers
from journal.history.tables.database import History
from journal.history.usage.parts import Selection
from journal.history.usage.prices import load_prices
from journal.history.usage.report import row_data, usage_report
from journal.history.usage.unread import Unread
from tests.journal.history.importer.conftest import SID, Sandbox, sandbox
from tests.journal.history.importer.lines import prompt, reply
from tests.support.examples import part, scaled
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.history.importer.find import Transcript

__all__ = ["sandbox"]

COARSER = ("day", "week", "month", "block", "session", "project", "branch", "model")
FINEST = ("day,project,branch,session,model", "block,model")
"""Groupings of which the others are sums."""
SHAPES: dict[str, dict[str, Any]] = {
    "plain": {"seed": 1},
    "compacted": {"seed": 2, "entries": 700, "sessions": 2, "copies": 1.0, "projects": 1},
    "torn, subagents": {"seed": 3, "subagents": 2, "torn": 3, "entries": 90},
    "copies cut within a reply": {"seed": 11, "copies": 0.9, "entries": 47, "sessions": 20},
}
IN_OTHERS = ("plain", "torn, subagents")  # test_after_each_part has both
MODEL = "claude-opus-4-5-20251101"


def reports(
    sandbox: Sandbox, groups: Sequence[str] = (*FINEST, *COARSER), *, stored_only: bool = False
) -> dict[str, Any]:
    """Return the report by each group, of what logs hold and of what is not imported."""
    home = str(sandbox.home)
    prices = load_prices(home)
    found = {}
    unread = None
    if not stored_only:
        unread = Unread(sandbox.scope(), every=True).read(60)
        assert unread.is_whole
    with closing(History(home)) as history:
        if unread is not None:
            unread.settle(history)
        for by in groups:
            kinds = by.split(",")
            report = usage_report(history, prices, kinds, unread=unread)
            rows = [row_data(kinds, row) for row in report.rows]
            found[by] = [*rows, row_data((), report.total)]
    return found


def check(sandbox: Sandbox, groups: Sequence[str] = FINEST) -> dict[str, Any]:
    """Compare the reports before and after an import, and return the total."""
    total: dict[str, Any] = check_rows(sandbox, groups)[-1]
    return total


def check_rows(sandbox: Sandbox, groups: Sequence[str]) -> list[dict[str, Any]]:
    """Compare the reports before and after an import; return the rows of the first, and its total."""
    before = reports(sandbox, groups)
    sandbox.run()
    assert reports(sandbox, groups, stored_only=True) == before
    rows: list[dict[str, Any]] = before[groups[0]]
    assert reports(sandbox, groups[:1]) == {groups[0]: rows}  # what is stored does not count again
    return rows


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name in IN_OTHERS else ()) for name in SHAPES],
)
def test_before_and_after(sandbox: Sandbox, name: str) -> None:
    """Every figure of every grouping is the same before and after the import, and is the truth."""
    wanted = {"sessions": 5, "entries": 120, "projects": 3, **SHAPES[name]}
    truth = write(sandbox.client, **wanted)
    by = part(COARSER, 2, f"{name} by")  # over all shapes: each of them
    total = check(sandbox, (*FINEST, *by))
    assert total["replies"] == truth["api_responses"]
    assert total["output_tokens"] == truth["totals"]["output"]
    if wanted["entries"] >= 500:
        assert total["compaction_tokens"] > 0


@pytest.mark.parametrize("seed", part(range(6), 6))
def test_after_each_part(sandbox: Sandbox, seed: int) -> None:
    """Transcripts that grow between imports, cut anywhere, count the same at each step."""
    write(sandbox.client, sessions=3, entries=200, projects=2, seed=seed, copies=0.9, subagents=1)
    random_ = random.Random(seed)
    wholes = {path: path.read_bytes() for path in sandbox.client.rglob("*.jsonl")}
    reached = dict.fromkeys(wholes, 0)
    for _ in range(scaled(3, 1)):
        for path, data in wholes.items():
            reached[path] += random_.randrange(len(data) // 2)
            path.write_bytes(b"")
            path.write_bytes(data[: reached[path]])
        check(sandbox)


@pytest.mark.parametrize("dies", [False, True])
def test_several_processes(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, dies: bool) -> None:
    """Several processes find what one finds, also if one of them dies."""
    shape: dict[str, Any] = {"sessions": 6, "entries": 100, "projects": 2, "copies": 0.6}
    write(sandbox.client, seed=5, subagents=1, **shape)
    alone = reports(sandbox, FINEST)
    monkeypatch.setattr(workers, "_TASK", 1)  # one file per task
    monkeypatch.setattr(unread_module, "worker_count", lambda *_: 2)
    read, parent, count = Unread._read, os.getpid(), Counter[str]()

    def reads(self: Unread, item: Transcript, **given: Any) -> Any:
        count["here" if os.getpid() == parent else "there"] += 1
        if dies and count["there"] > 2:
            os._exit(9)
        return read(self, item, **given)

    monkeypatch.setattr(Unread, "_read", reads)
    assert reports(sandbox, FINEST) == alone
    assert (count["here"] > len(list(sandbox.client.rglob("*.jsonl"))) // 4) is dies


def of_session(number: int, sid: str, **more: Any) -> dict[str, Any]:
    """Return a reply of another session of the same project."""
    line = reply(f"m{number}", 10 + number, sid=sid, second=number, **more)
    line["message"]["model"] = MODEL
    return line


def test_a_copy_in_a_fork(sandbox: Sandbox) -> None:
    """A reply that a fork repeats under its own ID counts once, in the session it was made in."""
    fork = sandbox.file.with_name("f" * 36 + ".jsonl")
    first = [prompt("hello"), of_session(1, SID), of_session(2, SID, isSidechain=True)]
    sandbox.write(*first)
    copies = [{**line, "sessionId": "f" * 36} for line in first]
    sandbox.write(*copies, of_session(3, "f" * 36), to=fork)
    assert check(sandbox)["replies"] == 3


def test_a_reply_that_another_file_completes(sandbox: Sandbox) -> None:
    """A reply that is cut off in one file counts with its figures in the other."""
    cut, whole = of_session(1, SID, stop=None), of_session(1, SID)
    whole["message"]["usage"]["output_tokens"] = 70
    other = sandbox.file.with_name("e" * 36 + ".jsonl")
    sandbox.write(prompt("hello"), cut)
    sandbox.write(prompt("hello"), cut, whole, of_session(2, "e" * 36), to=other)
    assert check(sandbox)["output_tokens"] == 70 + 12


def test_what_does_not_count(sandbox: Sandbox) -> None:
    """Synthetic replies, errors, and replies without tokens do not count."""
    error = of_session(1, SID, isApiErrorMessage=True)
    made_up = of_session(2, SID)
    made_up["message"]["model"] = "<synthetic>"
    empty = of_session(3, SID)
    empty["message"]["usage"] = {"input_tokens": 0, "output_tokens": 0}
    odd = of_session(4, SID)
    odd["message"]["usage"]["input_tokens"] = "many"
    sandbox.write(prompt("hello"), error, made_up, empty, odd, b"\0\0\n", of_session(5, SID))
    assert check(sandbox)["replies"] == 1


def test_lines_without_ids_and_times(sandbox: Sandbox) -> None:
    """Replies that only their position identifies, and times that are none, count as imported."""
    lines = [of_session(number, SID) for number in range(1, 6)]
    for line in lines[1:4]:
        del line["uuid"], line["message"]["id"]
    lines[2]["timestamp"], lines[4]["timestamp"] = "2026-02-30T10:00:00.000Z", "20261120T100000"
    del lines[3]["timestamp"]
    sandbox.write(prompt("hello"), *lines)
    assert check(sandbox)["replies"] == 5


def test_nothing_is_counted_where_nothing_is_captured(sandbox: Sandbox) -> None:
    """With `capture.level = "off"` no reply is read, as none is imported."""
    sandbox.home.mkdir()
    (sandbox.home / "config.toml").write_text('[capture]\nlevel = "off"\n')
    sandbox.write(prompt("hello"), of_session(1, SID))
    assert check(sandbox)["replies"] == 0


def test_secrets_in_names(sandbox: Sandbox) -> None:
    """A secret in the name of a branch does not reach the report."""
    token = "ghp_" + "A1b2C3d4" * 5
    sandbox.write(prompt("hello"), of_session(1, SID, gitBranch=f"fix-{token}"))
    before = json.dumps(reports(sandbox, FINEST))
    assert token not in before
    check(sandbox)


def test_bounds_and_names(sandbox: Sandbox) -> None:
    """`since`, `until`, `project` and `session` select the same replies before and after."""
    write(sandbox.client, sessions=8, entries=80, projects=2, seed=3, days=4)
    home = str(sandbox.home)
    prices = load_prices(home)
    unread = Unread(sandbox.scope(), every=True).read(60)
    whole = usage_report(None, prices, ("project", "session"), unread=unread).rows
    project, session = whole[0].names
    bound = "2026-11-18T00:00:00.000Z"
    wanted = [
        Selection(since=bound),
        Selection(until=bound),
        Selection(project=project),
        Selection(session=session[:9]),
    ]
    before = [usage_report(None, prices, ("day",), kind, unread) for kind in wanted]
    sandbox.run()
    with closing(History(home)) as history:
        after = [usage_report(history, prices, ("day",), kind) for kind in wanted]
    for one, other, kind in zip(before, after, wanted, strict=True):
        assert row_data((), one.total) == row_data((), other.total), kind
        assert one.total.replies


def test_reading_writes_nothing(sandbox: Sandbox) -> None:
    """A journal home that is not there is not made, and no transcript changes."""
    write(sandbox.client, sessions=2, entries=60, projects=1)
    before = {path: path.stat().st_mtime_ns for path in Path(sandbox.client).rglob("*")}
    unread = Unread(sandbox.scope(), every=True).read(60)
    assert unread.replies
    assert not sandbox.home.exists()
    assert before == {path: path.stat().st_mtime_ns for path in Path(sandbox.client).rglob("*")}


def test_a_budget_that_is_spent(sandbox: Sandbox) -> None:
    """Without time left, the rest is not read, and the result says so."""
    write(sandbox.client, sessions=2, entries=60, projects=1)
    assert not Unread(sandbox.scope(), every=True).read(-1).is_whole
