"""The state file of a loop plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.workfiles.loop import active_loop

if TYPE_CHECKING:
    from pathlib import Path

LOOP = (
    '---\nactive: true\niteration: 3\nmax_iterations: 20\ncompletion_promise: "DONE"\n---\nGo on.\n'
)
FOUND = ["my-loop", "3", "20", "DONE"]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [("my-loop.local.md", LOOP, FOUND), ("Ralph-Loop.local.md", LOOP, ["Ralph-Loop", "3", "20", "DONE"]),
     ("my-loop.md", LOOP, []), ("other.local.md", LOOP, []),
     ("my-loop.local.md", LOOP.replace("true", "False"), []),
     ("my-loop.local.md", LOOP.replace("active: true\n", ""), FOUND),
     ("my-loop.local.md", LOOP.replace("max_iterations", "max-iterations"), FOUND),
     ("my-loop.local.md", LOOP.replace("iteration: 3", "turn: 3"), []),
     ("my-loop.local.md", LOOP.replace("---\nGo", "Go"), []), ("my-loop.local.md", "", [])],
)  # fmt: skip
def test_an_active_loop(tmp_path: Path, name: str, text: str, found: list[str]) -> None:
    """A file of a loop with an iteration is active unless it says otherwise."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / name).write_text(text)
    assert active_loop(str(tmp_path)) == found


def test_a_project_without_the_folder(tmp_path: Path) -> None:
    """There is no loop, and no error; the first of several counts."""
    assert active_loop(str(tmp_path)) == []
    (tmp_path / ".claude").mkdir()
    for name in ("b-loop", "a-loop"):
        (tmp_path / ".claude" / f"{name}.local.md").write_text(LOOP)
    assert active_loop(str(tmp_path))[0] == "a-loop"


@pytest.mark.parametrize(("others", "found"), [(63, FOUND), (64, [])])
def test_a_full_folder(tmp_path: Path, others: int, found: list[str]) -> None:
    """The first 64 names of the folder are read, no more."""
    (tmp_path / ".claude").mkdir()
    for at in range(others):
        (tmp_path / ".claude" / f"a{at:02}.json").touch()
    (tmp_path / ".claude" / "my-loop.local.md").write_text(LOOP)
    assert active_loop(str(tmp_path)) == found
