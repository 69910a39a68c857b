"""Delta tables in a directory or bucket: the one module that imports deltalake.

Invariant: a commit is atomic and stores how far the rows of each log are in the table (`Marks`), so
that no row is added twice. Data files have no statistics of texts, so the log of a table reveals
nothing about deleted rows.
"""

from __future__ import annotations

import os
import random
import re
import time
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from journal.errors import JournalError
from journal.history.export.columns import TIMES
from journal.history.team.columns import DELTA_TYPES, team_columns
from journal.history.team.faults import BUSY, faults_at
from journal.installation import extra_command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from deltalake import DeltaTable

    Marks = dict[str, int]

T = TypeVar("T")

ORDER = (*(table for table in TIMES if table != "events"), "events")
"""The tables in the order in which they are written; `events` shows that all are."""

FORGOTTEN = "forgotten"
"""The table of forgotten names: kind, digest of the name, and the time until which it counts."""

_FORGOTTEN = [("kind", "VARCHAR"), ("digest", "VARCHAR"), ("until", "TIMESTAMPTZ")]
_SETTINGS = {
    "delta.checkpointInterval": "10",  # commits that a reader has to read at most
    "delta.logRetentionDuration": "interval 7 days",
}
# Characters of a path that delta-rs mistakes for others, or that make it panic.
_NOT_IN_PATHS = re.compile(r"[\x00-\x1f\x7f\[\]^|\\]|%[0-9A-Fa-f]{2}")
_RETRIES = 50  # times that a commit is repeated because others committed first
_ATTEMPTS = 30  # of a commit that replaces rows: it fails if others add rows meanwhile
_PAGE_ROWS = 1024 * 1024  # as in a row group: with the default, 20,000, DuckDB reads slower


class Store:
    """The tables in a directory, or at a URL such as s3://bucket/prefix."""

    def __init__(self, where: str, cwd: str, env: Mapping[str, str]) -> None:
        if find_spec("deltalake") is None:
            what = "the tables of a team need a package that is not installed"
            raise JournalError(where, what, f"run: {extra_command('team')}")
        self.where = where
        self.local = "://" not in where or where.startswith("file://")
        location = where.removeprefix("file://")
        if self.local:
            location = os.path.join(cwd, os.path.expanduser(location))
        self.location = location.rstrip("/")
        if self.local and (wrong := _NOT_IN_PATHS.search(self.location)):
            what = f"its path has {wrong[0]!r}, with which Delta tables cannot be read"
            raise JournalError(self.location, what, "name another directory, or --format parquet")
        self._options = {} if self.local else _options(env)

    @cached_property
    def _delta(self) -> Any:
        """The package, loaded on first use: it takes 50 MiB."""
        import deltalake

        return deltalake

    def open(self, table: str) -> DeltaTable | None:
        """Return a table; None if it does not exist."""
        with self.faults():
            try:
                at, options = self._at(table), self._options
                found: DeltaTable = self._delta.DeltaTable(at, storage_options=options)
                return found
            except self._delta.exceptions.TableNotFoundError as error:
                if not self.local and "NoSuchBucket" in str(error):
                    raise
                return None

    def must_open(self, table: str) -> DeltaTable:
        """Return a table. Raise JournalError if it does not exist."""
        found = self.open(table)
        if found is None:
            remedy = "journal export --to URL --format delta makes them"
            raise JournalError(self.where, "there are no team tables here", remedy)
        return found

    def has(self, table: str) -> bool:
        """Return whether a table exists, with one or two requests."""
        with self.faults():
            return bool(self._delta.DeltaTable.is_deltatable(self._at(table), self._options))

    def create(self) -> DeltaTable:
        """Create the missing tables, and return `events`, which is created last."""
        for table in (FORGOTTEN, *ORDER):
            with self.faults():
                try:
                    self._make(table)
                except self._delta.exceptions.DeltaError:
                    if self.open(table) is None:  # otherwise another home has just created it
                        raise
        return self.must_open("events")

    def _make(self, table: str) -> None:
        columns = _FORGOTTEN if table == FORGOTTEN else team_columns(table)
        counted = [name for name, kind in columns if kind in ("TIMESTAMPTZ", "BIGINT")]
        self._delta.DeltaTable.create(
            self._at(table),
            self._schema(columns),
            mode="ignore",
            partition_by=[] if table == FORGOTTEN else ["month"],
            configuration={**_SETTINGS, "delta.dataSkippingStatsColumns": ",".join(counted)},
            storage_options=self._options,
        )

    def append(self, table: str, rows: Any, marks: Marks) -> None:
        """Add rows. marks: log → how far its rows are in this table now."""
        self._write(table, rows, marks, mode="append")

    def replace(
        self,
        table: str,
        predicate: str,
        rows: Callable[[], Any],
        marks: Marks,
        opened: DeltaTable | None = None,
    ) -> None:
        """Replace the rows that match by other rows, in one commit.

        opened: the table that `rows` are read from. If others have added rows since it was opened,
        raise JournalError, because these would be lost. Without it, try again.
        """

        def once() -> None:
            self._write(table, rows(), marks, opened, mode="overwrite", predicate=predicate)

        return once() if opened else self._until_undisturbed(once)

    def delete(self, table: str, predicate: str) -> int:
        """Delete rows and return their number; the files stay until `vacuum`."""

        def once() -> int:
            found = self.open(table)
            with self.faults():
                done = found.delete(predicate, commit_properties=self._commit({})) if found else {}
            return int(done.get("num_deleted_rows") or 0)

        return self._until_undisturbed(once)

    def compact(self, table: str) -> tuple[int, int]:
        """Join small files; return how many were read and written."""
        found = self.must_open(table)
        files = self._delta.WriterProperties(
            compression="ZSTD", compression_level=4, data_page_row_count_limit=_PAGE_ROWS
        )
        with self.faults():
            done = found.optimize.compact(
                commit_properties=self._commit({}), writer_properties=files
            )
        return int(done["numFilesRemoved"]), int(done["numFilesAdded"])

    def vacuum(self, table: str, hours: int, *, full: bool = False, dry: bool = False) -> set[str]:
        """Delete unused files that are older than `hours`; return their names.

        full: also files that no commit ever named. dry: delete none. The names include files that
        the table's log still lists as removed, even if they are already deleted.
        """
        found = self.must_open(table)
        with self.faults():
            names = found.vacuum(
                retention_hours=hours, enforce_retention_duration=False, dry_run=dry, full=full
            )
        return {os.path.basename(name) for name in names}

    def checkpoint(self, table: str) -> None:
        """Write the table's state as one file, and delete old entries of its log."""
        found = self.must_open(table)
        with self.faults():
            found.create_checkpoint()
            found.cleanup_metadata()

    def stream(self, table: str, sql: str, opened: DeltaTable | None = None) -> Any:
        """Return the rows of a query over a table, as an Arrow stream."""
        found = opened or self.must_open(table)
        with self.faults():
            return self._delta.QueryBuilder().register(table, found).execute(sql)

    def prepared(self, folder: str) -> DeltaTable:
        """Return the Parquet files of a directory as a table."""
        with self.faults():
            self._delta.convert_to_deltalake(folder)
            found: DeltaTable = self._delta.DeltaTable(folder)
        return found

    def rows(self, table: str, sql: str, opened: DeltaTable | None = None) -> list[tuple[Any, ...]]:
        """Return the few rows of a query over a table."""
        stream = self.stream(table, sql, opened)
        with self.faults():
            columns = [column.to_pylist() for column in stream.read_all().columns]
        return list(zip(*columns, strict=True))

    def _until_undisturbed(self, once: Callable[[], T]) -> T:
        """Return the result of a commit that fails if others add rows meanwhile; repeat it then."""
        for attempt in range(_ATTEMPTS - 1):
            try:
                return once()
            except JournalError as error:
                if error.what != BUSY:
                    raise
                time.sleep(random.uniform(0, min(3, 0.2 * (attempt + 1))))  # noqa: S311 (no secret)
        return once()

    # -- one commit ------------------------------------------------------------------------------

    def _write(
        self, table: str, rows: Any, marks: Marks, opened: DeltaTable | None = None, **how: Any
    ) -> None:
        found = opened or self.must_open(table)  # given a path, the library opens it repeatedly
        with self.faults():
            self._delta.write_deltalake(
                found,
                rows,
                schema_mode="merge",
                commit_properties=self._commit(marks),
                writer_properties=self._delta.WriterProperties(compression="ZSTD"),
                **how,
            )

    def _commit(self, marks: Marks) -> Any:
        transactions = [self._delta.Transaction(name, mark) for name, mark in marks.items()]
        return self._delta.CommitProperties(
            app_transactions=transactions or None, max_commit_retries=_RETRIES
        )

    def _at(self, table: str) -> str:
        return f"{self.location}/{table}"

    def _schema(self, columns: list[tuple[str, str]]) -> Any:
        kinds = self._delta.schema
        texts = kinds.ArrayType(kinds.PrimitiveType("string"), contains_null=True)
        return self._delta.Schema(
            [
                self._delta.Field(
                    name, texts if kind == "VARCHAR[]" else kinds.PrimitiveType(DELTA_TYPES[kind])
                )
                for name, kind in columns
            ]
        )

    def faults(self) -> AbstractContextManager[None]:
        """Turn an error of the store into a JournalError with a remedy."""
        return faults_at(self.where)


def names_in(opened: DeltaTable) -> list[str]:
    """Return the columns that a table has; another version of the journal may have created it."""
    return [field.name for field in opened.schema().fields]


def _options(env: Mapping[str, str]) -> dict[str, str]:
    found = {"timeout": "60s", "connect_timeout": "10s", "max_retries": "3", "retry_timeout": "60s"}
    found |= {
        name: value for name, value in env.items() if name.startswith(("AWS_", "AZURE_", "GOOGLE_"))
    }
    if env.get("AWS_DEFAULT_REGION") and not env.get("AWS_REGION"):
        found["AWS_REGION"] = env["AWS_DEFAULT_REGION"]
    if env.get("AWS_ENDPOINT_URL", "").startswith("http://"):
        found["AWS_ALLOW_HTTP"] = "true"
    return found
