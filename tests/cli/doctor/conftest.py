"""Fixtures of the doctor's tests: an installation with the product's code, whose hooks run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cli.install import interpreter
from tests.cli.install.conftest import bare, local, machine, product, served

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["bare", "local", "machine", "product", "served"]


@pytest.fixture(scope="session")
def manifests(product: Path) -> Path:
    """Copy the whole product."""
    return product


@pytest.fixture(autouse=True)
def one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time hooks once instead of seven times: no test here is about the figure."""
    compare = interpreter.compare

    def once(*arguments: Any, **_rounds: int) -> interpreter.StartupCost:
        return compare(*arguments[:4], rounds=1)

    monkeypatch.setattr(interpreter, "compare", once)
