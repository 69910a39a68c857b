"""Suggest the known name that a mistyped one resembles."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def suggestion(typed: str, names: Iterable[str]) -> str:
    """Return `did you mean NAME?` with the most similar name, "" if none is similar enough."""
    found = get_close_matches(typed, list(names), 1)
    return f"did you mean {found[0]}?" if found else ""
