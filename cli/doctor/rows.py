"""Rows of a report: plain data that the command prints.

Invariant: a row that is not in order says what to do.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["Report", "Row"]


@dataclass(frozen=True)
class Row:
    """The result of one check.

    status: "ok"; "note" (worth knowing, in order); "warn" (works, but not as meant); "fail".
    details: further lines, the most important first.
    """

    name: str
    status: Literal["ok", "note", "warn", "fail"]
    what: str
    where: str = ""
    remedy: str = ""
    details: tuple[str, ...] = ()


@dataclass
class Report:
    """All rows, in the order of the checks."""

    rows: list[Row] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """Return 0 when all is in order, 1 when there are findings."""
        return int(any(row.status in ("warn", "fail") for row in self.rows))

    def as_data(self) -> list[dict[str, Any]]:
        """Return the rows for `--json`."""
        return [asdict(row) for row in self.rows]
