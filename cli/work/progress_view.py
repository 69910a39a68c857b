"""The progress view: the unfinished skill of a session, one to adopt, and those of others.

Invariant: another session's progress is listed, never shown as this session's.
"""

from typing import Any

from cli.render.text import members, short_id, table
from cli.view.context import ViewContext
from journal.clock import millis
from journal.text import one_line, plural
from projections.progress import Progress, State, age_class, live

NONE = "No skill is in progress. Save one: journal progress save --skill S --phase 1"


def progress(context: ViewContext) -> dict[str, Any]:
    """Return `state` of one session and `others`, or `sessions` by ID."""
    view: Progress = context.state("progress")
    now = context.scope.now
    sid = context.scope.own_session(context.session)
    if not sid:
        sessions = {sid: row_of(state) for sid, state in view.sessions.items()}
        return {"session": None, "sessions": sessions, "unfinished": rows(view, "", now)}
    state = context.own("progress") if context.session else view.sessions.get(sid)
    parent = view.parents.get(sid, "")
    left = live(view, parent) if parent else None
    return {
        "session": sid,
        "state": row_of(state) if state is not None else None,
        "predecessor": parent or None,
        "adoptable": {"session": parent, **row_of(left)} if left is not None else None,
        "others": [row for row in rows(view, sid, now) if row["class"] != "CURRENT"],
    }


def row_of(state: State) -> dict[str, Any]:
    """Return one skill's state; unknown members are null."""
    return {
        **members(state, "skill", "phase", "name", "status", "output", "next", "path"),
        "phases": [
            {"phase": item.phase, "name": item.name or None, "summary": item.summary, "at": item.at}
            for item in state.phases
        ],
        "from": state.from_sid or None,
        **members(state, "by", "started", "at", "seq"),
    }


def rows(view: Progress, own: str, now: int) -> list[dict[str, Any]]:
    """Return the unfinished skills: the session's own, then the others, newest first.

    now: ms. class: CURRENT, FRESH (under 3 days since the last write) or STALE.
    """
    found = []
    for sid, state in view.sessions.items():
        if state.status != "live":
            continue
        at = millis(state.at) or 0
        is_own = bool(own) and sid == own
        hours = max(0, now - at) // 3_600_000
        facts = {"class": age_class(now, at, own=is_own), "session": sid, "hours": hours}
        found.append(
            {**facts, "predecessor": bool(own) and view.parents.get(own) == sid, **row_of(state)}
        )
    found.sort(key=lambda row: row["seq"], reverse=True)
    return sorted(found, key=lambda row: ("CURRENT", "FRESH", "STALE").index(row["class"]))


def table_lines(found: list[dict[str, Any]], columns: int) -> list[str]:
    """Return the table of `rows`."""
    cells = [
        [
            row["class"],
            row["skill"] or "?",
            row["phase"] or "?",
            _age(row["hours"]),
            short_id(row["session"]),
            row["output"] or "",
        ]
        for row in found
    ]
    return table(cells, columns, heads=("", "SKILL", "PHASE", "AGE", "SESSION", "OUTPUT"))


def own_lines(shown: dict[str, Any]) -> list[str]:
    """Return the text of `journal progress show`."""
    if "sessions" in shown:
        return [_row(row) for row in shown["unfinished"]] or [NONE]
    out = []
    state = shown["state"]
    if state is None or state["status"] != "live":
        how = f" ({state['skill']} is {state['status']})" if state is not None else ""
        out.append(f"no skill progress is open in this session{how}")
    else:
        out += _state_lines(state)
    if shown["adoptable"] is not None:
        left = shown["adoptable"]
        out.append(
            f"unfinished in the session that this one continues: {left['skill']}, phase "
            f"{left['phase']}: journal progress adopt {left['session']}"
        )
    out += [_row(row) for row in shown["others"] if not row["predecessor"]]
    return [one_line(line) if not line.startswith(" ") else line for line in out]


def _state_lines(state: dict[str, Any]) -> list[str]:
    head = f"{state['skill'] or 'a skill'}, phase {state['phase']}"
    out = [head + (f" ({state['name']})" if state["name"] else "")]
    present = (name for name in ("next", "output", "path", "from") if state[name])
    out += [f"  {name}: {one_line(state[name])}" for name in present]
    for item in state["phases"]:
        title = f"phase {item['phase']}" + (f" ({item['name']})" if item["name"] else "")
        out.append(f"  {one_line(title)}: {one_line(item['summary'])}")
    return out


def _row(row: dict[str, Any]) -> str:
    return (
        f"{row['class']}: {row['skill'] or 'a skill'}, phase {row['phase'] or '?'}, "
        f"{_age(row['hours'])} old, session {row['session'] or '(none)'}"
    )


def _age(hours: int) -> str:
    return plural(hours // 24, "day") if hours >= 48 else plural(hours, "hour")
