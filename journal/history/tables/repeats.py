"""Remove repeated records before they become rows.

Invariant: a record is removed exactly if the fold ignores it: same type and key, at most
`REPEAT_SPAN` seqs after the first one; both use `RecentKeys`. The one exception is the usage of an
import, which records a reply again when it has grown; the last record counts.
"""

from projections.fold import REPEAT_SPAN, RecentKeys

Batch = list[tuple[int, bytes]]

_KEY = b'"key":"'
_SHORT = 16  # bytes of a key that are compared first


class Repeats:
    """The keys of the last records. count: records removed so far.

    exempt: a member whose records are never removed, b"" for none.

    Few batches have a repeat. So the beginnings of their keys are first compared as sets, and the
    records one by one only if a beginning occurs twice.
    """

    def __init__(
        self, recent: dict[str, int] | None = None, count: int = 0, exempt: bytes = b""
    ) -> None:
        self.count = count
        self._exempt = exempt
        self._recent = RecentKeys()  # b"TYPE KEY" → seq
        self._recent.keys = {name.encode(): seq for name, seq in (recent or {}).items()}
        self._last: list[tuple[Batch, set[bytes]]] = []  # whose keys are not in _recent yet

    def drop(self, batch: Batch) -> list[bytes]:
        """Return the lines of a batch that are not repeats."""
        lines = [line for _seq, line in batch]
        keyed = [line for line in lines if not self._is_exempt(line)] if self._exempt else lines
        listed = [
            line[at + len(_KEY) : at + len(_KEY) + _SHORT]
            for line in keyed
            if (at := line.find(_KEY, 40)) > 0
        ]
        names = set(listed)
        fresh = b'"' not in b"".join(names)  # else some key is shorter than that
        recent = (name.partition(b" ")[2][:_SHORT] for name in self._recent.keys)
        fresh = fresh and names.isdisjoint(recent)
        fresh = fresh and all(names.isdisjoint(others) for _batch, others in self._last)
        if fresh and len(names) == len(listed):
            first = batch[0][0]
            self._last = [item for item in self._last if first - item[0][-1][0] <= REPEAT_SPAN]
            self._last.append((batch, names))
            return lines
        self._settle(batch[0][0])
        rest = [line for seq, line in batch if not self._is_repeat(seq, line)]
        self.count += len(batch) - len(rest)
        return rest

    def recent(self, seq: int) -> dict[str, int]:
        """Return the keys that identify repeats after record `seq`: "TYPE KEY" → seq."""
        self._settle(seq)
        return {name.decode("utf-8", "replace"): at for name, at in self._recent.keys.items()}

    def _settle(self, seq: int) -> None:
        """Add the keys of the batches that were not compared one by one."""
        for batch, _names in self._last:
            for item in batch:
                self._is_repeat(*item)
        self._last = []
        self._recent.keys = self._recent.recent(seq)

    def _is_exempt(self, line: bytes) -> bool:
        return bool(self._exempt) and self._exempt in line[:128]

    def _is_repeat(self, seq: int, line: bytes) -> bool:
        if self._is_exempt(line):
            return False
        at = line.find(_KEY, 40) + len(_KEY)
        key = line[at : line.find(b'"', at)] if at >= len(_KEY) else b""
        if not key:
            return False
        at = line.find(b'"type":"', 7, 128) + 8
        kind = line[at : line.find(b'"', at)]
        return self._recent.repeats(b"%b %b" % (kind, key), seq)
