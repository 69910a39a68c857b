"""The journals as a database: surveyed, mirrored, in tables, and closed to everything else.

Invariant: what a query sees is what the logs held when it was opened; the files are opened for
reading alone.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from journal.errors import JournalOffError
from journal.history.tables import base, compactions, views
from journal.history.tables import parquet as mirror
from journal.history.tables import small_files as small
from journal.history.tables import sources as survey
from journal.history.tables.columns import COLUMNS
from journal.history.tables.engine import Engine
from journal.history.tables.schema import TABLES
from journal.home import ensure_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from journal.history.tables.engine import Result
    from journal.history.tables.sources import Log

__all__ = ["History"]

_WORD = re.compile(r"[a-z_]+")


class History:
    """The journals under `home`, of one project or of all.

    say: called with what takes a while. outputs: files that may be written beside the reading.
    """

    def __init__(
        self,
        home: str,
        project: str = "",
        *,
        unsafe: bool = False,
        outputs: Sequence[str] = (),
        say: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self.home = home
        self.unsafe = unsafe
        self.logs: list[Log] = survey.find_logs(home, project)
        survey.look_at_all(self.logs, say)
        self._outputs = list(outputs)
        self._filled = self._records = self._everything = False
        self._views: set[str] = set()
        self.engine = self._connect()
        mirror.make_missing(self.engine, self.logs, say)
        self._open()

    @property
    def excluded(self) -> dict[str, int]:
        """Lines that are no rows, by what they are: torn, corrupt, anomaly; and `repeated`."""
        found: dict[str, int] = {}
        for log in self.logs:
            for name, count in log.counts.items():
                found[name] = found.get(name, 0) + count
        found["anomaly"] = found.get("anomaly", 0) - found.pop("gaps", 0)
        return {name: count for name, count in found.items() if count}

    def ask(self, text: str, params: Mapping[str, str] | None = None) -> Iterator[Result]:
        """Run a query, once more without the mirrors where one of them is damaged."""
        self._prepare(views.needed(text, both=bool(self._both)))
        try:
            yield from self.engine.ask(text, params or {})
        except Exception as error:
            if base.UNREAD in str(error):  # planned otherwise than foreseen
                self._everything = True
            elif not self._without_mirrors(error, text):
                raise
            yield from self.engine.ask(text, params or {})

    def write_parquet(self, text: str, params: Mapping[str, str], path: str) -> int:
        """Write a query's rows as Parquet; give their number."""
        self._prepare(views.needed(text, both=bool(self._both)))
        return self.engine.write_parquet(text, params, path)

    def close(self) -> None:
        """Let the connection go."""
        self.engine.close()

    def _connect(self) -> Engine:
        room = self._room()
        # Without room for what does not fit, better too much memory than no answer.
        engine = Engine(room, f"{_limit()}MiB" if room and not self.unsafe else "")
        engine.tables = TABLES
        engine.planning, engine.planned = self._planning, self._planned
        return engine

    def _room(self) -> str:
        """Directory for what does not fit into memory; "" where there cannot be one."""
        room = os.path.join(self.home, "cache", "spill")
        try:
            ensure_directory(os.path.join(self.home, "cache"))
            ensure_directory(room)
        except (OSError, JournalOffError):
            return ""
        return room

    def _open(self) -> None:
        """Make the views, then lock."""
        run = self.engine.run
        for statement in base.stub_sql():
            run(statement)
        run(views.TWIN)
        compactions.empty_table(self.engine)
        small.hold(self.engine, self.logs)
        sides = [
            {log.project for log in self.logs if log.side == side} for side in ("live", "imported")
        ]
        self._both = sorted(sides[0] & sides[1])
        self._views = set()
        if not self.unsafe:
            sources = base.files_of(self.logs)
            paths = {path for source in sources for path in (source.lines, source.parquet) if path}
            self.engine.lock([*sorted(paths), *self._outputs])

    def _prepare(self, names: Iterable[str]) -> None:
        """Make views that are not there yet: each costs as much as a small query."""
        self._planning()
        for name in names:
            if name not in self._views:
                self._views.add(name)
                sql = views.view_sql(name, both=self._both, records=False)
                self.engine.run(f"create or replace view {name} as {sql}")

    def _read(self, columns: Iterable[str]) -> None:
        """Let `_log` be the logs, of which these columns are read."""
        # A view that takes all columns of another keeps to the number it was made with.
        every = self._views & {"_facts"} or self._everything
        known = COLUMNS if every else views.members(self._views)
        sql = base.base_sql(self.home, self.logs, columns, known)
        self.engine.run(f"create or replace view _log as {sql}")

    def _planning(self) -> None:
        """Let `_log` be the stub a query is planned on."""
        self.engine.run(f"create or replace view _log as {base.STUB}")

    def _planned(self, plan: str) -> None:
        """Make what this query needs: columns, the whole records, the table of compactions."""
        if not self._records and views.NEEDS_RECORD.search(plan):
            self._records = True
            self.engine.run(
                f"create or replace view _records as {base.records_sql(self.home, self.logs)}"
            )
            sql = views.view_sql("events", both=self._both, records=True)
            self.engine.run(f"create or replace view events as {sql}")
        if not self._filled and "_compactions" in plan:
            self._filled = True
            self._read(compactions.columns())
            compactions.fill(self.engine)
        words = set(_WORD.findall(_told(plan)))
        self._read(COLUMNS if self._everything else words)

    def _without_mirrors(self, error: Exception, text: str) -> bool:
        """Open again without the mirrors, if one of them made a query fail."""
        mirrored = any(source.parquet for source in base.files_of(self.logs))
        if not mirrored or not self.engine.is_damage(error):
            return False
        mirror.drop(self.logs)
        self.engine.close()
        self._filled = self._records = False
        self.engine = self._connect()
        self._open()
        self._prepare(views.needed(text, both=bool(self._both)))
        return True


def _limit() -> int:
    """Memory (MiB) before a query goes on to the disk: each thread reads through 32 MiB."""
    return max(220, 64 * (os.cpu_count() or 1))


def _told(plan: str) -> str:
    """What a plan says, without the names of its own members (`name`, `type`)."""
    try:
        waiting = [json.loads(plan)]
    except ValueError:
        return plan
    texts = []
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            texts.append(item)
        else:
            waiting += (
                item.values()
                if isinstance(item, dict)
                else item
                if (isinstance(item, list))
                else ()
            )
    return "\n".join(texts)
