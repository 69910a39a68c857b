"""How many examples a law draws: a sample by default, all of them in the full run."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

LEAST = 8


def examples(number: int, **more: Any) -> settings:
    """Return the settings of one law; `number` is how many JOURNAL_TEST_EXAMPLES=all draws."""
    return settings(max_examples=scaled(number), **more)


def scaled(number: int) -> int:
    """Return how many examples of `number` this run draws: all, or about a third."""
    if os.environ.get("JOURNAL_TEST_EXAMPLES") == "all":
        return number
    return min(number, max(LEAST, number // 3))
