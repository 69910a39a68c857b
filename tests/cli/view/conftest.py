"""A session with work in progress."""

from tests.cli.work.conftest import shop

__all__ = ["shop"]
