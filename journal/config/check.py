"""Whether a value is allowed for a key, and whether a project's file may set it.

Pure: a verdict is a value, nothing is raised. Invariant: what `accepted` returns satisfies its
row of the schema, whatever went in, and text taken from a file is shown escaped and bounded.
"""

from __future__ import annotations

from journal.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.config.schema import Row

__all__ = ["accepted", "described", "expected", "nearest", "shown", "widens"]

_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:./-")
_NAME_LENGTH = 64
_SHOWN = 40
_ALIKE, _LAST_ALIKE = 0.8, 0.6  # ratio of difflib from which a key counts as misspelled
_KINDS = {
    "bool": "a switch",
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "list": "a list",
    "dict": "a table",
}


def accepted(row: Row, value: object) -> tuple[Any, str]:
    """Return (the value as the program uses it, "") or (None, what is wrong with it)."""
    kind, limits = row[1], row[3]
    fits = _FITS[kind]
    result = fits(value, limits)
    if result is not None:
        return result, ""
    return None, f"{row[0]} takes {expected(row)}, not {described(value)}"


def _switch(value: object, _limits: tuple[Any, ...]) -> object:
    return value if isinstance(value, bool) else None


def _number(value: object, limits: tuple[Any, ...]) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if limits[0] <= value <= limits[1] else None


def _count(value: object, limits: tuple[Any, ...]) -> object:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if limits[0] <= value <= limits[1] or value in limits[2:] else None


def _word(value: object, limits: tuple[Any, ...]) -> object:
    return value if isinstance(value, str) and value in limits else None


def _names(value: object, limits: tuple[Any, ...]) -> object:
    if not isinstance(value, (list, tuple)) or len(value) > limits[0]:
        return None
    names: dict[str, None] = {}
    for item in value:
        name = item.removeprefix("/") if isinstance(item, str) else ""  # as a command is typed
        if not 0 < len(name) <= _NAME_LENGTH or set(name) - _NAME:
            return None
        names[name] = None
    return tuple(names)


_FITS = {"switch": _switch, "number": _number, "count": _count, "word": _word, "names": _names}


def widens(row: Row, current: object, value: object) -> bool:
    """Tell whether a project's `value` would go beyond its rule, `current` being the person's."""
    rule = row[4]
    if rule == "free":
        return False
    if rule == "never":
        return True
    was, now = _rank(row, current), _rank(row, value)
    return now < was if rule == "only_raise" else now > was


def _rank(row: Row, value: Any) -> float:
    return float(row[3].index(value) if row[1] == "word" else value)


def expected(row: Row) -> str:
    """Say in words what values a key takes."""
    kind, limits = row[1], row[3]
    if kind == "switch":
        return "true or false"
    if kind == "word":
        return " or ".join(f'"{word}"' for word in limits)
    if kind == "names":
        return f"a list of up to {limits[0]} names of letters, digits and _ : . / -"
    noun = "a whole number" if kind == "count" else "a number"
    single = "".join(f", or {value}" for value in limits[2:])
    return f"{noun} from {limits[0]:,} to {limits[1]:,}{single}"


def described(value: object) -> str:
    """Name a value found in a file: its text where that is short, else its kind."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # Turning a huge integer into text raises.
        return str(value) if abs(value) < 10**18 else "so large a number"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return shown(value)
    return _KINDS.get(type(value).__name__, "a date or time")


def shown(text: str) -> str:
    """Quote text from a file: one line, escaped, at most about 40 characters."""
    short = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return f'"{escaped(short)}"'


def nearest(word: str, candidates: tuple[str, ...]) -> str:
    """Return the candidate that `word` is probably a misspelling of, or ""."""
    from difflib import get_close_matches

    word = word[: 2 * _NAME_LENGTH].casefold()
    by_form = {candidate.casefold(): candidate for candidate in candidates}
    for found in get_close_matches(word, by_form, 3, _ALIKE):
        last = found.rpartition(".")[2]  # keys of one table are alike up to here
        if get_close_matches(word[-len(last) :], [last], 1, _LAST_ALIKE):
            return by_form[found]
    return ""
