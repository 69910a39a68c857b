"""The fixtures of the installation's tests, with the product's code: its hooks are examined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.install.conftest import bare, local, machine, product, served

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["bare", "local", "machine", "product", "served"]


@pytest.fixture(scope="session")
def manifests(product: Path) -> Path:
    """Give the whole product."""
    return product
