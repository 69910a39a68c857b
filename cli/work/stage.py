"""`journal stage …`: begin, finish, stop, resume and abandon a dev cycle.

Invariant: a cycle only goes forward, one stage at a time, in the session that owns it; every step
is one event, and a step that was made already appends none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.error import OK
from cli.render.text import emit, emit_json
from cli.work import budget as room
from cli.work.context import Desk, RefusedError, desk, idle_desk, needed_session
from journal.errors import UsageError
from journal.text import one_line
from projections.stage import STAGES, Cycle, after, skipped_from

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["abandon", "finish", "resume", "start", "status", "stop"]

_METRICS = 32
_LARGEST = 1e15
_WHAT = "a dev cycle"


def start(scope: Scope, *, stage: str, metric: list[str] | None) -> int:
    """Begin a cycle, or its next stage."""
    _known(stage)
    metrics = _metrics(metric)
    with desk(scope, needed_session(scope, _WHAT)) as at:
        cycle = at.views.stage.sessions.get(at.sid)
        if cycle is not None and cycle.status == "stopped":
            raise RefusedError(
                f"{cycle.cycle} of this session is stopped",
                "to take it up: journal stage resume; to give it up: journal stage abandon",
            )
        left, why = _left(at)
        open_ = cycle if cycle is not None and cycle.status == "open" else None
        wanted, said = _next_of(open_, stage)
        if wanted:
            name = open_.cycle if open_ is not None else f"cycle-{at.next_seq}"
            at.append(
                at.event("stage.started", cycle=name, stage=wanted, remaining=left, metrics=metrics)
            )
            said = [f"{wanted} began ({name}); {room.said(left, why)}", *said]
        return _done(at, said)


def finish(scope: Scope, *, stage: str, metric: list[str] | None) -> int:
    """Record that the open stage is done."""
    _known(stage)
    metrics = _metrics(metric)
    with idle_desk(scope, needed_session(scope, _WHAT)) as at:
        cycle = _open_cycle(at)
        following = after(cycle.stage)
        if not cycle.open:
            raise RefusedError(
                f"no stage is open: {cycle.stage} is finished already",
                f"{following} is next: journal stage start {following}",
            )
        if stage not in ("", cycle.stage):
            raise RefusedError(
                f"{stage} is not the open stage, {cycle.stage} is",
                f"journal stage finish {cycle.stage}",
            )
        left, why = _left(at)
        at.append(
            at.event(
                "stage.finished",
                cycle=cycle.cycle,
                stage=cycle.stage,
                remaining=left,
                metrics=metrics,
            )
        )
        said = [f"{cycle.stage} is finished ({cycle.cycle})"]
        said.append(_outlook(at, cycle.stage, left, why) if following else "the cycle is complete")
        return _done(at, said)


def stop(scope: Scope, *, reason: str, metric: list[str] | None) -> int:
    """Stop the cycle where it is; what it leaves out can be resumed."""
    metrics = _metrics(metric)
    with idle_desk(scope, needed_session(scope, _WHAT)) as at:
        cycle = at.views.stage.sessions.get(at.sid)
        if cycle is not None and cycle.status == "stopped":
            return _done(at, [f"{cycle.cycle} is stopped already; to go on: journal stage resume"])
        cycle = _open_cycle(at)
        left, _ = _left(at)
        skipped = skipped_from(cycle)
        at.append(
            at.event(
                "stage.stopped",
                cycle=cycle.cycle,
                stage=cycle.stage,
                reason=reason or "asked",
                skipped=skipped,
                remaining=left,
                metrics=metrics,
            )
        )
        left_out = ", ".join(skipped)
        return _done(
            at,
            [
                f"{cycle.cycle} is stopped at {cycle.stage}; left out: {left_out}",
                "to go on, here or in a new session: journal stage resume",
            ],
        )


def resume(scope: Scope, *, cycle: str) -> int:
    """Take up a stopped cycle at the first stage it left out."""
    with idle_desk(scope, needed_session(scope, _WHAT)) as at:
        origin, found = _stopped(at, cycle)
        own = at.views.stage.sessions.get(at.sid)
        if own is not None and own.status == "open":
            raise RefusedError(
                f"this session has an open cycle of its own ({own.cycle}, {own.stage})",
                "finish, stop or abandon that one first: journal stage status",
            )
        if own is not None and own.status == "stopped" and origin != at.sid:
            raise RefusedError(
                f"this session has a stopped cycle of its own ({own.cycle})",
                f"journal stage resume {own.cycle}, or give it up: journal stage abandon",
            )
        first = found.skipped[0] if found.skipped else after(found.stage) or found.stage
        left, why = _left(at)
        at.append(
            at.event(
                "stage.resumed",
                cycle=found.cycle,
                stage=first,
                remaining=left,
                from_sid=origin if origin != at.sid else "",
            )
        )
        whence = f", from session {origin}" if origin != at.sid else ""
        return _done(at, [f"{found.cycle} goes on at {first}{whence}; {room.said(left, why)}"])


def abandon(scope: Scope, *, cycle: str) -> int:
    """Give a cycle up: the session's own, or a stopped one that is named."""
    # Where the person names it, it does not matter that it is another session's.
    sid = scope.writing_session() if cycle else needed_session(scope, _WHAT)
    with idle_desk(scope, sid) as at:
        own = at.views.stage.sessions.get(at.sid)
        owner = at.sid
        if cycle and (own is None or own.cycle != cycle):
            owner, own = _stopped(at, cycle)
        if own is None or own.status not in ("open", "stopped"):
            raise RefusedError("this session has no cycle to give up", "journal stage status")
        # Under the owner's name: what becomes of its cycle is a fact of that session.
        at.append(
            at.event("stage.abandoned", owner, cycle=own.cycle, stage=own.stage, reason="asked")
        )
        return _done(at, [f"{own.cycle} is given up at {own.stage}; its history stays"])


def status(scope: Scope) -> int:
    """Show where the session's cycle stands, and which cycles could be resumed."""
    from cli.read import outcome
    from cli.view.request import made
    from cli.work.stageview import lines

    if not scope.exists() and not scope.json:
        emit(["no dev cycle: there is no journal of this project yet"])
        return OK
    shown, folded = made(scope, "stage")
    if scope.json:
        emit_json(shown)
    else:
        emit(lines(shown))
    return outcome(folded.reader)


def _next_of(cycle: Cycle | None, stage: str) -> tuple[str, list[str]]:
    """Stage to begin ("" for none) and what there is to say beside it."""
    if cycle is None:
        wanted = stage or STAGES[0]
        return wanted, _left_out(STAGES[: STAGES.index(wanted)])
    at, following = STAGES.index(cycle.stage), after(cycle.stage)
    if not stage or (cycle.open and stage == cycle.stage):
        how = "open" if cycle.open else f"finished; next: journal stage start {following}"
        return "", [f"{cycle.cycle} is under way: {cycle.stage} is {how}"]
    if cycle.open:
        raise RefusedError(
            f"{cycle.stage} is still open ({cycle.cycle})",
            f"when it is done: journal stage finish {cycle.stage}",
        )
    if STAGES.index(stage) <= at:
        raise RefusedError(
            f"{stage} is behind: {cycle.stage} is finished ({cycle.cycle})",
            f"{following} is next: journal stage start {following}",
        )
    return stage, _left_out(STAGES[at + 1 : STAGES.index(stage)])


def _left_out(stages: tuple[str, ...]) -> list[str]:
    return [f"left out: {', '.join(stages)}"] if stages else []


def _outlook(at: Desk, stage: str, left: float | None, why: str) -> str:
    """Say what comes next, and whether there is room for it."""
    from cli.work.stageview import needed_text
    from projections.messages.gate import enough

    limit = room.limit_of(at.views, at.sid)
    needed = room.thresholds(limit, at.scope.settings)[stage]
    following = after(stage)
    text = f"next: {following}; {room.said(left, why)}"
    if left is None:
        return text
    verdict = "enough" if enough(left, needed, limit) else "not enough"
    return f"{text}, {verdict} for {following} ({needed_text(needed)})"


def _open_cycle(at: Desk) -> Cycle:
    cycle = at.views.stage.sessions.get(at.sid)
    if cycle is None or cycle.status != "open":
        how = f" ({cycle.cycle} is {cycle.status})" if cycle is not None else ""
        raise RefusedError(f"this session has no open cycle{how}", "journal stage start begins one")
    return cycle


def _stopped(at: Desk, name: str) -> tuple[str, Cycle]:
    """Session and cycle of the stopped one that is meant."""
    cycles = at.views.stage.sessions
    stopped = {sid: cycle for sid, cycle in cycles.items() if cycle.status == "stopped"}
    listed = "; ".join(f"{c.cycle} (session {sid or 'none'})" for sid, c in stopped.items())
    if name:
        fits = [(sid, c) for sid, c in stopped.items() if name in (c.cycle, sid)]
        if len(fits) == 1:
            return fits[0]
        other = next((c for c in cycles.values() if c.cycle == name), None)
        if other is not None:
            into = f" into session {other.moved_to}" if other.moved_to else ""
            what = f"{name} is not stopped but {other.status}{into}"
            raise RefusedError(what, "journal stage status")
        raise UsageError(f"no stopped cycle is called {name}", f"there is: {listed or 'none'}")
    if not stopped:
        raise RefusedError("no cycle of this project is stopped", "journal stage start begins one")
    if len(stopped) > 1:
        raise UsageError(f"{len(stopped)} cycles are stopped: name the one that is meant", listed)
    return next(iter(stopped.items()))


def _left(at: Desk) -> tuple[float | None, str]:
    return room.remaining(at.views, at.sid, at.scope.now, at.scope.settings)


def _known(stage: str) -> None:
    if stage and stage not in STAGES:
        raise UsageError(f"there is no stage {stage}", f"in order: {', '.join(STAGES)}")


def _metrics(given: list[str] | None) -> dict[str, float]:
    """Read `name=number` options."""
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


def _done(at: Desk, said: list[str]) -> int:
    """Say what was done; as JSON, the view as it is now."""
    if not at.scope.json:
        lead = f"#{at.seqs[0]} " if at.seqs else ""
        emit([lead + one_line(said[0]), *(f"  {one_line(line)}" for line in said[1:])])
        return OK
    from cli.work.stageview import of_session

    shown = of_session(at.views, at.sid, at.scope.now, at.scope.settings)
    emit_json({"appended": at.seqs, "said": said, **shown})
    return OK
