"""Fixtures of the installation tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.install.client import Client
from tests.cli.install.machine import LocalMachine, Machine, call_stand_in

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the product once; tests that change it make their own checkout."""
    return Machine(tmp_path_factory.mktemp("shared")).product


@pytest.fixture
def bare(tmp_path: Path, product: Path) -> Machine:
    """A machine without a client."""
    return Machine(tmp_path, product=product)


@pytest.fixture
def machine(bare: Machine) -> Machine:
    """A machine with the stand-in client."""
    bare.with_client()
    return bare


@pytest.fixture(scope="session")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the product without its code."""
    return LocalMachine(tmp_path_factory.mktemp("manifests")).product


@pytest.fixture
def local(tmp_path: Path, manifests: Path) -> LocalMachine:
    """A machine without a client, installed in this process."""
    return LocalMachine(tmp_path, product=manifests)


@pytest.fixture
def served(local: LocalMachine, monkeypatch: pytest.MonkeyPatch) -> LocalMachine:
    """A machine with the stand-in client; both it and setup run in this process."""
    local.with_client()
    monkeypatch.setattr(Client, "run", call_stand_in)
    return local


@pytest.fixture(scope="session")
def done(tmp_path_factory: pytest.TempPathFactory, product: Path) -> Machine:
    """A machine after one setup, for tests that only read."""
    machine = Machine(tmp_path_factory.mktemp("done"), product=product)
    machine.with_client()
    machine.result = machine.setup()
    return machine
