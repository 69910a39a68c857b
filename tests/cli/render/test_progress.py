"""The line on stderr that says how far a long step is."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from cli.error import warn
from cli.render import progress as module
from cli.render.progress import progress
from cli.render.text import emit


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch):
    """Return a stderr that is a terminal, on which a second passes at once."""
    shown = _Terminal()
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=shown))
    monkeypatch.setattr(module, "_AFTER", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    return shown


@pytest.mark.parametrize("prints", [lambda: emit(["x"]), lambda: warn("x")])
def test_what_is_printed_next_takes_its_place(terminal, prints):
    """A result and a warning begin on an empty line, and nothing of the step stays behind them."""
    progress()("reading a project with a long name")
    assert terminal.getvalue().endswith("reading a project with a long name …")
    prints()
    assert "long name …\r\x1b[K" in terminal.getvalue()
    before = terminal.getvalue().count("\x1b[K")
    emit(["y"])
    assert terminal.getvalue().count("\x1b[K") == before


def test_a_step_is_written_once(terminal):
    """The same text again writes nothing."""
    show = progress()
    show("12 %")
    once = terminal.getvalue()
    show("12 %")
    assert terminal.getvalue() == once


def test_a_quick_step_and_a_pipe_show_nothing(terminal, monkeypatch, capsys):
    """Nothing appears in the first second, and nothing where nobody watches."""
    monkeypatch.setattr(module, "_AFTER", 60.0)
    progress()("quick")
    assert terminal.getvalue() == ""
    monkeypatch.undo()
    monkeypatch.setattr(module, "_AFTER", -1.0)
    progress()("piped")
    assert capsys.readouterr().err == ""
