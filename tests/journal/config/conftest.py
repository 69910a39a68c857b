"""A journal home and a project, with optional configuration files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from journal.config.load import load

if TYPE_CHECKING:
    from pathlib import Path

    from journal.config.load import Loaded


class Folders:
    """A journal home and a project, with at most one configuration file each."""

    def __init__(self, root: str) -> None:
        self.home = os.path.join(root, "home")
        self.project = os.path.join(root, "project")
        os.makedirs(self.home, exist_ok=True)
        os.makedirs(os.path.join(self.project, ".claude"), exist_ok=True)
        self.home_file = os.path.join(self.home, "config.toml")
        self.project_file = os.path.join(self.project, ".claude", "journal.toml")

    def write(self, home: str | bytes | None = None, project: str | bytes | None = None) -> Loaded:
        """Write the given files, then load the configuration."""
        for path, text in ((self.home_file, home), (self.project_file, project)):
            if text is not None:
                with open(path, "wb") as file:
                    file.write(text if isinstance(text, bytes) else text.encode())
        return load(self.home, self.project)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """Return an empty journal home and project."""
    return Folders(str(tmp_path))
