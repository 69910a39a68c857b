"""`journal stage …`: start, finish, stop, resume and abandon a dev cycle.

Invariant: a cycle only goes forward, one stage at a time, in the session that owns it; each step is
one event, and a step that is already done appends none.
"""

from cli.error import one_of
from cli.scope import Scope
from cli.work.stage_view import ContextLeft, context_left, needed_text, of_session
from cli.write import (
    CommandTransaction,
    RefusedError,
    left_over,
    needed_session,
    transaction,
    writing_session,
)
from journal.errors import UsageError
from journal.text import one_line
from projections.stage import STAGES, Cycle, after, skipped_from, under_way

_METRICS = 32
_LARGEST = 1e15
_WHAT = "a dev cycle"


def start(scope: Scope, *, stage: str, metric: list[str] | None) -> int:
    """Start a cycle, or its next stage."""
    if stage:
        one_of("stage", stage, STAGES)
    metrics = _metrics(metric)
    with transaction(scope, needed_session(scope, _WHAT)) as journal:
        cycle = journal.views.stage.sessions.get(journal.sid)
        if cycle is not None and cycle.status == "stopped":
            raise RefusedError(
                f"{cycle.cycle} of this session is stopped",
                "to resume it: journal stage resume; to abandon it: journal stage abandon",
            )
        under_way = cycle if cycle is not None and cycle.status == "open" else None
        wanted, done = _next_of(under_way, stage)
        if wanted:
            left = _left(journal)
            name = under_way.cycle if under_way is not None else f"cycle-{journal.next_seq}"
            journal.record(
                "stage.started", cycle=name, stage=wanted, remaining=left.percent, metrics=metrics
            )
            done = [f"started {wanted} ({name}); {left.text}", *done]
        return _report(journal, done)


def finish(scope: Scope, *, stage: str, metric: list[str] | None) -> int:
    """Record that the open stage is done."""
    if stage:
        one_of("stage", stage, STAGES)
    metrics = _metrics(metric)
    with transaction(scope, needed_session(scope, _WHAT), create=False) as journal:
        cycle = _open_cycle(journal)
        following = after(cycle.stage)
        if not cycle.open:
            raise RefusedError(
                f"no stage is open: {cycle.stage} is finished already",
                f"{following} is next: journal stage start {following}",
            )
        if stage not in ("", cycle.stage):
            raise RefusedError(
                f"{stage} is not the open stage, {cycle.stage} is",
                f"finish it: journal stage finish {cycle.stage}",
            )
        left = _left(journal)
        journal.record(
            "stage.finished",
            cycle=cycle.cycle,
            stage=cycle.stage,
            remaining=left.percent,
            metrics=metrics,
        )
        outlook = _outlook(cycle.stage, left) if following else "the cycle is complete"
        return _report(journal, [f"finished {cycle.stage} ({cycle.cycle})", outlook])


def stop(scope: Scope, *, reason: str, metric: list[str] | None) -> int:
    """Stop the cycle where it is; it can be resumed."""
    metrics = _metrics(metric)
    with transaction(scope, needed_session(scope, _WHAT), create=False) as journal:
        found = journal.views.stage.sessions.get(journal.sid)
        if found is not None and found.status == "stopped":
            what = f"{found.cycle} is stopped already; to resume it: journal stage resume"
            return _report(journal, [what])
        cycle = _open_cycle(journal)
        skipped = skipped_from(cycle)
        journal.record(
            "stage.stopped",
            cycle=cycle.cycle,
            stage=cycle.stage,
            reason=reason or "asked",
            skipped=skipped,
            remaining=_left(journal).percent,
            metrics=metrics,
        )
        done = [
            f"stopped {cycle.cycle} at {cycle.stage}; remaining: {', '.join(skipped)}",
            "to resume it, here or in a new session: journal stage resume",
        ]
        return _report(journal, done)


def resume(scope: Scope, *, cycle: str) -> int:
    """Resume a cycle that was stopped, or that an ended session left open."""
    with transaction(scope, needed_session(scope, _WHAT), create=False) as journal:
        origin, found = _resumable(journal, cycle)
        own = journal.views.stage.sessions.get(journal.sid)
        if own is not None and own.status == "open":
            raise RefusedError(
                f"this session has an open cycle of its own ({own.cycle}, {own.stage})",
                "finish, stop or abandon that one first: journal stage status",
            )
        if own is not None and own.status == "stopped" and origin != journal.sid:
            raise RefusedError(
                f"this session has a stopped cycle of its own ({own.cycle})",
                f"resume it: journal stage resume {own.cycle}; or: journal stage abandon",
            )
        first = found.skipped[0] if found.skipped else after(found.stage) or found.stage
        if found.status == "open" and found.open:
            first = found.stage
        left = _left(journal)
        moved = origin != journal.sid
        journal.record(
            "stage.resumed",
            cycle=found.cycle,
            stage=first,
            remaining=left.percent,
            from_sid=origin if moved else "",
        )
        source = f", from session {origin}" if moved else ""
        return _report(journal, [f"resumed {found.cycle} at {first}{source}; {left.text}"])


def abandon(scope: Scope, *, cycle: str) -> int:
    """Abandon a cycle: the session's own, or the stopped one that is named."""
    # The user who names a cycle may abandon that of another session.
    sid = writing_session(scope) if cycle else needed_session(scope, _WHAT)
    with transaction(scope, sid, create=False) as journal:
        owner, own = journal.sid, under_way(journal.views.stage, journal.sid)
        if cycle and (own is None or own.cycle != cycle):
            owner, own = _resumable(journal, cycle)
        if own is None:
            raise RefusedError("this session has no cycle to abandon", "see: journal stage status")
        # The event belongs to the session that owns the cycle.
        journal.record("stage.abandoned", owner, cycle=own.cycle, stage=own.stage, reason="asked")
        return _report(journal, [f"abandoned {own.cycle} at {own.stage}; its history stays"])


def _next_of(cycle: Cycle | None, stage: str) -> tuple[str, list[str]]:
    """Return the stage to start ("" for none) and what else to print."""
    if cycle is None:
        wanted = stage or STAGES[0]
        return wanted, _skipped(STAGES[: STAGES.index(wanted)])
    at, following = STAGES.index(cycle.stage), after(cycle.stage)
    if not stage or (cycle.open and stage == cycle.stage):
        how = "open" if cycle.open else f"finished; next: journal stage start {following}"
        return "", [f"{cycle.cycle} is open: {cycle.stage} is {how}"]
    if cycle.open:
        raise RefusedError(
            f"{cycle.stage} is still open ({cycle.cycle})",
            f"when it is done: journal stage finish {cycle.stage}",
        )
    if STAGES.index(stage) <= at:
        raise RefusedError(
            f"{stage} comes before {following}: {cycle.stage} is finished ({cycle.cycle})",
            f"{following} is next: journal stage start {following}",
        )
    return stage, _skipped(STAGES[at + 1 : STAGES.index(stage)])


def _skipped(stages: tuple[str, ...]) -> list[str]:
    return [f"skipped: {', '.join(stages)}"] if stages else []


def _outlook(stage: str, left: ContextLeft) -> str:
    """Return what comes after a stage, and whether enough context remains for it."""
    following = after(stage)
    text = f"next: {following}; {left.text}"
    if left.percent is None:
        return text
    verdict = "enough" if left.is_enough(stage) else "not enough"
    return f"{text}, {verdict} for {following} ({needed_text(left.thresholds[stage])})"


def _open_cycle(journal: CommandTransaction) -> Cycle:
    cycle = journal.views.stage.sessions.get(journal.sid)
    if cycle is None or cycle.status != "open":
        how = f" ({cycle.cycle} is {cycle.status})" if cycle is not None else ""
        raise RefusedError(f"this session has no open cycle{how}", "start one: journal stage start")
    return cycle


def _resumable(journal: CommandTransaction, name: str) -> tuple[str, Cycle]:
    """Return session and cycle of the cycle called `name`, or of the only one there is.

    Those are the stopped ones, and the open ones of ended sessions.
    """
    cycles = journal.views.stage.sessions
    stopped = {sid: cycle for sid, cycle in cycles.items() if cycle.status == "stopped"}
    left = left_over(journal.views, journal.scope, journal.sid, "cycle")
    stopped |= {item.sid: item.work for item in left}
    listed = "; ".join(f"{c.cycle} (session {sid or 'none'})" for sid, c in stopped.items())
    if name:
        found = [(sid, c) for sid, c in stopped.items() if name in (c.cycle, sid)]
        if len(found) == 1:
            return found[0]
        other = next((c for c in cycles.values() if c.cycle == name), None)
        if other is not None:
            into = f" into session {other.moved_to}" if other.moved_to else ""
            what = f"{name} is not stopped but {other.status}{into}"
            if other.status == "open":
                what = f"{name} is open in a session that may still be alive"
            raise RefusedError(what, "see: journal stage status")
        raise UsageError(f"no stopped cycle matches {name}", f"stopped cycles: {listed or 'none'}")
    if not stopped:
        raise RefusedError("no cycle of this project is stopped", "start one: journal stage start")
    if len(stopped) > 1:
        raise UsageError(f"{len(stopped)} cycles are unfinished: name the one you mean", listed)
    return next(iter(stopped.items()))


def _left(journal: CommandTransaction) -> ContextLeft:
    scope = journal.scope
    return context_left(journal.views, journal.sid, scope.now, scope.settings)


def _metrics(given: list[str] | None) -> dict[str, float]:
    """Parse `name=number` options."""
    metrics: dict[str, float] = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        name = one_line(name.strip())
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not sign or not name or len(name) > 60 or not -_LARGEST < number < _LARGEST:
            raise UsageError(f"--metric {text}: is not NAME=NUMBER", "such as --metric tests=41")
        metrics[name] = number
    if len(metrics) > _METRICS:
        raise UsageError(f"{len(metrics)} metrics are too many", f"at most {_METRICS} at a time")
    return metrics


def _report(journal: CommandTransaction, done: list[str]) -> int:
    """Print what was done; as JSON, with the stage view as it is now."""
    scope = journal.scope
    shown = of_session(journal.views, journal.sid, scope.now, scope.settings) if scope.json else {}
    return journal.report(done, shown)
