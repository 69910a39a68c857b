"""Rows of the reader: a conversation as plain data for the browser. Pure.

Invariant: texts stay texts; the component shows them only as text nodes.
"""

from typing import Any

from cli.show.outline import Item, compaction_lines, outline, passages_of, tool_line
from journal.history.conversations.model import Conversation, Entry, ToolCall
from journal.text import plural

Row = dict[str, Any]
_SHOWN = 20_000  # characters of one text that the page draws


def reader_rows(found: Conversation) -> list[Row]:
    """Return the rows of a conversation, in order."""
    return [{**_row(item), "id": at} for at, item in enumerate(outline(found))]


def first_rows(rows: list[Row], count: int) -> list[Row]:
    """Return the first `count` rows, without headings at their end whose text is not among them."""
    while count < len(rows) and count and rows[count - 1]["kind"] in ("day", "speaker"):
        count -= 1
    return rows[:count]


def compaction_rows(rows: list[Row]) -> list[Row]:
    """Return the rows that are compactions, each with its day if the session has several."""
    found, day = [], ""
    several = sum(row["kind"] == "day" for row in rows) > 1
    for row in rows:
        if row["kind"] == "day":
            day = row["text"]
        elif row["kind"] == "compaction":
            found.append({**row, "at": f"{day} {row['at']}" if several else row["at"]})
    return found


def _row(item: Item) -> Row:
    entry = item.entry
    if item.tool is not None:
        return _tool(item.tool)
    if item.kind == "agent":
        inside = [_inner(inner) for inner in item.entries]
        return {"kind": "agent", "text": item.text, "rows": inside}
    if item.kind == "compaction" and entry is not None and entry.compaction is not None:
        head, lines = compaction_lines(entry)
        summary = _parts(entry.compaction.summary)
        return {"kind": "compaction", "text": head, "at": item.at, "lines": lines, "parts": summary}
    if item.kind in ("prompt", "answer"):
        return {"kind": item.kind, "parts": _parts(item.text)}
    return {"kind": item.kind, "text": item.text, "at": item.at}


def _tool(call: ToolCall) -> Row:
    name, what, outcome = tool_line(call)
    return {
        "kind": "tool",
        "name": name,
        "text": what,
        "outcome": outcome,
        "bad": call.ok is False,
        "use": call.use,
        "details": call.texts,
    }


def _inner(entry: Entry) -> Row:
    if entry.tool is not None:
        return _tool(entry.tool)
    return {"kind": entry.kind, "parts": _parts(entry.text)}


def _parts(text: str) -> list[tuple[Any, ...]]:
    shown = text[:_SHOWN]
    if len(text) > _SHOWN:
        shown += f"\n… {plural(len(text) - _SHOWN, 'character')} more"
    return [tuple(passage) for passage in passages_of(shown)]  # the page's JSON has no named tuples
