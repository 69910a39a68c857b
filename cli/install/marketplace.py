"""Where Claude Code has the plugin from: setup's copy, or a marketplace the user added.

Invariant: a marketplace the user added is never replaced or removed; Claude Code updates the
plugin from there.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from cli.install import app
from cli.install.client import Client
from cli.install.model import MARKETPLACE


def other(home: str, client: Client | None, settings: Iterable[Mapping[str, Any]]) -> str:
    """Return the marketplace of our name that is not ours: its repository, address or directory.

    Args:
        home: the journal home.
        client: asked for its list, where there is one.
        settings: values of the settings files that may declare one.

    """
    known = client.marketplaces() if client else []
    sources: list[Any] = [entry for entry in known if entry.get("name") == MARKETPLACE]
    for values in settings:
        declared = values.get("extraKnownMarketplaces")
        if isinstance(declared, dict) and isinstance(declared.get(MARKETPLACE), dict):
            sources.append(declared[MARKETPLACE].get("source"))
    for source in sources:
        if isinstance(source, dict) and source.get("path") != app.link(home):
            names = ("repo", "url", "path", "package", "source")
            return str(next((source[name] for name in names if source.get(name)), "unknown"))
    return ""


def is_gone(where: str) -> bool:
    """Return whether a marketplace is a directory that is no longer there."""
    return os.path.isabs(where) and not os.path.exists(where)
