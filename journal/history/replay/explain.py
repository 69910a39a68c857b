"""Explain why a hook answered an event or stayed silent: its replay step and the events before."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from journal.history.logs import LIVE
from journal.history.merged import Cite, no_event
from journal.history.replay.facts import sid_of
from journal.history.replay.run import line_at, replay_but_last
from journal.history.replay.steps import AHEAD, ANSWERS, Step, needs, steps
from journal.history.replay.stored import StoredFold, StoredFolds
from journal.home import IMPORTED
from journal.log.read import Reader
from journal.log.record import type_of, unframe
from projections.messages import HOOK_OF

Record = tuple[int, bytes]

_BEHIND = 64  # records before an answer to search for the event that it answers
# Event types that influence answers: the explanation shows the session's last one of each.
_DECIDING = frozenset(
    "session.started pressure.sampled compact.started compact.finished compound.ran advice.given "
    "context.injected stage.started stage.finished stage.stopped stage.resumed stage.abandoned "
    "turn.ended flow.noted model.switched progress.saved unit.started decision.recorded".split()
)


class Explained(NamedTuple):
    """The explanation of one event.

    asked: the requested record. step: the step of the event that its hook answered; this is another
    event if the requested record is itself part of an answer. before: the session's last record of
    each deciding type, by type ("advice.given pressure" for a message).
    """

    asked: dict[str, Any]
    step: Step
    before: dict[str, dict[str, Any]]

    @property
    def hook(self) -> str:
        """Return the hook that recorded the event, or "" if no hook answers its type."""
        return HOOK_OF.get(self.step.kind, "")

    @property
    def differs(self) -> bool:
        """Return whether there is a message now and none was recorded, or the other way round."""
        events = self.step.answer.events if self.step.answer is not None else []
        then = any(event["type"] in ANSWERS for event in self.step.recorded)
        return then != any(event["type"] in ANSWERS for event in events)


def explain_event(directory: str, seq: int, settings: Mapping[str, Any]) -> Explained:
    """Explain the event with a seq. Raise UsageError if there is none."""
    run, before, after = replay_but_last(directory, needs((), answers=True), seq, _BEHIND + 1)
    if not before or before[-1][0] != seq:
        raise no_event(Cite(LIVE, seq))
    at = _answered(before)
    records = before[at:] + after
    for batch in run.batches() if len(records) < 2 * AHEAD else ():
        records += batch
        if len(records) >= 2 * AHEAD:
            break
    run.fold.feed(before[:at])
    step = next(steps(records, (), dict(settings), answers=True, fold=run.fold))
    return Explained(unframe(before[-1][1]), step, _before(directory, before[at]))


def explain_imported(directory: str, seq: int) -> Explained:
    """Explain an event of an imported log, which no hook saw. Raise UsageError if there is none."""
    line = line_at(directory, seq)
    cite = Cite(IMPORTED, seq)
    if not line:
        raise no_event(cite)
    step = next(steps([(seq, line)], (), {}, answers=True))
    step.cite = str(cite)
    return Explained(step.fields, step, {})


def _answered(records: list[Record]) -> int:
    """Return the index of the event that the last record answers; its own, unless it is a message.

    The record of a message contains the name of the hook that sent it.
    """
    line = records[-1][1]
    last = len(records) - 1
    if type_of(line) not in ANSWERS:
        return last
    hook, sid = unframe(line).get("hook"), sid_of(line)
    for at in range(last - 1, -1, -1):
        other = records[at][1]
        kind = type_of(other)
        if sid_of(other) == sid and kind in HOOK_OF and hook in (None, "", HOOK_OF[kind]):
            return at
    return last


def _before(directory: str, fact: Record) -> dict[str, dict[str, Any]]:
    """Return the session's last record of each deciding type before the given record.

    A compound concerns all sessions; of other types, records before the session's first do not
    count.
    """
    seq, line = fact
    sid = sid_of(line)
    last: dict[str, bytes] = {}
    start = _begin(directory, sid, seq)
    if start is not None and (compound := start.facts().compound):
        last["compound.ran"] = compound.encode("utf-8", "surrogateescape")
    for batch in Reader(directory, 0, start.position if start else None).batches():
        for number, other in batch:
            if number >= seq:
                break
            kind = type_of(other)
            if kind in _DECIDING and (kind == "compound.ran" or sid_of(other) == sid):
                last[_named(kind, other)] = other
        if batch[-1][0] >= seq:
            break
    return {name: unframe(other) for name, other in last.items()}


def _begin(directory: str, sid: str, seq: int) -> StoredFold | None:
    """Return the last checkpoint before the session's first record, None if there is none."""
    folds = StoredFolds(directory)
    stored = folds.last(upto=seq - 1) if sid else None
    if stored is None or sid not in (sessions := stored.facts().sessions):
        return stored
    return folds.last(upto=sessions[sid][0] - 1)


def _named(kind: str, line: bytes) -> str:
    """Return the type, with the message's name if it is the record of a message."""
    return f"{kind} {unframe(line).get('what', '')}".strip() if kind in ANSWERS else kind
