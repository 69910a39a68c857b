"""The fixtures of the commands' tests: a workspace with a recorded session in it."""

from tests.cli.conftest import played, workspace

__all__ = ["played", "workspace"]
