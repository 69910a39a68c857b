"""Render a conversation as Markdown. Pure.

Invariant: each text is a quotation of its own, which it cannot end. HTML, images and headings in it
have no effect on the document.
"""

import re
from collections.abc import Iterator

from cli.show.outline import Item, about, compaction_lines, outline, source_of, tool_line
from journal.history.conversations.model import Conversation, Entry, ToolCall
from journal.history.session_text import code, inline, longest_ticks, without_tags
from journal.text import escaped

_LINE = 400  # characters of a fact
_FENCE = re.compile(r"( *)(`{3,}(?=[^`|]*$)|~{3,}(?=[^|]*$))")
_CODE = re.compile(r"\\[\\`]|(`+)(?!`).{1,1000}?(?<!`)\1(?!`)|(`+|~{3,})")
_DEFINITION = re.compile(r"^(\s*)\[(?=[^\]]*\]:)")


def lines_of(found: Conversation, *, tools: bool = False) -> Iterator[str]:
    """Yield the lines of a conversation. tools: whether to show the texts of tool calls."""
    yield f"# {inline(found.title, _LINE)}"
    yield ""
    for line in (*about(found), *source_of(found)):
        yield f"- {inline(line, _LINE)}"
    if found.resume.command:
        yield f"- Resume: {code(found.resume.command)}"
    else:
        yield f"- Cannot be resumed: {inline(found.resume.why, _LINE)}"
    for item in outline(found):
        yield from _item(item, tools=tools)


def quotation(text: str) -> Iterator[str]:
    """Yield the lines of a text as a quotation; lists and code stay, HTML and images do not.

    Text in a fence must be in a fence for every Markdown parser. So its lines are indented like the
    fence, because the end of a list item would end it, and by 3 at most, because with 4 the fence
    is text.
    """
    fence, indent = "", 0
    for row in text.expandtabs(4).splitlines():
        line = escaped(row)
        mark = _FENCE.match(line)
        if not (fence or mark):
            yield f"> {_harmless(line)}".rstrip()
            continue
        if mark and not fence:
            fence, indent = mark[2], len(mark[1])
        elif mark and mark[2].startswith(fence) and mark[2] == line.strip():
            fence, line = "", line.lstrip()
        line = line[:indent].lstrip() + line[indent:]
        yield f"> {' ' * min(indent, 3)}{line}".rstrip()


def _harmless(line: str) -> str:
    """Return a line without HTML and images; code stays if it ends on the line, outside tables."""
    parts, at = [], 0
    for found in _CODE.finditer(line):
        run = re.sub("(.)", r"\\\1", found[2] or "") or found[0]
        parts += [_plain(line[at : found.start()]), _plain(run) if "|" in line else run]
        at = found.end()
    return _DEFINITION.sub(r"\1\\[", "".join((*parts, _plain(line[at:]))))


def _plain(text: str) -> str:
    return without_tags(text).replace("![", r"!\[")


def _item(item: Item, *, tools: bool) -> Iterator[str]:
    if item.kind == "day":
        yield from ("", f"## {item.text}")
    elif item.kind == "speaker":
        yield from ("", f"### {item.text}, {item.at}")
    elif item.kind in ("prompt", "answer"):
        yield ""
        yield from quotation(item.text)
    elif item.tool is not None:
        yield from _tool(item.tool, tools=tools)
    elif item.kind == "agent":
        yield from ("", f"*{inline(item.text, _LINE)}*")
        for entry in item.entries if tools else ():
            yield from (
                _tool(entry.tool, tools=tools) if entry.tool else ("", *quotation(entry.text))
            )
    elif item.kind == "compaction" and item.entry is not None:
        yield from _compaction(item.entry, item.at)
    elif item.kind == "decision":
        yield from ("", f"**Decided:** {inline(item.text, _LINE)}")
    else:
        yield from ("", f"*{inline(item.text, _LINE)}*")


def _tool(call: ToolCall, *, tools: bool) -> Iterator[str]:
    name, what, outcome = tool_line(call)
    shown = " ".join(filter(None, (f"**{inline(name, 120)}**", code(what) if what else "")))
    yield from ("", f"- {shown}" + (f" ({inline(outcome, _LINE)})" if outcome else ""))
    for text in call.texts if tools else ():
        fence = "`" * max(3, 1 + longest_ticks(text))
        yield from ("", f"  {fence}text")
        yield from (f"  {escaped(row)}" for row in text.expandtabs(4).splitlines())
        yield f"  {fence}"


def _compaction(entry: Entry, at: str) -> Iterator[str]:
    head, lines = compaction_lines(entry)
    yield from ("", "---", "", f"### {inline(head, _LINE)}, {at}", "")
    yield " ".join(inline(line, 2000) for line in lines)
    if entry.compaction is not None and entry.compaction.summary:
        yield ""
        yield from quotation(entry.compaction.summary)
