"""Repetition in a session: what is marked, and a sibling that is not."""

from __future__ import annotations

from typing import Any

import pytest

from projections.repetition import EDIT_LOOP, ERROR_LOOP, TEST_FAILURES, Mark
from tests.projections.digested import failed, fed, prompt, tool

Steps = list[dict[str, Any]]


def edit(path: str = "cart.py") -> dict[str, Any]:
    """Build the event of an edit."""
    return tool("Edit", path, changed=True)


def red(target: str = "pytest -q") -> dict[str, Any]:
    """Build the event of a failed test run whose command itself succeeded."""
    return tool("Bash", target, tests="failed")


GREEN = tool("Bash", "pytest -q", tests="passed")
BOOM = failed("Bash", "make", "no rule to make target")


def marks(events: Steps) -> list[tuple[str, int, int, int, str]]:
    """Return the marks of a session of these events."""
    found: list[Mark] = fed(prompt("x"), *events).marks
    return [(mark.kind, mark.seq, mark.last, mark.count, mark.what) for mark in found]


def kinds(events: Steps) -> list[str]:
    """Return the kinds of these marks."""
    return [mark[0] for mark in marks(events)]


@pytest.mark.parametrize(
    ("events", "marked"),
    [
        pytest.param([BOOM] * 3, [("error-loop", 2, 4, 3, "make")], id="three times"),
        pytest.param([BOOM] * 2, [], id="twice is a retry"),
        pytest.param([BOOM] * 7, [("error-loop", 2, 8, 7, "make")], id="one mark that grows"),
        pytest.param([BOOM, edit(), BOOM, tool("Read", "x"), BOOM],
                     [("error-loop", 2, 6, 3, "make")], id="other calls between"),
        pytest.param([BOOM, BOOM, tool("Bash", "make"), BOOM, BOOM], [], id="it worked between"),
        pytest.param([BOOM, BOOM, failed("Bash", "make", "other")], [], id="another error"),
        pytest.param([BOOM, BOOM, failed("Bash", "make x", "no rule to make target")], [],
                     id="another command"),
        pytest.param([failed("Bash", "t", f"died after {at}.5 s at 10:00:0{at}") for at in
                      range(3)], [("error-loop", 2, 4, 3, "t")], id="only times differ"),
        pytest.param([failed("Bash", "t", f"line {at} is wrong") for at in range(3)], [],
                     id="other lines are other errors"),
        pytest.param([{**BOOM, "interrupted": True}] * 3, [], id="stopped by the person"),
        pytest.param([failed("Edit", "a.py", "string not found")] * 3,
                     [("error-loop", 2, 4, 3, "a.py")], id="of any tool"),
        pytest.param([BOOM, {**BOOM, "agent": "x"}, BOOM], [], id="subagents apart"),
    ],
)  # fmt: skip
def test_error_loops(events: Steps, marked: list[tuple]) -> None:
    """The same call failing three times with the same error, with no success between, is marked."""
    assert ERROR_LOOP == 3
    assert marks(events) == marked


@pytest.mark.parametrize(
    ("events", "marked"),
    [
        pytest.param([edit()] * 5, [("edit-loop", 2, 6, 5, "cart.py")], id="five times"),
        pytest.param([edit()] * 4, [], id="four times"),
        pytest.param([edit(), edit(), red(), edit(), edit(), red(), edit()],
                     [("edit-loop", 2, 8, 5, "cart.py")], id="red tests between"),
        pytest.param([edit(), edit(), edit(), GREEN, edit(), edit(), edit()], [],
                     id="green tests between"),
        pytest.param([edit(f"{at}.py") for at in range(9)], [], id="other files"),
        pytest.param([edit("a.py"), edit("b.py")] * 5,
                     [("edit-loop", 2, 10, 5, "a.py"), ("edit-loop", 3, 11, 5, "b.py")],
                     id="two files in turn"),
        pytest.param([edit("notes.md")] * 9, [], id="prose has no tests"),
        pytest.param([tool("Read", "cart.py")] * 9, [], id="only read"),
        pytest.param([failed("Edit", "cart.py", str(at)) for at in range(9)], [], id="edits failed"),
    ],
)  # fmt: skip
def test_edit_loops(events: Steps, marked: list[tuple]) -> None:
    """A file edited five times with no passing test between is marked."""
    assert EDIT_LOOP == 5
    assert [mark for mark in marks(events) if mark[0] == "edit-loop"] == marked[:2]
    if "test-failures" not in kinds(events):
        assert sorted(marks(events)) == sorted(marked)


@pytest.mark.parametrize(
    ("events", "marked"),
    [
        pytest.param([red()] * 3, [("test-failures", 2, 4, 3, "pytest -q")], id="three in a row"),
        pytest.param([red()] * 2, [], id="two in a row"),
        pytest.param([red(), red(), GREEN, red(), red()], [], id="green between"),
        pytest.param([red("pytest a"), edit(), red("pytest b"), edit(), red("pytest c")],
                     [("test-failures", 2, 6, 3, "pytest c")], id="by other commands"),
        pytest.param([failed("Bash", "pytest", str(at), tests="failed") for at in range(3)],
                     [("test-failures", 2, 4, 3, "pytest")], id="the command failed too"),
        pytest.param([red(), red(), tool("Bash", "grep pytest x")], [], id="no test run"),
    ],
)  # fmt: skip
def test_repeated_test_failures(events: Steps, marked: list[tuple]) -> None:
    """Three failed test runs with no passing one between are marked."""
    assert TEST_FAILURES == 3
    assert marks(events) == marked


def test_a_rollback_that_failed_is_none() -> None:
    """Only a successful command counts, and only in a shell."""
    assert kinds([failed("Bash", "git stash")]) == []
    assert kinds([tool("Grep", "git stash")]) == []
    assert kinds([tool("Bash", "git stash")]) == ["rollback"]


def test_marks_are_bounded() -> None:
    """The newest twenty marks are kept."""
    found = marks([tool("Bash", f"git revert {at}") for at in range(30)])
    assert [mark[1] for mark in found] == list(range(12, 32))


def test_what_is_watched_is_bounded() -> None:
    """Of a session that touches a thousand files only some are tracked."""
    found = fed(*(edit(f"{at}.py") for at in range(1000)))
    assert len(found.trace.edits) <= 20
