"""Render a conversation as one page of HTML without scripts, for light and dark mode. Pure.

Invariant: each text is escaped. The page is a single file, and its content policy forbids loading
anything.
"""

from collections.abc import Iterator
from html import escape

from cli.render.html import as_html, document
from cli.show.outline import (
    Item,
    Passage,
    Spans,
    about,
    compaction_lines,
    outline,
    passages_of,
    source_of,
    tool_line,
)
from journal.history.conversations.model import Conversation, Entry, ToolCall
from journal.text import escaped

_STYLE = """
main{display:flex;flex-direction:column;gap:.6rem}
.who{margin:1.2rem 0 0;font-weight:600}.who time{font-weight:400;color:var(--dim);font-size:.85rem}
.you{background:var(--soft);border-radius:8px;padding:.6rem .8rem}
.t{white-space:pre-wrap;overflow-wrap:anywhere}
.day,.note{color:var(--dim);font-size:.9rem}.day{border-top:1px solid var(--rule);padding-top:.6rem}
details.tool{font-size:.88rem;color:var(--dim)}details.tool.bad summary{color:var(--top)}
summary{cursor:pointer;overflow-wrap:anywhere}summary b{color:var(--ink);font-weight:600}
.cut{border:1px solid var(--mark);border-left-width:4px;border-radius:6px;padding:.6rem .8rem}
.cut h2{border:0;margin:0;padding:0;font-size:1rem}.sub{margin-left:1.2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.25rem .8rem .25rem 0}
tr{border-bottom:1px solid var(--rule)}th{color:var(--dim)}
.decided{border-left:3px solid var(--bar);padding-left:.6rem}
"""
_TAGS = {"code": "code", "bold": "b"}


def page(found: Conversation, made: str, *, tools: bool = False) -> str:
    """Return the page. made: text of the footer. tools: whether to open the tool calls."""
    lines = (*about(found), *source_of(found))
    head = "".join(f"<p class=note>{as_html(line)}</p>" for line in lines)
    if found.resume.command:
        head += f"<pre>{as_html(found.resume.command)}</pre>"
    else:
        head += f"<p class=note>Cannot be resumed: {as_html(found.resume.why)}</p>"
    body = "\n".join(part for item in outline(found) for part in _item(item, tools=tools))
    return document(found.title, f"{head}\n<main>\n{body}\n</main>", made, _STYLE)


def prose(text: str) -> str:
    """Return a text as HTML with code blocks, tables, inline code and bold words."""
    return "".join(map(_passage, passages_of(text)))


def _passage(passage: Passage) -> str:
    if passage.kind == "table":
        head, *rows = (_cells(row, at) for at, row in enumerate(passage.rows))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div class=wide>{table}</div>"
    shown = _inline(passage.spans)
    return f"<pre>{shown}</pre>" if passage.kind == "code" else f'<div class="t">{shown}</div>'


def _cells(cells: list[Spans], at: int) -> str:
    tag = "td" if at else "th"
    return "".join(f"<{tag}>{_inline(spans)}</{tag}>" for spans in cells)


def _inline(spans: Spans) -> str:
    return "".join(
        f"<{tag}>{escape(text)}</{tag}>" if (tag := _TAGS.get(mark)) else escape(text)
        for text, mark in spans
    )


def _item(item: Item, *, tools: bool) -> Iterator[str]:
    if item.kind == "day":
        yield f"<div class=day>{as_html(item.text)}</div>"
    elif item.kind == "speaker":
        yield f"<div class=who>{as_html(item.text)} <time>{as_html(item.at)}</time></div>"
    elif item.kind == "prompt":
        yield f"<div class=you>{prose(item.text)}</div>"
    elif item.kind == "answer":
        yield prose(item.text)
    elif item.tool is not None:
        yield _tool(item.tool, tools=tools)
    elif item.kind == "agent":
        inside = "".join(
            _tool(entry.tool, tools=tools) if entry.tool else prose(entry.text)
            for entry in item.entries
        )
        opened = " open" if tools else ""
        head = f"<summary>{as_html(item.text)}</summary>"
        yield f"<details class=tool{opened}>{head}<div class=sub>{inside}</div></details>"
    elif item.kind == "compaction" and item.entry is not None:
        yield _compaction(item.entry, item.at)
    elif item.kind == "decision":
        yield f'<div class="t decided">Decided: {as_html(item.text)}</div>'
    else:
        yield f'<div class="t note">{as_html(item.text)}</div>'


def _tool(call: ToolCall, *, tools: bool) -> str:
    name, what, outcome = (as_html(part) for part in tool_line(call))
    line = f"<b>{name}</b> {what}" + (f" ({outcome})" if outcome else "")
    bad = " bad" if call.ok is False else ""
    if not call.texts:
        return f'<div class="t note{bad}">• {line}</div>'
    rows = ([escaped(row) for row in text.expandtabs(4).splitlines()] for text in call.texts)
    inside = "".join("<pre>" + escape("\n".join(each)) + "</pre>" for each in rows)
    opened = " open" if tools else ""
    return f'<details class="tool{bad}"{opened}><summary>{line}</summary>{inside}</details>'


def _compaction(entry: Entry, at: str) -> str:
    head, lines = compaction_lines(entry)
    texts = "".join(f"<p>{as_html(line)}</p>" for line in lines)
    summary = entry.compaction.summary if entry.compaction else ""
    if summary:
        texts += f"<details><summary>The summary</summary>{prose(summary)}</details>"
    return (
        f"<section class=cut><h2>{as_html(head)} <small>{as_html(at)}</small></h2>{texts}</section>"
    )
