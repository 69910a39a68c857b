"""A journal home to query."""

from tests.cli.conftest import workspace
from tests.support.journals import journals

__all__ = ["journals", "workspace"]
