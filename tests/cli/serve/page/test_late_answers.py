"""Answers of the server that come late, or in another order than they were asked for."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest

from cli.serve.data.cost import ContextCost
from cli.serve.data.spent import Spent
from cli.serve.page.pack_editor import PackEditor
from cli.serve.page.reader import ReadingPane
from cli.serve.page.session_list import SessionList
from cli.serve.page.session_rows import ListEntry
from journal.history.conversations.model import Conversation
from tests.cli.serve.page.shell import Line, ask, shell

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")


async def answered(line: Line, questions: list[Any], order: list[tuple[int, Any]]) -> None:
    """Ask everything, then answer (number of the question, answer) in this order."""
    tasks = [await ask(line, question) for question in questions]
    for at, answer in order:
        if not tasks[at].done():
            line.answers[at].set_result(answer)
        await tasks[at]


def test_the_cost_is_that_of_the_last_question() -> None:
    """The cost of an older draft that comes after that of the newer one is not shown."""
    editor = shell(PackEditor, cost_requests=0, size=0)
    old, new = ContextCost("ok", "old", 0.01), ContextCost("high", "new", 0.5)
    questions = [editor.show_cost, editor.show_cost]
    asyncio.run(answered(editor.line, questions, [(1, new), (0, old)]))
    shown = [call.args[0] for call in editor.cost_text.set_text.call_args_list]
    assert shown == ["new"]


def test_the_details_of_a_call_leave_a_jump_to_a_row_alone() -> None:
    """The browser gets the last jump with every later answer, and knows by its number if it is done."""
    rows = [{"id": 0, "kind": "compaction"}]
    reader = shell(ReadingPane, requests=1, loaded=1, shown=5, goal=(-1, 0), rows=rows)

    async def jump_while_waiting() -> None:
        asking = await ask(reader.line, lambda: reader._details("t1"))
        reader._go_to(0)
        reader.line.answers[0].set_result(Conversation("s"))
        await asking

    asyncio.run(jump_while_waiting())
    goals = [call.kwargs["goal"] for call in reader.view.set.call_args_list]
    assert goals == [(0, 1), (0, 1)]


def test_every_jump_has_a_number_of_its_own() -> None:
    """A second jump to the same row, and the first one after another session, are new ones."""
    reader = shell(ReadingPane, requests=1, loaded=1, shown=5, goal=(-1, 0), rows=[])
    reader._show = lambda _found: reader._show_rows()
    reader._go_to(3)
    reader._go_to(3)
    asyncio.run(answered(reader.line, [reader.load], [(0, Conversation("other"))]))
    reader._go_to(3)
    calls = reader.view.set.call_args_list
    assert [call.kwargs["goal"] for call in calls] == [(3, 1), (3, 2), (-1, 2), (3, 3)]
    assert [call.kwargs["load"] for call in calls] == [1, 1, 2, 2]


@pytest.mark.parametrize(
    "hits, said", [(3, "3 sessions found"), (100, "the best 100 sessions shown; rarer words")]
)
def test_a_full_list_of_hits_does_not_pass_for_all(hits: int, said: str) -> None:
    """The number of hits is given as what was found only where the search was not cut off."""
    entry = ListEntry("a/b", "a", "a", "title", "2026-11-21", "09:30", "open", "")
    sessions = shell(SessionList, hits=[entry] * hits, closed=set(), pages={})
    sessions.state.configure_mock(spent={}, selection=(), reading="")
    sessions.show()
    assert sessions.count.set_text.call_args.args[0].startswith(said)


@pytest.mark.parametrize(
    "spent, weight",
    [(None, ""), ({}, "no tokens recorded"), ({"a/b": Spent(10, None, None)}, "10 tokens")],
)
def test_no_row_keeps_an_empty_line(spent: dict[str, Spent] | None, weight: str) -> None:
    """Once costs are known, a session without any says so in the line that waited for them."""
    entry = ListEntry("a/b", "a", "a", "title", "2026-11-21", "09:30", "open", "")
    sessions = shell(
        SessionList, sessions=[entry], total=1, hits=None, opened={"d:2026-11-21"}, pages={}
    )
    sessions.state.configure_mock(spent=spent, selection=(), reading="")
    sessions.show()
    assert [row["weight"] for row in sessions.tree.set.call_args.kwargs["rows"][1:]] == [weight]


def test_a_session_that_did_not_go_on_is_not_read_again() -> None:
    """Only a live session that has changed since it was read is; one that ended, once more."""
    live = MagicMock(project="a", id="b")
    reader = shell(ReadingPane, live=None, rows=[])
    reader.state.reading = "a/b"
    reader.line = AsyncMock()
    reader.line.run.return_value = Conversation("b")
    reader._show = MagicMock()

    async def follow() -> list[int]:
        counts = []
        for listed in ([], [live], [live], [], []):
            await reader.follow(listed)
            counts.append(reader.line.run.await_count)
        return counts

    assert asyncio.run(follow()) == [0, 1, 1, 2, 2]
