"""What is told once after a compaction: what was being done, what was never promoted, what next.

Facts with their sequence number and time; the first 2,000 characters hold what cannot be lost.
The size does not depend on the documents behind it.
"""

from __future__ import annotations

from projections.compound import unpromoted
from projections.messages import dropped as lost
from projections.messages import offer
from projections.messages.answer import ROOM, Answer, injection, width
from projections.messages.wording import listed, many, one_line, quoted, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.recovery import Compaction, Trail
    from projections.views import Views

__all__ = ["answer", "sections"]


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Answer SessionStart(compact), once per compaction."""
    if not settings["recovery.enabled"] or not event.sid:
        return None
    trail = views.recovery.sessions.get(event.sid)
    if trail is None or trail.compaction is None or trail.compaction.told:
        return None
    parts = sections(views, trail, trail.compaction, event)
    if len(parts) == 1:
        return None  # nothing was recorded: the bare fact helps nobody
    text = _within(parts, min(ROOM, settings["recovery.max_chars"]))
    reason = f"compaction #{trail.compaction.seq}"
    says = [injection("recovery", text, reason=reason)]
    left_out = lost.section(trail.compaction)
    if left_out and left_out in text:
        says.append(lost.said(left_out, trail.compaction))
    return Answer(context=text, says=says)


def sections(views: Views, trail: Trail, compaction: Compaction, event: Any) -> list[str]:
    """Give the parts of the text, most precious first."""
    parts = [_head(trail, compaction, event), *offer.loop(event)]
    parts += [_request(trail), _checkpoint(trail)]
    parts += _under_way(views, event.sid)
    parts.append(lost.section(compaction))
    parts += [_promotion(views, compaction), _changed(trail)]
    if trail.decisions:
        decided = [f"- {one_line(text, 300)} ({when(ts)})" for ts, text in trail.decisions[:8]]
        parts.append("\n".join(["Decisions recorded, newest first:", *decided]))
    if trail.failures:
        parts.append(
            "Last failures:\n"
            + "\n".join(
                f"- {one_line(tool, 60)} {quoted(target, 100)}: {quoted(error, 120)}"
                for tool, target, error in trail.failures
            )
        )
    parts.append(_summary(trail))
    if trail.message:
        parts.append(f"End of the last answer before it: {quoted(trail.message, 400)}")
    if trail.prompts[1:]:
        parts.append(
            "Earlier requests:\n"
            + "\n".join(f"- {quoted(text, 200)} ({when(ts)})" for ts, text in trail.prompts[1:])
        )
    parts += offer.unowned(event)
    if trail.read:
        parts.append(f"Files only read: {listed(trail.read, 8)}.")
    return [part for part in parts if part]


def _head(trail: Trail, compaction: Compaction, event: Any) -> str:
    how = {"auto": "automatically", "manual": "by hand"}.get(compaction.trigger, "")
    size = f" at {compaction.tokens:,} tokens" if compaction.tokens else ""
    number = f", compaction {trail.compactions} of this session" if trail.compactions > 1 else ""
    asked = (
        f" The summary was asked to: {quoted(compaction.instructions, 200)}."
        if (compaction.instructions)
        else ""
    )
    return (
        f"Journal of this session (#{event.seq}, {when(event.ts)}): the context was compacted"
        f"{' ' + how if how else ''}{size}{number}. What follows was recorded before that.{asked}"
    )


def _request(trail: Trail) -> str:
    if not trail.prompts:
        return ""
    ts, text = trail.prompts[0]
    if not text:
        return f"Last request: made {when(ts)} (its text is not kept)."
    return f"Last request ({when(ts)}): {quoted(text, 500)}"


def _checkpoint(trail: Trail) -> str:
    """Give the words of the last checkpoint somebody asked for."""
    if not trail.checkpoint_summary:
        return ""
    return f"Last checkpoint: {quoted(trail.checkpoint_summary, 400)}"


def _under_way(views: Views, sid: str) -> list[str]:
    """Give the structured state, before anything narrative: skill, unit, stage."""
    parts = []
    state = views.progress.sessions.get(sid)
    if state is not None and state.status == "live":
        parts.append(offer.structured(state))
    unit = offer.unit_lines(views, sid)
    if unit:
        parts.append("\n".join(unit))
    cycle = views.stage.sessions.get(sid)
    if cycle is not None and cycle.status == "open":
        parts.append(offer.cycle_line(cycle))
    return parts


def _summary(trail: Trail) -> str:
    if not trail.summary_seq:
        return ""
    return (
        f"The summary of the latest compaction that has one is kept as journal "
        f"#{trail.summary_seq}: `journal events --type compact.finished --type "
        "compact.summarized`."
    )


def _promotion(views: Views, compaction: Compaction) -> str:
    state = views.compound
    waiting = unpromoted(state)
    if compaction.unpromoted is not None:
        waiting = compaction.unpromoted
    named = listed([quoted(heading, 100) for heading in compaction.headings], 3)
    where = f" ({state.flow.path})" if state.flow and state.flow.path else ""
    if waiting:
        done = ""
        if compaction.promoted:
            done = f"A compound ran before it (#{state.ran}); since then "
        text = f"{done}{many(waiting, 'work-log entry was', 'work-log entries were')} not promoted "
        text += f"to learnings before the compaction{where}"
        text += f"; most recent: {named}. " if named else ". "
        text += "/journal:compound reviews them with the person."
        if state.trimmed_unpromoted:
            older = many(state.trimmed_unpromoted, "older entry", "older entries")
            text += (
                f" {older} left the work log: `journal events --type flow.trimmed` has them whole."
            )
        return text
    if state.ran:
        text = (
            f"Knowledge is preserved: a compound ran before the compaction (#{state.ran}, "
            f"{when(state.ran_at)}) and nothing waits for promotion."
        )
        files = [file.path for file in state.stock.files] if state.stock else []
        work_log = [state.flow.path] if state.flow and state.flow.entries else []
        if files or work_log:
            text += f" The files to read: {listed([*work_log, *files], 6)}."
        return text
    return ""


def _changed(trail: Trail) -> str:
    if not trail.files:
        return ""
    return f"Files changed, newest first: {listed(trail.files, 12)}."


def _within(parts: list[str], limit: int) -> str:
    """Join what fits into `limit` characters of JSON; say what was left out."""
    text = parts[0]
    for number, part in enumerate(parts[1:], 1):
        if width(text) + width(part) + 4 > limit - 80:
            left = len(parts) - number
            return (
                f"{text}\n\n[{many(left, 'more part')} left out; `journal view recovery` has all]"
            )
        text += "\n\n" + part
    return text
