"""A progress bar on a terminal. Invariant: it prints nothing if stderr is not a terminal."""

import sys
from collections.abc import Mapping

_STEP = 2 * 1024 * 1024  # bytes between two updates
_MIB = 1024 * 1024


class Bar:
    """A progress bar in bytes, on stderr. columns: of the terminal."""

    def __init__(self, columns: int, env: Mapping[str, str]) -> None:
        self._columns = columns
        self._on = sys.stderr.isatty() and env.get("TERM") != "dumb"
        self._shown = -1

    def show(self, done: int, total: int) -> None:
        """Show that `done` bytes of `total` have been read."""
        if not self._on or total <= 2 * _STEP or done // _STEP == self._shown:
            return
        self._shown = done // _STEP
        share = min(1.0, done / total)
        text = f" {share:4.0%}  {done // _MIB:,} of {total // _MIB:,} MiB"
        size = max(4, min(40, self._columns - len(text) - 4))
        filled = round(share * size)
        bar = f"[{'#' * filled}{'.' * (size - filled)}]{text}"
        sys.stderr.write("\r" + bar[: self._columns - 1])
        sys.stderr.flush()

    def clear(self) -> None:
        """Remove the bar."""
        if self._shown >= 0:
            sys.stderr.write("\r" + " " * (self._columns - 1) + "\r")
            sys.stderr.flush()
