"""The skills that work in stages and phases: their steps and the order of them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import World
from tests.skills.skill import read

if TYPE_CHECKING:
    from pathlib import Path

PHASED = ("discover", "spec", "stories")


def test_the_cycle_reads_the_view_before_each_stage() -> None:
    """The skill reads the view between the end of a stage and the start of the next."""
    body = read("dev-cycle").body
    step = body[body.index("## 3.") :]
    assert step.index("journal stage finish") < step.index("journal view stage --json")
    assert step.index("journal view stage --json") < step.index("journal stage start")
    for word in ("`room` is true", "`room` is false", "`room` is null", "context_budget"):
        assert word in step
    assert "review_rounds" in read("shipping").body


@pytest.mark.parametrize("name", PHASED)
def test_a_phased_skill_saves_and_closes(name: str) -> None:
    """The skill begins with the existing state, saves each phase, closes once its output exists."""
    body = read(name).body
    at = [body.index(part) for part in ("journal progress show", "journal progress adopt",
                                        "journal progress save", "journal progress close")]  # fmt: skip
    assert at == sorted(at)
    assert f"--skill {name} " in body
    assert "continue" in body


@pytest.mark.parametrize("name", PHASED)
def test_the_example_of_a_save_works(name: str, tmp_path: Path) -> None:
    """The skill's own example, filled in, saves a phase; close works once the file exists."""
    shop = World(tmp_path, inline=True)
    shop.start()
    body = read(name).body
    line = next(line for line in body.splitlines() if line.startswith("journal progress save"))
    words = shlex.split(
        line.split(" <<")[0].replace("N ", "1 ", 1).replace("PATH", "docs/plans/x.md")
    )
    said = shop.run(*words[1:], stdin="Because.\n")
    assert said.code == 0, said.err
    state = shop.view("progress")["state"]
    assert (state["skill"], state["phases"][0]["summary"]) == (name, "Because.")
    assert shop.run("progress", "close").code == 1
    (shop.project / "docs" / "plans" / "x.md").write_text("x")
    assert shop.run("progress", "close").code == 0
