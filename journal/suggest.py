"""Suggest the known name that a mistyped one resembles."""

from collections.abc import Iterable
from difflib import get_close_matches


def suggestion(typed: str, names: Iterable[str]) -> str:
    """Return `did you mean NAME?` with the most similar name, "" if none is similar enough."""
    found = get_close_matches(typed, list(names), 1)
    return f"did you mean {found[0]}?" if found else ""
