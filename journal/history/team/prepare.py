"""Write the rows that an export adds to Parquet files, if this home remembers where to go on."""

import ctypes
import gc
import os
from contextlib import suppress

from journal.history.export.columns import ExportOptions
from journal.history.progress import Progress
from journal.history.tables.columns import literal
from journal.history.tables.database import History
from journal.history.team.forked import Plan
from journal.history.team.positions import ALTERED, stored_mark
from journal.history.team.push import Part, Push, parts_of
from journal.history.team.rows import NewRows
from journal.history.team.store import ORDER, Store
from journal.home import ensure_directory

_ARENA_MAX = -8  # glibc's M_ARENA_MAX


def prepare_rows(
    home: str,
    project: str,
    store: Store,
    options: ExportOptions,
    projects: list[str],
    folder: str,
    progress: Progress,
) -> Plan | None:
    """Write the new rows to a directory; None if it takes the tables to know which rows are new."""
    preparation = _Preparation(home, project, store, options, False, progress, folder)
    try:
        return preparation.prepare(projects)
    finally:
        preparation.history.close()


class _Preparation(Push):
    """An export whose rows go to a directory. prepared: the directory."""

    prepared: str

    def prepare(self, projects: list[str]) -> Plan | None:
        """Write the new rows, or return None."""
        ends = self.ends()
        memory = {end.name: stored_mark(self.folder, end) for end in ends}
        before = {name: item.mark for name, item in memory.items()}
        tables = {item.table for item in memory.values()}
        if len(tables) != 1 or not all(item.is_complete for item in memory.values()):
            return None
        if ALTERED in before.values() or 0 in before.values():
            return None
        changed = [end for end in ends if before[end.name] != end.mark]
        rows = {}
        if changed:
            rows = self.add(parts_of(ends, changed, [], dict.fromkeys(ORDER, before)), {})
        return Plan(
            projects,
            self.history.excluded,
            self.origin,
            tables.pop(),
            before,
            {end.name: end.position for end in ends},
            {end.name: end.mark for end in changed},
            rows,
        )

    def open(self) -> History:
        """Open the journals with one thread and one arena for memory, which takes less of it."""
        with suppress(AttributeError):  # another C library than glibc
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)
        history = super().open()
        history.engine.run("set threads=1")
        return history

    def add_part(self, table: str, part: Part, new: NewRows, allowed: str) -> int:
        """Write the rows of a part; give memory that is free back to the system before."""
        with suppress(AttributeError):
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)
        return super().add_part(table, part, new, allowed)

    def write(self, table: str, part: Part) -> None:
        """Write the rows of `_leaving` as a Parquet file."""
        del part
        folder = os.path.join(self.prepared, table)
        ensure_directory(folder)
        path = literal(os.path.join(folder, "rows.parquet"))
        self.history.engine.run(f"copy _leaving to {path} (format parquet)")
