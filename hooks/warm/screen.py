"""The texts that the module shows in Claude Code: a status entry, a warning, an offer, a side pane.

It only reads the journal. Invariant: each text is one plain line that needs no colour; unknown
values are left out or called unknown.
"""

from __future__ import annotations

from contextlib import closing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from hooks.warm.screen_texts import TEXTS
from journal.clock import local, millis
from journal.errors import JournalError
from journal.history.current import Current
from journal.history.scope import ProjectScope
from journal.text import phrase, plain_line, plural, short_count
from projections.compound import CompoundWork, bare_name, unpromoted
from projections.facts.session import Trail
from projections.language import language_in
from projections.level import level
from projections.messages.message import counted
from projections.messages.related_sessions import candidates
from projections.messages.summary_guidance import guidance
from projections.pressure import current_headroom
from projections.progress import live
from projections.stage import under_way
from projections.unit import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from projections.headroom import Headroom
    from projections.views import Views

_STEPS = "▁▂▃▄▅▆▇█"
_READINGS = 32
_LISTED = 6
_TEXT = 160

Line = tuple[str, str]


def screen(env: Mapping[str, str], sid: str, cwd: str, *, pane: bool) -> dict[str, Any]:
    """Return the texts for a session; "" for each that has nothing to show.

    offer: why now is a good moment to compact; instructions: of that compaction's summary.
    pane: whether to compute its lines too, as (kind, text); the kind is "head" or "text".
    """
    scope = ProjectScope(env, cwd=cwd, session=sid, stores=False)
    folded = Current(scope.directory)
    folded.read_on()
    views, settings = folded.views, scope.settings
    stale_after = settings["pressure.stale_after"]
    room = current_headroom(views.pressure, sid, scope.iso, stale_after)
    unsaved = unpromoted(views.compound)
    language = language_in(views.language, sid, settings["messages.language"])
    found: dict[str, Any] = {"status": "", "row": "", "offer": "", "instructions": "", "pane": []}
    if settings["screen.status"]:
        found["status"] = _status(views, sid, room, unsaved, language)
    if settings["screen.row"] and room is not None:
        found["row"] = _row(scope, views, sid, room, unsaved, language)
    if settings["screen.compact"] and room is not None:
        found["offer"] = _offer(scope, views, sid, room, language)
        found["instructions"] = guidance(views, sid) if found["offer"] else ""
    if pane and settings["screen.pane"]:
        found["pane"] = list(_pane(scope, views, sid, room, language))
    return found


def _text(language: str, name: str, **values: object) -> str:
    return phrase(language, TEXTS[name], **values)


def _entries(language: str, count: int) -> str:
    if language == "en":
        return plural(count, "entry", "entries")
    return counted(language, count, "work-log entry")


def _of(room: Headroom, language: str) -> str:
    used, limit = short_count(room.tokens), short_count(room.limit)
    return _text(language, "room", left=room.text(language), used=used, limit=limit)


def _status(views: Views, sid: str, room: Headroom | None, unsaved: int, language: str) -> str:
    """Return pressure, stage and entries that are not saved."""
    parts = [_text(language, "context", room=_of(room, language)) if room else ""]
    if cycle := under_way(views.stage, sid):
        parts.append(_text(language, "stage" if cycle.open else "done", stage=cycle.stage))
    if unsaved:
        parts.append(_text(language, "unsaved", entries=_entries(language, unsaved)))
    return plain_line(" · ".join(part for part in parts if part), _TEXT)


def _row(
    scope: ProjectScope, views: Views, sid: str, room: Headroom, unsaved: int, language: str
) -> str:
    """Return the warning, "" below the first level and after it was acted on."""
    settings, gauge = scope.settings, views.pressure.sessions[sid]
    if not _level(scope, room) or gauge.quiet or not settings["pressure.advice"]:
        return ""
    entries = _entries(language, unsaved)
    save = _text(language, "save", entries=entries) if unsaved else ""
    how = _text(language, "compact" if room.by_hand else "clear")
    return plain_line(f"{_of(room, language)}: {save}{how}", _TEXT)


def _level(scope: ProjectScope, room: Headroom) -> str:
    settings = scope.settings
    return level(room.tokens, room.limit, settings["pressure.info"], settings["pressure.urgent"])


def _offer(scope: ProjectScope, views: Views, sid: str, room: Headroom, language: str) -> str:
    """Return which phase has ended, "" for none or below the first level."""
    phase = _ended(scope, views, sid, language) if room.by_hand and _level(scope, room) else ""
    return plain_line(_text(language, "offer", phase=phase), _TEXT) if phase else ""


def _ended(scope: ProjectScope, views: Views, sid: str, language: str) -> str:
    """Name the skill, stage or phase that ended with the last turn, "" for none."""
    work = views.compound.sessions.get(sid) or CompoundWork()
    phases = {"compound", *map(bare_name, scope.settings["compound.phases"])}
    skill = next((name for name in map(bare_name, work.ended) if name in phases), "")
    if skill:
        return f"/{skill}"
    cycle = views.stage.sessions.get(sid)
    if cycle is not None and cycle.is_between_stages:
        return _text(language, "stage", stage=cycle.stage)
    state, trail = live(views.progress, sid), views.recovery.sessions.get(sid)
    prompted_at = trail.prompts[0][0] if trail and trail.prompts else ""
    if state and state.phases and prompted_at <= state.phases[-1].at:
        phase = state.phases[-1]
        name = phase.name or phase.phase
        return _text(language, "phase", phase=name, skill=state.skill)
    return ""


def _pane(
    scope: ProjectScope, views: Views, sid: str, room: Headroom | None, language: str
) -> Iterator[Line]:
    """Yield the pane's lines. They have times, not ages: the pane may stay unchanged for hours."""
    yield from _damage(scope)
    yield "head", _text(language, "pressure")
    yield "text", _of(room, language) if room else _text(language, "unknown")
    yield from _pressure(scope, sid, language)
    trail = views.recovery.sessions.get(sid) or Trail()
    answers = [f"{question} {answer}" for question, answer, *_ in reversed(trail.gathered.choices)]
    yield from _listed(language, "decisions", [*(text for _at, text in trail.decisions), *answers])
    unit = current(views.unit.sessions.get(sid))
    items = [item.text for item in unit.items if not item.done] if unit else []
    yield from _listed(language, "items", items)
    sessions = candidates(views, SimpleNamespace(sid=sid))
    titles = [f"{card.date[:10]} {card.title} (journal get {card.sid[:8]})" for card in sessions]
    yield from _listed(language, "sessions", titles)


def _damage(scope: ProjectScope) -> Iterator[Line]:
    """Yield that the journal is damaged, so that the lines below do not pass for all there is."""
    from journal.history.damage import states_of

    for state in states_of(scope.home, (scope.project.name,), stores=False):
        if state.is_damaged:
            yield "head", "Damaged: this pane is not complete"
            yield "text", plain_line(f"{state.damage} (journal verify)", _TEXT)


def _pressure(scope: ProjectScope, sid: str, language: str) -> Iterator[Line]:
    """Yield the readings over time, then each compaction and what it dropped."""
    from journal.history.tools.recall import index_of, of_session

    latest = list(_readings(scope.directory, sid))[-_READINGS:]
    if latest:
        steps = (min(7, 8 * event.tokens // event.point) for event in latest)
        yield "text", "".join(_STEPS[step] for step in steps)
        since = local(millis(latest[0].ts) or 0)[:16]
        count = plural(len(latest), "reading") if language == "en" else len(latest)
        yield "text", _text(language, "readings", count=count, since=since)
    yield "head", _text(language, "compactions")
    with closing(index_of(scope)) as index:
        try:
            index.update((scope.project.name,))
            found = of_session(scope, index, sid)
        except (JournalError, OSError) as error:
            yield "text", plain_line(f"cannot be read: {error}", _TEXT)
            return
    compactions = [entry for entry in found.entries if entry.compaction] if found else []
    if not compactions:
        yield "text", _text(language, "none")
    for entry in compactions[-_LISTED:]:
        done = entry.compaction
        if done is None:
            continue
        size = _text(language, "size", tokens=short_count(done.before)) if done.before else ""
        at = millis(entry.at)
        when = f", {local(at)[:16]}" if at is not None else ""
        trigger = done.trigger if done.trigger in ("auto", "manual") else "compaction"
        yield "text", f"{_text(language, trigger)}{size}{when}"
        dropped = [*done.dropped.decisions, *done.dropped.items, *done.dropped.paths]
        for text in dropped[:_LISTED]:
            yield "text", _text(language, "dropped") + plain_line(text, _TEXT)
        if len(dropped) > _LISTED:
            yield "text", "  " + _text(language, "more", count=len(dropped) - _LISTED)


def _readings(directory: str, sid: str) -> Iterator[Any]:
    """Yield the readings of a session for which the threshold is known."""
    from journal.events.registry import decode
    from journal.history.replay.facts import sid_of
    from journal.history.replay.run import replay_all
    from journal.log.read import Reader
    from journal.log.record import type_of

    facts = replay_all(directory, (), stores=False).facts
    first = facts.sessions[sid][0] if sid in facts.sessions else facts.events
    for _, line in Reader(directory, max(0, first - 1)):
        if type_of(line) == "pressure.sampled" and sid_of(line) == sid:
            event = decode(line, "pressure.sampled")
            if getattr(event, "point", 0):
                yield event


def _listed(language: str, head: str, texts: list[str]) -> Iterator[Line]:
    yield "head", _text(language, head)
    for text in texts[:_LISTED] or [_text(language, "none")]:
        yield "text", plain_line(text, _TEXT)
    if len(texts) > _LISTED:
        yield "text", _text(language, "more", count=len(texts) - _LISTED)
