"""Build the outline of a conversation, from which text, Markdown and HTML are rendered. Pure.

Invariant: texts are not escaped here; the renderers escape them.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from cli.render.local_time import local_time, zone_between
from journal.history.conversations.model import Conversation, Entry, ToolCall
from journal.history.conversations.text import BY_USER
from journal.history.importer.records import SIDECHAIN
from journal.text import escaped, listed, plural, quoted, short_count
from projections.pasted import without_note
from projections.prose import is_client_command

_TRIGGERS = {"auto": "automatic", "manual": "by hand"}
_NAMED = 5  # dropped decisions, and files, that are listed
_QUOTED = 120  # characters of a quoted text
_FROM_JOURNAL = (
    "There is no transcript. Read from the journal, which has only the beginning of each text."
)
_SHELL = "! "  # begins a shell command that the user ran
_SPEAKERS = {"prompt": "You", "answer": "Claude", "tool": "Claude"}

_MARKS = re.compile(
    r"`([^`\n]+)`|\*\*(?=\S)([^*\n]+)(?<=\S)\*\*|^ {0,3}#{2,6} +([^\n]+)", re.MULTILINE
)
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_RULE = frozenset(" |:-")  # characters of the row below a table's headings

Spans = list[tuple[str, str]]
"""A text as (text, "code", "bold" or "")."""


class Passage(NamedTuple):
    """A passage of a text. kind: "text", "code" (a block), "table"; rows: of a table, as cells."""

    kind: str
    spans: Spans
    rows: tuple[list[Spans], ...] = ()


class Item(NamedTuple):
    """One item to show.

    kind: day, speaker (text: the name), prompt, answer, tool, agent (text: a line; entries: those
    of the subagent), compaction, decision, note, context (text: a line) or cut (text: what is
    missing). at: local time of day. entry: the entry that it shows, if any.
    """

    kind: str
    text: str = ""
    at: str = ""
    entry: Entry | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def tool(self) -> ToolCall | None:
        """The tool call that it shows, if it is one."""
        return self.entry.tool if self.entry else None


def outline(found: Conversation) -> Iterator[Item]:
    """Yield the items of a conversation, in order."""
    speaker, day, context = "", "", 0
    for agent, group in groupby(found.entries, key=lambda entry: entry.agent):
        entries = tuple(group)
        if agent:
            yield Item("agent", _agent_line(agent, entries), entries[0].at, entries=entries)
            continue
        for entry in entries:
            who = _SPEAKERS.get(entry.kind, "")
            if context and entry.kind in ("prompt", "compaction"):
                yield Item("context", f"{short_count(context)} tokens of context")
                context = 0
            today, _, clock = local_time(entry.at).partition(" ")
            if today and today != day:
                day, speaker = today, ""
                yield Item("day", today)
            if who and (who != speaker or entry.kind == "prompt"):
                yield Item("speaker", who, clock)
            speaker = who or speaker if entry.kind in ("decision", "note") else who
            text = without_note(entry.text) if entry.kind == "prompt" else entry.text
            yield Item(entry.kind, text.strip("\n"), clock, entry)
            if entry.cut and entry.compaction is None:
                yield Item("cut", f"… {plural(entry.cut, 'character')} more")
            context = entry.context or context
    if context:
        yield Item("context", f"{short_count(context)} tokens of context")


def passages_of(text: str) -> list[Passage]:
    """Split a text into code blocks, tables and the rest, and escape unprintable characters.

    Code and bold words are marked in all but code blocks; a heading counts as bold.
    """
    passages: list[Passage] = []
    rows: list[str] = []
    fenced = False
    for row in [*text.expandtabs(4).splitlines(), None]:
        if row is not None and not row.lstrip().startswith(("```", "~~~")):
            rows.append(escaped(row))
            continue
        if fenced and any(rows):
            passages.append(Passage("code", [("\n".join(rows).strip("\n"), "")]))
        elif not fenced:
            passages += _text_and_tables(rows)
        rows = []
        fenced = not fenced
    return passages


def _text_and_tables(rows: list[str]) -> Iterator[Passage]:
    at = start = 0
    while at < len(rows):
        end = _end_of_table(rows, at)
        if end == at:
            at += 1
            continue
        yield from _text(rows[start:at])
        cells = map(_cells, (rows[at], *rows[at + 2 : end]))
        yield Passage("table", [], tuple([*map(_spans, row)] for row in cells))
        at = start = end
    yield from _text(rows[start:])


def _text(rows: list[str]) -> Iterator[Passage]:
    if any(rows):
        yield Passage("text", _spans("\n".join(rows).strip("\n")))


def _end_of_table(rows: list[str], at: int) -> int:
    """Return the index after the table that begins at a row; `at` if no table begins there."""
    rule = rows[at + 1] if at + 1 < len(rows) else ""
    is_rule = "-" in rule and _RULE.issuperset(rule)
    if "|" not in rows[at] or not is_rule or len(_cells(rows[at])) != len(_cells(rule)):
        return at
    end = at + 2
    while end < len(rows) and "|" in rows[end]:
        end += 1
    return end


def _cells(row: str) -> list[str]:
    inside = row.strip().removeprefix("|")
    inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
    return [cell.strip().replace("\\|", "|") for cell in _BETWEEN_CELLS.split(inside)]


def _spans(text: str) -> Spans:
    spans: Spans = []
    end = 0
    for found in _MARKS.finditer(text):
        if found.start() > end:
            spans.append((text[end : found.start()], ""))
        code, bold, heading = found.groups()
        text_of_bold = (bold or heading or "").replace("`", "").replace("**", "")
        spans.append((code, "code") if code else (text_of_bold, "bold"))
        end = found.end()
    if end < len(text):
        spans.append((text[end:], ""))
    return spans


def _agent_line(agent: str, entries: tuple[Entry, ...]) -> str:
    calls = plural(sum(entry.kind == "tool" for entry in entries), "tool call")
    last_answer = next((entry.text for entry in reversed(entries) if entry.kind == "answer"), "")
    name = "" if agent == SIDECHAIN else f" {agent[:8]}"
    return f"Subagent{name}: {calls}" + (f"; {quoted(last_answer, _QUOTED)}" if last_answer else "")


def tool_line(call: ToolCall) -> tuple[str, str, str]:
    """Return (name, argument, outcome) of a tool call, each of at most one line."""
    if call.ok is None:
        return call.name, call.about, "no result"
    how = "failed: " if call.ran else "did not run or finish: "
    outcome = call.outcome
    if not call.ok and (call.ran or not outcome.startswith(BY_USER)):
        outcome = (how + outcome).rstrip(": ")
    return call.name, call.about, outcome


def compaction_lines(entry: Entry) -> tuple[str, list[str]]:
    """Return the heading of a compaction, and sentences about what it dropped."""
    compaction = entry.compaction
    if compaction is None:
        return "", []
    trigger = _TRIGGERS.get(compaction.trigger, compaction.trigger)
    head = "Compaction" + (f" ({trigger})" if trigger else "")
    if compaction.before and compaction.after:
        head += f": {short_count(compaction.before)} → {short_count(compaction.after)} tokens"
    elif compaction.before:
        head += f" at {short_count(compaction.before)} tokens"
    size = len(compaction.summary) + entry.cut
    instead = f"a summary of {plural(size, 'character')}" if size else "a summary"
    replaced = plural(compaction.replaced, "entry", "entries")
    lines = [f"{replaced} above left the context; {instead} stayed."]
    left = compaction.dropped
    if left.decisions:
        some = "; ".join(quoted(text, _QUOTED) for text in left.decisions[:_NAMED])
        more = len(left.decisions) - _NAMED
        some += f" and {more} more" if more > 0 else ""
        lines.append(f"Decisions the summary does not mention: {some}")
    if left.paths:
        lines.append(f"Changed files it does not mention: {listed(left.paths, _NAMED)}")
    return head, lines


def about(found: Conversation, project: str = "") -> list[str]:
    """Return two lines: time, project, branch and model of a session, then its counts.

    project: name of the project for people, if it is not that of the conversation.
    """
    begun, over = local_time(found.started), local_time(found.last)
    until = over if over[:10] != begun[:10] else over[11:]
    span = f"{begun} to {until}" if over != begun else begun
    when = f"{span} {zone_between(found.started, found.last)}" if begun else ""
    where = [when, project or found.project, found.branch, found.model]
    return [" · ".join(filter(None, where)), ", ".join(facts_of(found))]


def facts_of(found: Conversation) -> list[str]:
    """Return the counts of a conversation as texts; tool calls include those of subagents.

    As everywhere, they leave out what no hook is called for: calls that did not run, Claude Code's
    own commands, the user's shell commands, and what a fork repeats.
    """
    own = [entry for entry in found.entries if not entry.copied]
    calls = [entry.tool for entry in own if entry.tool is not None]
    main = [entry for entry in own if not entry.agent]
    prompts = [entry.text for entry in main if entry.kind == "prompt"]
    asked = sum(not (is_client_command(text) or text.startswith(_SHELL)) for text in prompts)
    ran = sum(call.ran and call.ok is not None for call in calls)
    failed = sum(call.ran and call.ok is False for call in calls)
    facts = [
        plural(asked, "prompt"),
        plural(ran, "tool call") + (f" ({failed} failed)" if failed else ""),
        plural(sum(entry.kind == "compaction" for entry in main), "compaction"),
    ]
    if ran < len(calls):
        facts.insert(2, f"{len(calls) - ran} more did not run or finish")
    if copied := len(found.entries) - len(own):
        facts.append(f"{plural(copied, 'entry', 'entries')} copied from another session")
    if found.tokens:
        out = found.tokens["output_tokens"]
        read = sum(filter(None, found.tokens.values())) - (out or 0)
        known = "output unknown" if out is None else f"{short_count(out)} out"
        facts.append(f"{short_count(read)} tokens in, {known}")
    return facts


def source_of(found: Conversation) -> list[str]:
    """Return lines about where a conversation was read and what is missing."""
    if found.source == "transcript":
        lines = [f"Read from the transcript {found.path}"]
    elif found.source == "archive":
        lines = ["Read from the copy that the import stored; the transcript is deleted."]
    else:
        lines = [_FROM_JOURNAL]
    lost = found.skipped
    if lost:
        parts = (
            (lost.broken, "broken line", "broken lines"),
            (lost.long, "line too long to read", "lines too long to read"),
            (lost.torn, "torn last line", "torn last lines"),
            (lost.damaged, "damaged part of the copy", "damaged parts of the copy"),
        )
        counted = [plural(count, one, many) for count, one, many in parts if count]
        lines.append("Left out: " + ", ".join(counted))
    own = (entry.kind for entry in found.entries if not entry.agent)
    if next(own, "") in ("answer", "tool"):  # whatever Claude does, something asked for it
        lines.append("The beginning is missing: nothing stands above Claude's first answer.")
    return lines
