"""Find the installed files: in a checkout, a wheel, a plugin, or the copy that setup made.

All have the same layout: journal/, projections/, hooks/, cli/, skills/ and .claude-plugin/ beside
each other, with pyproject.toml. Invariant: this reads only.
"""

import json
import os
import tomllib
from dataclasses import dataclass
from typing import Any

from journal.errors import JournalError


@dataclass(frozen=True)
class CodeSource:
    """An installation. top: the directory that holds its packages, skills and manifests."""

    top: str

    def path(self, *names: str) -> str:
        """Return the path of one of its files."""
        return os.path.join(self.top, *names)

    @property
    def version(self) -> str:
        """Return the version in the plugin manifest, which pyproject.toml equals."""
        with open(self.path(".claude-plugin", "plugin.json"), encoding="utf-8") as file:
            return str(json.load(file)["version"])

    @property
    def project(self) -> dict[str, Any]:
        """Return the table `project` of pyproject.toml."""
        with open(self.path("pyproject.toml"), "rb") as file:
            found: dict[str, Any] = tomllib.load(file)["project"]
        return found


def find() -> CodeSource:
    """Find this installation's own files. Raise JournalError if one is missing."""
    source = CodeSource(
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    )
    for names in ((".claude-plugin", "plugin.json"), ("hooks", "run.py"), ("hooks", "hooks.json")):
        if not os.path.isfile(source.path(*names)):
            raise JournalError(source.path(*names), "is missing", "reinstall context-journal")
    return source
