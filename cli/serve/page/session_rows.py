"""Build the rows of the session tree: days and their sessions, or the hits of a search.

Invariant: pure, and every text is shown as text, never as markup.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

PAGE = 50
"""Sessions of one day (or one project's hits) shown before "more" is asked for."""

_OPEN_AT_START = 20  # sessions shown when the page opens; days are shown whole
Row = dict[str, Any]


class ListEntry(NamedTuple):
    """A session to show. project: its journal's directory, name: how that is shown; label: title.

    day: 2026-11-21, time: 09:30, both local. note: facts beside the title; status: completed or
    open; parts: a snippet as (text, whether it is a match); weight: its tokens and cost.
    """

    key: str
    project: str
    name: str
    label: str
    day: str
    time: str
    status: str
    note: str
    parts: tuple[tuple[str, bool], ...] = ()
    weight: str = ""

    @property
    def place(self) -> str:
        """Return project and day, for a list without headings."""
        return f"{self.name} · {self.day} {self.time}".strip()


class ListState(NamedTuple):
    """The state of the list. selected: keys of sessions; pages: by group, extra pages to show.

    reading: key of the session that is open.
    """

    selected: Collection[str] = ()
    pages: Mapping[str, int] = {}
    reading: str = ""


def browse_rows(
    entries: Sequence[ListEntry], opened: Collection[str], state: ListState
) -> list[Row]:
    """Build the rows of all sessions by day, the newest day first.

    opened: ids of open days.
    """
    days = sorted(_group_by(entries, lambda entry: entry.day).items(), reverse=True)
    groups = [(f"d:{day}", _day_name(day), [*map(_with_project, found)]) for day, found in days]
    return _rows(groups, opened, state)


def hit_rows(entries: Sequence[ListEntry], closed: Collection[str], state: ListState) -> list[Row]:
    """Build the rows of a search: projects in the order of their best hit, hits in theirs."""
    projects = _group_by(entries, lambda entry: entry.project)
    groups = [(f"f:{name}", hits[0].name, [*map(_dated, hits)]) for name, hits in projects.items()]
    opened = {key for key, _, _ in groups} - {*closed}
    return _rows(groups, opened, state)


def _rows(
    groups: Sequence[tuple[str, str, Sequence[ListEntry]]],
    opened: Collection[str],
    state: ListState,
) -> list[Row]:
    """Build the rows of groups (id, label, entries), and of the sessions in open ones."""
    rows: list[Row] = []
    for pos, (key, label, entries) in enumerate(groups, 1):
        is_open = key in opened
        head = {"id": key, "kind": "group", "level": 1, "label": label, "count": len(entries)}
        rows.append({**head, "open": is_open, "pos": pos, "size": len(groups)})
        if is_open:
            rows += _session_rows(entries, key, state)
    return rows


def _dated(entry: ListEntry) -> ListEntry:
    """Return an entry with day and time in its note: hits have no heading of the day."""
    when = f"{entry.day} {entry.time}".strip()
    return entry._replace(time="", note=" · ".join(filter(None, (when, entry.note))))


def _with_project(entry: ListEntry) -> ListEntry:
    return entry._replace(note=" · ".join(filter(None, (entry.name, entry.note))))


def _day_name(day: str) -> str:
    """Return a day with its weekday; "Without a date" for none."""
    try:
        return f"{date.fromisoformat(day):%A}, {day}"
    except ValueError:
        return "Without a date"


def initially_open(entries: Sequence[ListEntry]) -> set[str]:
    """Return the days to open at first: the newest ones while they hold few sessions."""
    opened: set[str] = set()
    shown = 0
    for day, sessions in sorted(_group_by(entries, lambda entry: entry.day).items(), reverse=True):
        if shown and shown + len(sessions) > _OPEN_AT_START:
            break
        opened.add(f"d:{day}")
        shown += len(sessions)
    return opened


def _group_by(
    entries: Iterable[ListEntry], name: Callable[[ListEntry], str]
) -> dict[str, list[ListEntry]]:
    groups: dict[str, list[ListEntry]] = {}
    for entry in entries:
        groups.setdefault(name(entry), []).append(entry)
    return groups


def _session_rows(entries: Sequence[ListEntry], group: str, state: ListState) -> list[Row]:
    shown = entries[: PAGE * (1 + state.pages.get(group, 0))]
    rest = len(entries) - len(shown)
    rows: list[Row] = [
        {
            **entry._asdict(),
            "id": entry.key,
            "kind": "session",
            "selected": entry.key in state.selected,
            "reading": entry.key == state.reading,
        }
        for entry in shown
    ]
    if rest:
        label = f"Show {min(rest, PAGE)} more of {rest}"
        rows.append({"id": f"m:{group}", "kind": "more", "label": label})
    return [{**row, "level": 2, "pos": at, "size": len(rows)} for at, row in enumerate(rows, 1)]
