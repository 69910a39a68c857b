"""Unfinished work as lines of text: the session's own, what it may take over, what others left.

Files and commands are named, bodies never inlined; lists are capped and say so. The person
decides whether to continue, adopt, discard or clean up.
"""

from __future__ import annotations

from journal.clock import millis
from journal.text import plain_line, plural, quoted, utc_minute
from projections.progress import age_class
from projections.unit import Unit, current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from projections.progress import Phase, State
    from projections.stage import Cycle
    from projections.views import Views

__all__ = [
    "cycle_line",
    "loop",
    "others",
    "own_progress",
    "progress_of",
    "stopped_cycles",
    "structured",
    "unit_lines",
    "unowned",
]

_FRESH = "Other sessions' skills, under 3 days old (FRESH: information, not for deletion)"
_STALE = (
    "Other sessions' skills, untouched for 3 days or more (STALE: cleaning up can be offered to "
    "the person, who names what goes)"
)
_LISTED = 3
_OPEN_ITEMS = 10


def loop(event: Any) -> list[str]:
    """Return a warning of another plugin's loop: its Stop hook may keep any session here going."""
    found = getattr(event, "loop", None)  # only a start looks for one
    if not found:
        return []
    name, iteration, most, promise = (*found, "", "", "", "")[:4]
    text = f"Another plugin's loop is active here ({name}): iteration {iteration or '?'}"
    text += f" of at most {most}" if most and most != "0" else ", without a maximum"
    text += (
        f", until it reads {quoted(promise, 100)}" if promise else ", without a promise to end on"
    )
    return [text + ". Its Stop hook can keep a turn of this session going."]


def own_progress(views: Views, event: Any) -> list[str]:
    """Return the session's own unfinished skill, or that of the session it goes on from."""
    progress = views.progress
    own = progress.sessions.get(event.sid)
    if own is not None and own.status == "live":
        line = f"Unfinished here (CURRENT): {_row(own)}."
        return [line + " The person may continue it or give it up (`journal progress discard`)."]
    parent = progress.parents.get(event.sid, "")
    left = progress.sessions.get(parent)
    if parent and left is not None and left.status == "live":
        return [
            (
                f"Unfinished in the session this one goes on from ({parent}): {_row(left)}. The"
                f" person may continue it here (`journal progress adopt {parent}`) or give it up "
                f"(`journal progress discard {parent}`)."
            )
        ]
    return []


def others(views: Views, event: Any) -> list[str]:
    """Return other sessions' unfinished skills: fresh for information, stale for cleaning up."""
    now = millis(event.ts) or 0
    parent = views.progress.parents.get(event.sid, "")
    rows: dict[str, list[tuple[int, str]]] = {"FRESH": [], "STALE": []}
    for sid, state in views.progress.sessions.items():
        if sid in (event.sid, parent) or state.status != "live":
            continue
        at = millis(state.at) or 0
        kind = age_class(now, at, own=False)
        rows[kind].append((at, f"- {_row(state)}; session {sid or '(none)'}, {_age(now - at)} old"))
    lines = []
    for kind, head in (("FRESH", _FRESH), ("STALE", _STALE)):
        found = [row for _, row in sorted(rows[kind], reverse=True)]
        if found:
            shown = found[:_LISTED]
            more = f", {len(shown)} of {len(found)}" if len(found) > len(shown) else ""
            lines += [f"{head}{more}:", *shown]
    return lines


def unowned(event: Any) -> list[str]:
    """Return a progress file without a session: it may be anybody's, so it is nobody's."""
    found = getattr(event, "unowned", None)
    if not found:
        return []
    path, skill, phase = (*found, "", "", "")[:3]
    what = f" ({skill}, phase {phase.strip() or '?'})" if skill else ""
    text = f"A progress file here names no session, so it is not this session's own: {path}{what}. "
    text += "The person may say whose it is; to continue it here, read it and save its state "
    return [text + "(`journal progress save`)."]


def stopped_cycles(views: Views, event: Any) -> list[str]:
    """Return the cycles that were stopped and can be resumed, newest first."""
    stopped = [
        (cycle.seq, sid, cycle)
        for sid, cycle in views.stage.sessions.items()
        if cycle.status == "stopped"
    ]
    stopped.sort(reverse=True)
    lines = []
    for _, sid, cycle in stopped[:_LISTED]:
        command = "journal stage resume" + (f" {cycle.cycle}" if len(stopped) > 1 else "")
        rest = ", ".join(cycle.skipped) or "nothing"
        owner = "this session" if sid == event.sid else f"session {sid}"
        lines.append(
            f"Stopped dev cycle {cycle.cycle} of {owner} ({cycle.reason}, {utc_minute(cycle.at)}): "
            f"{cycle.stage} was the last stage, left out: {rest}. To continue it here: {command}"
        )
    if len(stopped) > _LISTED:
        lines.append(f"{_LISTED} of {len(stopped)} stopped cycles shown.")
    return lines


def structured(state: State) -> str:
    """Return a skill's state after a compaction: phase, next action, summary of each phase."""
    lines = [f"Skill under way: {_row(state)}."]
    if state.next:
        lines.append(f"Next action: {plain_line(state.next, 400)}")
    lines += [
        f"- {_title(phase)}: {plain_line(phase.summary, 300)}" for phase in state.phases[-12:]
    ]
    return "\n".join(lines)


def cycle_line(cycle: Cycle) -> str:
    """Return the session's open cycle in one line."""
    how = "open" if cycle.open else "finished"
    return f"Dev cycle {cycle.cycle}: stage {cycle.stage}, {how}, since {utc_minute(cycle.at)}."


def unit_lines(views: Views, sid: str) -> list[str]:
    """Return the unit under way with its count and its open items."""
    unit = current(views.unit.sessions.get(sid))
    if unit is None:
        return []
    open_items = [item for item in unit.items if not item.done]
    lines = [f"Unit of work {unit.unit}: {plain_line(unit.title, 120)}; {progress_of(unit)}."]
    lines += [f"- [ ] {plain_line(item.text, 160)}" for item in open_items[:_OPEN_ITEMS]]
    if len(open_items) > _OPEN_ITEMS:
        lines.append(f"- {_OPEN_ITEMS} of {len(open_items)} open items shown")
    return lines


def progress_of(unit: Unit) -> str:
    """Return `3/5 done (60%)`."""
    done = sum(item.done for item in unit.items)
    total = len(unit.items)
    return f"{done}/{total} done ({round(100 * done / total)}%)" if total else "no items"


def _row(state: State) -> str:
    text = f"{state.skill or 'a skill'}, phase {state.phase or '?'}"
    text += f" ({plain_line(state.name, 80)})" if state.name else ""
    text += f", output {plain_line(state.output, 160)}" if state.output else ""
    return text + (f", state in {state.path}" if state.path else "")


def _title(phase: Phase) -> str:
    return f"Phase {phase.phase}" + (f" ({plain_line(phase.name, 60)})" if phase.name else "")


def _age(ms: int) -> str:
    hours = max(0, ms) // 3_600_000
    return plural(hours // 24, "day") if hours >= 48 else plural(hours, "hour")
