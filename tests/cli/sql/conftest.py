"""A journal home to ask."""

from tests.cli.conftest import place
from tests.tools.asked import asked

__all__ = ["asked", "place"]
