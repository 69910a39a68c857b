"""How many examples a law draws: a sample by default, all of them in the full run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST = 4
T = TypeVar("T")


def examples(number: int, *, sample: int | None = None, **more: Any) -> settings:
    """Return the settings of one law.

    number: how many examples JOURNAL_TEST_EXAMPLES=all draws. sample: how many a default run draws
    of a law whose single example is expensive.
    """
    return settings(max_examples=scaled(number, sample), **more)


def third(values: Iterable[T], case: str = "") -> list[T]:
    """Return all values in a full run, otherwise every third; `case` decides where it begins."""
    return part(values, 3, case)


def part(values: Iterable[T], of: int, case: str = "") -> list[T]:
    """Return all values in a full run, otherwise one in `of`; `case` decides where it begins."""
    values = list(values)
    return values if _all() else values[crc32(case.encode()) % of :: of]


def sampled(names: list[str], most: int) -> set[str]:
    """Return the names of the cases to run: of each test at most `most`, spread; 0 for all."""
    cases: dict[str, list[str]] = {}
    for name in names:
        cases.setdefault(name.partition("[")[0], []).append(name)
    return {
        case
        for test, found in cases.items()
        for case in (part(found, -(-len(found) // most), test) if most else found)
    }


def scaled(number: int, sample: int | None = None) -> int:
    """Return how many examples of `number` this run draws: all, or `sample`, or about a twentieth."""
    if _all():
        return number
    return min(number, max(LEAST, number // 20) if sample is None else sample)


def _all() -> bool:
    return os.environ.get("JOURNAL_TEST_EXAMPLES") == "all"
