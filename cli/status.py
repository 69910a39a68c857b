"""`journal status`: where the project stands.

Invariant: an unknown value is shown as unknown, never as zero; the text shows nothing that is not
in the JSON.
"""

import os
from typing import Any

from msgspec import convert, to_builtins
from msgspec.structs import replace

from cli.install.statusline import is_installed
from cli.read import fold, session_of
from cli.scope import Scope
from cli.status_text import lines
from cli.view import VIEWS
from cli.view.compound import compound
from cli.view.context import ViewContext, recorded_in
from cli.view.pressure import gauge_of
from cli.view.sessions import facts_of
from journal.client_version import tested, tested_range
from journal.events.base import Flow, Stock
from journal.history.archive.files import stored_bytes
from journal.history.damage import states_of
from journal.history.moved import moved_from
from journal.history.new_transcripts import losses, text_limit
from journal.history.replay.run import replay_all
from journal.home import IMPORTED
from journal.log.findings import VALID
from journal.redaction import redact_value
from journal.transcript.usage import lines_with, record_of
from journal.workfiles.learnings import learning_facts
from journal.workfiles.work_log import flow_facts, read_flow
from projections.facts.session import LastCompaction
from projections.progress import live
from projections.session import Session
from projections.stage import under_way
from projections.unit import current

NEEDS = tuple(dict.fromkeys(need for view in VIEWS.values() for need in view.needs))
"""The projections that the status is made of."""
_SHOWN = 3  # sessions whose pressure is shown without --session
_TAIL = 64 * 1024


def status(scope: Scope) -> int:
    """Print the status of the journal."""
    data = collect(scope)
    return scope.show(data, lines(data, scope))


def collect(scope: Scope) -> dict[str, Any]:
    """Return the status as data."""
    folded = fold(scope, NEEDS)
    recorded = recorded_in(scope, folded, whole=True)
    context = ViewContext(scope, folded, session_of(scope, folded, recorded), recorded)
    _read_files(context)
    return _facts(context)


def _read_files(context: ViewContext) -> None:
    """Set the work log and the learnings to what their files say now, not at the last hook call.

    Where the project's directory is not here, they stay as recorded.
    """
    root, states = context.scope.project.work, context.folded.states
    if not root or not os.path.isdir(root):
        return
    entries, counts = read_flow(root), learning_facts(root)
    flow = stock = None
    if entries is not None:
        facts = redact_value(flow_facts(entries, states["compound"].first_seen))
        flow = convert(facts, Flow)
    if counts is not None:
        stock = convert(counts, Stock)
    states["compound"] = replace(states["compound"], flow=flow, stock=stock)
    states["learnings"] = replace(states["learnings"], stock=stock)


def _facts(context: ViewContext) -> dict[str, Any]:
    folded, scope = context.folded, context.scope
    shown = _to_show(context)
    gauges, trails = context.state("pressure").sessions, context.state("recovery").sessions
    states = list(
        states_of(scope.home, (scope.project.name,), {scope.directory: folded.reader.found})
    )
    counts = {name: n for name, n in folded.reader.found.counts.items() if name != VALID}
    return {
        **context.head,
        "home": scope.home,
        "events": folded.facts.events,
        "first": folded.facts.first or None,
        "last_type": folded.facts.last_type or None,
        "findings": counts,
        "damage": [item.damage for item in states if item.is_damaged],
        "losses_known": [item.losses for item in states if item.losses],
        "unknown_types": folded.fold.unknown,
        "session": context.session or None,
        "pressure": {sid: gauge_of(context, gauges.get(sid), folded.last(sid)) for sid in shown},
        "levels": {name: context.scope.settings[f"pressure.{name}"] for name in ("info", "urgent")},
        "compound": compound(context),
        "learnings": context.state("learnings").stock,
        "learned": context.state("learnings").fresh,
        "compactions": {  # the newest one of each session that had any
            sid: _compaction(context, sid, last)
            for sid in shown
            if sid in trails and (last := trails[sid].compaction)
        },
        "work": {sid: work for sid in shown if (work := _work(context, sid))},
        "sessions": _sessions(context, shown),
        "config": {
            "problems": len(scope.configuration.problems),
            "capture": context.scope.settings["capture.level"],
            "statusline": is_installed(scope.home),
        },
        "imported": _imported(scope),
        "losses": losses(scope)._asdict(),
        "moved_from": moved_from(scope),
        "client": _client(context, shown),
        "now": scope.iso,
    }


def _compaction(context: ViewContext, sid: str, last: LastCompaction) -> dict[str, Any]:
    """Return the newest finished compaction of a session, else its attempt `last`.

    Of one before an attempt it is not known whether Claude got back what it dropped: told is None.
    """
    if not last.done:
        session = context.state("sessions").sessions.get(sid, Session())
        done = next((item for item in reversed(session.compacted) if item.done), None)
        if done is not None:
            found = {name: getattr(done, name) for name in ("seq", "at", "trigger", "tokens")}
            return {**found, "done": True, "told": None}
    return {"trigger": "", "done": False, "told": False, **to_builtins(last)}


def _sessions(context: ViewContext, shown: list[str]) -> dict[str, Any]:
    """Count the sessions and their compactions; name the open ones, and describe those shown."""
    found = context.recorded
    return {
        "known": len(found),
        "compactions": sum(session.compactions for session in found.values()),
        "open": [sid for sid, session in found.items() if not session.ended],
        "shown": [facts_of(sid, found[sid]) for sid in shown if sid in found],
    }


def _imported(scope: Scope) -> dict[str, Any]:
    """Count the imported events, and the stored bytes of their conversations."""
    facts = replay_all(os.path.join(scope.directory, IMPORTED), ()).facts
    return {
        "events": facts.events,
        "sessions": len(facts.sessions),
        "stored": stored_bytes(scope.directory),
        "limit": text_limit(scope.settings),
    }


def _to_show(context: ViewContext) -> list[str]:
    """Return the session of --session; else the open ones, newest first; else the last one."""
    if context.session:
        return [context.session]
    sids = list(context.recorded)
    opened = [sid for sid in reversed(sids) if not context.recorded[sid].ended]
    return opened[:_SHOWN] or sids[-1:]


def _work(context: ViewContext, sid: str) -> dict[str, Any]:
    """Return the stage, skill and unit that a session works on; {} for none."""
    work: dict[str, Any] = {}
    if cycle := under_way(context.state("stage"), sid):
        work["stage"] = {
            "cycle": cycle.cycle,
            "stage": cycle.stage,
            "status": cycle.status,
            "open": cycle.open,
            "finished": cycle.is_between_stages,
        }
    if skill := live(context.state("progress"), sid):
        work["skill"] = {"skill": skill.skill, "phase": skill.phase, "next": skill.next}
    unit = current(context.state("unit").sessions.get(sid))
    if unit is not None:
        done = sum(item.done for item in unit.items)
        work["unit"] = {"unit": unit.unit, "done": done, "total": len(unit.items)}
    return work


def _client(context: ViewContext, shown: list[str]) -> dict[str, Any]:
    """Return the client's version, as the newest transcript of a shown session names it."""
    found = (context.recorded[sid].transcript for sid in shown if sid in context.recorded)
    version = next(filter(None, map(_version_in, found)), "")
    return {"version": version or None, "tested": tested(version), "tested_range": tested_range()}


def _version_in(path: str) -> str:
    """Return the version that the last lines of a transcript name, "" for none."""
    for line in lines_with(path, (b'"version"',), _TAIL):
        found = (record_of(line) or {}).get("version")
        if isinstance(found, str) and found.isprintable() and len(found) <= 32:
            return found
    return ""
