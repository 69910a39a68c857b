"""The outline of a conversation, which text, Markdown and HTML are made from. Pure.

Invariant: it holds texts as they are; the code that shows them escapes them.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from cli.render.local_time import local_time, zone
from journal.text import escaped, listed, plural, quoted, short_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from journal.history.conversations.model import Conversation, Entry

__all__ = [
    "Item",
    "Part",
    "about",
    "compaction_lines",
    "facts_of",
    "outline",
    "parts_of",
    "source_of",
    "tool_line",
]

_TRIGGERS = {"auto": "automatic", "manual": "by hand"}
_NAMED = 5  # dropped decisions and files that are named
_QUOTED = 120
_FROM_JOURNAL = "There is no transcript: read from the journal, which has the beginnings of texts."
_SPEAKERS = {"prompt": "You", "answer": "Claude", "tool": "Claude"}


_MARKS = re.compile(r"`([^`\n]+)`|\*\*(?=\S)([^*\n]+)(?<=\S)\*\*")

Part = tuple[list[tuple[str, str]], bool]
"""A part of a text: (text, mark) of its spans, mark code, bold or ""; and if it is a code block."""


class Item(NamedTuple):
    """One item to show.

    kind: speaker (text: who), day, prompt, answer, tool, agent (text: a line; entries: what it
    did), compaction, decision, note, context (text: a line), cut (text: what is missing).
    """

    kind: str
    text: str = ""
    at: str = ""
    entry: Entry | None = None
    entries: tuple[Entry, ...] = ()


def outline(found: Conversation) -> Iterator[Item]:
    """Yield the items of a conversation, in order."""
    speaker, day, context = "", "", 0
    for agent, group in groupby(found.entries, key=lambda entry: entry.agent):
        entries = tuple(group)
        if agent:
            yield Item("agent", _agent_line(agent, entries), entries[0].at, entries=entries)
            continue
        for entry in entries:
            now = _SPEAKERS.get(entry.kind, "")
            if context and entry.kind in ("prompt", "compaction"):
                yield Item("context", f"{short_count(context)} tokens of context")
                context = 0
            today, _, clock = local_time(entry.at).partition(" ")
            if today and today != day:
                day, speaker = today, ""
                yield Item("day", today)
            if now and (now != speaker or entry.kind == "prompt"):
                yield Item("speaker", now, clock)
            speaker = now or speaker if entry.kind in ("decision", "note") else now
            yield Item(entry.kind, entry.text, clock, entry)
            if entry.cut and entry.compaction is None:
                yield Item("cut", f"… {plural(entry.cut, 'character')} more")
            context = entry.context or context
    if context:
        yield Item("context", f"{short_count(context)} tokens of context")


def parts_of(text: str) -> list[Part]:
    """Split a text at its fences, and mark code and bold words; without unprintable characters."""
    parts: list[Part] = []
    rows: list[str] = []
    fenced = False
    for row in [*text.expandtabs(4).splitlines(), None]:
        if row is not None and not row.lstrip().startswith(("```", "~~~")):
            rows.append(escaped(row))
            continue
        if any(rows):
            part = "\n".join(rows).strip("\n")
            parts.append(([(part, "")] if fenced else _spans(part), fenced))
        rows = []
        fenced = not fenced
    return parts


def _spans(text: str) -> list[tuple[str, str]]:
    spans: list[tuple[str, str]] = []
    end = 0
    for found in _MARKS.finditer(text):
        if found.start() > end:
            spans.append((text[end : found.start()], ""))
        code, bold = found.groups()
        spans.append((code, "code") if code else (bold.replace("`", ""), "bold"))
        end = found.end()
    if end < len(text):
        spans.append((text[end:], ""))
    return spans


def _agent_line(agent: str, entries: tuple[Entry, ...]) -> str:
    calls = plural(sum(entry.kind == "tool" for entry in entries), "tool call")
    last_answer = next((entry.text for entry in reversed(entries) if entry.kind == "answer"), "")
    return f"Subagent {agent[:8]}: {calls}" + (
        f"; {quoted(last_answer, _QUOTED)}" if last_answer else ""
    )


def tool_line(entry: Entry) -> tuple[str, str, str]:
    """Return a tool call in one line: (name, about what, what came of it)."""
    call = entry.tool
    if call is None:
        return "", "", ""
    if call.ok is None:
        return call.name, call.about, "no result"
    outcome = call.outcome if call.ok else f"failed: {call.outcome}".rstrip(": ")
    return call.name, call.about, outcome


def compaction_lines(entry: Entry) -> tuple[str, list[str]]:
    """Return the heading of a compaction, and what it dropped, as sentences."""
    made = entry.compaction
    if made is None:
        return "", []
    trigger = _TRIGGERS.get(made.trigger, made.trigger)
    head = "Compaction" + (f" ({trigger})" if trigger else "")
    if made.before and made.after:
        head += f": {short_count(made.before)} → {short_count(made.after)} tokens"
    elif made.before:
        head += f" at {short_count(made.before)} tokens"
    size = len(made.summary) + entry.cut
    instead = f"a summary of {plural(size, 'character')}" if size else "a summary"
    lines = [
        f"{plural(made.replaced, 'entry', 'entries')} above left the context; {instead} stayed."
    ]
    left = made.dropped
    if left.decisions:
        some = "; ".join(quoted(text, _QUOTED) for text in left.decisions[:_NAMED])
        more = len(left.decisions) - _NAMED
        some += f" and {more} more" if more > 0 else ""
        lines.append(f"Decisions the summary does not mention: {some}")
    if left.paths:
        lines.append(f"Changed files it does not mention: {listed(left.paths, _NAMED)}")
    return head, lines


def about(found: Conversation, project: str = "") -> list[str]:
    """Return when, where and with what a session was, then its counts, as two lines.

    project: its name as people read it, where the conversation has another.
    """
    begun, over = local_time(found.started), local_time(found.last)
    until = over if over[:10] != begun[:10] else over[11:]
    when = f"{begun} to {until} {zone(found.last)}" if begun and over != begun else begun
    where = [when, project or found.project, found.branch, found.model]
    return [" · ".join(filter(None, where)), ", ".join(facts_of(found))]


def facts_of(found: Conversation) -> list[str]:
    """Return the counts of a conversation, those of its subagents included in the calls."""
    calls = [entry.tool for entry in found.entries if entry.tool is not None]
    main = [entry.kind for entry in found.entries if not entry.agent]
    failed = sum(call.ok is False for call in calls)
    facts = [
        plural(main.count("prompt"), "prompt"),
        plural(len(calls), "tool call") + (f" ({failed} failed)" if failed else ""),
        plural(main.count("compaction"), "compaction"),
    ]
    if found.tokens:
        out = found.tokens.get("output_tokens", 0)
        read = sum(found.tokens.values()) - out
        facts.append(f"{short_count(read)} tokens in, {short_count(out)} out")
    return facts


def source_of(found: Conversation) -> list[str]:
    """Say where a conversation was read, and what of it is missing."""
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
    return lines
