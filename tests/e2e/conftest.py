"""Fixtures of the tests that drive the real client; they say why when they cannot run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .api import Api
from .client import Client, find_client, has_tmux
from .logbook import Logbook
from .probe import Probe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def api() -> Iterator[Api]:
    """The stand-in for the Messages API."""
    with Api() as served:
        yield served


@pytest.fixture
def executable() -> Path:
    """The pinned client; the test is skipped, with the reason, where it is not there."""
    path, why = find_client()
    if path is None:
        pytest.skip(why)
    return path


@pytest.fixture
def client(tmp_path: Path, api: Api, executable: Path) -> Client:
    """A person's machine with the plugin of this checkout."""
    return Client(tmp_path, api.url, executable)


@pytest.fixture
def logbook(client: Client) -> Logbook:
    """The journal of the client's project."""
    return Logbook(client)


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    """A plugin that writes down the hook calls."""
    return Probe(tmp_path / "probe")


@pytest.fixture
def tmux() -> None:
    """Skips, with the reason, where no terminal can be driven."""
    if not has_tmux():
        pytest.skip("tmux not installed: interactive sessions cannot be driven")
