"""A workspace that a module builds once; each of its tests gets it as it was built."""

from __future__ import annotations

import os
import shutil
import tempfile

from tests.cli.conftest import Workspace


class Copied:
    """A workspace that is built once and restored, at the same path, before each case."""

    def __init__(self) -> None:
        self._top = tempfile.mkdtemp(prefix="jg-")
        self.workspace = Workspace(os.path.realpath(self._top))

    def keep(self) -> None:
        """Keep the workspace as it is now for `restore`."""
        shutil.copytree(self.workspace.top, f"{self._top}.whole", symlinks=True)

    def restore(self) -> None:
        """Put the kept workspace back."""
        shutil.rmtree(self.workspace.top)
        shutil.copytree(f"{self._top}.whole", self.workspace.top, symlinks=True)

    def remove(self) -> None:
        """Remove the workspace and its copy."""
        shutil.rmtree(self._top)
        shutil.rmtree(f"{self._top}.whole", ignore_errors=True)
