"""Find the installed files: those of a checkout, or of the package a wheel installs.

Invariant: they are used in place. Both have the same layout: journal/, projections/, hooks/, cli/,
skills/ and .claude-plugin/ beside each other.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from journal.errors import JournalError

__all__ = ["CodeSource", "find"]


@dataclass(frozen=True)
class CodeSource:
    """An installation. top: the directory that holds its packages, skills and manifests."""

    top: str

    @property
    def hook(self) -> str:
        """The program the client runs for each event."""
        return os.path.join(self.top, "hooks", "run.py")

    @property
    def statusline(self) -> str:
        """The lean entry of the status line."""
        return os.path.join(self.top, "hooks", "statusline.py")

    @property
    def launcher(self) -> str:
        """What the `journal` wrapper of the installed plugin starts."""
        return os.path.join(self.top, "cli", "install", "launch.py")

    @property
    def version(self) -> str:
        """Version of the plugin manifest."""
        path = os.path.join(self.top, ".claude-plugin", "plugin.json")
        with open(path, encoding="utf-8") as file:
            return str(json.load(file)["version"])


def find() -> CodeSource:
    """Find this installation's own files; JournalError where a part is missing."""
    source = CodeSource(
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    )
    manifest = os.path.join(source.top, ".claude-plugin", "plugin.json")
    for path in (manifest, source.hook, os.path.join(source.top, "hooks", "hooks.json")):
        if not os.path.isfile(path):
            raise JournalError(path, "is missing", "reinstall context-journal")
    return source
