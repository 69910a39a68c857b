"""Text for a terminal: escaping, widths, tables, JSON, colour.

Invariant: whatever an event holds, no control, bidirectional or other unprintable character of it
reaches the terminal; a line is never wider than asked for; JSON stands on stdout alone.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from journal.config.check import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Style",
    "clean",
    "clip",
    "columns",
    "emit",
    "emit_json",
    "excerpt_of",
    "json_of",
    "one_line",
    "padded",
    "table",
    "width",
    "wrapped",
]

_LEAST = 20
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def clean(text: str) -> str:
    r"""Escape what is not printable, as \xNN or \uNNNN."""
    return escaped(text)


def one_line(text: str) -> str:
    """Give a text as one line: runs of white space become one space, the rest is escaped."""
    return escaped(" ".join(text.split()))


def width(text: str) -> int:
    """Columns a terminal needs for a clean text: wide characters take two, marks take none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text
    )


def clip(text: str, most: int) -> str:
    """Cut a clean text to at most `most` columns, with an ellipsis where it was cut."""
    if width(text) <= most:
        return text
    kept = ""
    used = 1
    for char in text:
        used += width(char)
        if used > most:
            break
        kept += char
    return kept + "…" if most > 0 else ""


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Fill up with spaces to `columns`."""
    fill = " " * max(0, columns - width(text))
    return fill + text if right else text + fill


def columns(env: Mapping[str, str]) -> int:
    """Columns to write in: COLUMNS, else the terminal's, else 80."""
    given = env.get("COLUMNS", "")
    if given.isdigit() and int(given):
        return max(_LEAST, int(given))
    try:
        return max(_LEAST, os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError, AttributeError):
        return 80


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Break a clean text into lines of at most `columns`, at spaces where there are any."""
    lines, line = [], ""
    room = max(1, columns - width(indent))
    for word in text.split(" "):
        if line and width(line) + 1 + width(word) > room:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
        while width(line) > room:
            head = clip(line, room + 1)[:-1]
            lines.append(head)
            line = line[len(head) :]
    return [indent + part for part in [*lines, line]]


def table(
    rows: Sequence[Sequence[object]],
    columns: int,
    *,
    heads: Sequence[str] = (),
    flexible: int = -1,
    gap: str = "  ",
    right: Iterable[int] = (),
) -> list[str]:
    """Lay out rows in lines of at most `columns`.

    flexible: index of the column that gives way first (the last one by default); where that is
    not enough the widest columns are cut. right: columns set to the right.
    """
    cells = [[one_line(str(cell)) for cell in row] for row in ([heads, *rows] if heads else rows)]
    if not cells:
        return []
    sizes = [max(width(row[at]) for row in cells) for at in range(len(cells[0]))]
    flexible %= len(sizes)
    over = sum(sizes) + len(gap) * (len(sizes) - 1) - columns
    if over > 0:
        give = min(over, max(0, sizes[flexible] - 8))
        sizes[flexible] -= give
        over -= give
    while over > 0 and max(sizes) > 1:
        sizes[sizes.index(max(sizes))] -= 1
        over -= 1
    aligned = set(right)
    lines = []
    for row in cells:
        parts = [
            padded(clip(cell, size), size, right=at in aligned)
            for at, (cell, size) in enumerate(zip(row, sizes, strict=True))
        ]
        lines.append(clip(gap.join(parts).rstrip(), columns))
    return lines


def excerpt_of(source: str | bytes, most: int) -> str:
    """Give the beginning of what is concerned, escaped, as an indented line of `most` columns."""
    text = source.decode("utf-8", "backslashreplace") if isinstance(source, bytes) else source
    return clip("  | " + escaped(text), most)


class Style:
    """Colour where a person looks: a terminal, and NO_COLOR not set."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.on = sys.stdout.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"

    def __call__(self, name: str, text: str) -> str:
        """Give `text` in a colour (bold, dim, red, green, yellow), or as it is."""
        code = _COLOURS.get(name)
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and code else text


def emit(lines: Iterable[str]) -> None:
    """Print lines on stdout."""
    for line in lines:
        sys.stdout.write(line + "\n")


def json_of(value: Any, *, indent: int | None = None) -> str:
    """JSON in which every unprintable character is an escape; the spelling of all else is kept."""
    separators = None if indent else (",", ":")
    text = json.dumps(
        value, ensure_ascii=False, indent=indent, separators=separators, default=_plain
    )
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def emit_json(value: Any) -> None:
    """Print one JSON value on stdout: a list with one item a line, an object indented."""
    if isinstance(value, list):
        if not value:
            sys.stdout.write("[]\n")
            return
        body = ",\n".join(json_of(item) for item in value)
        sys.stdout.write(f"[\n{body}\n]\n")
        return
    sys.stdout.write(json_of(value, indent=2) + "\n")


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _plain(value: Any) -> Any:
    from msgspec.structs import asdict  # members that have their default too

    return asdict(value)
