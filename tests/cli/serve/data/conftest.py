"""The service that page and API share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.serve.data.service import Service
    from tests.cli.conftest import Workspace


@pytest.fixture
def service(played: Workspace) -> Iterator[Service]:
    """Return the service of a home with two sessions."""
    from cli.serve.data.service import Service

    found = Service(str(played.home), played.env)
    yield found
    found.index.close()
