"""A copy of the code that hooks run, away from the checkout."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.cases.world import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def copied(top: Path) -> Path:
    """Copy the code that hooks run below `top`; return `top`."""
    for name in ("journal", "projections", "hooks"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, top / name, ignore=ignore)
    return top
