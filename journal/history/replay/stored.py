"""The checkpoints of one log: `<home>/cache/PROJECT/{live,imported}/folds/SEQ.fold`, 0600.

Each holds the states of the projections that commands have asked for so far, the facts of the log
and the reader's findings. Invariant: their number grows with the logarithm of the log's length, and
their size stays below a tenth of its size.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec

from journal.checkpoint import Checkpoint, Position, load, read_all
from journal.history.replay.facts import LogFacts
from journal.home import cache_of
from journal.log.findings import Findings
from journal.log.read import Reader
from journal.log.rewrite_watch import RewriteWatch
from projections.fold import Fold
from projections.registry import REGISTRY

STORED = tuple(name for name in REGISTRY if name != "digests")
"""The projections whose states may be stored. Digests are read one by one from their own index."""
_FORM = 6  # raise it when the fold, the reader or the decoding of events changes
_ENDING = ".fold"
_NEAR = 16_384  # besides the last checkpoint, at most one more within this many last records
_FACTOR = 4  # each further one is this many times as far from the end
_SHARE = 10  # bytes of log for each byte of checkpoints
_FREE = 1024 * 1024  # bytes of checkpoints allowed for a log of any size


class _Payload(msgspec.Struct):
    """The payload of a fold's checkpoint. keys, unknown: see Fold."""

    states: dict[str, msgspec.Raw]
    facts: msgspec.Raw
    found: Findings
    keys: dict[str, int]
    unknown: dict[str, int]


class StoredFold:
    """A fold at a position. found: the reader's findings. States are decoded on request."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.position: Position = checkpoint.position
        self._payload = msgspec.json.decode(checkpoint.payload, type=_Payload)
        self.names = frozenset(self._payload.states)
        self.keys = self._payload.keys
        self.unknown = self._payload.unknown
        self.found = self._payload.found

    def states(self, names: list[str]) -> dict[str, Any]:
        """Decode the states of some projections."""
        return {
            name: msgspec.json.decode(self._payload.states[name], type=REGISTRY[name].state)
            for name in names
        }

    def facts(self) -> LogFacts:
        """Decode the facts of the log."""
        return msgspec.json.decode(self._payload.facts, type=LogFacts)


class StoredFolds:
    """The stored folds of one log."""

    def __init__(self, directory: str) -> None:
        self.log = directory
        self.directory = os.path.join(cache_of(directory), "folds")
        self._watch = RewriteWatch(directory)

    def seqs(self) -> list[int]:
        """Return the seqs of the stored folds, the last one first."""
        try:
            names = os.listdir(self.directory)
        except OSError:
            return []
        found = [name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)]
        return sorted(
            (int(name) for name in found if name.isascii() and name.isdigit()), reverse=True
        )

    def last(
        self, names: Iterable[str] = (), upto: int | str | None = None, most: int | None = None
    ) -> StoredFold | None:
        """Read the last valid checkpoint that has the states of some projections, or return None.

        upto: highest seq, or a time that all its records must be earlier than. most: highest seq,
        in addition to `upto`.
        """
        needed = set(names)
        for seq in self.seqs():
            if (isinstance(upto, int) and seq > upto) or (most is not None and seq > most):
                continue
            stored = self._read(seq)
            if stored is None:
                with suppress(OSError):
                    os.unlink(self._path(seq))
            elif needed <= stored.names and (
                not isinstance(upto, str) or "" < stored.facts().latest < upto
            ):
                return stored
        return None

    def save(self, reader: Reader, fold: Fold, facts: LogFacts, size: int) -> None:
        """Store a fold at its reader's position; size: bytes of the log."""
        position = reader.position()
        if position is None or position.checksum < 0:
            return
        payload = _Payload(
            states={name: _raw(fold.states[name]) for name in STORED if name in fold.states},
            facts=_raw(facts),
            found=reader.found.lasting(),
            keys=fold.recent_keys(),
            unknown=fold.unknown,
        )
        stored = msgspec.json.encode(payload)
        checkpoint = Checkpoint(position, code_of_folds(), stored, list(payload.states))
        self._watch.save(self._path(position.seq), checkpoint)
        self._thin(size)

    def _thin(self, size: int) -> None:
        """Delete all but the last checkpoint and one at each of the growing distances from it.

        Those with other projections are counted apart: they may be on their way to the end.
        """
        seqs = self.seqs()
        total, distances = 0, set()
        for seq in seqs:
            header = self.header(seq)
            distance = _distance(seqs[0] - seq), *(header.hints if header else ())
            with suppress(OSError):  # another process has deleted it
                whole = total + os.path.getsize(self._path(seq))
                if seq != seqs[0] and (distance in distances or whole > _FREE + size // _SHARE):
                    os.unlink(self._path(seq))
                else:
                    total = whole
            distances.add(distance)

    def header(self, seq: int) -> Checkpoint | None:
        """Read a stored fold without its payload; its hints are the names of its projections."""
        return next(iter(read_all(self._path(seq), slots=1, with_payload=False)), None)

    def _read(self, seq: int) -> StoredFold | None:
        checkpoint = load(self._path(seq), self.log, code_of_folds())
        try:
            return StoredFold(checkpoint) if checkpoint else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None

    def _path(self, seq: int) -> str:
        return os.path.join(self.directory, f"{seq}{_ENDING}")


def _distance(records: int) -> int:
    """Return the class of a distance from the end: 0 is the end itself, later classes are wider."""
    number = 0
    while records > 0:
        number += 1
        records = 0 if records <= _NEAR else records // _FACTOR
    return number


def code_of_folds() -> str:
    """Return the names and versions of what makes stored folds."""
    return " ".join([str(_FORM), *(f"{name}:{REGISTRY[name].version}" for name in STORED)])


def _raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))
