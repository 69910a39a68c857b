"""The texts that the module shows in Claude Code: a status entry, a warning, an offer, a side pane.

It only reads the journal. Invariant: each text is one plain line that needs no color; unknown
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
from projections.messages.message import counted
from projections.messages.related_sessions import candidates
from projections.messages.summary_guidance import guidance
from projections.prefilter import level
from projections.pressure import current_headroom
from projections.progress import live
from projections.stage import under_way
from projections.unit import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    shown, settings = _Screen(scope, sid), scope.settings
    offer = shown.offer() if settings["screen.compact"] else ""
    return {
        "status": shown.status() if settings["screen.status"] else "",
        "row": shown.row() if settings["screen.row"] else "",
        "offer": offer,
        "instructions": guidance(shown.views, sid) if offer else "",
        "pane": list(shown.pane()) if pane and settings["screen.pane"] else [],
    }


class _Screen:
    """The texts of one session, in its language."""

    def __init__(self, scope: ProjectScope, sid: str) -> None:
        folded = Current(scope.directory)
        folded.read_on()
        self.scope = scope
        self.sid = sid
        self.views = folded.views
        settings, pressure = scope.settings, folded.views.pressure
        stale_after = settings["pressure.stale_after"]
        self.headroom = current_headroom(pressure, sid, scope.iso, stale_after)
        self.language = language_in(folded.views.language, sid, settings["messages.language"])
        self.unsaved = self._entries(unpromoted(folded.views.compound))

    def status(self) -> str:
        """Return pressure, stage and entries that are not saved; a line has 80 columns."""
        parts = [self._text("context", left=self.headroom.left) if self.headroom else ""]
        if cycle := under_way(self.views.stage, self.sid):
            parts.append(self._text("stage" if cycle.open else "done", stage=cycle.stage))
        if self.unsaved:
            parts.append(self._text("unsaved", entries=self.unsaved))
        return plain_line(" · ".join(part for part in parts if part), _TEXT)

    def row(self) -> str:
        """Return the warning, "" below the first level and after it was acted on."""
        gauge, settings = self.views.pressure.sessions.get(self.sid), self.scope.settings
        if not self._level() or gauge is None or gauge.quiet or not settings["pressure.advice"]:
            return ""
        save = self._text("save", entries=self.unsaved) if self.unsaved else ""
        how = self._text("compact" if self._can_compact() else "clear")
        return plain_line(f"{self._left()}: {save}{how}", _TEXT)

    def offer(self) -> str:
        """Return which phase has ended, "" for none or below the first level."""
        phase = self._ended_phase() if self._can_compact() and self._level() else ""
        return plain_line(self._text("offer", phase=phase), _TEXT) if phase else ""

    def pane(self) -> Iterator[Line]:
        """Yield the pane's lines, with times, not ages: the pane may stay unchanged for hours."""
        yield from self._damage()
        yield "head", self._text("pressure")
        yield "text", self._left() or self._text("unknown")
        yield from self._readings()
        yield from self._compactions()
        trail = self.views.recovery.sessions.get(self.sid) or Trail()
        decisions = [decision.text for decision in trail.decisions]
        choices = [f"{one.question} {one.answer}" for one in reversed(trail.gathered.choices)]
        yield from self._listed("decisions", [*decisions, *choices])
        unit = current(self.views.unit.sessions.get(self.sid))
        items = [item.text for item in unit.items if not item.done] if unit else []
        yield from self._listed("items", items)
        sessions = candidates(self.views, SimpleNamespace(sid=self.sid))
        titles = [
            f"{card.date[:10]} {card.title} (journal get {card.sid[:8]})" for card in sessions
        ]
        yield from self._listed("sessions", titles)

    def _text(self, name: str, **values: object) -> str:
        return phrase(self.language, TEXTS[name], **values)

    def _entries(self, count: int) -> str:
        """Return a number of work-log entries as text; "" for 0."""
        if self.language == "en" and count:
            return plural(count, "entry", "entries")
        return counted(self.language, count, "work-log entry") if count else ""

    def _left(self) -> str:
        """Return how much context is left; "" if that is unknown."""
        if (found := self.headroom) is None:
            return ""
        used, limit = short_count(found.tokens), short_count(found.limit)
        return self._text("left", percent=found.text(self.language), used=used, limit=limit)

    def _level(self) -> str:
        """Return the warning level that the context has reached; "" for none."""
        settings, found = self.scope.settings, self.headroom
        info, urgent = settings["pressure.info"], settings["pressure.urgent"]
        return level(found.tokens, found.limit, info, urgent) if found else ""

    def _can_compact(self) -> bool:
        return self.headroom is not None and self.headroom.by_hand

    def _ended_phase(self) -> str:
        """Name the skill, stage or phase that ended with the last turn, "" for none."""
        views, sid = self.views, self.sid
        work = views.compound.sessions.get(sid) or CompoundWork()
        phases = {"compound", *map(bare_name, self.scope.settings["compound.phases"])}
        skill = next((name for name in map(bare_name, work.ended) if name in phases), "")
        if skill:
            return f"/{skill}"
        cycle = views.stage.sessions.get(sid)
        if cycle is not None and cycle.is_between_stages:
            return self._text("stage", stage=cycle.stage)
        state, trail = live(views.progress, sid), views.recovery.sessions.get(sid)
        prompted_at = trail.prompts[0].at if trail and trail.prompts else ""
        if state and state.phases and prompted_at <= state.phases[-1].at:
            phase = state.phases[-1]
            return self._text("phase", phase=phase.name or phase.phase, skill=state.skill)
        return ""

    def _damage(self) -> Iterator[Line]:
        """Yield a warning if the journal is damaged: the lines below are then incomplete."""
        from journal.history.damage import states_of

        scope = self.scope
        for state in states_of(scope.home, (scope.project.name,), stores=False):
            if state.is_damaged:
                yield "head", self._text("damaged")
                yield "text", plain_line(f"{state.damage} (journal verify)", _TEXT)

    def _readings(self) -> Iterator[Line]:
        """Yield the last readings as a curve, and since when they are."""
        latest = list(_readings_of(self.scope.directory, self.sid))[-_READINGS:]
        if latest:
            steps = (min(7, 8 * event.tokens // event.point) for event in latest)
            yield "text", "".join(_STEPS[step] for step in steps)
            since = local(millis(latest[0].ts) or 0)[:16]
            count = plural(len(latest), "reading") if self.language == "en" else len(latest)
            yield "text", self._text("readings", count=count, since=since)

    def _compactions(self) -> Iterator[Line]:
        """Yield each compaction and what it dropped."""
        from journal.history.tools.recall import index_of, of_session

        scope = self.scope
        yield "head", self._text("compactions")
        with closing(index_of(scope)) as index:
            try:
                index.update((scope.project.name,))
                found = of_session(scope, index, self.sid)
            except (JournalError, OSError) as error:
                yield "text", plain_line(self._text("unread", error=error), _TEXT)
                return
        entries = found.entries if found else []
        done = [(entry.at, entry.compaction) for entry in entries if entry.compaction]
        if not done:
            yield "text", self._text("none")
        for at, compaction in done[-_LISTED:]:
            tokens = compaction.before
            size = self._text("size", tokens=short_count(tokens)) if tokens else ""
            ms = millis(at)
            when = f", {local(ms)[:16]}" if ms is not None else ""
            trigger = compaction.trigger
            kind = trigger if trigger in ("auto", "manual") else "compaction"
            yield "text", f"{self._text(kind)}{size}{when}"
            left = compaction.dropped
            dropped = [*left.decisions, *left.items, *left.paths]
            lead = self._text("dropped")
            yield from self._lines([lead + plain_line(text, _TEXT) for text in dropped], "  ")

    def _listed(self, head: str, texts: list[str]) -> Iterator[Line]:
        yield "head", self._text(head)
        yield from self._lines([plain_line(text, _TEXT) for text in texts or [self._text("none")]])

    def _lines(self, texts: list[str], indent: str = "") -> Iterator[Line]:
        """Yield the first texts, and how many more there are."""
        yield from (("text", text) for text in texts[:_LISTED])
        if len(texts) > _LISTED:
            yield "text", indent + self._text("more", count=len(texts) - _LISTED)


def _readings_of(directory: str, sid: str) -> Iterator[Any]:
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
