"""`journal replay`: history step by step, to see why a view is what it is and what hooks answered.

Invariant: it appends nothing and reads no clock; the same journal and settings give the same text.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS, OK, warn
from cli.events import appended, line_of
from cli.read import between, chosen, outcome, sessions_in, sid_of
from cli.render.answer import answer_data, answer_lines
from cli.render.text import emit, json_of
from journal.bound import parse_bound
from journal.errors import UsageError
from journal.history.replay.run import Replay, replay_but_last
from journal.history.replay.steps import Step, needs, steps
from journal.text import clip, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.scope import Scope
    from journal.history.replay.difference import Change

    Record = tuple[int, bytes]

__all__ = ["replay"]

_CHANGES = 4  # per view and event, without --diff
_SHOWN = 1_000  # events up to --until, without --last and --answers
_VERDICTS = {
    "same": "as recorded in #{seq}",
    "other": "DIFFERS from what was recorded in #{seq}",
    "unsaid": "not recorded: the hook sent no message",
    "unasked": "the hook sent a message then (#{seq}), none would come now",
}


def replay(
    scope: Scope,
    *,
    until: str,
    view: str,
    diff: bool,
    answers: bool,
    last: int | None,
    follow: bool,
) -> int:
    """Print the steps; 1 where an answer differs from what was recorded."""
    from cli.view import NAMES, VIEWS
    from projections.registry import REGISTRY

    if view and view not in NAMES:
        raise UsageError(f"there is no view {view}", f"one of: {', '.join(NAMES)}")
    if follow and (until or scope.json):
        raise UsageError("--follow prints new events as text", "leave out --until and --json")
    scope.must_exist()
    bound = parse_bound(until, scope.now, end=True) if until else None
    sid = chosen(scope.asked, sessions_in(scope.directory)) if scope.asked else ""
    # A digest changes with nearly every event, and `sessions` shows the essence of it.
    default = tuple(name for name in REGISTRY if name != "digests")
    names = VIEWS[view].needs[:1] if view else default
    if view == "recovery":
        names = ("recovery", "unit", "progress")
    run, records = _records(scope, needs(names, ask=answers), bound, last, whole=answers)

    def shown(found: Iterable[Record]) -> Iterator[Step]:
        for step in steps(found, names, scope.settings, ask=answers, fold=run.fold):
            if (not sid or sid_of(step.line) == sid) and (not view or step.changed or step.verdict):
                yield step

    odd = (_array if scope.json else _text)(scope, shown(records), diff=diff, view=view)
    if follow:
        sys.stdout.flush()
        for fresh in appended(scope, run.reader):
            odd += _text(scope, shown(fresh), diff=diff, view=view)
            sys.stdout.flush()
    return outcome(run.reader) or (FINDINGS if odd else OK)


def _records(
    scope: Scope, names: list[str], bound: int | str | None, last: int | None, *, whole: bool
) -> tuple[Replay, Iterable[Record]]:
    """Fold what comes before the first event that is shown; return that run and the events.

    `--until` alone shows the events right before that time: all of them only with `--answers`, or
    as many as `--last` asks for.
    """
    if last is None and (bound is None or whole):
        run = Replay(scope.directory, names)
        return run, between(run.batches(), None, bound)
    count = _SHOWN if last is None else last
    run, held, _ = replay_but_last(scope.directory, names, bound, count)
    run.read_rest()
    if last is None and run.fold.seq:
        warn(f"showing the last {len(held):,} events; --last N shows more")
    return run, held


def _text(scope: Scope, found: Iterable[Step], *, diff: bool, view: str) -> int:
    odd = 0
    for step in found:
        emit([scope.style("bold", line_of(step.fields, scope.columns))])
        if diff or view:
            for name, changed in step.changed.items():
                shown = changed if diff else changed[:_CHANGES]
                emit(clip(_change(name, change), scope.columns) for change in shown)
                if len(shown) < len(changed):
                    more = f"        and {len(changed) - len(shown)} more changes (--diff)"
                    emit([clip(more, scope.columns)])
        elif step.changed:
            emit([clip(f"        changes {', '.join(step.changed)}", scope.columns)])
        emit(_answer(step, scope))
        odd += step.verdict in ("other", "unasked", "unsaid")
    return odd


def _change(name: str, change: Change) -> str:
    path = [part[:8] if len(part) > 30 and part.count("-") == 4 else part for part in change.path]
    head = "        " + one_line(f"{name}: {'.'.join(path)}")
    old, new = change.before, change.after
    if isinstance(old, list) and isinstance(new, list):
        gone = [f"- {_value(item)}" for item in old if item not in new]
        come = [f"+ {_value(item)}" for item in new if item not in old]
        return f"{head} {' '.join([*come, *gone]) or f'reordered {_value(new)}'}"
    if old in (None, "", 0, [], {}, False):
        return f"{head} = {_value(new)}"
    return f"{head} {_value(old)} → {_value(new)}"


def _value(value: Any) -> str:
    return clip(json_of(value), 120)


def _answer(step: Step, scope: Scope) -> list[str]:
    if not step.verdict:
        return []
    seq = step.recorded[0].get("seq") if step.recorded else ""
    lines: list[str] = []
    if step.answer is not None:
        lines += answer_lines(step.answer, scope.columns, " " * 8)
    what = ", ".join(
        one_line(f"{event.get('type')} {event.get('what', '')}".strip()) for event in step.recorded
    )
    verdict = _VERDICTS[step.verdict].format(seq=seq)
    colour = "" if step.verdict == "same" else "yellow"
    line = clip(f"        = {verdict}{f' ({what})' if what else ''}", scope.columns)
    return [*lines, scope.style(colour, line)]


def _array(_scope: Scope, found: Iterable[Step], *, diff: bool, view: str) -> int:
    """Print a JSON array of steps. The changes are whole with or without --diff."""
    del diff, view
    odd = 0
    lead = "[\n"
    for step in found:
        odd += step.verdict in ("other", "unasked", "unsaid")
        sys.stdout.write(lead + json_of(_data(step)))
        lead = ",\n"
    sys.stdout.write("[]\n" if lead == "[\n" else "\n]\n")
    return odd


def _data(step: Step) -> dict[str, Any]:
    return {
        "event": step.fields,
        "changed": {
            name: [{"path": list(c.path), "before": c.before, "after": c.after} for c in found]
            for name, found in step.changed.items()
        },
        "said": answer_data(step.answer),
        "recorded": [event.get("seq") for event in step.recorded],
        "verdict": step.verdict or None,
    }
