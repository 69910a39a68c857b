"""Leave out hook calls that were recorded twice, before their records become rows.

Invariant: a record is left out exactly where the fold passes over it: same type, same key, at most
`REPEAT_SPAN` seqs after the one that counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.fold import REPEAT_SPAN

if TYPE_CHECKING:
    Batch = list[tuple[int, bytes]]

__all__ = ["Repeats"]


class Repeats:
    """The keys of the last records. count: records left out so far.

    Nearly no batch has a repeat, so the keys of a batch are compared all together first; only where
    one of them comes twice are its records compared one by one.
    """

    def __init__(self, recent: dict[str, int] | None = None, count: int = 0) -> None:
        self.count = count
        self._exact = {name.encode(): seq for name, seq in (recent or {}).items()}
        self._names = {name.partition(b" ")[2] for name in self._exact}
        self._last: list[tuple[Batch, set[bytes]]] = []  # not in _exact yet

    def drop(self, batch: Batch) -> Batch:
        """Return the records of a batch that are no repeats."""
        parts = b"".join([line for _seq, line in batch]).split(b'"key":"')
        names = {part[: part.find(b'"')] for part in parts[1:]}
        fresh = self._names.isdisjoint(names)
        fresh = fresh and all(names.isdisjoint(others) for _batch, others in self._last)
        if fresh and len(names) == len(parts) - 1:
            first = batch[0][0]
            self._last = [item for item in self._last if first - item[0][-1][0] <= REPEAT_SPAN]
            self._last.append((batch, names))
            return batch
        self._settle(batch[0][0])
        rest = [item for item in batch if not self._is_repeat(*item)]
        self.count += len(batch) - len(rest)
        self._names = {name.partition(b" ")[2] for name in self._exact}
        return rest

    def recent(self, seq: int) -> dict[str, int]:
        """Return the keys that can still tell a repeat after record `seq`: "TYPE KEY" → seq."""
        self._settle(seq)
        self._names = {name.partition(b" ")[2] for name in self._exact}
        return {name.decode("utf-8", "replace"): at for name, at in self._exact.items()}

    def _settle(self, seq: int) -> None:
        """Take the batches that were not compared one by one into the exact keys."""
        for batch, _names in self._last:
            for item in batch:
                self._is_repeat(*item)
        self._last = []
        self._exact = {name: at for name, at in self._exact.items() if seq - at <= REPEAT_SPAN}

    def _is_repeat(self, seq: int, line: bytes) -> bool:
        at = line.find(b'"key":"', 40) + 7
        if at < 7:
            return False
        key = line[at : line.find(b'"', at)]
        at = line.find(b'"type":"', 7, 128) + 8
        name = line[at : line.find(b'"', at)] + b" " + key
        earlier = self._exact.get(name)
        if not key or (earlier is not None and seq - earlier <= REPEAT_SPAN):
            return bool(key)
        self._exact[name] = seq
        return False
