"""Fixtures of the doctor's tests: an installation with the product's code, whose hooks run."""

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
    """A machine whose product has no code of commands: each setup would copy and digest it."""

    left_out = staticmethod(
        lambda folder, names: [
            name
            for name in names
            if name in ("__pycache__", "history")
            or (name.endswith(".py") and {"cli", "projections"} & set(Path(folder).parts))
        ]
    )


@pytest.fixture(scope="session")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the part of the product that hooks run."""
    return HookMachine(tmp_path_factory.mktemp("hooks")).product


@pytest.fixture(autouse=True)
def timed_once() -> Iterator[None]:
    """Time hooks once instead of seven times: no test here is about the figure."""
    with one_round():
        yield
