"""The version of this installation."""

from __future__ import annotations

__all__ = ["version"]


def version() -> str:
    """Version of the plugin manifest beside this code, which pyproject.toml equals."""
    from cli.install.source import find

    return find().version
