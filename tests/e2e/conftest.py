"""Fixtures of the tests with the real client; a skipped test says why it cannot run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from .api import Api
from .client import Client, find_client, has_tmux
from .logbook import Logbook
from .probe import Probe
from .scene import WINDOW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def api() -> Iterator[Api]:
    """Serve the stand-in for the Messages API."""
    with Api() as served:
        yield served


@pytest.fixture
def executable() -> Path:
    """Find the pinned client; skip the test, with the reason, if it is missing."""
    path, why = find_client()
    if path is None:
        pytest.skip(why)
    return path


@pytest.fixture
def client(tmp_path: Path, api: Api, executable: Path) -> Client:
    """Make a person's machine with the plugin of this checkout.

    With JOURNAL_TEST_MODS=off the client does not know the plugin's module.
    """
    mods = os.environ.get("JOURNAL_TEST_MODS") != "off"
    return Client(tmp_path, api.url, executable, mods=mods)


@pytest.fixture
def small_window(client: Client) -> None:
    """Let the client compact early, so that small token counts cross the levels."""
    client.env |= WINDOW


@pytest.fixture
def logbook(client: Client) -> Logbook:
    """Open the journal of the client's project."""
    return Logbook(client)


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    """Build a plugin that records its hook calls."""
    return Probe(tmp_path / "probe")


@pytest.fixture
def tmux() -> None:
    """Skip, with the reason, if no terminal can be driven."""
    if not has_tmux():
        pytest.skip("tmux not installed: interactive sessions cannot be driven")
