"""The fixtures of the command tests: a workspace with a recorded session."""

from tests.cli.conftest import played, recording, workspace

__all__ = ["played", "recording", "workspace"]
