"""The files of this installation: a checkout, a wheel, a plugin, or the copy that setup made.

All have the same layout: journal/, projections/, hooks/, cli/, skills/ and .claude-plugin/ beside
each other, with pyproject.toml. Invariant: this reads only.
"""

import json
import os
import tomllib
from typing import Any

from journal.errors import JournalError

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The directory that holds packages, skills and manifests."""


def path(*names: str) -> str:
    """Return the path of a file."""
    return os.path.join(TOP, *names)


def version() -> str:
    """Return the version in the plugin manifest, which pyproject.toml equals."""
    manifest = path(".claude-plugin", "plugin.json")
    try:
        with open(manifest, encoding="utf-8") as file:
            return str(json.load(file)["version"])
    except FileNotFoundError as error:
        raise JournalError(manifest, "is missing", "reinstall context-journal") from error


def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    with open(path("pyproject.toml"), "rb") as file:
        found: dict[str, Any] = tomllib.load(file)["project"]
    return found
