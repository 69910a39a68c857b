"""What is wrong in a configuration file, as a value with its place.

Invariant: rendered, a problem is two or three lines without control characters, whatever the file
held: the file may come from a stranger and the lines go to a terminal.
"""

from __future__ import annotations

from journal.text import escaped

__all__ = ["Problem", "render_problem"]

_COLUMNS = 120


class Problem:
    """One thing in a configuration file that is not used as written.

    path: the file. line, column: from 1; line 0 means the file as a whole.
    what: one sentence. remedy: what to do. excerpt: the line concerned, "" where there is none.
    """

    __slots__ = ("column", "excerpt", "line", "path", "remedy", "what")

    def __init__(
        self, path: str, line: int, column: int, what: str, remedy: str, excerpt: str = ""
    ) -> None:
        self.path = path
        self.line = line
        self.column = column
        self.what = what
        self.remedy = remedy
        self.excerpt = excerpt

    def __repr__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.what}"


def render_problem(problem: Problem) -> str:
    """Return the lines a person reads: place and fault, excerpt (where there is one), remedy."""
    place = f"{problem.path}:{problem.line}" if problem.line else problem.path
    lines = [f"journal: error: {escaped(place)}: {escaped(problem.what)}"]
    if problem.excerpt.strip():
        lines.append(_fitted(f"{problem.line:>6} | ", problem.excerpt, problem.column))
    lines.append(f"  {escaped(problem.remedy)}")
    return "\n".join(lines)


def _fitted(margin: str, text: str, column: int) -> str:
    """Show the part of a line around `column`, so that all fits in 120 columns."""
    room = _COLUMNS - len(margin)
    start = 0
    if _width(escaped(text[:column])) > room - 20:
        start = max(0, column - 1 - room // 8)
    shown = "…" if start else ""
    used = _width(shown)
    for char in text[start:]:
        piece = escaped(" " if char == "\t" else char)
        used += _width(piece)
        if used > room - 1:
            shown += "…"
            break
        shown += piece
    return margin + shown


def _width(text: str) -> int:
    """Columns a terminal needs; ideographs and the like take two."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
