"""The frame of the page: its theme and its bars."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from unittest.mock import AsyncMock, MagicMock

import pytest

from cli.serve.page import layout
from cli.serve.page.pack_editor import PackEditor
from tests.cli.serve.page.shell import Line, ask, shell

if TYPE_CHECKING:
    from cli.serve.page.layout import _Theme

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")


def test_a_theme_chosen_before_the_browser_answers_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the browser had stored when the page was opened does not undo the person's click."""
    monkeypatch.setattr(layout, "ui", MagicMock())
    theme: _Theme = shell(layout._Theme, name="auto", is_chosen=False)
    line = Line()
    monkeypatch.setattr(layout, "_run_script", line.run)

    async def choose_while_waiting() -> None:
        loading = await ask(line, theme.load)
        theme.next()
        line.answers[0].set_result("auto")
        await loading

    asyncio.run(choose_while_waiting())
    assert theme.name == "light"


def test_what_takes_long_holds_up_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar of a running import shows while costs are still being read."""
    toolkit = MagicMock()
    monkeypatch.setattr(layout, "ui", toolkit)
    sessions, editor, importing = AsyncMock(), shell(PackEditor), MagicMock()

    async def begin() -> None:
        layout._start_timers(sessions, MagicMock(), editor, importing, MagicMock())
        updating = await ask(editor.line, toolkit.timer.call_args_list[0].args[1])
        editor.line.answers[0].set_result(None)
        await updating

    asyncio.run(begin())
    importing.set_visibility.assert_called_once()
    sessions.load_spending.assert_not_called()
