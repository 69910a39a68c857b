"""Which Python a path starts, and what starting it costs."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

from cli.install import interpreter
from cli.install.interpreter import StartupCost, compare, describe, is_shim

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_script_or_a_managers_link_is_a_shim(tmp_path: Path) -> None:
    """A file that begins like a script and one in a folder `shims` are no interpreters."""
    script, binary = tmp_path / "python3", tmp_path / "binary"
    script.write_text("#!/bin/sh\n")
    binary.write_bytes(b"\x7fELF")
    assert is_shim(str(script))
    assert is_shim("/home/ann/.pyenv/shims/python3")
    assert not is_shim(str(binary))
    assert not is_shim(str(tmp_path / "none"))


def test_an_interpreter_says_who_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its executable and version are its own words; what does not start has neither."""
    version = ".".join(map(str, sys.version_info[:3]))
    assert describe(sys.executable)[1] == version
    assert describe("/nowhere/python3") == ("", "")
    monkeypatch.setattr(
        interpreter, "run", lambda *_: SimpleNamespace(returncode=1, stdout=b"a\nb")
    )
    assert describe("python3") == ("", "")

    def late(*_: object) -> None:
        raise subprocess.TimeoutExpired("python3", 30)

    monkeypatch.setattr(interpreter, "run", late)
    assert describe("python3") == ("", "")


def test_a_cost_names_its_parts() -> None:
    """A cost is shown in milliseconds and as a multiple of the bare interpreter."""
    assert str(StartupCost(90.4, 15.0)) == "90 ms, 6.0 times the bare interpreter (15 ms)"


def test_the_medians_of_both_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Command and bare interpreter run in turn, and the middle time of each counts."""
    ran: list[list[str]] = []
    now = [0.0]
    times = iter([1, 50, 3, 40, 2, 60])

    def run(command: list[str], *_: object) -> None:
        ran.append(list(command))
        now[0] += next(times) / 1000

    monkeypatch.setattr(interpreter, "run", run)
    monkeypatch.setattr(interpreter.time, "perf_counter", lambda: now[0])
    cost = compare(["python3", "hook.py"], b"{}", {}, "/", rounds=3)
    assert ran == [["python3", "-I", "-S", "-c", "pass"], ["python3", "hook.py"]] * 3
    assert (round(cost.command), round(cost.floor), round(cost.ratio)) == (50, 2, 25)
