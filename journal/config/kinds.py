"""Kinds of values that a setting takes, and how a value is written for a person.

A kind has `accept(value)`, which returns the value in the form that the program uses, or None if it
is not allowed, and as text says what it allows.
"""

from __future__ import annotations

from journal.text import escaped, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:./-")
_PERSON = _NAME | frozenset("@+")
_NAME_LENGTH = 64
_SHOWN = 40
_TYPES = {
    "bool": "a switch",
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "list": "a list",
    "dict": "a table",
}


class Switch:
    """A switch: true or false."""

    def accept(self, value: Any) -> Any:
        """Return the value in the form that the program uses, None if it is not allowed."""
        return value if isinstance(value, bool) else None

    def __str__(self) -> str:
        return "true or false"


class Number:
    """A number; a whole one if its limits are. also: one more allowed value."""

    def __init__(self, low: float, high: float, also: float | None = None) -> None:
        self.low = low
        self.high = high
        self.also = also

    def accept(self, value: Any) -> Any:
        """Return the value in the form that the program uses, None if it is not allowed."""
        form = type(self.low)
        if isinstance(value, bool) or not isinstance(value, (int, form)):
            return None
        return form(value) if self.low <= value <= self.high or value == self.also else None

    def __str__(self) -> str:
        whole = "whole " if isinstance(self.low, int) else ""
        further = "" if self.also is None else f", or {self.also}"
        return f"a {whole}number from {self.low:,} to {self.high:,}{further}"


class Word:
    """One of several words, given in order from least to most."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def accept(self, value: Any) -> Any:
        """Return the value in the form that the program uses, None if it is not allowed."""
        return value if isinstance(value, str) and value in self.words else None

    def __str__(self) -> str:
        return " or ".join(f'"{word}"' for word in self.words)


class Name:
    """One name, or none."""

    def accept(self, value: Any) -> Any:
        """Return the value in the form that the program uses, None if it is not allowed."""
        plain = isinstance(value, str) and len(value) <= _NAME_LENGTH and not set(value) - _PERSON
        return value if plain else None

    def __str__(self) -> str:
        return f"up to {_NAME_LENGTH} letters, digits and _ : . / - @ +"


class Names:
    """A list of names. A leading "/", as in a command, is dropped."""

    def __init__(self, most: int) -> None:
        self.most = most

    def accept(self, value: Any) -> Any:
        """Return the value in the form that the program uses, None if it is not allowed."""
        if not isinstance(value, (list, tuple)) or len(value) > self.most:
            return None
        names = [item.removeprefix("/") if isinstance(item, str) else "" for item in value]
        if any(not 0 < len(name) <= _NAME_LENGTH or set(name) - _NAME for name in names):
            return None
        return tuple(dict.fromkeys(names))

    def __str__(self) -> str:
        return f"a list of up to {self.most} names of letters, digits and _ : . / -"


Kind = Switch | Number | Word | Name | Names


def described(value: object) -> str:
    """Return a description of a value in a file: its text if that is short, else its type."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # str() raises ValueError for a huge integer.
        return str(value) if abs(value) < 10**18 else "so large a number"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return shown(value)
    return _TYPES.get(type(value).__name__, "a date or time")


def shown(text: str) -> str:
    """Return a text from a file in quotes: one line, escaped, about 40 characters at most."""
    return f'"{escaped(shorten(text, _SHOWN))}"'


def toml(value: object) -> str:
    """Return an accepted value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return str(value)
