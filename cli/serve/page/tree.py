"""The tree of sessions as rows: projects, days in them, sessions in those; or what a search found.

Invariant: pure, and every text goes out as text: the page shows a row's members, never markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

__all__ = ["PAGE", "Entry", "browse", "found", "marked", "opened_first"]

PAGE = 50
"""Sessions of one day (or one project's hits) that are shown before "more" is asked for."""

_AT_FIRST = 12  # sessions shown when the page opens, where the days allow it


class Entry(NamedTuple):
    """A session to show. project: its journal's directory, name: how that is shown.

    day: 2026-11-21, time: 09:30, both as the person's clock says.
    note: what a glance should tell beside the title; status: completed or open; parts: a snippet
    as (text, whether it is a match).
    """

    key: str
    project: str
    name: str
    title: str
    day: str
    time: str
    status: str
    note: str
    parts: tuple[tuple[str, bool], ...] = ()


def browse(
    entries: Sequence[Entry],
    opened: Collection[str],
    picked: Collection[str],
    more: Mapping[str, int],
) -> list[dict[str, Any]]:
    """Rows of the whole tree, newest first. opened: ids of open rows; more: by day, extra pages.

    Projects stand in the order of their newest session.
    """
    rows: list[dict[str, Any]] = []
    projects = _by(entries, lambda entry: entry.project)
    for at, (project, sessions) in enumerate(projects.items(), 1):
        key = f"p:{project}"
        rows.append(
            _group(key, 1, sessions[0].name, len(sessions), key in opened, at, len(projects))
        )
        if key not in opened:
            continue
        days = sorted(_by(sessions, lambda entry: entry.day).items(), reverse=True)
        for nth, (day, those) in enumerate(days, 1):
            name = f"d:{project}:{day}"
            shown = name in opened
            rows.append(_group(name, 2, day, len(those), shown, nth, len(days)))
            if shown:
                rows += _sessions(those, 3, picked, name, more)
    return rows


def found(
    entries: Sequence[Entry],
    closed: Collection[str],
    picked: Collection[str],
    more: Mapping[str, int],
) -> list[dict[str, Any]]:
    """Rows of what a search found: projects in the order of their best hit, hits in theirs."""
    rows: list[dict[str, Any]] = []
    projects = _by(entries, lambda entry: entry.project)
    for at, (project, sessions) in enumerate(projects.items(), 1):
        key = f"f:{project}"
        shown = key not in closed
        rows.append(_group(key, 1, sessions[0].name, len(sessions), shown, at, len(projects)))
        if shown:
            rows += _sessions([_dated(entry) for entry in sessions], 2, picked, key, more)
    return rows


def _dated(entry: Entry) -> Entry:
    """Put day and time into the note: no day stands above a hit."""
    when = f"{entry.day} {entry.time}".strip()
    return entry._replace(time="", note=" · ".join(filter(None, (when, entry.note))))


def opened_first(entries: Sequence[Entry]) -> set[str]:
    """Choose what is open when the page opens: the newest project, its days while they are few."""
    if not entries:
        return set()
    project = entries[0].project
    opened = {f"p:{project}"}
    shown = 0
    own = [entry for entry in entries if entry.project == project]
    for day, sessions in sorted(_by(own, lambda entry: entry.day).items(), reverse=True):
        if shown and shown + len(sessions) > _AT_FIRST:
            break
        opened.add(f"d:{project}:{day}")
        shown += len(sessions)
    return opened


def marked(text: str, spans: Iterable[Sequence[int]]) -> tuple[tuple[str, bool], ...]:
    """Cut a snippet at its matches: spans are (from, to) in characters, in any order."""
    parts: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted((int(a), int(b)) for a, b in spans):
        low, high = max(at, start), min(len(text), end)
        if low >= high:
            continue
        if low > at:
            parts.append((text[at:low], False))
        parts.append((text[low:high], True))
        at = high
    if at < len(text):
        parts.append((text[at:], False))
    return tuple(parts)


def _by(entries: Iterable[Entry], name: Any) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(name(entry), []).append(entry)
    return groups


def _group(key: str, level: int, label: str, count: int, shown: bool, pos: int, size: int) -> Any:
    return {
        "id": key,
        "kind": "group",
        "level": level,
        "label": label,
        "count": count,
        "open": shown,
        "pos": pos,
        "size": size,
    }


def _sessions(
    entries: Sequence[Entry],
    level: int,
    picked: Collection[str],
    group: str,
    more: Mapping[str, int],
) -> list[dict[str, Any]]:
    limit = PAGE * (1 + more.get(group, 0))
    shown = entries[:limit]
    rest = len(entries) - len(shown)
    size = len(shown) + bool(rest)
    rows: list[dict[str, Any]] = [
        {
            "id": entry.key,
            "kind": "session",
            "level": level,
            "label": entry.title,
            "time": entry.time,
            "note": entry.note,
            "status": entry.status,
            "picked": entry.key in picked,
            "parts": [list(part) for part in entry.parts],
            "pos": at,
            "size": size,
        }
        for at, entry in enumerate(shown, 1)
    ]
    if rest:
        rows.append(
            {
                "id": f"m:{group}",
                "kind": "more",
                "level": level,
                "pos": size,
                "size": size,
                "label": f"Show {min(rest, PAGE)} more of {rest}",
            }
        )
    return rows
