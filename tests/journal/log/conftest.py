"""Fixtures of the durability tests: a journal of its own for each test, and a way to tell figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .book import Book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """Give a journal that does not exist yet."""
    return Book(tmp_path / "journal")


@pytest.fixture
def figure(
    capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> Callable[[str], None]:
    """Print a measured figure though output is captured."""

    def tell(text: str) -> None:
        with capsys.disabled():
            print(f"\n    {request.node.name}: {text}", end="")

    return tell
