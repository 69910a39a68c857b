"""The case of one event: the views as its hook had them, and the records that led to them.

Invariant: the views are folded up to the event and to what its call appended before it answered,
as `journal replay --answers` has them, and no further.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from cli.error import UsageError
from cli.read import sid_of
from hooks.answer import HOOK_OF, answer
from journal.event import Unknown, decode, kind_of
from journal.log.read import Reader
from journal.log.record import unframe
from projections.fold import Fold
from projections.views import HOOK_PROJECTIONS, Views

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hooks.answer import Answer

__all__ = ["Case", "case_of"]

_SPOKEN = ("advice.given", "context.injected")
_WITH_IT = ("checkpoint.saved", "flow.trimmed")
_BEHIND = 64  # records before an advice in which the event it answers is looked for
_AHEAD = 16
# Types of which the session's last one is worth naming.
_DECIDING = frozenset((
    b"session.started", b"pressure.sampled", b"compact.started", b"compact.finished",
    b"compound.ran", b"advice.given", b"context.injected", b"stage.started", b"stage.finished",
    b"stage.stopped", b"stage.resumed", b"stage.abandoned", b"turn.ended", b"flow.noted",
    b"model.switched", b"progress.saved", b"unit.started", b"decision.recorded",
))  # fmt: skip

Record = tuple[int, bytes]


class Case:
    """asked: the seq asked about; fields: the record there; fact: the event that was answered.

    event: it, typed, None where this build cannot name it; views; said: the answer now; recorded:
    what the log says was said; before: what the session's last records of each deciding type were,
    as type (or advice.given pressure …) → fields; repeat: the same hook call came before.
    """

    def __init__(self, asked: int) -> None:
        self.asked = asked
        self.fields: dict[str, Any] = {}
        self.fact: dict[str, Any] = {}
        self.event: Any = None
        self.views = Views()
        self.said: Answer | None = None
        self.recorded: list[dict[str, Any]] = []
        self.before: dict[str, dict[str, Any]] = {}
        self.repeat = False
        self.reader: Reader | None = None

    @property
    def kind(self) -> str:
        """Type of the event that was answered."""
        return str(self.fact.get("type", ""))


def case_of(directory: str, seq: int, settings: Mapping[str, Any]) -> Case:
    """Make the case of a record. UsageError where there is none of that seq."""
    case = Case(seq)
    fact, fields = _found(directory, seq)
    case.fields = unframe(fields)
    case.fact = unframe(fact[1])
    _folded(case, directory, fact)
    if case.event is not None and not case.repeat and case.kind in HOOK_OF:
        case.said = answer(case.views, case.event, settings)
    return case


def _found(directory: str, seq: int) -> tuple[Record, bytes]:
    """Find the record, and for something that was said the event it was said at."""
    behind: deque[Record] = deque(maxlen=_BEHIND)
    for batch in Reader(directory).batches():
        if batch[-1][0] < seq:
            behind.extend(batch[-_BEHIND:])
            continue
        for number, line in batch:
            if number < seq:
                behind.append((number, line))
            elif number == seq:
                return _answered((number, line), behind), line
            else:
                break
        break
    remedy = "journal events shows which there are"
    raise UsageError(f"there is no event {seq} in this journal", remedy)


def _answered(record: Record, behind: deque[Record]) -> Record:
    """Give the event a record answers: itself, unless it says what a hook said."""
    if kind_of(record[1]) not in _SPOKEN:
        return record
    hook, sid = unframe(record[1]).get("hook"), sid_of(record[1])
    for other in reversed(behind):
        kind = kind_of(other[1])
        if sid_of(other[1]) == sid and kind in HOOK_OF and hook in (None, "", HOOK_OF[kind]):
            return other
    return record


def _folded(case: Case, directory: str, fact: Record) -> None:
    """Fold up to the fact, and gather what came before it and what was said right after."""
    seq, line = fact
    sid = sid_of(line)
    fold = Fold(HOOK_PROJECTIONS)
    case.reader = Reader(directory)
    rest: list[Record] = []
    last: dict[bytes, bytes] = {}
    needle = b'"sid":"%b"' % sid.encode()
    for batch in case.reader.batches():
        past = batch[-1][0] >= seq
        records = [item for item in batch if item[0] < seq] if past else batch
        fold.feed(records)
        for _, other in records:
            if needle not in other and b'"compound.ran"' not in other:
                continue
            start = other.find(b'"type":"', 20, 128) + 8
            kind = other[start : other.find(b'"', start)]
            if kind in _DECIDING:
                last[_named(kind, other)] = other
        if past:
            rest += [item for item in batch if item[0] > seq]
        if len(rest) >= _AHEAD:
            break
    case.before = {name.decode("utf-8", "replace"): unframe(other) for name, other in last.items()}
    event: Any = decode(line, kind_of(line))
    case.repeat = not isinstance(event, Unknown) and _known(fold, kind_of(line), event)
    fold.feed([fact])
    rest = rest[:_AHEAD]
    if kind_of(line) == "compact.started":
        while rest and kind_of(rest[0][1]) in _WITH_IT and sid_of(rest[0][1]) == sid:
            fold.feed([rest.pop(0)])
    case.event = None if isinstance(event, Unknown) else event
    case.views = Views(**fold.states)
    if case.kind in HOOK_OF:
        case.recorded = _said_after(rest, sid)


def _known(fold: Fold, kind: str, event: Any) -> bool:
    from projections.fold import REPEAT_SPAN

    before = fold.recent_keys().get(f"{kind} {event.key}") if event.key else None
    return before is not None and event.seq - before <= REPEAT_SPAN


def _named(kind: bytes, line: bytes) -> bytes:
    """Advice and injections are told apart by what they are about."""
    if kind not in (b"advice.given", b"context.injected"):
        return kind
    at = line.find(b'"what":"') + 8
    return kind + b" " + line[at : line.find(b'"', at)] if at >= 8 else kind


def _said_after(rest: list[Record], sid: str) -> list[dict[str, Any]]:
    found = []
    for _, line in rest:
        if kind_of(line) not in (*_SPOKEN, "checkpoint.saved", "stage.stopped", "stage.started",
                                 "stage.finished") or sid_of(line) != sid:  # fmt: skip
            break
        found.append(unframe(line))
    return found
