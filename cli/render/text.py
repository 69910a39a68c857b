"""What a command prints: tables, JSON, colour, the width of the terminal.

Invariant: whatever an event holds, no control, bidirectional or other unprintable character of it
reaches the terminal; a line is never wider than asked for; JSON stands on stdout alone.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from journal.text import clip, escaped, one_line, padded, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Style",
    "columns",
    "emit",
    "emit_json",
    "excerpt_of",
    "json_of",
    "table",
]

_LEAST = 20
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def columns(env: Mapping[str, str]) -> int:
    """Columns to write in: COLUMNS, else the terminal's, else 80."""
    given = env.get("COLUMNS", "")
    if given.isdigit() and int(given):
        return max(_LEAST, int(given))
    try:
        return max(_LEAST, os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError, AttributeError):
        return 80


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
    """Return the beginning of what is concerned, escaped, as an indented line of `most` columns."""
    text = source.decode("utf-8", "backslashreplace") if isinstance(source, bytes) else source
    return clip("  | " + escaped(text), most)


class Style:
    """Colour where a person looks: a terminal, and NO_COLOR not set."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.on = sys.stdout.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"

    def __call__(self, name: str, text: str) -> str:
        """Return `text` in a colour (bold, dim, red, green, yellow), or as it is."""
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
