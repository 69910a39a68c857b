"""The stored rows of one family and log: a Parquet file per part of the log, and a checkpoint.

The checkpoint has the position up to which the files cover the log, and lists them. Invariant: they
are used only while the position is valid in the log and each is the very file that was written;
otherwise all of them are written again.
"""

import os
from contextlib import suppress
from typing import IO, Any, NamedTuple

import msgspec

from journal.checkpoint import Checkpoint, Position, load, save
from journal.files import open_regular
from journal.history.tables.columns import literal, literals
from journal.history.tables.engine import Engine
from journal.history.tables.families import FAMILIES, checkpoint_of, code_of_rows
from journal.log.findings import Findings
from journal.log.rewrite_watch import RewriteWatch

_FULL = 100_000  # records from which a file is no longer joined with later ones
_OPTIONS = (
    "(format parquet,parquet_version v2,compression snappy,row_group_size 20480,"
    "use_tmp_file false,preserve_order false)"  # keeping the order takes more memory
)
_SURROGATE = b"\\ud"  # a lone one fits into no table


class RowFile(NamedTuple):
    """One file: its name, records it was made of, size, ctime_ns and inode."""

    name: str
    records: int
    size: int
    ctime: int
    inode: int


class _Stored(msgspec.Struct):
    """The payload of the checkpoint; the members are those of `Extract`."""

    parts: list[RowFile]
    repeats: dict[str, Any]
    found: Findings


class Extract:
    """The stored rows of one family.

    origin: SQL of the columns `project` and `imported`. position: up to which `parts` cover the
    log, None if there are none; repeats, found: repeated and damaged records up to there.
    temporary: a file with the rows after the last position, "" for none.
    """

    def __init__(self, directory: str, cache: str, name: str, origin: str) -> None:
        self.name = name
        self.parts: list[RowFile] = []
        self.position: Position | None = None
        self.repeats: dict[str, Any] = {}
        self.found = Findings(directory)
        self.temporary = ""
        self._watch = RewriteWatch(directory)
        self._written: list[str] = []
        self._cache = cache
        self._origin = origin
        self._lines: IO[bytes] | None = None
        self._lines_path = os.path.join(cache, f".{name}.{os.getpid()}.lines")
        self._records = 0
        self._load(directory)

    @property
    def paths(self) -> list[str]:
        """Return the files to read."""
        stored = [os.path.join(self._cache, part.name) for part in self.parts]
        return [*stored, self.temporary] if self.temporary else stored

    def add(self, lines: list[bytes]) -> None:
        """Add the records that belong to the family; the others are ignored."""
        taken = FAMILIES[self.name].select(lines)
        if not taken:
            return
        if self._lines is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            self._lines = os.fdopen(open_regular(self._lines_path, flags), "wb")
        text = b"\n".join(taken)
        self._records += len(taken)
        self._lines.write(_readable(text) if b"\\" in text and _SURROGATE in text else text)
        self._lines.write(b"\n")

    def write(self, engine: Engine, seq: int) -> None:
        """Write the rows of the added records as a part. seq: of the last record."""
        if not self._records:
            return
        joins: list[RowFile] = []
        while self.parts and self.parts[-1].records <= min(2 * self._records, _FULL):
            joins.insert(0, self.parts.pop())
            self._records += joins[0].records
        name = f"{self.name}-{seq}-{self._records}.parquet"
        self._write(engine, os.path.join(self._cache, name), joins)
        facts = os.lstat(os.path.join(self._cache, name))
        part = RowFile(name, self._records, facts.st_size, facts.st_ctime_ns, facts.st_ino)
        self.parts.append(part)
        self._written.append(os.path.join(self._cache, name))
        self._records = 0

    def save(self, position: Position, repeats: dict[str, Any], found: Findings) -> None:
        """Store the position up to which the parts cover the log."""
        self.position, self.repeats, self.found = position, repeats, found
        if self._watch.is_disturbed():
            return  # `discard` removes the parts, which may be of old records
        payload = msgspec.json.encode(_Stored(self.parts, repeats, found.lasting()))
        save(self._path, Checkpoint(position, code_of_rows(self.name), payload))

    def write_temporary(self, engine: Engine) -> None:
        """Write the rows after the last position to a file that only this process uses."""
        if self._records:
            self.temporary = os.path.join(self._cache, f".{self.name}.{os.getpid()}.parquet")
            self._write(engine, self.temporary, [])
            self._records = 0

    def discard(self) -> None:
        """Remove the files that only this process may use."""
        old = self._written if self._watch.is_disturbed() else []
        for path in [*old, *filter(None, [self.temporary])]:
            with suppress(FileNotFoundError):  # `journal redact` removes such files
                os.unlink(path)

    def sweep(self) -> None:
        """Remove the family's unused files. The caller ensures that no process reads them."""
        own = {self._path, *self.paths}
        for entry in os.listdir(self._cache):
            if entry.lstrip(".").replace(".", "-").partition("-")[0] == self.name:
                path = os.path.join(self._cache, entry)
                if path not in own:
                    os.unlink(path)

    @property
    def _path(self) -> str:
        return checkpoint_of(self._cache, self.name)

    def _load(self, directory: str) -> None:
        stored = load(self._path, directory, code_of_rows(self.name))
        if stored is None:
            return
        found = msgspec.json.decode(stored.payload, type=_Stored)
        if all(map(self._is_there, found.parts)):
            self.position, self.parts = stored.position, found.parts
            self.repeats, self.found = found.repeats, found.found

    def _is_there(self, part: RowFile) -> bool:
        """Return whether a file is the one that was written: no program can set its ctime."""
        try:
            facts = os.lstat(os.path.join(self._cache, part.name))
        except OSError:
            return False
        return (facts.st_size, facts.st_ctime_ns, facts.st_ino) == part[2:]

    def _write(self, engine: Engine, path: str, earlier: list[RowFile]) -> None:
        """Write the rows of earlier files, then those of the added records, as one file."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None
        rows = f"select {self._origin}, * from ({FAMILIES[self.name].rows_of(self._lines_path)})"
        if earlier:
            paths = [os.path.join(self._cache, part.name) for part in earlier]
            previous = f"select * from read_parquet({literals(paths)})"
            rows = f"{previous} union all {rows}"
        temporary = f"{path}.{os.getpid()}.part"
        os.close(open_regular(temporary, os.O_WRONLY | os.O_CREAT))  # 0600 from the start
        try:
            engine.run(f"copy ({rows}) to {literal(temporary)} {_OPTIONS}")
            os.replace(temporary, path)
        finally:
            for name in (temporary, self._lines_path):
                with suppress(FileNotFoundError):
                    os.unlink(name)


def _readable(text: bytes) -> bytes:
    """Replace lone surrogates."""
    from journal.codec import dumps, loads

    return b"\n".join(
        dumps(loads(line)) if _SURROGATE in line else line for line in text.split(b"\n")
    )
