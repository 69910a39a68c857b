"""Which files a run with `-m` may leave out without importing them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.examples import sampled

TESTS = Path(__file__).resolve().parents[1]
OWN = {"client", "page", "semantic", "team", "bench"}


def test_helpers_give_no_mark_but_long() -> None:
    """The other marks stand in a test's own file, where tests/conftest.py looks for them."""
    for path in TESTS.rglob("*.py"):
        if not path.name.startswith("test_"):
            given = OWN.intersection(re.findall(r"\bmark\.(\w+)", path.read_text(encoding="utf-8")))
            assert not given, path


@pytest.mark.parametrize(
    ("most", "left"),
    [(0, {"a": 7, "b": 1, "c": 3}), (1, {"a": 1, "b": 1, "c": 1}), (4, {"a": 3, "b": 1, "c": 3})],
)
def test_a_sample_has_cases_of_each_test(
    most: int, left: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample leaves out no test, and runs no more than so many cases of each."""
    monkeypatch.delenv("JOURNAL_TEST_EXAMPLES", raising=False)
    names = [
        "b",
        *(f"a[{number}]" for number in range(7)),
        *(f"c[{number}]" for number in range(3)),
    ]
    found = [name[0] for name in sampled(names, most)]
    assert {test: found.count(test) for test in left} == left
