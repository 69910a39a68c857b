"""Facts about the project's work files that several events carry: flow and stock."""

from msgspec import Struct


class Flow(Struct, frozen=True, omit_defaults=True):
    """The work log (`.claude/context/progress.md`) when the event happened.

    entries: h2 sections; dated: those with a date; headings: the 3 most recent; digests: of the
    headings, newest first, at most 64.
    """

    entries: int = 0
    dated: int = 0
    headings: list[str] = []
    digests: list[str] = []
    path: str = ""


class StockFile(Struct, frozen=True, omit_defaults=True):
    """One learnings file: average is of confirmations per confirmed entry."""

    path: str = ""
    total: int = 0
    unverified: int = 0
    average: float | None = None


class Stock(Struct, frozen=True, omit_defaults=True):
    """The learnings files together; last is the latest confirmation date (ISO)."""

    total: int = 0
    unverified: int = 0
    average: float | None = None
    last: str | None = None
    files: list[StockFile] = []
