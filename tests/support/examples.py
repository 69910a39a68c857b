"""How many examples a law draws: a sample by default, all of them in the full run."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

LEAST = 8


def examples(number: int, *, sample: int | None = None, **more: Any) -> settings:
    """Return the settings of one law.

    number: how many examples JOURNAL_TEST_EXAMPLES=all draws. sample: how many a default run draws
    of a law whose single example is expensive.
    """
    return settings(max_examples=scaled(number, sample), **more)


def scaled(number: int, sample: int | None = None) -> int:
    """Return how many examples of `number` this run draws: all, or `sample`, or about a quarter."""
    if os.environ.get("JOURNAL_TEST_EXAMPLES") == "all":
        return number
    return min(number, max(LEAST, number // 4) if sample is None else sample)
