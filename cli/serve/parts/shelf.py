"""The index of past sessions, as a server needs it: with a count, and kept up to date beside it.

Invariant: a count is of the very sessions a list would hold; a question waits for the journals to
be read only where there is no index yet, where something was recorded here, or for a moment.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cli.serve.place import JournalScope
from journal.errors import JournalError
from journal.history.search.index import Index
from journal.history.search.rank import Filter
from journal.history.search.tokens import normal
from journal.home import UNFILED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Keeper", "Shelf"]

_FRESH = 2.0  # seconds in which the journals are not looked at again
_MOMENT = 1.5  # seconds a question waits for what is new; with more to read it does without
_PATIENCE = 60.0  # seconds it waits where it cannot do without
_SLICE = 0.1
_EMBEDDING = 1.0  # seconds spent on missing vectors at each look
_PARTING = 1.0  # seconds a stop waits for what is going on


class Shelf(Index):
    """An index that can count."""

    def count(
        self,
        *,
        project: str = "",
        since: str = "",
        until: str = "",
        status: str = "",
        text: str = "",
    ) -> int:
        """How many sessions `sessions` would give with the same filters and no limit."""
        where, given = Filter(project, since, until, status, normal(text).casefold()).sql()
        sql = f"select count(*) from sessions s where {where}"  # noqa: S608 (words of our own)
        rows = self._ask(lambda made: made.execute(sql, given).fetchall())
        return int(rows[0][0]) if rows else 0


class Keeper:
    """The index of a home for many threads: one asks at a time, another one brings it up to date.

    wanted, done: how often it was asked to hold all there is, and how often it came to.
    """

    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self.home = home
        self.env = env
        self.wanted = 1
        self.done = 0
        self.looks = 0
        self._asking = threading.Lock()
        self._starting = threading.Lock()
        self._shelf: Shelf | None = None
        self._writer: Shelf | None = None  # of the thread that updates
        self._thread: threading.Thread | None = None
        self._fault: BaseException | None = None
        self._looked_at = 0.0
        self._stopping = False

    def refresh(self) -> None:
        """Let the next question see what was recorded before."""
        self.wanted += 1

    def warm(self) -> None:
        """Begin to bring it up to date."""
        self._look(0)

    @contextmanager
    def asked(self) -> Iterator[Shelf]:
        """Give the index. JournalError and OSError where it cannot be made."""
        self._wait_for(self.wanted)
        if time.monotonic() - self._looked_at >= _FRESH:
            self._look(_MOMENT)
        with self._asking:
            if self._shelf is None:
                self._shelf = self._opened()
            yield self._shelf

    def _wait_for(self, need: int) -> None:
        """Wait until what had been recorded by then is in; not while a stop is under way."""
        end = time.monotonic() + _PATIENCE
        while self.done < need:
            self._look(_SLICE)
            if self._fault is not None and self.done < need:
                raise self._fault
            if self._stopping:
                raise JournalError("", "the server is stopping", "start it again: journal serve")
            if time.monotonic() > end:
                what = "the index of past sessions is being made, which takes a while"
                raise JournalError("", what, "try again in a minute")

    def stop(self) -> None:
        """Let nobody wait any longer."""
        self._stopping = True

    def close(self) -> bool:
        """Let the index go; False where it is being built still."""
        thread = self._thread
        if thread is not None:
            thread.join(_PARTING)
        if (thread is not None and thread.is_alive()) or not self._asking.acquire(timeout=_PARTING):
            return False
        if self._shelf is not None:
            self._shelf.close()
        self._asking.release()
        return True

    def _look(self, patience: float) -> None:
        """Have the journals read by the one thread that does; wait for it so many seconds."""
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._fault = None
                self._thread = threading.Thread(target=self._update, daemon=True)
                self._thread.start()
            thread = self._thread
        thread.join(patience)

    def _update(self) -> None:
        need = self.wanted
        self.looks += 1
        try:
            os.makedirs(self.home, mode=0o700, exist_ok=True)
            if self._writer is None:
                self._writer = self._opened()
            self._writer.update()
        except Exception as error:  # noqa: BLE001 (told to whoever asks)
            self._fault = error
            return
        self._looked_at = time.monotonic()
        self.done = max(self.done, need)
        with suppress(JournalError, OSError):  # the search by words is not kept waiting for it
            self._writer.embed(_EMBEDDING)

    def _opened(self) -> Shelf:
        settings = JournalScope(self.env, self.home, UNFILED).settings
        return Shelf(self.home, settings=settings, env=self.env, patience=0)
