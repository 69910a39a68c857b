"""Why an answer came out as it did: pure functions of a case and the settings.

Each rule is a row: what was looked at, what it was, and whether it let the hook speak. Invariant:
the figures come from the functions the hooks decide with; the rows say why, the answer says what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from journal.clock import millis
from projections.compound import Work, bare, unpromoted
from projections.level import warned_level
from projections.messages import HOOK_OF
from projections.messages.gate import enough, remaining, threshold
from projections.messages.pressure import is_fresh, state_of
from projections.stage import after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.explain.situation import Case
    from projections.stage import Cycle

    Settings = Mapping[str, Any]

__all__ = ["Reason", "reasons"]


class Reason(NamedTuple):
    """One look. passed: it let the hook speak; None: it is only told. keys: settings it used.

    seqs: events it rests on, where they are known.
    """

    what: str
    value: str
    passed: bool | None = None
    keys: tuple[str, ...] = ()
    seqs: tuple[int, ...] = ()


def reasons(case: Case, settings: Settings) -> list[Reason]:
    """Give the looks in the order the hook takes them; it stops at the first that did not pass."""
    event = case.event
    if event is None:
        return [Reason("type", f"{case.kind} is not known to this version", passed=False)]
    hook = HOOK_OF.get(case.kind)
    if hook is None:
        return [Reason("hook", f"no hook answers {case.kind}", passed=False)]
    found = [Reason("hook", hook)]
    for bad, what, value in (
        (case.repeat, "call", "the same hook call again: it changes nothing and is not answered"),
        (bool(event.agent), "thread", f"subagent {event.agent[:8]}: only the main thread is told"),
        (event.imported, "origin", "imported from a transcript: never answered"),
    ):
        if bad:
            return [*found, Reason(what, value, passed=False)]
    from cli.explain.past import past

    found += past(case, settings)
    if case.kind in ("prompt.submitted", "tool.finished", "tool.failed"):
        return found + _pressure(case, settings)
    if case.kind == "turn.ended":
        return found + _stop(case, settings)
    if case.kind == "session.started":
        return found + _start(case, settings)
    if case.kind == "compact.started":
        return found + _guidance(case, settings)
    return [*found, Reason("rule", "answers only what concerns it", passed=case.said is not None)]


def _pressure(case: Case, settings: Settings) -> list[Reason]:
    gauge = case.views.pressure.sessions.get(case.event.sid)
    found = [
        Reason(
            "advice",
            _on(settings["pressure.advice"]),
            passed=settings["pressure.advice"],
            keys=("pressure.advice",),
        )
    ]
    if gauge is None or gauge.tokens is None:
        why = gauge.unknown if gauge is not None else "no reading of this session yet"
        return [*found, Reason("reading", f"unknown: {why}", passed=False)]
    reached, point, source = state_of(case.views, gauge, case.event, settings)
    found.append(
        Reason(
            "reading",
            f"{gauge.tokens:,} tokens, from {gauge.source or 'unknown'}, "
            f"{_age(gauge.at, case.event.ts)}",
            seqs=_seq(gauge.seq),
        )
    )
    if not point:
        return [*found, Reason("compaction point", "unknown: no model, no window", passed=False)]
    terms = ", ".join(f"{name} {_number(value)} ({where})" for name, value, where in gauge.terms)
    how = f"{source}{': ' + terms if terms and source == 'formula' else ''}"
    found.append(
        Reason(
            "compaction point", f"T = {point:,} tokens, {how}", keys=("pressure.compaction_point",)
        )
    )
    limit = settings["pressure.stale_after"]
    fresh = is_fresh(gauge, case.event, settings)
    found.append(
        Reason(
            "age",
            f"{'at most' if fresh else 'more than'} {limit} s of activity old",
            passed=fresh,
            keys=("pressure.stale_after",),
        )
    )
    if not fresh:
        return found
    info, urgent = settings["pressure.info"], settings["pressure.urgent"]
    sum_ = (
        f"{gauge.tokens:,} / {point:,} = {100 * gauge.tokens / point:.1f}% of T; info from "
        f"{100 * info:g}% ({info * point:,.0f}), urgent from {100 * urgent:g}% "
        f"({urgent * point:,.0f}): {reached or 'below both'}"
    )
    found.append(
        Reason("level", sum_, passed=bool(reached), keys=("pressure.info", "pressure.urgent"))
    )
    if reached:
        found += _told(case, gauge, reached, info, urgent)
    return found


def _told(case: Case, gauge: Any, reached: str, info: float, urgent: float) -> list[Reason]:
    """Whether it was said already, and whether a compound has answered it."""
    found = []
    if reached == "urgent":
        ran = case.before.get("compound.ran", {}).get("seq", 0)
        value = "ran since this reading" if gauge.quiet else "has not run since this reading"
        found.append(
            Reason("compound", value, passed=not gauge.quiet, seqs=_seq(ran) if gauge.quiet else ())
        )
    told = warned_level(gauge.told, gauge.lowest, info, urgent)
    if not gauge.told:
        value = "nothing since the pressure last began to rise"
    elif not told:
        value = f"{gauge.told}, but the pressure fell to {100 * gauge.lowest:.1f}% since"
    else:
        value = f"{told} already, and the pressure has not fallen below that level since"
    before = case.before.get("advice.given pressure", {}).get("seq", 0)
    found.append(
        Reason(
            "told before",
            value,
            passed=told not in (reached, "urgent"),
            seqs=_seq(before) if gauge.told else (),
        )
    )
    return found


def _stop(case: Case, settings: Settings) -> list[Reason]:
    event = case.event
    found = [
        Reason(
            "turn",
            "a Stop hook kept it going: not asked again" if event.continued else "ended",
            passed=not event.continued,
        ),
        Reason("background", f"{event.background} tasks still run", passed=not event.background),
    ]
    if not found[0].passed or not found[1].passed:
        return found
    cycle = case.views.stage.sessions.get(event.sid)
    if cycle is not None and cycle.status == "open":
        return found + _gate(case, cycle, settings)
    status = "no dev cycle" if cycle is None else f"the dev cycle is {cycle.status}"
    return [*found, Reason("gate", f"{status} in this session"), *_compound(case, settings)]


def _gate(case: Case, cycle: Cycle, settings: Settings) -> list[Reason]:
    mode = settings["stage.gate"]
    state = "still open" if cycle.open else "finished"
    found = [
        Reason("gate", mode, passed=mode != "off", keys=("stage.gate",)),
        Reason("cycle", f"{cycle.cycle}: stage {cycle.stage} is {state}", seqs=_seq(cycle.seq)),
    ]
    following = after(cycle.stage)
    if mode == "off" or not following:
        return found
    left = remaining(case.views, case.event, settings)
    gauge = case.views.pressure.sessions.get(case.event.sid)
    limit = (gauge.limit or gauge.window) if gauge is not None else 0
    needed = threshold(cycle.stage, limit, settings)
    keys = (f"stage.thresholds.{cycle.stage}", f"stage.thresholds_long.{cycle.stage}")
    wanted = f"{needed}%" if needed <= 100 else f"{needed:,} tokens"
    if left is None:
        found.append(Reason("room", f"unknown; {wanted} is needed for {following}", keys=keys))
    else:
        room = enough(left, needed, limit)
        tokens = gauge.tokens if gauge is not None else 0
        found.append(
            Reason(
                "room",
                f"({limit:,} - {tokens:,}) / {limit:,} = {left}%; {wanted} is needed for "
                f"{following}: {'enough' if room else 'too little'}",
                keys=keys,
                seqs=_seq(gauge.seq if gauge is not None else 0),
            )
        )
    asked = ", ".join(cycle.asked) or "nothing"
    found.append(
        Reason(
            "asked before", asked, passed=case.said is not None, keys=("stage.max_continuations",)
        )
    )
    return found


def _compound(case: Case, settings: Settings) -> list[Reason]:
    state = case.views.compound
    work = state.sessions.get(case.event.sid) or Work()
    on = settings["compound.suggest"]
    count = unpromoted(state)
    found = [Reason("suggestions", _on(on), passed=on, keys=("compound.suggest",))]
    entries = state.flow.entries if state.flow is not None else 0
    ran = f"; last compound #{state.ran}" if state.ran else "; no compound has run"
    found.append(
        Reason(
            "work log",
            f"{entries} entries, {state.noted} notes, {count} not promoted{ran}",
            passed=bool(count),
            seqs=_seq(state.ran),
        )
    )
    phases = {bare(name) for name in settings["compound.phases"]}
    ended = [bare(name) for name in work.ended]
    hit = [name for name in ended if name in phases]
    found.append(
        Reason(
            "phase", f"{hit[0]} has ended" if hit else "none has ended", keys=("compound.phases",)
        )
    )
    told = ", ".join(work.suggested) or "nothing"
    found.append(Reason("suggested before", told, passed=case.said is not None or not count))
    return found


def _start(case: Case, settings: Settings) -> list[Reason]:
    if case.event.source != "compact":
        on = settings["start.announce"]
        told = "there is something to list" if case.said else "nothing to list, or listed already"
        return [
            Reason("start", case.event.source or "unknown source"),
            Reason("announce", _on(on), passed=on, keys=("start.announce",)),
            Reason("content", told, passed=case.said is not None),
        ]
    on = settings["recovery.enabled"]
    trail = case.views.recovery.sessions.get(case.event.sid)
    compaction = trail.compaction if trail is not None else None
    found = [Reason("recovery", _on(on), passed=on, keys=("recovery.enabled",))]
    if compaction is None:
        return [*found, Reason("compaction", "none is recorded", passed=False)]
    told = "told already" if compaction.told else "not told yet"
    return [
        *found,
        Reason(
            "compaction",
            f"#{compaction.seq}, {told}",
            passed=not compaction.told,
            seqs=_seq(compaction.seq),
        ),
        Reason(
            "content",
            "recorded work" if case.said else "nothing was recorded before it",
            passed=case.said is not None,
            keys=("recovery.max_chars",),
        ),
    ]


def _guidance(case: Case, settings: Settings) -> list[Reason]:
    on = settings["precompact.guidance"]
    kept = "a skill, unit, cycle or decision to keep" if case.said else "no structured state"
    return [
        Reason("guidance", _on(on), passed=on, keys=("precompact.guidance",)),
        Reason("content", kept, passed=case.said is not None),
    ]


def _on(value: object) -> str:
    return "on" if value else "off"


def _seq(seq: int) -> tuple[int, ...]:
    return (seq,) if seq else ()


def _number(text: str) -> str:
    return f"{int(text):,}" if text.isdigit() else text


def _age(at: str, ts: str) -> str:
    then, now = millis(at), millis(ts)
    return (
        "of unknown age" if then is None or now is None else f"{max(0, now - then) // 1000} s old"
    )
