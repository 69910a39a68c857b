"""Step through a journal: each event, the changes of views, and the answer of the hook.

Invariant: a message is built from exactly the views that the hook had: folded up to the event and
the events appended by the same call, and no further. Two states of a view are equal exactly if
there is no change between them.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from msgspec import Struct

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.history.replay.facts import sid_of
from journal.log.record import type_of, unframe
from projections.fold import Fold
from projections.messages import HOOK_OF, SAID, SAYING, combined, explain
from projections.messages.message import Answer, Explanation
from projections.registry import REGISTRY
from projections.views import HOOK_PROJECTIONS, Views

Record = tuple[int, bytes]

ANSWERS = SAYING

AHEAD = 12  # records after an event to search for the records of its answer
# Event type -> types of events that its hook appends with it before answering.
_APPENDED = {
    # Versions up to 0.1.0 trimmed the work log before the compaction.
    "compact.started": ("checkpoint.saved", "flow.trimmed", "unit."),
    "session.started": ("session.ended", "flow.trimmed"),  # inferred ends of other sessions
    "tool.finished": ("unit.",),
}
_WITHOUT_VIEWS = ("answers-off", "journal-off")


class Change(NamedTuple):
    """One changed value. path: member names from the state down; None: no value before or after."""

    path: tuple[str, ...]
    before: Any
    after: Any


class Step:
    """One event.

    cite: its citation. event: typed, None if this version cannot decode it. is_repeat: the same
    hook call was recorded before. changed: projection → changes. explanations: the current result
    of each message. answer: all of them combined, None for silence. recorded: the records of the
    answer in the log. verdict: "" (silence then and now), "same", "other" (the texts differ),
    "unsaid" (an answer now, none then) or "unasked" (an answer then, none now).
    """

    def __init__(self, seq: int, line: bytes) -> None:
        self.seq = seq
        self.cite = str(seq)
        self.line = line
        self.kind = type_of(line)
        self.event: Any = None
        self.is_repeat = False
        self.changed: dict[str, list[Change]] = {}
        self.explanations: list[Explanation] = []
        self.answer: Answer | None = None
        self.recorded: list[dict[str, Any]] = []
        self.verdict = ""

    @property
    def received_answer(self) -> Answer | None:
        """Return the answer that Claude Code received, if the log has it; else this version's."""
        texts = self._recorded_texts
        return Answer(**texts, events=self.recorded) if texts else self.answer

    @property
    def is_reconstructed(self) -> bool:
        """Return whether the log has records of the answer without its texts."""
        return bool(self.recorded) and not self._recorded_texts and self.answer is not None

    @property
    def _recorded_texts(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for fields in self.recorded:
            for name, piece in fields.get("said", {}).items():
                texts[name] = texts.get(name, "") + piece
        return texts

    @property
    def fields(self) -> dict[str, Any]:
        """Return the event as in the log, with its citation."""
        return {"cite": self.cite, **unframe(self.line)}


def needs(names: Iterable[str], *, answers: bool) -> list[str]:
    """Return the names of the projections that a fold for `steps` must have."""
    hooked = [item.name for item in HOOK_PROJECTIONS] if answers else []
    return list(dict.fromkeys([*hooked, *names]))


def steps(
    records: Iterable[Record],
    names: Iterable[str],
    settings: dict[str, Any],
    *,
    answers: bool,
    fold: Fold | None = None,
) -> Iterator[Step]:
    """Step through records.

    Args:
        records: in order of seq.
        names: projections to compare.
        settings: flat, for the messages.
        answers: whether to build the answers.
        fold: state before the first record (see `needs`); None for the log's beginning.

    """
    compared = list(names)
    hooked = [item.name for item in HOOK_PROJECTIONS] if answers else []
    fold = fold or Fold([REGISTRY[name] for name in needs(compared, answers=answers)])
    ahead: deque[Record] = deque()
    source = iter(records)
    answered = 0  # seq of the last record that the last answer appended
    while _fill(ahead, source):
        group = [_applied(fold, ahead.popleft(), compared, answers=answers)]
        first = group[0]
        while _fill(ahead, source) and _is_appended(ahead[0][1], first, fold):
            group.append(_applied(fold, ahead.popleft(), compared, answers=answers))
        if answers and first.event is not None and first.seq > answered:
            _fill(ahead, source)
            views = Views(**{name: fold.states[name] for name in hooked})
            answered = _ask(first, views, settings, ahead)
        yield from group


def _fill(ahead: deque[Record], source: Iterator[Record]) -> bool:
    ahead.extend(islice(source, AHEAD - len(ahead)))
    return bool(ahead)


def _is_appended(line: bytes, first: Step, fold: Fold) -> bool:
    """Return whether the hook of `first` appended this record, rather than a later command."""
    kind = type_of(line)
    if not kind.startswith(_APPENDED.get(first.kind, "?")):
        return False
    if kind == "session.ended":
        return b'"inferred":true' in line
    sid = sid_of(first.line)
    if sid_of(line) != sid:
        return False
    # A hook restarts a known unit whose file got a new checklist; a command starts a new unit.
    work = fold.states["unit"].sessions.get(sid) if "unit" in fold.states else None
    units = [unit.unit for unit in work.units] if work else []
    return kind != "unit.started" or unframe(line).get("unit") in units


def _applied(fold: Fold, record: Record, names: list[str], *, answers: bool) -> Step:
    """Fold one record and return its step."""
    step = Step(*record)
    fold.seq = step.seq
    if not answers and step.kind not in fold.kinds:
        return step  # no projection handles it, and no answer is requested
    event = decode(step.line, step.kind)
    if isinstance(event, Unknown):
        return step
    previous = dict(fold.states)
    if not fold.apply(event, step.kind):
        step.is_repeat = True
        return step
    step.event = event
    states = fold.states
    for name in names:
        if found := list(changes(previous[name], states[name])):
            step.changed[name] = found
    return step


def _ask(step: Step, views: Views, settings: dict[str, Any], ahead: deque[Record]) -> int:
    """Build the answer and compare it with the records that follow in the log.

    Returns:
        The seq of the last record of the answer, 0 for none.

    """
    if step.kind not in HOOK_OF:
        return 0
    step.explanations = list(explain(views, step.event, settings))
    step.answer = combined(step.explanations)
    expected = step.answer.events if step.answer is not None else []
    step.recorded = _recorded(step, expected, ahead)
    if not expected and not step.recorded:
        return 0
    if not step.recorded:
        step.verdict = "unsaid"
    elif not expected:
        step.verdict = "unasked"
    else:
        others = [fields for fields in step.recorded if fields.get("what") != SAID]
        pairs = zip(expected, others, strict=False)
        same = len(expected) == len(others) and all(_is_recorded_as(*pair) for pair in pairs)
        step.verdict = "same" if same else "other"
    return int(step.recorded[-1]["seq"]) if step.recorded else 0


def _recorded(
    step: Step, expected: list[dict[str, Any]], ahead: deque[Record]
) -> list[dict[str, Any]]:
    """Return the records of the answer that the hook gave."""
    records = []
    for at, (_, line) in enumerate(ahead):
        kind = type_of(line)
        is_expected = at < len(expected) and kind == expected[at]["type"]
        if sid_of(line) != sid_of(step.line) or not (is_expected or kind in ANSWERS):
            break
        fields = unframe(line)
        if fields.get("what") in _WITHOUT_VIEWS:
            break
        records.append(fields)
    return records


def _is_recorded_as(event: dict[str, Any], fields: dict[str, Any]) -> bool:
    """Return whether a record stores an answer's event; compare by digest if it has one."""
    names = ("type", "what", "digest") if "digest" in event else tuple(event)
    empty: tuple[object, ...] = ("", None, [], {}, False)
    return all(
        fields.get(name) == event[name] or (name not in fields and event[name] in empty)
        for name in names
        if name != "key"
    )


def changes(before: Any, after: Any, path: tuple[str, ...] = ()) -> Iterator[Change]:
    """Yield the changes between two states of one projection; identical objects have none."""
    if before is after or before == after:
        return
    if isinstance(after, Struct) and type(before) is type(after):
        for name in after.__struct_fields__:
            yield from changes(getattr(before, name), getattr(after, name), (*path, name))
    elif isinstance(before, dict) and isinstance(after, dict):
        yield from _of_dicts(before, after, path)
    elif isinstance(after, Struct) and before is None and _has_defaults(after):
        yield from changes(type(after)(), after, path)  # only values that differ from defaults
    else:
        yield Change(path, before, after)


def _has_defaults(value: Struct) -> bool:
    """Return whether every member of a value has a default."""
    return len(value.__struct_defaults__) == len(value.__struct_fields__)


def _of_dicts(
    before: dict[str, Any], after: dict[str, Any], path: tuple[str, ...]
) -> Iterator[Change]:
    differ = [key for key, old in before.items() if after.get(key, after) is not old]
    for key in differ + [key for key in after if key not in before]:
        old, new = before.get(key), after.get(key)
        member = (*path, str(key))
        if key not in after:
            yield Change(member, old, None)
        elif isinstance(new, Struct) and key not in before:
            found = list(changes(None, new, member))
            yield from found or [Change(member, None, {})]
        elif key not in before:
            yield Change(member, None, new)
        else:
            yield from changes(old, new, member)
