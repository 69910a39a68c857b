"""Fixtures of the doctor's tests: an installation with a small part of the product's code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.doctor.examined import examine
from tests.cli.install.conftest import bare, local, machine, product, served
from tests.cli.install.machine import Machine
from tests.support.doctor import one_round

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["bare", "examine", "local", "machine", "product", "served"]


class HookMachine(Machine):
    """A machine whose product has little code: each setup would copy and digest it."""

    left_out = staticmethod(
        lambda folder, names: [
            name
            for name in names
            if name == "__pycache__"
            or (name.endswith(".py") and Path(folder).name not in ("hooks", "journal", "redaction"))
        ]
    )


@pytest.fixture(scope="session")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy that part of the product."""
    return HookMachine(tmp_path_factory.mktemp("hooks")).product


@pytest.fixture(autouse=True)
def timed_once() -> Iterator[None]:
    """Time hooks once instead of seven times: no test here is about the figure."""
    with one_round():
        yield
