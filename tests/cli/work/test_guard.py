"""`journal guard`: what runs once per session."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cases.world import OTHER, ROOT, SID, World


def test_a_guard_runs_once_a_session(shop: World) -> None:
    """RUN, then SKIP; RUN for another name or another session."""
    answers = [shop.run("guard", *words, sid=sid).out.strip() for words, sid in (
        (["greet"], ""), (["greet"], ""), (["other"], ""), (["greet"], OTHER), (["greet"], OTHER),
    )]  # fmt: skip
    assert answers == ["RUN", "SKIP", "RUN", "RUN", "SKIP"]
    assert [event["what"] for event in shop.events("advice.given")] == [
        "guard:greet", "guard:other", "guard:greet",
    ]  # fmt: skip


def test_a_guard_without_a_session_remembers_nothing(shop: World) -> None:
    """Without a session it answers RUN each time, and records no event."""
    seen = shop.types()
    assert [shop.run("guard", "greet", sid=None).out for _ in range(2)] == ["RUN\n", "RUN\n"]
    assert shop.types() == seen


def test_a_guard_is_silent_while_another_plugins_loop_is_active(shop: World) -> None:
    """It answers SUPPRESS without an event, so it can still run after the loop."""
    loop = shop.project / ".claude" / "ralph-loop.local.md"
    loop.parent.mkdir()
    loop.write_text("---\nactive: true\niteration: 3\nmax_iterations: 9\n---\ngo\n")
    assert shop.run("guard", "greet").out == "SUPPRESS\n"
    assert shop.events("advice.given") == []
    loop.unlink()
    assert shop.run("guard", "greet").out == "RUN\n"


@pytest.mark.parametrize("name", ["", "a b", 'x"', "x" * 65, "a/b", "漢"])
def test_a_guards_name_is_a_word(shop: World, name: str) -> None:
    """Any other name is a usage error."""
    assert shop.run("guard", name).code == 2
    assert shop.run("guard", "a.b:c-d_1").code == 0


def test_of_many_guards_at_once_one_runs(shop: World) -> None:
    """Of processes that ask at the same time exactly one gets RUN in the session."""
    env = {**shop.env({"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": SID}),
           "PYTHONPATH": str(ROOT)}  # fmt: skip
    asked = [
        subprocess.Popen([sys.executable, "-m", "cli", "guard", "greet"], env=env, cwd=shop.project,
                         stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]  # fmt: skip
    answers = sorted(process.communicate(timeout=60)[0].strip() for process in asked)
    assert answers == ["RUN", "SKIP", "SKIP"]


def test_of_many_starts_and_resumes_at_once_one_happens(shop: World) -> None:
    """Of two sessions that resume one stopped cycle exactly one gets it."""
    shop.run("stage", "start")
    shop.run("stage", "stop")
    asked = []
    for number in range(2):
        env = {**shop.env({"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": f"s-{number}"}),
               "PYTHONPATH": str(ROOT)}  # fmt: skip
        asked.append(subprocess.Popen(
            [sys.executable, "-m", "cli", "stage", "resume"], env=env, cwd=shop.project,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))  # fmt: skip
    codes = sorted(process.wait(timeout=60) for process in asked)
    assert codes == [0, 1]
    assert len(shop.events("stage.resumed")) == 1
