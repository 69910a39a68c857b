"""A bar on a terminal, for what takes seconds. Invariant: nothing is printed where nobody looks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Bar"]

_STEP = 2 * 1024 * 1024  # bytes between two looks
_MIB = 1024 * 1024


class Bar:
    """Progress through `total` bytes, on stderr."""

    def __init__(self, total: int, columns: int, env: Mapping[str, str]) -> None:
        self.on = sys.stderr.isatty() and env.get("TERM") != "dumb" and total > 2 * _STEP
        self.total = max(1, total)
        self.columns = columns
        self._shown = -1

    def at(self, done: int) -> None:
        """Show how many bytes are done."""
        if not self.on or done // _STEP == self._shown:
            return
        self._shown = done // _STEP
        share = min(1.0, done / self.total)
        text = f" {share:4.0%}  {done // _MIB:,} of {self.total // _MIB:,} MiB"
        room = max(4, min(40, self.columns - len(text) - 4))
        filled = round(share * room)
        bar = f"[{'#' * filled}{'.' * (room - filled)}]{text}"
        sys.stderr.write("\r" + bar[: self.columns - 1])
        sys.stderr.flush()

    def done(self) -> None:
        """Take the bar away."""
        if self.on and self._shown >= 0:
            sys.stderr.write("\r" + " " * (self.columns - 1) + "\r")
            sys.stderr.flush()
