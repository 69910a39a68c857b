"""A journal home to query."""

from tests.cli.conftest import workspace
from tests.tools.asked import asked

__all__ = ["asked", "workspace"]
