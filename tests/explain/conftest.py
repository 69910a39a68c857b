"""Golden text of `journal explain`; `GOLDEN=write` writes it anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def golden_here(request: pytest.FixtureRequest) -> Path:
    """Give the golden file of the page."""
    path = Path(__file__).parent / "golden" / "explain.txt"
    if os.environ.get("GOLDEN") == "write":
        story = request.getfixturevalue("story")
        path.parent.mkdir(exist_ok=True)
        path.write_text(story.plain(story.journal("explain", "13").out), encoding="utf-8")
    return path
