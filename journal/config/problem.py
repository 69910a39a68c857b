"""A problem in a configuration file."""

from __future__ import annotations

from journal.errors import JournalError

_SHOWN = 80  # characters of a line; of a longer one the part around the problem is its excerpt
_LEAD = 40  # characters before the problem there


class Problem:
    """An entry of a configuration file that is not used.

    path: the file. line, column: from 1; line 0 is the whole file. what: the problem, one sentence.
    remedy: what to do. excerpt: the line or a part of it, "" for the whole file.
    """

    def __init__(
        self, path: str, line: int, column: int, what: str, remedy: str, text: str = ""
    ) -> None:
        self.path = path
        self.line = line
        self.column = column
        self.what = what
        self.remedy = remedy
        shown = f"…{text[column - _LEAD :]}" if column > _SHOWN else text
        self.excerpt = shown.replace("\t", " ") if text.strip() else ""

    @property
    def where(self) -> str:
        """Return PATH:LINE, or only the path for the whole file."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def error(self) -> JournalError:
        """Return it as the error that commands print."""
        return JournalError(self.where, self.what, self.remedy, self.excerpt)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of an offset, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
