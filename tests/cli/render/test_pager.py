"""Which pager runs, and when."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cli.render import pager as module
from cli.render.pager import page, pager_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("pager", "command"),
    [("less", ["less", "-R"]), ("less -S", ["less", "-S"]), ("cat", []), ("", []),
     ("my pager", ["my", "pager"]), ("'broken", [])],
)  # fmt: skip
def test_the_pager_is_the_users(pager: str, command: list[str]) -> None:
    """PAGER is split into words without a shell; `less` shows colours, `cat` is none."""
    assert pager_of({"PAGER": pager, "PATH": "/nowhere"}) == command


def test_without_a_choice_less_runs_where_it_is(tmp_path: Path) -> None:
    """Without PAGER and less there is no pager."""
    assert pager_of({"PATH": str(tmp_path)}) == []
    (tmp_path / "less").write_text("#!/bin/sh\n")
    (tmp_path / "less").chmod(0o755)
    assert pager_of({"PATH": str(tmp_path)}) == ["less", "-R"]


def test_a_pipe_has_no_pager(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is piped, a terminal that can do nothing, and a pager that does not start get the lines."""
    page(["one"], {"PAGER": "/nowhere/pager"})
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    page(["two"], {"PAGER": "less", "TERM": "dumb"})
    page(["three"], {"PAGER": "/nowhere/pager", "TERM": "xterm"})
    assert capsys.readouterr().out == "one\ntwo\nthree\n"


@pytest.mark.parametrize(("own", "less"), [({}, "FRX"), ({"LESS": "S"}, "S")])
def test_less_ends_by_itself(
    own: dict[str, str], less: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Where all fits on the screen less ends and colours pass, as with Git; LESS wins."""

    def start(_command: list[str], *, env: dict[str, str], **_: object) -> None:
        given.append(env["LESS"])
        raise OSError

    given: list[str] = []
    monkeypatch.setattr(module.subprocess, "Popen", start)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    page(["one"], {"PAGER": "less", **own})
    assert (given, capsys.readouterr().out) == ([less], "one\n")
