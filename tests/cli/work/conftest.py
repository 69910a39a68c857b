"""A session for the tests of work in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cases.world import World

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "# User entity\n\n- [x] Create\n- [x] Read\n- [x] List\n- [ ] Update\n- [ ] Delete\n"


@pytest.fixture
def shop(tmp_path: Path) -> World:
    """A session that has started, with a checklist in its project."""
    made = World(tmp_path, inline=True)
    made.start()
    (made.project / "plan.md").write_text(PLAN)
    return made
