"""A unit of work for the cases about it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.cases.world import SID

if TYPE_CHECKING:
    from tests.cases.workshop import Workshop

SECOND = timedelta(seconds=1)  # same time as the call before: the hook is registered twice
PLAN = "# User entity\n\n- [x] Create\n- [x] Read\n- [x] List\n- [ ] Update\n- [ ] Delete\n"


def begin(world: Workshop, sid: str = "") -> None:
    """Begin a unit of work with a checklist of five items, three of them done."""
    (world.project / "plan.md").write_text(PLAN)
    world.order("unit", "start", "user-entity", "--title", "User entity", "--items", "plan.md",
                sid=sid)  # fmt: skip


def trail(world: Workshop, sid: str = SID) -> dict:
    """Return what the recovery view holds of a session."""
    return world.views()["recovery"]["sessions"][sid]
