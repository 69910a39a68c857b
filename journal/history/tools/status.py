"""The tool `status`: the state of this session's work, in a few lines.

Invariant: unknown values are shown as unknown, never as zero; nothing is written.
"""

from collections.abc import Iterator

from journal.clock import millis
from journal.history.current import Current
from journal.history.scope import ProjectScope
from journal.text import ago, plural, quoted
from projections.compound import unpromoted
from projections.prefilter import level
from projections.pressure import Gauge, headroom_of, is_current
from projections.progress import live
from projections.stage import under_way
from projections.unit import current
from projections.views import Views

_LISTED = 5
_TEXT = 160


def status(scope: ProjectScope) -> str:
    """Return the state of the caller's session and of its project."""
    folded = Current(scope.directory)
    folded.read_on()
    views, sid = folded.views, scope.sid_of(scope.current) if scope.current else ""
    known = f"session {sid}" if sid else "no session is known"
    lines = [
        f"Project {scope.names(scope.project.name)}, {known}; {plural(folded.fold.seq, 'event')}."
    ]
    if sid:
        lines += [_pressure(scope, views, sid), *_work(views, sid)]
    entries = plural(unpromoted(views.compound), "entry", "entries")
    lines.append(f"Work log: {entries} not saved as learnings yet.")
    return "\n".join(lines)


def _pressure(scope: ProjectScope, views: Views, sid: str) -> str:
    gauge = views.pressure.sessions.get(sid) or Gauge()
    if gauge.tokens is None:
        return f"Context: unknown ({gauge.unknown})."
    read = f"{gauge.source}, {ago(millis(gauge.at), scope.now)}"
    settings = scope.settings
    if not is_current(gauge, scope.iso, settings["pressure.stale_after"]):
        return f"Context: unknown (the last reading, {gauge.tokens:,} tokens, {read}, is too old)."
    headroom = headroom_of(views.pressure, gauge)
    if headroom is None:
        return f"Context: {gauge.tokens:,} tokens ({read}); the compaction threshold is unknown."
    reached = level(
        headroom.tokens, headroom.limit, settings["pressure.info"], settings["pressure.urgent"]
    )
    text = f"Context: {headroom.text()}, {headroom.tokens:,} of {headroom.limit:,} tokens ({read})"
    return f"{text}; level {reached or 'none'}."


def _work(views: Views, sid: str) -> Iterator[str]:
    """Yield the compactions, the work under way and the decisions of a session."""
    trail = views.recovery.sessions.get(sid)
    if trail is not None and trail.compaction is not None:
        last = trail.compaction
        how = "done" if last.done else "attempted"
        yield f"Compactions: {trail.compactions}; the last one {how}, event {last.seq}."
    if cycle := under_way(views.stage, sid):
        yield f"Dev cycle {quoted(cycle.cycle, _TEXT)}: {cycle.status} at stage {cycle.stage}."
    if skill := live(views.progress, sid):
        after = f"; next: {quoted(skill.next, _TEXT)}" if skill.next else ""
        yield f"Skill {skill.skill}: phase {skill.phase}{after}."
    unit = current(views.unit.sessions.get(sid))
    if unit is not None:
        items = [quoted(item.text, _TEXT) for item in unit.items if not item.done]
        total = len(unit.items)
        done = f"Unit {unit.unit}: {total - len(items)} of {total} done."
        yield f"{done} {_listed('Open', items)}".rstrip()
    if trail is not None and trail.decisions:
        texts = [quoted(decision.text, _TEXT) for decision in trail.decisions]
        yield _listed("Decisions, newest first", texts)


def _listed(name: str, texts: list[str]) -> str:
    more = f"; and {len(texts) - _LISTED} more" if len(texts) > _LISTED else ""
    return f"{name}: {'; '.join(texts[:_LISTED])}{more}." if texts else ""
