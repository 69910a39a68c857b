"""Notice that records change (`journal redact`, `journal gc`) while state is derived from them.

Invariant: a file that exists after `RewriteWatch.save` was made from the new records, or existed
when the rewriting began, which then deletes it.
"""

from __future__ import annotations

import os

from journal.checkpoint import Checkpoint, save
from journal.errors import JournalOffError
from journal.home import ensure_directory

PENDING = "rewriting"  # beside a log while records change: the segments that did, one a line


class RewriteWatch:
    """Tells whether the records that a process reads from now on were changed meanwhile."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._last = last_rewrite(directory)

    def is_disturbed(self) -> bool:
        """Return whether records have been rewritten, or are being."""
        return is_unfinished(self._directory) or last_rewrite(self._directory) != self._last

    def save(self, path: str, checkpoint: Checkpoint) -> None:
        """Store a checkpoint; delete it again if it was made from old records.

        One that cannot be written is left out, because it can be derived again.
        """
        try:
            ensure_directory(os.path.dirname(path))
            save(path, checkpoint)
            if self.is_disturbed():
                os.unlink(path)
        except (OSError, JournalOffError):
            pass


def last_rewrite(directory: str) -> int:
    """Return when a log's records were last changed: only that touches the lock file's mtime."""
    try:
        return os.stat(f"{directory}/lock").st_mtime_ns
    except OSError:
        return 0


def is_unfinished(directory: str) -> bool:
    """Return whether a change of records was begun and not finished."""
    return os.path.lexists(os.path.join(directory, PENDING))
