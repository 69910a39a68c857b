"""What an examination finds: rows of plain data that the application prints.

Invariant: a row that is not in order says what to do.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["Report", "Row"]


@dataclass(frozen=True)
class Row:
    """One thing looked at.

    status: "ok"; "note" (worth knowing, in order); "warn" (works, but not as meant); "fail".
    details: further lines, most telling first.
    """

    name: str
    status: Literal["ok", "note", "warn", "fail"]
    what: str
    where: str = ""
    remedy: str = ""
    details: tuple[str, ...] = ()


@dataclass
class Report:
    """All rows, in the order looked at."""

    rows: list[Row] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 when all is in order, 1 when there are findings."""
        return int(any(row.status in ("warn", "fail") for row in self.rows))

    def as_data(self) -> list[dict[str, Any]]:
        """For `--json`."""
        return [asdict(row) for row in self.rows]
