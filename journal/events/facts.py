"""Facts about the project's work files that several events carry: flow and stock."""

from msgspec import Struct


class Flow(Struct, frozen=True, omit_defaults=True):
    """The work log (`.claude/context/progress.md`) when the event happened.

    entries: number of h2 sections; dated: number of those with a date; headings: the 3 newest;
    digests: of the headings, newest first, at most 64; path: of the file.
    """

    entries: int = 0
    dated: int = 0
    headings: list[str] = []
    digests: list[str] = []
    path: str = ""


class StockFile(Struct, frozen=True, omit_defaults=True):
    """One learnings file.

    path: of the file; total: number of learnings; unverified: number of those never confirmed;
    average: confirmations per confirmed learning.
    """

    path: str = ""
    total: int = 0
    unverified: int = 0
    average: float | None = None


class Stock(Struct, frozen=True, omit_defaults=True):
    """The learnings files together.

    total: number of learnings; unverified: number of those never confirmed; average:
    confirmations per confirmed learning; last: date of the latest confirmation (ISO); files:
    each file.
    """

    total: int = 0
    unverified: int = 0
    average: float | None = None
    last: str | None = None
    files: list[StockFile] = []
