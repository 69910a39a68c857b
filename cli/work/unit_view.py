"""The unit view: units of work with their counts, and Claude Code's own task list."""

from typing import Any

from cli.render.text import members, table
from cli.view.context import ViewContext
from projections.messages.unfinished import progress_of
from projections.unit import Unit, Units, current, task_list


def unit(context: ViewContext) -> dict[str, Any]:
    """Return `current` and `units` of one session, or `units` of all."""
    state: Units = context.holding("unit").state("unit")
    sid = context.scope.own_session(context.session)
    if not sid:
        return {"session": None, "units": rows(state, "")}
    found = rows(state, sid)
    return {
        "session": sid,
        "current": next((row for row in found if row["current"]), None),
        "units": found,
    }


def rows(state: Units, sid: str) -> list[dict[str, Any]]:
    """Return the units of a session ("" is all), newest first; Claude Code's task list is last."""
    found = []
    for owner, work in state.sessions.items():
        if sid and owner != sid:
            continue
        under_way = current(work)
        for each in [*reversed(work.units), *([task_list(work)] if work.tasks else [])]:
            is_current = under_way is not None and each.unit == under_way.unit
            found.append({"session": owner or None, "current": is_current, **row_of(each)})
    return found


def row_of(unit: Unit) -> dict[str, Any]:
    """Return a unit as data. progress: `3/5 done (60%)`; percent is null without items."""
    done = sum(task.done for task in unit.items)
    total = len(unit.items)
    return {
        "unit": unit.unit,
        **members(unit, "title", "file", "finished"),
        "done": done,
        "total": total,
        "percent": round(100 * done / total) if total else None,
        "progress": progress_of(unit),
        "items": [
            {"number": at, "text": task.text, "done": task.done}
            for at, task in enumerate(unit.items, 1)
        ],
        "at": unit.at or None,
        "seq": unit.seq or None,
    }


def table_lines(found: list[dict[str, Any]], columns: int) -> list[str]:
    """Return the table of `rows`."""
    cells = [
        [
            "*" if row["current"] else "",
            row["unit"],
            "finished" if row["finished"] else "open",
            row["progress"],
            row["title"] or "",
            row["file"] or "",
        ]
        for row in found
    ]
    return table(cells, columns, heads=("", "UNIT", "", "PROGRESS", "TITLE", "FILE"))
