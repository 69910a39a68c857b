"""Share the index of past sessions between the server's threads, and update it in another one.

Invariant: a query waits for an update for more than a second or two only if there is no index yet
or this server has recorded something.
"""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress

from cli.scope import JournalScope
from journal.errors import JournalError
from journal.history.search.index import Index
from journal.home import UNFILED

_FRESH = 2.0  # seconds from the beginning of an update to the next one
_SHORT_WAIT = 1.5  # seconds that a query waits for an update that it can do without
_LONG_WAIT = 60.0  # seconds that it waits for an update that it needs
_EMBEDDING = 1.0  # seconds spent on missing vectors after each update


class SharedIndex:
    """The index of a home: one thread updates it, one query at a time reads it.

    updates: how many updates have begun.
    """

    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self.home = home
        self.env = env
        self.updates = 0
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="index")
        self._writer: Index | None = None  # the worker's own
        self._reader: Index | None = None
        self._reading = threading.Lock()
        self._state = threading.Lock()  # of the four below
        self._update: Future[None] | None = None
        self._needed = True
        self._begun_at = 0.0
        self._stopped: Future[None] = Future()

    def refresh(self) -> None:
        """Make the next query include everything recorded so far."""
        with self._state:
            self._update, self._needed = None, True

    def start(self) -> None:
        """Begin an update and return at once."""
        self._current()

    @contextmanager
    def open(self) -> Iterator[Index]:
        """Open the index for one query; raise JournalError or OSError if that fails."""
        self._wait()
        with self._reading:
            if self._reader is None:
                self._reader = self._new_index()
            yield self._reader

    def stop(self) -> None:
        """Release every query that waits for an update."""
        if not self._stopped.done():
            self._stopped.set_result(None)

    def close(self) -> None:
        """Close the index once no update and no query uses it."""
        self.stop()
        self._worker.shutdown(cancel_futures=True)
        with self._reading:
            for index in (self._reader, self._writer):
                if index is not None:
                    index.close()
            self._reader = self._writer = None

    def _wait(self) -> None:
        """Wait for the current update: long if the query needs it, else shortly."""
        update, needed = self._current()
        done, _ = wait(
            [update, self._stopped], _LONG_WAIT if needed else _SHORT_WAIT, FIRST_COMPLETED
        )
        if not needed:
            return
        if update in done:
            update.result()
        elif done:
            raise JournalError("", "the server is stopping", "start it again: journal serve")
        else:
            what = "the index of past sessions is being built, which takes a while"
            raise JournalError("", what, "try again in a minute")

    def _current(self) -> tuple[Future[None], bool]:
        """Return the newest update, which begins now if it is due, and whether queries need it."""
        with self._state:
            last = self._update
            if last is not None and last.done():
                failed = last.exception() is not None
                self._needed = self._needed and failed
                if failed or time.monotonic() - self._begun_at >= _FRESH:
                    last = None
            if last is None:
                self._update = last = self._worker.submit(self._run)
                self._begun_at = time.monotonic()
            return last, self._needed

    def _run(self) -> None:
        self.updates += 1
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        if self._writer is None:
            self._writer = self._new_index()
        self._writer.update(words=True)
        with suppress(RuntimeError):  # the server is closing
            self._worker.submit(self._embed, self._writer)  # no query waits for vectors

    def _embed(self, writer: Index) -> None:
        with suppress(JournalError, OSError):
            writer.embed(_EMBEDDING)

    def _new_index(self) -> Index:
        settings = JournalScope(self.env, self.home, UNFILED).settings
        return Index(self.home, settings=settings, env=self.env, patience=0)
