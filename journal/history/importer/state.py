"""The state of earlier imports: the keys in the imported logs, how far each transcript was read.

Invariant: the logs decide. The state file only saves work: without it, or if a log lost records,
transcripts are read again and their facts recognized by key.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import msgspec

from journal.checkpoint import Position, position_holds
from journal.codec import digest
from journal.files import read_regular
from journal.history.importer.find import Transcript, session_of
from journal.history.logs import log_directories
from journal.home import IMPORTED
from journal.log.reached import note_reached
from journal.log.read import Reader
from journal.redaction.batch import redact_texts
from journal.replace_file import write_atomic

STATE = "import.state"
_VERSION = 3
_MOST = 1024 * 1024 * 1024  # bytes of the state: some 200 for each transcript
_FINGERPRINT = 4096  # bytes


class FileState(msgspec.Struct, rename={"fingerprint": "mark"}):
    """A transcript as it was, read up to `offset`.

    mtime: ns. fingerprint: see the function. since: the bound it was read under ("" none).
    titles: source → last title read. project: where the session's events go. stored: up to where
    its conversation is stored; limit: the size limit (bytes) that ended this, -1 for none. part:
    the `end` of the last part stored of it, 0 for none.
    """

    size: int = 0
    mtime: int = 0
    inode: int = 0
    offset: int = 0
    fingerprint: str = ""
    since: str = ""
    titles: dict[str, str] = {}
    project: str = ""
    stored: int = 0
    limit: int = -1
    part: int = 0

    def is_of(self, item: Transcript) -> bool:
        """Return whether the transcript has not changed since."""
        return (self.size, self.mtime, self.inode) == (item.size, item.mtime, item.inode)

    def reaches(self, since: str) -> bool:
        """Return whether it was read back to `since`."""
        return not self.since or self.since <= since


class ReadFile(Protocol):
    """How far a file was read, with its identity and `fingerprint` up to there."""

    inode: int
    offset: int
    fingerprint: str


class ImportState(msgspec.Struct):
    """files: path → FileState. logs: project → end of its imported log, as `Position.plain`.

    whole: time of the last import of all projects that read everything, "" for none.
    """

    version: int = _VERSION
    whole: str = ""
    files: dict[str, FileState] = {}
    logs: dict[str, dict[str, Any]] = {}

    def is_read(self, item: Transcript) -> bool:
        """Return whether an import has read a transcript that has not changed since."""
        return item.path in self.files and self.files[item.path].is_of(item)


class RecordedKeys:
    """Keys of the facts that are in some imported log; for usage also its output tokens.

    A reply's last lines may count more output than its first one did: then the figures are
    recorded again under the same key, and the last record counts.

    positions: project → end of its log when it was read.
    """

    def __init__(self) -> None:
        self.positions: dict[str, Position | None] = {}
        self._keys: set[int] = set()
        self._usage: dict[int, int] = {}

    def load(self, home: str, only: str = "") -> None:
        """Read the keys of all imported logs, or only of that of the project `only`."""
        for project, directory in imported_logs(home):
            if only not in ("", project):
                continue
            reader = Reader(directory, whole=True)
            for batch in reader.batches():
                for _, line in batch:
                    self._add_record(line)
            self.positions[project] = reader.position()

    def add(self, key: str, output: int = -1) -> bool:
        """Add a key; return False if it was there.

        output: tokens of a reply's usage; then return False if as many or more were there.
        """
        number = int(key, 16)
        if output >= 0:
            if self._usage.get(number, -1) >= output:
                return False
            self._usage[number] = output
        elif number in self._keys:
            return False
        else:
            self._keys.add(number)
        return True

    def _add_record(self, line: bytes) -> None:
        at = line.find(b'"key":"') + 7
        if at < 7:
            return
        try:
            number = int(line[at : line.find(b'"', at)], 16)
        except ValueError:
            return
        if b'"type":"usage.recorded"' in line[:128]:
            at = line.find(b'"output_tokens":') + 16
            digits = line[at : at + 12].partition(b",")[0].rstrip(b"}")
            tokens = int(digits) if digits.isdigit() else 0
            self._usage[number] = max(tokens, self._usage.get(number, 0))
        else:
            self._keys.add(number)


def key_of(*parts: str) -> str:
    """Return a fact's key: 16 hex digits of what identifies it wherever it is copied to."""
    return digest("\0".join(parts))


def fingerprint(descriptor: int, offset: int) -> str:
    """Return the digest of a file's beginning and of the bytes before `offset`."""
    start = max(0, offset - _FINGERPRINT)
    head = os.pread(descriptor, min(offset, _FINGERPRINT), 0)
    return digest(head + os.pread(descriptor, offset - start, start))


def has_grown(read: ReadFile, descriptor: int) -> bool:
    """Return whether an open file is still the one that was read, perhaps with more at its end."""
    facts = os.fstat(descriptor)
    return (
        read.inode == facts.st_ino
        and read.offset <= facts.st_size
        and read.fingerprint == fingerprint(descriptor, read.offset)
    )


def imported_logs(home: str) -> Iterator[tuple[str, str]]:
    """Yield project name and directory of every imported log."""
    for name, side, directory in log_directories(home):
        if side == IMPORTED:
            yield name, directory


def load_state(home: str) -> ImportState:
    """Read the state; return an empty one if none fits the logs."""
    state = _stored(home)
    if state is None:
        return ImportState()
    is_current = state.version == _VERSION and state.logs.keys() == dict(imported_logs(home)).keys()
    is_current = is_current and all(_holds(home, *item) for item in state.logs.items())
    return state if is_current else ImportState()


@contextmanager
def carry_over(home: str) -> Iterator[None]:
    """Make the state fit the logs again after a block that changes records and loses none.

    Without it the next import would read every transcript again, and store removed texts again.
    """
    was_current = bool(load_state(home).files)
    try:
        yield
    finally:
        state = _stored(home) if was_current else None
        if state is not None:
            held = {name: plain for name, plain in state.logs.items() if _holds(home, name, plain)}
            if len(held) < len(state.logs):
                state.logs = held
                save_state(home, state, RecordedKeys())


def source_key(path: str, inode: int) -> str:
    """Return the name of a transcript in the file of a stored conversation."""
    return digest(f"{path}\0{inode}")


def stored_parts(home: str, project: str, sid: str) -> dict[str, int]:
    """Return transcript → end of the last part that an import stored of a session.

    If the state is of a version that did not record it, the result is empty and the stored parts
    are trusted; also if the path has a secret, because the state has the redacted path.
    """
    return {
        source_key(path, file.inode): file.part
        for path, file in load_state(home).files.items()
        if file.part
        and file.project == project
        and session_of(path) == (sid, "")
        and "[redacted:" not in path
    }


def note_removed(home: str, project: str, names: set[str]) -> None:
    """Note that files of stored conversations, by name, are about to be removed on purpose."""
    state = load_state(home)
    for path, file in state.files.items():
        if file.project == project and digest(session_of(path)[0]) in names:
            file.part = 0
    if state.files:
        write_atomic(os.path.join(home, STATE), msgspec.json.encode(state))


def save_state(home: str, state: ImportState, recorded: RecordedKeys) -> None:
    """Replace the state file; if that fails, the next import reads everything again."""
    previous, state.logs = state.logs, {}
    for project, directory in imported_logs(home):
        start = recorded.positions.get(project) or Position.parse(previous.get(project))
        reader = Reader(directory, position=start, whole=True)
        for _ in reader.batches():
            pass  # read the records that this run appended
        if position := reader.position():
            state.logs[project] = position.plain()
            note_reached(directory, position)
    with suppress(OSError):
        clean = msgspec.structs.replace(state, files=_redacted(state.files))
        write_atomic(os.path.join(home, STATE), msgspec.json.encode(clean))


def _redacted(files: dict[str, FileState]) -> dict[str, FileState]:
    """Redact paths and titles; a transcript whose path has a secret is read again each time."""
    texts = {text for path, file in files.items() for text in (path, *file.titles.values())}
    secret = redact_texts(list(texts))
    if not secret:
        return files
    return {
        secret.get(path, path): msgspec.structs.replace(
            file, titles={name: secret.get(text, text) for name, text in file.titles.items()}
        )
        for path, file in files.items()
    }


def _stored(home: str) -> ImportState | None:
    """Return the stored state; None if it is missing or cannot be read."""
    try:
        stored = read_regular(os.path.join(home, STATE), _MOST)
        return msgspec.json.decode(stored, type=ImportState)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _holds(home: str, project: str, plain: dict[str, Any]) -> bool:
    position = Position.parse(plain)
    directory = os.path.join(home, project, IMPORTED)
    return position is not None and position_holds(directory, position, whole=True)
