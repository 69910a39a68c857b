"""The world beside a warm child: its own hooks run in this process."""

from tests.cases.conftest import world

__all__ = ["world"]
