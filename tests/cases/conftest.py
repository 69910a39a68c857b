"""The cases' worlds call hooks in this process; the tables run some cases as processes too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cases.world import World


@pytest.fixture
def world(inline: World) -> World:
    """Make one world whose hooks run in this process."""
    return inline
