"""Fixtures of the durability tests: a fresh journal per test, and printing of measured figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.journal.log.book import Book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """Return a journal that does not exist on disk yet."""
    return Book(tmp_path / "journal")


@pytest.fixture
def figure(
    capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> Callable[[str], None]:
    """Return a function that prints a measured figure even while pytest captures output."""

    def tell(text: str) -> None:
        with capsys.disabled():
            print(f"\n    {request.node.name}: {text}", end="")

    return tell
