"""Task lists in Markdown: `- [ ] text`, `* [x] text`, `1. [ ] text`, nested, outside code.

Pure. Invariants: `parse(render(items))` is `items`, and no two items of `items_of` have the same
text, by which events identify them.
"""

from __future__ import annotations

from journal.text import shorten
from journal.workfiles.markdown import TEXT, fold, list_marker, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 100
"""Items of one checklist that the journal records, at most."""
_TEXT = 160  # characters of an item
_READ = 4096  # characters of an item that are searched for secrets
_BYTES = 9000  # bytes of items in one record

Item = tuple[str, bool]


def parse(text: str) -> list[Item]:
    """Return every item that has a text, in order, as (text, done)."""
    return [(item, done) for item, done, _ in _found(text)]


def items_of(items: list[Item]) -> list[Item]:
    """Return the first MOST items as the journal records them: cut, and repeated texts numbered."""
    seen: dict[str, int] = {}
    out = []
    for text, done in items[:MOST]:
        name = shorten(text, _TEXT)
        seen[name] = count = seen.get(name, 0) + 1
        while count > 1 and f"{name} ({count})" in seen:
            count += 1
        if count > 1:
            name = f"{name} ({count})"
            seen[name] = 1
        out.append((name, done))
    return out


def tick(text: str, item: str, *, done: bool) -> str:
    """Return the text with the box of an item set or cleared.

    item: its text as `items_of` returns it; without such an item, the text stays as it is.
    """
    found = _found(text)
    for at, (name, _) in enumerate(items_of([(text_, state) for text_, state, _ in found])):
        if name == item:
            box = found[at][2]
            return text[:box] + ("x" if done else " ") + text[box + 1 :]
    return text


def started(unit: str, items: list[Item], **more: str) -> list[dict[str, Any]]:
    """Build the events that start a unit with these items.

    One event has as many items as fit into a record; each further item has an event of its own.
    """
    marked = [f"[{'x' if done else ' '}] {text}" for text, done in items]
    space, count = _BYTES, 0
    for text in marked:
        space -= len(text.encode("utf-8", "replace")) + 8
        if space < 0:
            break
        count += 1
    body = {"type": "unit.started", "unit": unit, **more, "items": marked[:count]}
    return [body, *(_checked(unit, text, done=done) for text, done in items[count:])]


def changes(unit: Any, items: list[Item]) -> list[dict[str, Any]]:
    """Build the events that bring a unit (projections.unit.Unit) up to date with its file.

    A changed box and a new item are one event each. If items were removed, the unit starts again
    with the others.

    items: those of the file, as `items_of` returns them.
    """
    recorded = {item.text: item.done for item in unit.items}
    if not items and recorded:
        return []  # the file may be half written: keep the recorded items
    if recorded.keys() - {text for text, _ in items}:
        # A start keeps recorded items done, so reopened ones need an event.
        events = started(unit.unit, items, title=unit.title, file=unit.file)
        return [
            *events,
            *(
                _checked(unit.unit, text, done=False)
                for text, done in items
                if recorded.get(text) and not done
            ),
        ]
    return [
        _checked(unit.unit, text, done=done)
        for text, done in items
        if recorded.get(text) is not done
    ]


def bodies_of(unit: Any, text: str) -> list[dict[str, Any]]:
    """Build the events of `changes` from the text of the unit's file, with secrets redacted."""
    from journal.redaction import redact

    # Redact more than is recorded: a secret that is cut in half is not recognized.
    items = [(redact(item[:_READ]), done) for item, done in parse(text)[:MOST]]
    return changes(unit, items_of(items))


def _checked(unit: str, text: str, *, done: bool) -> dict[str, Any]:
    return {"type": "unit.item.checked", "unit": unit, "item": text, "done": done}


def _found(text: str) -> list[tuple[str, bool, int]]:
    """Return all items as (text, done, offset of the character in the box)."""
    found = []
    for row in scan(text):
        if row.kind != TEXT:
            continue
        line = text[row.start : row.end]
        body = line.lstrip(" \t")
        size = list_marker(body) if body else 0
        rest = body[size:].lstrip(" \t")
        if not size or rest[:1] != "[" or rest[2:3] != "]" or rest[1:2] not in (" ", "x", "X"):
            continue
        name = fold(rest[3:])
        if name and rest[3:4] in (" ", "\t"):
            found.append((name, rest[1] != " ", row.start + len(line) - len(rest) + 1))
    return found
