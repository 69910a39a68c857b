"""`journal replay`: history step by step: how views changed and what hooks answered.

Invariant: it appends nothing and reads no clock; the same journal and settings give the same text.
"""

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from heapq import merge
from itertools import chain
from typing import Any

from cli.error import FINDINGS, OK, one_of, warn
from cli.events import appended, line_of
from cli.import_.automatic import need_history
from cli.read import asked_session, bound_of
from cli.render.answer import answer_data, answer_lines
from cli.render.local_time import zone_note
from cli.render.text import emit, emit_array, json_of
from cli.scope import Scope
from cli.view import NAMES, VIEWS
from journal.errors import UsageError
from journal.history.logs import LIVE
from journal.history.merged import Cite, Timeline, no_event
from journal.history.replay.facts import sid_of, ts_of
from journal.history.replay.imported import TimelinePosition, imported_steps, with_positions
from journal.history.replay.run import Replay, line_at, replay_but_last, within
from journal.history.replay.steps import Change, Step, needs, steps
from journal.home import IMPORTED
from journal.text import clip, one_line, plural
from projections.registry import REGISTRY

Record = tuple[int, bytes]

_CHANGES = 4  # per view and event, without --diff
_SHOWN = 1_000  # events up to --until, without --last and --answers
_VERDICTS = {
    "same": "as recorded in #{seq}",
    "other": "DIFFERS from what was recorded in #{seq}",
    "unsaid": "not recorded: the hook sent no message",
    "unasked": "the hook sent a message then (#{seq}); now it would send none",
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
    """Print the steps; return 1 if an answer differs from the recorded one."""
    if view:
        one_of("view", view, NAMES)
    if follow and (until or scope.json):
        raise UsageError("--follow prints new events as text", "leave out --until and --json")
    need_history(scope)
    bound, edge = _bounds(scope, until)
    names = _names(view)
    count = last if last is not None or until == "" or answers else _SHOWN
    run, records = _records(scope, needs(names, answers=answers), bound, count)
    live = partial(steps, names=names, settings=scope.settings, answers=answers, fold=run.fold)
    different: list[int] = []
    asked = partial(_asked, sid=asked_session(scope), view=view, different=different)
    found = _with_imported(Timeline(scope.directory), live(records), names, edge, count)
    more = bool(run.fold.seq)
    wanted = found if count is None else _last(found, count, more=more, warns=last is None)
    if scope.json:  # with all changes, also without --diff
        emit_array(_data(step) for step in asked(wanted))
    else:
        shown = asked(wanted)
        first = next(shown, None)
        did = f"changed the view {view}" if view else "matches: leave out --until and --session"
        emit([zone_note(scope.now) if first or follow else f"None of these events {did}."])
        _text(scope, chain([first] if first else (), shown), diff=diff, view=view)
    if follow:
        sys.stdout.flush()
        for batch in appended(scope, run.reader):
            _text(scope, asked(live(batch)), diff=diff, view=view)
            sys.stdout.flush()
    return FINDINGS if different else OK


def _asked(found: Iterable[Step], *, sid: str, view: str, different: list[int]) -> Iterator[Step]:
    """Yield the steps of a session ("" for all) that changed a view ("" for any) or answered.

    different: gets the seqs of those whose answer is not as recorded.
    """
    for step in found:
        is_of_session = not sid or sid_of(step.line) == sid
        if is_of_session and (not view or step.changed or step.verdict):
            if step.verdict in ("other", "unasked", "unsaid"):
                different.append(step.seq)
            yield step


def _with_imported(
    timeline: Timeline,
    live: Iterable[Step],
    names: tuple[str, ...],
    edge: TimelinePosition | None,
    count: int | None,
) -> Iterator[Step]:
    """Yield the steps of both logs in the order of the timeline, each fact once."""
    counted = (step for step in live if step.verdict or timeline.counts(LIVE, step.seq, step.line))
    others = imported_steps(timeline.imported_entries(), names, edge, count)
    return (step for _, step in merge(with_positions(counted), others, key=lambda pair: pair[0]))


def _names(view: str) -> tuple[str, ...]:
    """Return the projections whose changes are shown."""
    if view == "recovery":
        return VIEWS[view].needs
    # A digest changes with nearly every event, and `sessions` shows the essence of it.
    return VIEWS[view].needs[:1] if view else tuple(name for name in REGISTRY if name != "digests")


def _bounds(scope: Scope, until: str) -> tuple[int | str | None, TimelinePosition | None]:
    """Return the ends of the live log and of the timeline that --until, as typed, sets."""
    bound = bound_of(until, scope, end=True)
    if not isinstance(bound, Cite):
        return bound, None if bound is None else (bound, True, sys.maxsize)
    log = scope.directory if bound.side == LIVE else os.path.join(scope.directory, IMPORTED)
    at = ts_of(line_at(log, bound.seq))
    if bound.side == LIVE:
        return bound.seq, (at, False, bound.seq) if at else None
    if not at:
        raise no_event(bound)
    return at, (at, True, bound.seq)


def _records(
    scope: Scope, names: list[str], bound: int | str | None, count: int | None
) -> tuple[Replay, Iterable[Record]]:
    """Fold what comes before the first live event that is shown; return that run and the events.

    count: of the last ones that are shown, None for all.
    """
    if count is None:
        run = Replay(scope.directory, names)
        records = (item for batch in run.batches() for item in batch)
        return run, records if bound is None else (i for i in records if within(i, bound))
    run, last, _ = replay_but_last(scope.directory, names, bound, count)
    run.read_rest()
    return run, last


def _last(found: Iterable[Step], count: int, *, more: bool, warns: bool) -> Iterable[Step]:
    """Return the last steps. more: some were folded before. warns: warn if there are more."""
    kept: deque[Step] = deque(maxlen=count)
    total = 0
    for step in found:
        total += 1
        kept.append(step)
    if warns and (more or total > count):
        warn(f"showing the last {plural(len(kept), 'event')}; --last N shows more")
    return kept


def _text(scope: Scope, found: Iterable[Step], *, diff: bool, view: str) -> None:
    for step in found:
        emit([scope.style("bold", line_of(scope, step.fields))])
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
    if step.received_answer is not None:
        lines += answer_lines(step.received_answer, scope.columns, " " * 8)
        if step.is_reconstructed:
            lines.append("        (reconstructed: the record holds no text)")
    what = ", ".join(
        one_line(f"{event.get('type')} {event.get('what', '')}".strip()) for event in step.recorded
    )
    verdict = _VERDICTS[step.verdict].format(seq=seq)
    colour = "" if step.verdict == "same" else "yellow"
    line = clip(f"        = {verdict}{f' ({what})' if what else ''}", scope.columns)
    return [*lines, scope.style(colour, line)]


def _data(step: Step) -> dict[str, Any]:
    return {
        "event": step.fields,
        "changed": {
            name: [{"path": list(c.path), "before": c.before, "after": c.after} for c in found]
            for name, found in step.changed.items()
        },
        "said": answer_data(step.received_answer),
        "reconstructed": step.is_reconstructed,
        "recorded": [event.get("seq") for event in step.recorded],
        "verdict": step.verdict or None,
    }
