"""Fixtures of the doctor's tests: an installation with the product's code, whose hooks run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.install.conftest import bare, local, machine, product, served

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["bare", "local", "machine", "product", "served"]


@pytest.fixture(scope="session")
def manifests(product: Path) -> Path:
    """Copy the whole product."""
    return product
