"""Examples for the views: short histories as text, and the resulting state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.projections.timeline import views

if TYPE_CHECKING:
    from collections.abc import Callable


STATES = ("lineage", "pressure", "compound", "recovery", "stage", "progress", "unit")


GROWING: dict[str, Callable[[int], str]] = {
    "sessions": lambda count: "\n".join(
        f"s{n} 09:00 {word}"
        for n in range(1000, 1000 + count)
        for word in ("start startup", "prompt x", "reading 1000", "tool Edit f", "stop 2")
    ),
    "one-session": lambda count: "\n".join(
        f"a 09:00 {word}"
        for n in range(1000, 1000 + count)
        for word in (f"prompt p{n}", f"tool Edit f{n}", f"tool Skill s{n}", f"decide d{n}",
                     f"note n{n}", f"fail Bash c{n}", f"suggested r{n}", f"reading {n}000",
                     "compact auto 9", "done", f"summary s{n}", "progress saved 1", f"trimmed {n}")
    ),
}  # fmt: skip


@pytest.mark.parametrize("growth", GROWING)
def test_a_hooks_state_is_bounded(growth: str) -> None:
    """The state a hook folds and stores does not grow with the age of the project."""
    small, large = (views(GROWING[growth](count), *STATES) for count in (150, 450))
    for name in STATES:
        first, last = (len(msgspec.json.encode(states[name])) for states in (small, large))
        assert last < first * 1.2, name
