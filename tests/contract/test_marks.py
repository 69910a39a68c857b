"""Which files a run with `-m` may leave out without importing them."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
OWN = {"client", "page", "semantic", "team", "bench"}


def test_helpers_give_no_mark_but_long() -> None:
    """The other marks stand in a test's own file, where tests/conftest.py looks for them."""
    for path in TESTS.rglob("*.py"):
        if not path.name.startswith("test_"):
            given = OWN.intersection(re.findall(r"\bmark\.(\w+)", path.read_text(encoding="utf-8")))
            assert not given, path
