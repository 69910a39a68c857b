"""Fixtures of the doctor's tests: an installation with the product's code, whose hooks run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.doctor.examined import examine
from tests.cli.install.conftest import bare, local, machine, product, served
from tests.support.doctor import one_round

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["bare", "examine", "local", "machine", "product", "served"]


@pytest.fixture(scope="session")
def manifests(product: Path) -> Path:
    """Copy the whole product."""
    return product


@pytest.fixture(autouse=True)
def timed_once() -> Iterator[None]:
    """Time hooks once instead of seven times: no test here is about the figure."""
    with one_round():
        yield
