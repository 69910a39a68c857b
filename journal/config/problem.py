"""A problem in a configuration file, and its text for a person.

Invariant: the text has two or three lines without control characters, whatever the file contains,
because a cloned repository may contain the file and the text goes to a terminal.
"""

from __future__ import annotations

from journal.text import clip, escaped, width

_COLUMNS = 120


class Problem:
    """An entry of a configuration file that is not used.

    path: the file. line, column: from 1; line 0 is the whole file. what: the problem, one sentence.
    remedy: what to do. excerpt: the line, "" for the whole file.
    """

    def __init__(
        self, path: str, line: int, column: int, what: str, remedy: str, excerpt: str = ""
    ) -> None:
        self.path = path
        self.line = line
        self.column = column
        self.what = what
        self.remedy = remedy
        self.excerpt = excerpt

    @property
    def where(self) -> str:
        """Return PATH:LINE, or only the path for the whole file."""
        return f"{self.path}:{self.line}" if self.line else self.path


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of an offset, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def render_problem(problem: Problem) -> str:
    """Return the text for a person: place and problem, excerpt if any, remedy."""
    lines = [f"journal: error: {escaped(problem.where)}: {escaped(problem.what)}"]
    if problem.excerpt.strip():
        margin = f"{problem.line:>6} | "
        lines.append(margin + _around(problem.excerpt, problem.column, _COLUMNS - width(margin)))
    lines.append(f"  {escaped(problem.remedy)}")
    return "\n".join(lines)


def _around(text: str, column: int, columns: int) -> str:
    """Return the part of a line around `column` that fits into `columns`."""
    text = text.replace("\t", " ")
    if width(escaped(text[:column])) > columns - 20:
        text = "…" + text[max(0, column - 1 - columns // 8) :]
    return clip(escaped(text), columns)
