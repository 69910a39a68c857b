"""Commands about work in progress, for the tests of what follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cases.world import World


def begin(shop: World, *more: str) -> None:
    """Start a unit: with the items of plan.md, or as `more` says."""
    said = shop.run("unit", "start", "user-entity", "--title", "User entity",
                    *(more or ("--items", "plan.md")))  # fmt: skip
    assert said.code == 0, said.err


def save(shop: World, phase: int = 1, *more: str, sid: str = "") -> None:
    """Save a phase of the skill `discover`."""
    said = shop.run(
        "progress", "save", "--skill", "discover", "--phase", str(phase), "--name", f"Name {phase}",
        "--summary", f"Found {phase}.", "--output", "docs/plans/01.md", "--next", f"Do {phase + 1}",
        *more, sid=sid,
    )  # fmt: skip
    assert said.code == 0, said.err


def stage(shop: World, *lines: str, sid: str | None = "") -> None:
    """Run `journal stage` with each of these lines, which must succeed."""
    for line in lines:
        said = shop.run("stage", *line.split(), sid=sid)
        assert said.code == 0, said.err
