"""The case of one event: the views as its hook had them, and the records that led to them.

Invariant: the views are folded up to the event and to what its call appended before it answered,
as `journal replay --answers` has them, and no further.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.errors import UsageError
from journal.events.registry import Unknown, decode, kind_of
from journal.history.replay.facts import sid_of
from journal.history.replay.run import replay_but_last
from journal.history.replay.stored import StoredFolds
from journal.log.read import Reader
from journal.log.record import unframe
from projections.messages import HOOK_OF, answer
from projections.views import HOOK_PROJECTIONS, Views

if TYPE_CHECKING:
    from collections.abc import Mapping

    from journal.history.replay.stored import Stored
    from projections.fold import Fold
    from projections.messages import Answer

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

_NAMES = [item.name for item in HOOK_PROJECTIONS]

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
    run, held, after = replay_but_last(directory, _NAMES, seq, _BEHIND + 1)
    if not held or held[-1][0] != seq:
        remedy = "journal events shows which there are"
        raise UsageError(f"there is no event {seq} in this journal", remedy)
    case.fields = unframe(held[-1][1])
    fact = _answered(held)
    case.fact = unframe(held[fact][1])
    rest = held[fact + 1 :] + after
    for batch in run.batches() if len(rest) < _AHEAD else ():
        rest += batch
        if len(rest) >= _AHEAD:
            break
    case.reader = run.reader
    run.fold.feed(held[:fact])
    _folded(case, run.fold, held[fact], rest[:_AHEAD])
    case.before = _before(directory, held[fact])
    if case.event is not None and not case.repeat and case.kind in HOOK_OF:
        case.said = answer(case.views, case.event, settings)
    return case


def _answered(held: list[Record]) -> int:
    """Give where the event is that the last record answers; itself, unless a hook spoke by it."""
    line = held[-1][1]
    last = len(held) - 1
    if kind_of(line) not in _SPOKEN:
        return last
    hook, sid = unframe(line).get("hook"), sid_of(line)
    for at in range(last - 1, -1, -1):
        other = held[at][1]
        kind = kind_of(other)
        if sid_of(other) == sid and kind in HOOK_OF and hook in (None, "", HOOK_OF[kind]):
            return at
    return last


def _folded(case: Case, fold: Fold, fact: Record, rest: list[Record]) -> None:
    """Fold the fact onto what came before it, and gather what was said right after."""
    line = fact[1]
    kind, sid = kind_of(line), sid_of(line)
    event: Any = decode(line, kind)
    case.repeat = not isinstance(event, Unknown) and _known(fold, kind, event)
    fold.feed([fact])
    if kind == "compact.started":
        while rest and kind_of(rest[0][1]) in _WITH_IT and sid_of(rest[0][1]) == sid:
            fold.feed([rest.pop(0)])
    case.event = None if isinstance(event, Unknown) else event
    case.views = Views(**fold.states)
    if case.kind in HOOK_OF:
        case.recorded = _said_after(rest, sid)


def _before(directory: str, fact: Record) -> dict[str, dict[str, Any]]:
    """Give the session's last record of each deciding type before the fact; see Case.

    What came before the session's first record is read only for a compound, which is of all.
    """
    seq, line = fact
    sid = sid_of(line)
    last: dict[bytes, bytes] = {}
    start = _begin(directory, sid, seq)
    if start is not None and (compound := start.facts().compound):
        last[b"compound.ran"] = compound.encode("utf-8", "surrogateescape")
    for batch in Reader(directory, 0, start.position if start else None).batches():
        for number, other in batch:
            if number >= seq:
                break
            at = other.find(b'"type":"', 7, 128) + 8
            kind = other[at : other.find(b'"', at)]
            if kind in _DECIDING and (kind == b"compound.ran" or sid_of(other) == sid):
                last[_named(kind, other)] = other
        if batch[-1][0] >= seq:
            break
    return {name.decode("utf-8", "replace"): unframe(other) for name, other in last.items()}


def _begin(directory: str, sid: str, seq: int) -> Stored | None:
    """Return the last checkpoint before the session's first record; None for the beginning."""
    folds = StoredFolds(directory)
    stored = folds.last(seq - 1) if sid else None
    if stored is None or sid not in (sessions := stored.facts().sessions):
        return stored
    return folds.last(sessions[sid][0] - 1)


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
        if (
            kind_of(line)
            not in (
                *_SPOKEN,
                "checkpoint.saved",
                "stage.stopped",
                "stage.started",
                "stage.finished",
            )
            or sid_of(line) != sid
        ):
            break
        found.append(unframe(line))
    return found
