"""What Claude gets back after a compaction, once: the work under way, and what was not saved.

Facts with their sequence number and time; the first 2,000 characters hold what cannot be lost.
The size does not depend on the documents behind it.
"""

from __future__ import annotations

from journal.text import listed, plain_line, plural, quoted, utc_minute
from projections.compound import unpromoted
from projections.messages import dropped_by_summary, unfinished
from projections.messages.message import TEXT_LIMIT, Answer, Reason, injection, switch, width
from projections.prefilter import COMPACTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from projections.messages.message import Input, Response
    from projections.recovery import LastCompaction, Trail
    from projections.views import Views

__all__ = ["respond"]


def respond(given: Input) -> Response:
    """Answer SessionStart(compact), or a notification that the client compacted."""
    event, views = given.event, given.views
    if getattr(event, "kind", COMPACTING[0]) not in COMPACTING:
        return None
    yield switch(given.settings, "recovery.enabled")
    trail = views.recovery.sessions.get(event.sid) if event.sid else None
    if trail is None or trail.compaction is None:
        yield Reason("compaction", "none is recorded", passed=False)
        return None
    compaction = trail.compaction
    text = f"#{compaction.seq}, {'recovered already' if compaction.told else 'not recovered yet'}"
    yield Reason("compaction", text, passed=not compaction.told, seqs=(compaction.seq,))
    parts = _sections(views, trail, compaction, event)
    recorded = len(parts) > 1  # the bare fact of a compaction helps nobody
    text = f"{plural(len(parts) - 1, 'part')} of recorded work" if recorded else "no recorded work"
    yield Reason("content", text, passed=recorded, keys=("recovery.max_chars",))
    text = _within(parts, min(TEXT_LIMIT, given.settings["recovery.max_chars"]))
    events = [injection("recovery", text, reason=f"compaction #{compaction.seq}")]
    left_out = dropped_by_summary.section(compaction)
    if left_out and left_out in text:
        events.append(dropped_by_summary.record(left_out, compaction))
    return Answer(context=text, events=events)


def _sections(views: Views, trail: Trail, compaction: LastCompaction, event: Any) -> list[str]:
    """Return the parts of the text, most precious first."""
    parts = [_head(trail, compaction, event), *unfinished.loop(event)]
    parts += [_request(trail), _save_point(trail)]
    parts += _under_way(views, event.sid)
    parts.append(dropped_by_summary.section(compaction))
    parts += [_work_log(views, compaction), _changed(trail)]
    if trail.decisions:
        decided = [
            f"- {plain_line(text, 300)} ({utc_minute(ts)})" for ts, text in trail.decisions[:8]
        ]
        parts.append("\n".join(["Decisions recorded, newest first:", *decided]))
    if trail.failures:
        failed = [
            f"- {plain_line(tool, 60)} {quoted(target, 100)}: {quoted(error, 120)}"
            for tool, target, error in trail.failures
        ]
        parts.append("\n".join(["Last failures:", *failed]))
    parts.append(_summary(trail))
    if trail.message:
        parts.append(f"End of the last answer before it: {quoted(trail.message, 400)}")
    if trail.prompts[1:]:
        asked = [f"- {quoted(text, 200)} ({utc_minute(ts)})" for ts, text in trail.prompts[1:]]
        parts.append("\n".join(["Earlier requests:", *asked]))
    parts += unfinished.unowned(event)
    if trail.read:
        parts.append(f"Files only read: {listed(trail.read, 8)}.")
    return [part for part in parts if part]


def _head(trail: Trail, compaction: LastCompaction, event: Any) -> str:
    how = {"auto": " automatically", "manual": " by hand"}.get(compaction.trigger, "")
    size = f" at {compaction.tokens:,} tokens" if compaction.tokens else ""
    number = f", compaction {trail.compactions} of this session" if trail.compactions > 1 else ""
    asked = ""
    if compaction.instructions:
        asked = f" The summary was asked to: {quoted(compaction.instructions, 200)}."
    return (
        f"Journal of this session (#{event.seq}, {utc_minute(event.ts)}): the context was compacted"
        f"{how}{size}{number}. What follows was recorded before that.{asked}"
    )


def _request(trail: Trail) -> str:
    if not trail.prompts:
        return ""
    ts, text = trail.prompts[0]
    if not text:
        return f"Last request: {utc_minute(ts)} (the journal does not record its text)."
    return f"Last request ({utc_minute(ts)}): {quoted(text, 500)}"


def _save_point(trail: Trail) -> str:
    """Return the text of the last save point that somebody asked for."""
    if not trail.checkpoint_summary:
        return ""
    return f"Last checkpoint: {quoted(trail.checkpoint_summary, 400)}"


def _under_way(views: Views, sid: str) -> list[str]:
    """Return the structured state, before anything narrative: skill, unit, stage."""
    parts = []
    state = views.progress.sessions.get(sid)
    if state is not None and state.status == "live":
        parts.append(unfinished.structured(state))
    unit = unfinished.unit_lines(views, sid)
    if unit:
        parts.append("\n".join(unit))
    cycle = views.stage.sessions.get(sid)
    if cycle is not None and cycle.status == "open":
        parts.append(unfinished.cycle_line(cycle))
    return parts


def _summary(trail: Trail) -> str:
    if not trail.summary_seq:
        return ""
    return (
        f"The summary of the latest compaction that has one is journal #{trail.summary_seq}: "
        "`journal events --type compact.finished --type compact.summarized`."
    )


def _work_log(views: Views, compaction: LastCompaction) -> str:
    """Return what of the work log was not saved before the compaction, or that all of it was."""
    state = views.compound
    count = unpromoted(state)
    if compaction.unpromoted is not None:
        count = compaction.unpromoted
    if count:
        return _unsaved(views, compaction, count)
    if not state.ran:
        return ""
    text = (
        f"All of the work log is saved: a compound ran before the compaction (#{state.ran}, "
        f"{utc_minute(state.ran_at)}) and left no entry."
    )
    files = [file.path for file in state.stock.files] if state.stock else []
    work_log = [state.flow.path] if state.flow and state.flow.entries else []
    if files or work_log:
        text += f" The files to read: {listed([*work_log, *files], 6)}."
    return text


def _unsaved(views: Views, compaction: LastCompaction, count: int) -> str:
    state = views.compound
    path = f" ({state.flow.path})" if state.flow and state.flow.path else ""
    ran = f"A compound ran before it (#{state.ran}); since then " if compaction.promoted else ""
    text = (
        f"{ran}{plural(count, 'work-log entry was', 'work-log entries were')} not saved as "
        f"learnings before the compaction{path}"
    )
    headings = listed([quoted(heading, 100) for heading in compaction.headings], 3)
    text += f"; most recent: {headings}. " if headings else ". "
    text += "/journal:compound goes through them with the person."
    if state.trimmed_unpromoted:
        older = plural(state.trimmed_unpromoted, "older entry", "older entries")
        text += f" {older} left the work log: `journal events --type flow.trimmed` has them whole."
    return text


def _changed(trail: Trail) -> str:
    if not trail.files:
        return ""
    return f"Files changed, newest first: {listed(trail.files, 12)}."


def _within(parts: list[str], limit: int) -> str:
    """Join what fits into `limit` characters of JSON, and say what was left out."""
    text = parts[0]
    for number, part in enumerate(parts[1:], 1):
        if width(text) + width(part) + 4 > limit - 80:
            left = plural(len(parts) - number, "more part")
            return f"{text}\n\n[{left} left out; `journal view recovery` has all]"
        text += "\n\n" + part
    return text
