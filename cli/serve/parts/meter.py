"""How much of a session's remaining context a text would take.

Invariant: unknown is not zero: where the session's pressure is not known, nothing is made up, and
the reason is given. The estimate of a text depends on the text alone.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from cli.read import Folded, sid_of, ts_of
from cli.serve.shapes import Meter
from cli.view.pressure import gauge_of
from cli.view.request import Case
from journal.log.read import Reader

if TYPE_CHECKING:
    from cli.serve.place import JournalScope

__all__ = ["Gauges", "estimate", "measured"]

_LATIN = 0x250  # below: letters of which about four make a token; others make about one each
_NEEDS = ("pressure", "lineage")


def estimate(text: str) -> int:
    """Tokens of a text, estimated: a token for four letters of Latin script, one for any other."""
    latin = sum(ord(sign) < _LATIN for sign in text)
    return -(-latin // 4) + len(text) - latin


def measured(sid: str, text: str, gauge: dict[str, Any] | None) -> Meter:
    """Weigh a text against a session's gauge (as the pressure view gives it; None: no session)."""
    tokens = estimate(text)
    context, point, unknown = None, None, "no session is chosen"
    if gauge is not None:
        context = gauge["tokens"] if gauge["known"] else None
        point = (gauge.get("point") if gauge.get("auto_compact", True) else None) or gauge.get(
            "window"
        )
        unknown = str(gauge["unknown"] or "")
        if not unknown and point is None:
            unknown = "where the session is compacted is not known"
    known = context is not None and point is not None
    remaining = max(0, point - context) if known else None  # type: ignore[operator]
    return Meter(
        session=sid,
        tokens=tokens,
        characters=len(text),
        context=context,
        point=point,
        remaining=remaining,
        share=round(tokens / remaining, 4) if remaining else None,
        fits=None if remaining is None else tokens <= remaining,
        unknown="" if known else unknown,
    )


class Gauges:
    """The pressure of sessions by project: each journal is folded once, then what came since."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[Folded, tuple[int, int]]] = {}

    def of(self, scope: JournalScope, sid: str) -> dict[str, Any]:
        """Gauge of a session, as `journal view pressure` gives it."""
        with self._lock:
            folded = self._folded(scope.directory)
            case = Case(scope, folded, sid)
            gauge = case.state("pressure").sessions.get(sid)
            if gauge is None and sid in folded.sessions:
                past = case.at_last(_NEEDS)
                gauge = past.state("pressure").sessions.get(sid)
            return gauge_of(case, gauge, folded.last(sid))

    def _folded(self, directory: str) -> Folded:
        state = _state(directory)
        folded, before = self._kept.get(directory, (None, None))
        if folded is None or (before is not None and state[0] != before[0] and not folded.seq):
            folded = Folded(_NEEDS, directory)
        if state != before:
            _catch_up(folded)
            self._kept[directory] = (folded, state)
        return folded


def _catch_up(folded: Folded) -> None:
    for batch in Reader(folded.reader.directory, folded.seq).batches():
        folded.fold.feed(batch)
        folded.seq, line = batch[-1]
        folded.ts = ts_of(line)
        for seq, line in batch:
            if sid := sid_of(line):
                folded.sessions[sid] = seq
                folded.lines[sid] = line


def _state(directory: str) -> tuple[int, int]:
    try:
        facts = os.stat(os.path.join(directory, "active.jsonl"))
    except OSError:
        return 0, 0
    return facts.st_ino, facts.st_size
