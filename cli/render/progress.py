"""The line on stderr that shows the progress of a long step.

Invariant: only a terminal shows it, after a second; the next output replaces it.
"""

import os
import shutil
import sys
from time import monotonic

from journal.history.progress import Progress, ignore_progress
from journal.text import clip

_AFTER = 1.0  # seconds
_shown: list[str] = []  # the line on the terminal, at most one


def progress() -> Progress:
    """Return a function that shows the current step."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return ignore_progress
    began = monotonic()

    def show(text: str) -> None:
        if _shown != [text] and monotonic() - began > _AFTER:
            line = clip(f"journal: {text} …", shutil.get_terminal_size().columns - 1)
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
            _shown[:] = [text]

    return show


def clear_progress() -> None:
    """Remove the line, if one is shown."""
    if _shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
        _shown.clear()
