"""Units of work and their checklists, per session.

They come from `journal unit` and from Claude Code's task tools. Invariant: an item counts once,
with the state of its last event.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, inherited, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from journal.events.tool import ToolFinished
    from journal.events.work import UnitFinished, UnitItemChecked, UnitStarted

_ITEMS = 100
_UNITS = 8


class ChecklistItem(Struct, frozen=True, omit_defaults=True):
    """One item of a checklist. id, status: only of items from Claude Code's task tools."""

    text: str = ""
    done: bool = False
    id: str = ""
    status: str = ""


class Unit(Struct, frozen=True, omit_defaults=True):
    """A unit of work. file: the checklist with its items. moved_to: session that took it over."""

    unit: str = ""
    title: str = ""
    items: list[ChecklistItem] = []
    file: str = ""
    finished: bool = False
    at: str = ""
    seq: int = 0
    moved_to: str = ""


class Work(Struct, frozen=True, omit_defaults=True):
    """One session's units, newest last, and the items of Claude Code's task tools."""

    units: list[Unit] = []
    tasks: list[ChecklistItem] = []


_BLANK = Work()


class Units(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → Work."""

    sessions: dict[str, Work] = {}


def current(work: Work | None) -> Unit | None:
    """Return the newest unfinished unit, else Claude Code's task list as a unit, else None."""
    if work is None:
        return None
    for unit in reversed(work.units):
        if not unit.finished:
            return unit
    if any(not item.done for item in work.tasks):
        return task_list(work)
    return None


def task_list(work: Work) -> Unit:
    """Return Claude Code's task list as a unit."""
    return Unit(unit="tasks", title="the task list", items=work.tasks)


def hints(state: Units) -> list[str]:
    """Return the files of checklists whose edits check items off."""
    return sorted(
        {
            unit.file
            for work in state.sessions.values()
            for unit in work.units
            if unit.file and not unit.finished
        }
    )


def _started(work: Work, event: "UnitStarted") -> Work:
    old = next((unit for unit in work.units if unit.unit == event.unit), None)
    done = {item.text for item in old.items if item.done} if old else set()
    items = [_parsed(text, done) for text in event.items[:_ITEMS]]
    if old and not items:
        items = old.items
    unit = Unit(
        unit=event.unit,
        title=event.title or (old.title if old else ""),
        items=items,
        file=event.file or (old.file if old else ""),
        at=event.ts,
        seq=event.seq,
    )
    units = [other for other in work.units if other.unit != event.unit]
    return replace(work, units=[*units, unit][-_UNITS:])


def _moved(state: Units, event: "UnitStarted") -> Units:
    """Return the state in which the unit is finished in the session that it left, if any."""
    work = state.sessions.get(event.from_sid)
    if work is None:
        return state
    finished = _with_finished(work, event.unit, moved_to=event.sid)
    return Units({**state.sessions, event.from_sid: finished})


def _with_finished(work: Work, name: str, **changes: str) -> Work:
    """Return the work with a unit finished, and changed in other fields."""
    units = [
        replace(unit, finished=True, **changes) if unit.unit == name else unit
        for unit in work.units
    ]
    return replace(work, units=units)


def _parsed(text: str, done: set[str]) -> ChecklistItem:
    """Return an item from its text in `unit.started`; `[x] text` is done."""
    if text[:4] in ("[x] ", "[X] "):
        return ChecklistItem(text=text[4:], done=True)
    if text[:4] == "[ ] ":
        text = text[4:]
    return ChecklistItem(text=text, done=text in done)


def _checked(work: Work, event: "UnitItemChecked") -> Work:
    units = list(work.units)
    for at, unit in enumerate(units):
        if unit.unit != event.unit:
            continue
        items = list(unit.items)
        found = [at for at, item in enumerate(items) if item.text == event.item]
        if found:
            items[found[0]] = replace(items[found[0]], done=event.done)
        elif len(items) < _ITEMS:
            items.append(ChecklistItem(text=event.item, done=event.done))
        units[at] = replace(unit, items=items, at=event.ts)
        return replace(work, units=units)
    return work


def _finished(work: Work, event: "UnitFinished") -> Work:
    return work if work is _BLANK else _with_finished(work, event.unit, at=event.ts)


def with_tools(work: Work, events: "Sequence[ToolFinished]") -> Work:
    """Apply TodoWrite (the whole list), TaskCreate (an item), TaskUpdate, TaskList (statuses)."""
    for event in events:
        if event.items and not event.agent:
            work = _with_tasks(work, event)
    return work


def _with_tasks(work: Work, event: "ToolFinished") -> Work:
    if event.tool == "TodoWrite":
        tasks = [_task(row) for row in event.items]
    else:
        tasks = list(work.tasks)
        for row in event.items:
            _merge(tasks, _task(row))
    return replace(work, tasks=tasks[-_ITEMS:])


def _task(row: list[str]) -> ChecklistItem:
    task, text, status = (*row, "", "", "")[:3]
    return ChecklistItem(text=text, done=status == "completed", id=task, status=status)


def _merge(tasks: list[ChecklistItem], task: ChecklistItem) -> None:
    for at, old in enumerate(tasks):
        if old.id == task.id:
            if task.status == "deleted":
                del tasks[at]
                return
            status = task.status or old.status
            tasks[at] = replace(
                old, text=task.text or old.text, status=status, done=status == "completed"
            )
            return
    if task.text:
        tasks.append(task)


HANDLERS: "dict[str, Callable[..., Work]]" = {
    "unit.started": _started,
    "unit.item.checked": _checked,
    "unit.finished": _finished,
}
"""Event type → function (work of a session, event) → new work."""


def _of_owner(kind: str) -> "Callable[..., Units]":
    """Build a handler of the state, not of a part, because a unit may belong to no session."""

    def handle(state: Units, event: "UnitStarted") -> Units:
        if kind == "unit.started" and event.from_sid:
            state = _moved(state, event)
        old = state.sessions.get(event.sid, _BLANK)
        new = HANDLERS[kind](old, event)
        return state if new is old else Units(put(state.sessions, event.sid, new))

    return handle


PROJECTION = Projection(
    "unit",
    2,
    Units(),
    {"session.started": inherited, **{kind: _of_owner(kind) for kind in HANDLERS}},
    blank=_BLANK,
    runs={"tool.finished": with_tools},
    any_agent=["tool.finished"],
)
