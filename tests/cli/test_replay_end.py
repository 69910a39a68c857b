"""`journal replay --last` and `--follow`: the end of a history, folded onto what came before."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.conftest import SID, Workspace
from tests.support.examples import third

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("last", "until"),
    third(itertools.product((0, 1, 3, 9, 100), ("", "13", "2026-11-21T09:28:30Z"))),
)
def test_the_last_steps_are_those_of_all(played: Workspace, last: int, until: str) -> None:
    """--last N shows exactly the last N of the steps shown without it."""
    words = ["replay", "--json", "--answers", *(["--until", until] if until else [])]
    whole = played.journal(*words).data
    assert played.journal(*words, "--last", str(last)).data == whole[max(0, len(whole) - last) :]


def test_follow(played: Workspace) -> None:
    """Records appended meanwhile are stepped through, on top of the existing state."""
    program = (
        sys.executable,
        "-m",
        "cli",
        "replay",
        "--last",
        "1",
        "--follow",
        "--view",
        "compound",
    )
    env = {**played.env, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        program, cwd=played.project, env=env, stdout=subprocess.PIPE, text=True
    ) as process:
        watch = threading.Timer(30, process.kill)  # a failing test must not wait forever
        watch.start()
        try:
            played.journal("note", "a first line", "--session", SID)
            reader = process.stdout
            assert reader is not None
            seen = ""
            while "noted" not in seen:
                line = reader.readline()
                assert line, "it ended"
                seen += line
            assert "flow.noted" in seen
        finally:
            watch.cancel()
            os.kill(process.pid, signal.SIGTERM)


def test_follow_alone(played: Workspace) -> None:
    """--follow alone starts from now, as text; with a bound or as JSON it is a wrong call."""
    assert played.journal("replay", "--follow", "--until", "3").code == 2
    assert played.journal("replay", "--follow", "--json").code == 2
