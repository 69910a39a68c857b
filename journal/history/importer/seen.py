"""What is known already: the keys in the imported logs, and how far each transcript was read.

Invariant: the logs decide. The state file only saves work: without it, or where a log is not as
the state remembers it, transcripts are read again and their facts recognised by key.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from journal.codec import digest
from journal.files import write_atomic
from journal.history.importer import IMPORTED
from journal.log.read import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["STATE", "FileState", "Known", "State", "key_of", "load_state", "logs_of", "save_state"]

STATE = "import.state"
_VERSION = 1
_MARK = 4096  # bytes


class FileState(msgspec.Struct):
    """A transcript as it was, read up to `offset`.

    mark: digest of its beginning and of the bytes before the offset. since: the bound it was read
    under ("" none). titles: source → last title seen.
    """

    size: int = 0
    mtime: int = 0
    inode: int = 0
    offset: int = 0
    mark: str = ""
    since: str = ""
    titles: dict[str, str] = {}


class State(msgspec.Struct):
    """files: path → FileState. logs: project → [inode, size] of the active imported segment."""

    version: int = _VERSION
    files: dict[str, FileState] = {}
    logs: dict[str, list[int]] = {}


class Known:
    """Keys of the facts that are in some imported log; for usage also its output tokens.

    A reply's later lines may tell more output than the first one did: then the figures are
    recorded once more under the same key, and the later record counts.
    """

    def __init__(self) -> None:
        self.keys: set[int] = set()
        self.usage: dict[int, int] = {}

    def load(self, home: str) -> None:
        """Read the keys of all imported logs."""
        for _, directory in logs_of(home):
            for batch in Reader(directory).batches():
                for _, line in batch:
                    self._note(line)

    def add(self, key: str) -> bool:
        """Note a key; False where it was there already."""
        number = int(key, 16)
        if number in self.keys:
            return False
        self.keys.add(number)
        return True

    def grown(self, key: str, output: int) -> bool:
        """Note a reply's output tokens; False where as many or more were known."""
        number = int(key, 16)
        if self.usage.get(number, -1) >= output:
            return False
        self.usage[number] = output
        return True

    def _note(self, line: bytes) -> None:
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
            self.usage[number] = max(tokens, self.usage.get(number, 0))
        else:
            self.keys.add(number)


def key_of(*parts: str) -> str:
    """Key of a fact: 16 hex digits of what identifies it wherever it is copied to."""
    return digest("\0".join(parts))


def logs_of(home: str) -> Iterator[tuple[str, str]]:
    """Project name and directory of every imported log."""
    try:
        names = sorted(os.listdir(home))
    except OSError:
        return
    for name in names:
        directory = os.path.join(home, name, IMPORTED)
        if os.path.isdir(directory):
            yield name, directory


def marks(home: str) -> dict[str, list[int]]:
    """Give the logs as the state remembers them."""
    found = {}
    for name, directory in logs_of(home):
        try:
            facts = os.stat(os.path.join(directory, "active.jsonl"))
        except OSError:
            continue
        found[name] = [facts.st_ino, facts.st_size]
    return found


def load_state(home: str) -> State:
    """Read the state; an empty one where there is none that fits the logs."""
    try:
        with open(os.path.join(home, STATE), "rb") as file:
            state = msgspec.json.decode(file.read(), type=State)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return State()
    if state.version != _VERSION or state.logs != marks(home):
        return State()
    return state


def save_state(home: str, state: State) -> None:
    """Replace the state file; where that fails the next import reads everything again."""
    state.logs = marks(home)
    with suppress(OSError):
        write_atomic(os.path.join(home, STATE), msgspec.json.encode(state))


def mark_of(descriptor: int, offset: int) -> str:
    """Digest of a file's beginning and of the bytes before `offset`: is it still that file."""
    start = max(0, offset - _MARK)
    head = os.pread(descriptor, min(offset, _MARK), 0)
    return digest(head + os.pread(descriptor, offset - start, start))
