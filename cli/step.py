"""A journal stepped through: each event, what it changed, and what a hook says about it.

Invariant: the answer to an event is asked for with the views exactly as the hook had them: folded
up to the event and to what the same call appended with it, and no further.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from cli.read import sid_of
from cli.render.difference import Change, changes
from journal.events.registry import Unknown, decode, kind_of
from journal.log.record import unframe
from projections.fold import Fold
from projections.messages import answer
from projections.registry import REGISTRY
from projections.views import HOOK_PROJECTIONS, Views

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.messages import Answer

    Record = tuple[int, bytes]

__all__ = ["Step", "needs", "steps"]

# Appended by the call of a compaction's start, before it is answered (hooks.compaction).
_WITH_IT = ("checkpoint.saved", "flow.trimmed")
_SPOKEN = ("advice.given", "context.injected")
_NO_ANSWER = ("answers-off", "journal-off")  # said without the views
_AHEAD = 8


class Step:
    """One event. changed: projection → changes. said: the answer now, None for silence.

    recorded: what the log says was said; verdict: "" (silence then and now), "same", "other" (the
    texts differ), "unsaid" (said now, not then) or "unasked" (said then, silence now).
    """

    def __init__(self, seq: int, line: bytes) -> None:
        self.seq = seq
        self.line = line
        self.kind = kind_of(line)
        self.changed: dict[str, list[Change]] = {}
        self.said: Answer | None = None
        self.recorded: list[dict[str, Any]] = []
        self.verdict = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The event as in the log."""
        return unframe(self.line)


def needs(names: Iterable[str], *, ask: bool) -> list[str]:
    """Names of the projections that a fold for `steps` must have."""
    hooked = [item.name for item in HOOK_PROJECTIONS] if ask else []
    return list(dict.fromkeys([*hooked, *names]))


def steps(
    records: Iterable[Record],
    names: Iterable[str],
    settings: dict[str, Any],
    *,
    ask: bool,
    fold: Fold | None = None,
) -> Iterator[Step]:
    """Step through records. names: projections to compare; ask: for answers.

    fold: what the first record is folded onto (see `needs`); without one, the beginning.
    """
    wanted = list(names)
    hooked = [item.name for item in HOOK_PROJECTIONS] if ask else []
    fold = fold or Fold([REGISTRY[name] for name in needs(wanted, ask=ask)])
    ahead: deque[Record] = deque()
    source = iter(records)
    told = 0  # up to here the log is what the last answer left
    while _fill(ahead, source):
        group = [_applied(fold, ahead.popleft(), wanted, ask=ask)]
        first, event = group[0]
        if first.kind == "compact.started":
            while _fill(ahead, source) and _goes_with(ahead[0][1], first.line):
                group.append(_applied(fold, ahead.popleft(), wanted, ask=ask))
        if ask and event is not None and first.seq > told:
            _fill(ahead, source)
            told = _ask(first, event, Views(**{n: fold.states[n] for n in hooked}), settings, ahead)
        for step, _ in group:
            yield step


def _fill(ahead: deque[Record], source: Iterator[Record]) -> bool:
    while len(ahead) < _AHEAD:
        record = next(source, None)
        if record is None:
            break
        ahead.append(record)
    return bool(ahead)


def _goes_with(line: bytes, first: bytes) -> bool:
    return kind_of(line) in _WITH_IT and sid_of(line) == sid_of(first)


def _applied(fold: Fold, record: Record, names: list[str], *, ask: bool) -> tuple[Step, Any]:
    """Fold one record; give its step, and its event unless it is unknown or a repeat."""
    step = Step(*record)
    fold.seq = step.seq
    if not ask and step.kind not in fold.kinds:
        return step, None  # changes nothing, and nobody asks for the answer
    event = decode(step.line, step.kind)
    if isinstance(event, Unknown):
        return step, None
    before = dict(fold.states)
    if fold.repeats(step.kind, event.key, event.seq):  # remembers the key, too
        return step, None
    for projection in fold.projections:
        fold.states[projection.name] = projection.step(before[projection.name], step.kind, event)
    for name in names:
        if before[name] is fold.states[name]:
            continue
        found = list(changes(before[name], fold.states[name]))
        if found:
            step.changed[name] = found
    return step, event


def _ask(
    step: Step, event: Any, views: Views, settings: dict[str, Any], ahead: deque[Record]
) -> int:
    """Ask for the answer, and compare it with what follows in the log; seq of the last of that."""
    if step.kind in _SPOKEN:
        return 0  # one of the records of an answer before it: nobody is asked about that
    step.said = answer(views, event, settings)
    says = list(step.said.says) if step.said is not None else []
    following = []
    for at, (_, line) in enumerate(ahead):
        kind = kind_of(line)
        expected = at < len(says) and kind == says[at]["type"]
        if sid_of(line) != sid_of(step.line) or not (expected or kind in _SPOKEN):
            break
        fields = unframe(line)
        if fields.get("what") in _NO_ANSWER:
            break
        following.append(fields)
    step.recorded = following
    last = int(following[-1]["seq"]) if following else 0
    if not says and not following:
        return last
    if not following:
        step.verdict = "unsaid"
    elif not says:
        step.verdict = "unasked"
    else:
        pairs = zip(says, following, strict=False)
        same = len(says) == len(following) and all(_alike(say, fields) for say, fields in pairs)
        step.verdict = "same" if same else "other"
    return last


def _alike(say: dict[str, Any], fields: dict[str, Any]) -> bool:
    """Whether a record is that of an answer's event: by digest where it has one."""
    names = ("type", "what", "digest") if "digest" in say else tuple(say)
    empty: tuple[object, ...] = ("", None, [], {}, False)
    return all(
        fields.get(name) == say[name] or (name not in fields and say[name] in empty)
        for name in names
        if name != "key"
    )
