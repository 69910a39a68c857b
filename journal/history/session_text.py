"""Render past sessions as Markdown, for Claude, a user or a page.

Invariant: the text of a session stays text. None of its headings, fences, tags, links, images or
control characters takes effect, and a session takes at most `LIMIT` characters.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from journal.history.conversations.model import Resume
from journal.history.logs import LIVE
from journal.history.merged import Cite
from journal.history.search.index import PastSession
from journal.home import IMPORTED
from journal.text import duration, escaped, excerpt, one_line, plural
from projections.digest import Digest, duration_ms, outcome, status, title_of
from projections.repetition import Mark
from projections.summary import summarize

LIMIT = 6_000  # characters of one session; below, the limits of its parts (as Markdown)
_SUMMARY = 2_200
_DECISIONS, _DECISION = 1_200, 240
_FILES, _FILE = 900, 120
_REPETITIONS, _WHAT = 600, 60
_TITLE, _NAME, _WORDS, _WHY = 100, 80, 40, 200

_FENCE = re.compile(r"`{3,}|~{3,}")
_RULE = re.compile(r"(?:[0-9]{1,9}[.)] |[-*_+=:|] ?)+")
_ITEM = re.compile(r"(?:(?:[-*+]|[0-9]{1,9}[.)]) +)*")
_START = re.compile(r"[#>|=\[]")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LINK = re.compile(r"\](?=[(\[:])")
_REPETITION = {
    "error-loop": "the same call failed again and again",
    "edit-loop": "one file edited over and over",
    "test-failures": "tests kept failing",
    "rollback": "changes thrown away",
}

# Lines of an extractive summary whose content is shown in full in other parts.
_BESIDE = ("Decided: ", "Changed: ", "Ended: ")


class Content(NamedTuple):
    """What is shown of a session: its stored summary, or one made from its digest."""

    summary: str
    decisions: list[str]
    files: list[str]
    seq: int


def content_of(digest: Digest) -> Content:
    """Return summary, decisions, files, and the seq of the event they are based on."""
    decisions, files = digest.summary_decisions, digest.summary_files
    text, seq = digest.summary, digest.summary_seq
    if not text.strip():
        summary = summarize(digest)
        decisions, files, text, seq = summary.decisions, summary.files, summary.summary, digest.seq
    return Content(
        text,
        list(dict.fromkeys((*decisions, *digest.decisions))),
        list(dict.fromkeys((*files, *digest.session.files))),
        seq,
    )


def block(
    pasts: Sequence[PastSession],
    resumes: Sequence[Resume] = (),
    name_of: Callable[[str], str] = str,
) -> str:
    """Render sessions as one Markdown text that ends in a line break; "" for no sessions.

    resumes: how to resume each session; empty to leave that out. name_of: names a project for
    people.
    """
    if not pasts:
        return ""
    parts = ["# Past sessions"]
    for at, past in enumerate(pasts):
        parts.append(_section(past, name_of))
        if resumes:
            parts.append(_resumed(resumes[at]))
    return "\n\n".join(parts) + "\n"


def inline(text: str, most: int) -> str:
    """Return a text as part of one Markdown line, in which none of its markup takes effect."""
    return _plain(_escaped(excerpt(one_line(text[: 4 * most]), most)))


def prose(text: str, most: int) -> str:
    """Return a text as Markdown of several lines: lists stay, all other markup is escaped."""
    lines = [" ".join(line.split()) for line in excerpt(text.strip(), most).splitlines()]
    rows = "\n".join(_plain(_escaped(escaped(line))) for line in lines)
    return excerpt(re.sub(r"\n{3,}", "\n\n", rows), most)


def _section(past: PastSession, name_of: Callable[[str], str]) -> str:
    digest = past.digest
    summary, decisions, files, seq = content_of(digest)
    is_summarized = bool(digest.summary.strip())
    listed = digest.engine == "extractive" or not is_summarized
    event = _event(seq, imported=digest.imported and not is_summarized)  # summaries are live
    where = f"journal {_code(name_of(past.project), _NAME)}" if past.project else ""
    source = (f"session {_code(digest.sid, _NAME)}", f"event {event}", where, _origin(digest))
    parts = [
        f"## {inline(title_of(digest), _TITLE)} ({inline(digest.session.started[:10], 10) or '?'})",
        prose(_rows(summary) if listed else summary, _SUMMARY),
        _listed("Decisions", (inline(item, _DECISION) for item in decisions), _DECISIONS),
        _listed("Changed files", (_code(item, _FILE) for item in files), _FILES),
        _ended(digest),
        _repetitions(digest.marks, imported=digest.imported),
        f"Source: {', '.join(filter(None, source))}",
    ]
    return "\n\n".join(filter(None, parts))


def _resumed(resume: Resume) -> str:
    if resume.command:
        return f"Resume: {code(resume.command)}"
    return f"Cannot be resumed: {inline(resume.why, _WHY)}"


def _rows(summary: str) -> str:
    """Return the lines of an extractive summary as a list, without those shown in other parts."""
    rows = [row for row in summary.splitlines() if row.strip() and not row.startswith(_BESIDE)]
    return "\n".join(f"- {row}" for row in rows)


def _listed(head: str, items: Iterable[str], most: int) -> str:
    """Return a list under a heading, with as many whole items as fit in `most` characters."""
    found = [item for item in items if item]
    rows = []
    for at, item in enumerate(found):
        most -= len(item) + 3
        if most < 0:
            rows.append(f"- and {len(found) - at} more")
            break
        rows.append(f"- {item}")
    return "\n".join([f"{head}:", *rows]) if rows else ""


def _ended(digest: Digest) -> str:
    facts = [f"Outcome: {inline(outcome(digest), _WORDS)}"]
    if not digest.of:
        facts.append(duration(duration_ms(digest)))
        failed = f" ({digest.session.failures} failed)" if digest.session.failures else ""
        facts.append(plural(digest.session.tools, "tool call") + failed)
    if digest.session.branch:
        facts.append(f"branch {_code(digest.session.branch, _NAME)}")
    if status(digest) == "open":
        facts.append("still open")
    return " · ".join(dict.fromkeys(facts))


def _repetitions(repetitions: Sequence[Mark], *, imported: bool) -> str:
    rows = []
    for mark in reversed(repetitions):
        what = f": {_code(mark.what, _WHAT)}" if mark.what else ""
        times = f", {mark.count} times" if mark.count > 1 else ""
        kind = _REPETITION.get(mark.kind, inline(mark.kind, _WORDS))
        first, last = (_event(seq, imported=imported) for seq in (mark.seq, mark.last))
        rows.append(f"{kind}{what}{times} (events {first} to {last})")
    return _listed("Went in circles", rows, _REPETITIONS)


def _event(seq: int, *, imported: bool) -> str:
    """Return an event as `journal explain` takes it."""
    return f"#{Cite(IMPORTED if imported else LIVE, seq)}"


def _origin(digest: Digest) -> str:
    if not digest.of:
        return "imported from a transcript" if digest.imported else ""
    events = f" ({len(digest.seqs)} of its events)" if digest.seqs else ""
    return f"part of session {_code(digest.of, _NAME)}{events}"


def code(text: str) -> str:
    """Return a text as inline code, even if it has backticks."""
    line = escaped(" ".join(text.split()))
    ticks = "`" * (longest_ticks(line) + 1)
    return f"{ticks} {line} {ticks}" if len(ticks) > 1 else f"`{line}`"


def longest_ticks(text: str) -> int:
    """Return the length of a text's longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)


def _code(text: str, most: int) -> str:
    """Return a short text as inline code; backticks become quotes because they would end it."""
    return "`" + excerpt(one_line(text[: 4 * most]), most).replace("`", "'") + "`"


def without_tags(line: str) -> str:
    """Escape each `<` that can begin a tag; in `n < 2` it cannot."""
    return _TAG.sub("&lt;", line)


def table_cell(line: str) -> str:
    """Return a line as a cell of a Markdown table, in which none of its markup takes effect."""
    return _escaped(line).replace("|", "\\|")


def _escaped(line: str) -> str:
    line = line.replace("\\", "\\\\") if "\\" in line else line
    line = without_tags(line)
    line = _LINK.sub(lambda found: "\\" + found[0], line)
    return _FENCE.sub(lambda found: "".join("\\" + tick for tick in found[0]), line)


def _plain(line: str) -> str:
    """Escape the characters that begin a heading, quotation, rule, table or reference."""
    if _RULE.fullmatch(line):
        return re.sub(r"(?=[-*_+=|])", r"\\", line)
    found = _ITEM.match(line)
    at = found.end() if found else 0
    return f"{line[:at]}\\{line[at:]}" if _START.match(line, at) else line
