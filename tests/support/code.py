"""A copy of the product's code, away from the checkout."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.cases.world import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HOOK_PARTS = ("journal", "projections", "hooks")


def copy_code(top: Path, *parts: str) -> Path:
    """Copy folders of the checkout, the parts that hooks run if none is named; return `top`.

    What Python has compiled comes along, or each copy would be compiled again.
    """
    for name in parts or HOOK_PARTS:
        unfinished = shutil.ignore_patterns("*.pyc.*")  # another worker may be writing it
        shutil.copytree(ROOT / name, top / name, ignore=unfinished)
    return top
