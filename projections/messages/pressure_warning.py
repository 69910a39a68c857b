"""Warning that the context fills: once per level, until the pressure has fallen below it again."""

from __future__ import annotations

from journal.clock import millis
from journal.text import percent, plural, utc_minute
from projections.compound import unpromoted
from projections.level import fresh, level, warned_level, warning_due
from projections.messages.message import Answer, Reason, advice, switch
from projections.pressure import point_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.messages.message import Input, Response
    from projections.pressure import Gauge

__all__ = ["is_fresh", "respond"]


def respond(given: Input) -> Response:
    """Answer a prompt or a tool call."""
    settings, event = given.settings, given.event
    yield switch(settings, "pressure.advice")
    gauge = given.views.pressure.sessions.get(event.sid)
    if gauge is None or gauge.tokens is None:
        why = gauge.unknown if gauge is not None else "no reading of this session yet"
        yield Reason("reading", f"unknown: {why}", passed=False)
        return None
    text = f"{gauge.tokens:,} tokens, from {gauge.source or 'unknown'}, {_age(gauge.at, event.ts)}"
    yield Reason("reading", text, seqs=(gauge.seq,))
    threshold, source = point_of(given.views.pressure, gauge.point)
    yield _threshold(gauge, threshold, source)
    stale_after = settings["pressure.stale_after"]
    young = is_fresh(gauge, event, settings)
    text = f"{'at most' if young else 'more than'} {stale_after} s of activity old"
    yield Reason("age", text, passed=young, keys=("pressure.stale_after",))
    info, urgent = settings["pressure.info"], settings["pressure.urgent"]
    reached = level(gauge.tokens, threshold, info, urgent)
    yield Reason(
        "level",
        f"{gauge.tokens:,} / {threshold:,} = {100 * gauge.tokens / threshold:.1f}% of T; info from "
        f"{100 * info:g}% ({info * threshold:,.0f}), urgent from {100 * urgent:g}% "
        f"({urgent * threshold:,.0f}): {reached or 'below both'}",
        passed=bool(reached),
        keys=("pressure.info", "pressure.urgent"),
    )
    if reached == "urgent":
        text = "ran since this reading" if gauge.quiet else "has not run since this reading"
        ran = (given.views.compound.ran,) if gauge.quiet else ()
        yield Reason("compound", text, passed=not gauge.quiet, seqs=ran)
    yield _warned(gauge, reached, info, urgent)
    share = urgent if reached == "urgent" else info
    return _warning(given, gauge, reached, share)


def _threshold(gauge: Gauge, threshold: int, source: str) -> Reason:
    """Return the compaction threshold with the terms of its computation."""
    name, keys = "threshold", ("pressure.compaction_point",)
    if not threshold:
        return Reason(name, "unknown: no model, no window", passed=False)
    terms = ", ".join(f"{what} {_number(value)} ({origin})" for what, value, origin in gauge.terms)
    how = f"{source}{': ' + terms if terms and source == 'formula' else ''}"
    return Reason(name, f"T = {threshold:,} tokens, {how}", keys=keys)


def _warned(gauge: Gauge, reached: str, info: float, urgent: float) -> Reason:
    """Return whether this level was warned of since the pressure was last below it."""
    warned = warned_level(gauge.told, gauge.lowest, info, urgent)
    if not gauge.told:
        text = "no warning since the pressure last began to rise"
    elif not warned:
        text = f"{gauge.told}, but the pressure fell to {100 * gauge.lowest:.1f}% since"
    else:
        text = f"{warned} already, and the pressure has not fallen below that level since"
    record = "advice.given pressure" if gauge.told else ""
    return Reason("warned before", text, passed=warning_due(reached, warned), record=record)


def is_fresh(gauge: Gauge, event: Any, settings: Mapping[str, Any]) -> bool:
    """Return whether the reading is young enough at `event`; time spent waiting does not count."""
    now = millis(event.ts) or 0
    limit = 1000 * settings["pressure.stale_after"]
    return fresh(millis(gauge.at), now, _idle(gauge, event, now), limit)


def _idle(gauge: Gauge, event: Any, now: int) -> int:
    """Return the ms since the reading that the session waited for a person, or for a tool."""
    duration = getattr(event, "ms", None)
    if duration is not None:
        return int(duration)
    if not hasattr(event, "origin"):
        return 0
    rest = millis(gauge.rest) if gauge.rest else None
    if rest is None:
        return 0
    return max(0, now - max(rest, millis(gauge.at) or 0))


def _warning(given: Input, gauge: Gauge, reached: str, share: float) -> Answer:
    tokens = gauge.tokens or 0
    threshold, source = point_of(given.views.pressure, gauge.point)
    what = "Claude Code compacts by itself" if gauge.enabled else "the context is full"
    used = _share(tokens, threshold)
    corrected = f" ({source})" if source != "formula" else ""
    text = (
        f"Context pressure is at the {reached} level (journal #{given.event.seq}, "
        f"{utc_minute(given.event.ts)}): {tokens:,} tokens, {used} of the {threshold:,} at which "
        f"{what}{corrected}. The {reached} level begins at {round(100 * share)}% of that threshold"
    )
    if gauge.window:
        text += (
            f", which is {_share(share * threshold, gauge.window)} of the {gauge.window:,}-token "
            f"window; {_share(tokens, gauge.window)} of the window is used"
        )
    text += f".{_unsaved(given)}"
    limit = "the compaction threshold" if gauge.enabled else "a full context"
    message = f"journal: context at {used} of {limit} ({tokens:,} of {threshold:,} tokens)."
    warning = advice(
        "pressure",
        text,
        channel="context",
        reason=f"{reached}: {tokens} of {threshold}",
        level=reached,
        tokens=tokens,
        point=threshold,
    )
    save_point = {"type": "checkpoint.saved", "cause": "pressure", "summary": reached}
    return Answer(context=text, message=message, events=[warning, save_point])


def _unsaved(given: Input) -> str:
    """Return what the work log holds that a compaction would leave to the summary alone."""
    compound = given.views.compound
    count = unpromoted(compound)
    if count:
        return (
            f"\n{plural(count, 'work-log entry', 'work-log entries')} not saved as learnings yet; "
            "/journal:compound goes through them with the person. After a compaction, only the "
            "summary holds what nobody wrote down."
        )
    if compound.flow is None:
        return ""
    # Hooks read the work log at a start, the end of a turn and a compaction, not at every call.
    return "\nWhen last read, the work log had no entry that is not saved as a learning."


def _share(part: float, whole: int) -> str:
    return percent(100 * part / whole if whole else 0)


def _number(text: str) -> str:
    return f"{int(text):,}" if text.isdigit() else text


def _age(at: str, ts: str) -> str:
    then, now = millis(at), millis(ts)
    if then is None or now is None:
        return "of unknown age"
    return f"{max(0, now - then) // 1000} s old"
