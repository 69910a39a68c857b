"""Render a conversation as lines for a terminal or a pipe. Pure.

Invariant: control, escape and direction characters of texts are escaped. Lines are wrapped only if
a width is given, and never cut. Messages are indented further than any line of ours, so that no
message can be mistaken for a line of ours, such as the name of the next speaker.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from cli.render.text import Style
from cli.show.outline import Item, about, compaction_lines, outline, source_of, tool_line
from journal.history.conversations.model import Conversation, Entry, Resume, ToolCall
from journal.text import escaped, one_line, plural, width, wrapped

_TAB = 4
_APART = (("answer", "tool"), ("answer", "agent"), ("tool", "answer"), ("agent", "answer"))
_MESSAGE = "    "  # before each line of a message
_RULE = 60  # columns of a compaction's rule


def lines_of(
    found: Conversation, style: Style, columns: int = 0, *, tools: bool = False
) -> Iterator[str]:
    """Yield the lines of a conversation.

    columns: at which to wrap, 0 for no wrapping. tools: whether to show the texts of tool calls.
    """
    shown = _Terminal(style, columns, tools=tools)
    for line in shown.text(one_line(found.title)):
        yield style("bold", line)
    for line in (*about(found), *source_of(found)):
        yield from shown.fact(one_line(line), one_line(found.path))
    yield resume_line(found.resume)
    last = ""
    for item in outline(found):
        # A blank line separates texts from tool calls, not tool calls from each other.
        if (item.kind, last) in _APART:
            yield ""
        last = item.kind
        yield from shown.item(item)
    if not found.entries:
        yield "Nothing is recorded of this session's conversation."


def resume_line(resume: Resume) -> str:
    """Return one line: the command that resumes a session, or why it cannot be resumed."""
    if resume.command:
        return f"Resume: {resume.command}"
    return f"Cannot be resumed: {escaped(resume.why)}"


def resume_lines(resumes: Sequence[Resume]) -> tuple[list[str], str]:
    """Return a line for each session of a list, and one about reasons that several share.

    The line of a session is "" if its reason is among those. Reasons may differ by the directory
    that they name after a colon.
    """
    whys = Counter(resume.why.partition(":")[0] for resume in resumes if resume.why)
    shared = {why: count for why, count in whys.items() if count > 1}
    lines = ["" if one.why.partition(":")[0] in shared else resume_line(one) for one in resumes]
    reasons = (f"{why} ({plural(count, 'session')})" for why, count in shared.items())
    return lines, resume_line(Resume(why="; ".join(reasons))) if shared else ""


class _Terminal:
    def __init__(self, style: Style, columns: int, *, tools: bool) -> None:
        self.style = style
        self.columns = columns
        self.tools = tools

    def text(self, text: str, indent: str = "") -> Iterator[str]:
        """Yield a text line by line, wrapped; each line keeps its own indentation, as of code."""
        for row in text.expandtabs(_TAB).splitlines() or [""]:
            line = escaped(row)
            if not self.columns:
                yield indent + line
                continue
            words = line.lstrip(" ")
            own = min(len(line) - len(words), self.columns // 2)
            yield from wrapped(words, self.columns, indent + " " * own)

    def dim(self, text: str, indent: str = "") -> Iterator[str]:
        for line in self.text(text, indent):
            yield self.style("dim", line)

    def fact(self, line: str, path: str) -> Iterator[str]:
        """Yield a line about the conversation; a path at its end is never broken."""
        if self.columns and path and line.endswith(path) and width(line) > self.columns:
            yield from self.dim(line.removesuffix(path).rstrip())
            yield self.style("dim", path)
        else:
            yield from self.dim(line)

    def item(self, item: Item) -> Iterator[str]:
        """Yield the lines of one item."""
        if item.kind == "day":
            yield from ("", self.style("dim", f"── {item.text} ──"))
        elif item.kind == "speaker":
            yield from ("", f"{self.style('bold', item.text)}  {self.style('dim', item.at)}")
        elif item.kind in ("prompt", "answer"):
            yield from self.text(item.text, _MESSAGE)
        elif item.kind == "agent":
            yield from self._agent(item)
        elif item.tool is not None:
            yield from self._tool(item.tool)
        elif item.kind == "compaction" and item.entry is not None:
            yield from self._compaction(item.entry, item.at)
        elif item.kind == "decision":
            yield from self.text(f"Decided: {one_line(item.text)}", "  ")
        elif item.kind == "context":
            yield self.style("dim", f"  ({item.text})")
        else:
            yield from self.dim(one_line(item.text), "  ")

    def _tool(self, call: ToolCall, indent: str = "  ") -> Iterator[str]:
        name, what, outcome = (one_line(part) for part in tool_line(call))
        texts = [name, what, f"({outcome})" if outcome else ""]
        line, below = " ".join(filter(None, texts)), indent + "  "
        first, *rest = wrapped(line, self.columns, below) if self.columns else [below + line]
        shown = first[len(below) :]
        colour = "red" if call.ok is False else "dim"
        if self.style.on and outcome and not rest:
            shown = shown.removesuffix(texts[2]) + self.style(colour, texts[2])
        if self.style.on and shown.startswith(name):
            shown = self.style("bold", name) + shown[len(name) :]
        yield f"{indent}• {shown}"
        for part in rest:
            yield self.style(colour, part)
        for text in call.texts if self.tools else ():
            yield from self.dim(text, indent + "    ")

    def _agent(self, item: Item) -> Iterator[str]:
        yield from self.dim(item.text, "  ")
        if not self.tools:
            return
        for entry in item.entries:
            if entry.tool is not None:
                yield from self._tool(entry.tool, "    ")
            elif entry.compaction is not None:
                yield from self.dim(compaction_lines(entry)[0], "    ")
            else:
                yield from self.text(entry.text, "  " + _MESSAGE)

    def _compaction(self, entry: Entry, at: str) -> Iterator[str]:
        head, lines = compaction_lines(entry)
        title, rule = f"━━ {head}  {at} ", min(self.columns or _RULE, _RULE)
        yield from ("", self.style("yellow", escaped(title) + "━" * max(2, rule - len(title))))
        for line in lines:
            yield from self.text(line)
        if self.tools and entry.compaction is not None and entry.compaction.summary:
            yield from self.dim(entry.compaction.summary, _MESSAGE)
