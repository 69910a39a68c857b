"""Import past sessions in another process while the server runs, so that no page waits.

Invariant: it imports what `journal import` would import, and ends with the server; the next run
continues where it stopped.
"""

import multiprocessing
import signal
from contextlib import suppress
from multiprocessing.process import BaseProcess

from journal.errors import JournalError
from journal.history.new_transcripts import import_new
from journal.history.scope import ProjectScope

_ROUNDS = 64  # each as long as one in the background of a session


class PastImport:
    """The import of a running server."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None

    def start(self, scope: ProjectScope) -> None:
        """Begin the import, and return at once."""
        self._process = multiprocessing.get_context("spawn").Process(
            target=_import_all, args=(dict(scope.env), scope.cwd), name="import", daemon=True
        )
        self._process.start()

    @property
    def is_running(self) -> bool:
        """Return whether the import is running."""
        return self._process is not None and self._process.is_alive()

    def stop(self) -> None:
        """End the import."""
        if self._process is not None:
            self._process.terminate()


def _import_all(env: dict[str, str], cwd: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    with suppress(JournalError, OSError):
        for _ in range(_ROUNDS):
            if import_new(ProjectScope(env, cwd=cwd), every=True):
                return
