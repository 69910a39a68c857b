"""What is said at the end of a turn: at most one suggestion per condition and lineage."""

from __future__ import annotations

from projections.compound import Work, bare, unpromoted
from projections.messages.answer import Answer, advice
from projections.messages.wording import listed, many, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.compound import Compound
    from projections.views import Views

__all__ = ["answer"]


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Answer a Stop. Silent while a hook keeps the turn going or a task still runs."""
    if event.continued or event.background or not event.sid:
        return None
    gated = None
    if event.sid in views.stage.sessions:
        from projections.messages import gate

        gated = gate.answer(views, event, settings)
    if gated is not None or not settings["compound.suggest"]:
        return gated
    work = views.compound.sessions.get(event.sid) or Work()
    return _compound(views.compound, work, settings) or _checks(work, settings)


def _compound(state: Compound, work: Work, settings: Mapping[str, Any]) -> Answer | None:
    count = unpromoted(state)
    if not count:
        return None
    phases = {bare(phase) for phase in settings["compound.phases"]}
    phase = next((bare(name) for name in work.ended if bare(name) in phases), "")
    # A compound that runs later makes a new condition of the same name.
    reason = (
        f"phase {phase}, compound #{state.ran}" if phase else f"unpromoted, compound #{state.ran}"
    )
    if reason in work.suggested:
        return None
    since = "since the last compound" if state.ran else "and no compound has run yet"
    what = f"{many(count, 'work-log entry is', 'work-log entries are')} not promoted {since}"
    headings = state.flow.headings if state.flow else []
    recent = listed([quoted(heading, 80) for heading in headings], 3) or ""
    detail = f" Most recent: {recent}." if recent else ""
    stock = state.stock
    if stock is not None and stock.unverified >= settings["compound.many_unverified"]:
        detail += f" Of {stock.total} learnings, {stock.unverified} are not verified yet."
    if phase:
        text = (
            f"The {phase} phase has ended. {what[0].upper()}{what[1:]}.{detail} "
            "/journal:compound reviews them with the person, who decides."
        )
        says = advice("phase", text, channel="context", reason=reason)
        return Answer(context=text, says=[says])
    text = f"journal: {what}.{detail} /journal:compound reviews them."
    return Answer(message=text, says=[advice("compound", text, channel="message", reason=reason)])


def _checks(work: Work, settings: Mapping[str, Any]) -> Answer | None:
    """A workflow that has a check of its own was used, and the check was not."""
    used = {bare(name) for name in work.used}
    for pair in settings.get("compound.checks", ()):
        workflow, _, check = pair.partition(":")
        reason = f"check {workflow}:{check}"
        if workflow in used and check not in used and reason not in work.suggested:
            text = f"journal: {workflow} was used in this session; its check, {check}, was not."
            return Answer(
                message=text, says=[advice("check", text, channel="message", reason=reason)]
            )
    return None
