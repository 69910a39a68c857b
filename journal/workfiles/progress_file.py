"""A skill's progress as a Markdown file people can read and edit: `.cpm-progress-<session>.md`.

Pure. Invariant: `parse(render(x))` is `x` with its lines folded, whatever its texts hold. The
parser also reads what people write by hand; it returns None for any other text.
"""

from __future__ import annotations

from journal.codec import digest
from journal.workfiles.markdown import TITLE, fold, headings, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "BOUNDS",
    "FOLDER",
    "LEGACY",
    "PREFIX",
    "bounded",
    "changes",
    "facts_of",
    "file_name",
    "parse",
    "render",
    "word",
]

FOLDER = "docs/plans"
PREFIX = ".cpm-progress-"
LEGACY = ".cpm-progress.md"
"""A file without a session: it never counts as this session's own."""

# Characters of each member in an event.
BOUNDS = {"skill": 80, "phase": 24, "name": 120, "summary": 1200, "output": 300, "next": 600}
_PHASES = 16
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
# What can begin a heading, or a fence or comment that hides one; a backslash before it is dropped.
_SIGNS = ("\\", "#", "```", "~~~", "<!--")
_SEPARATORS = ":—\u2013()"
_FIELDS = {
    "skill": "skill", "phase": "phase", "current phase": "phase", "output": "output",
    "output target": "output", "output path": "output", "target": "output",
    "next action": "next", "next": "next", "next step": "next", "next actions": "next",
}  # fmt: skip


def file_name(sid: str) -> str:
    """Return the name of a session's file, with a digest for an id that is not a plain name."""
    safe = sid if 0 < len(sid) <= 64 and _PLAIN.issuperset(sid) else digest(sid)
    return f"{PREFIX}{safe}.md"


def facts_of(state: Any) -> dict[str, Any]:
    """Return a state (projections.progress.State) as `parse` returns it, its lines folded."""
    phases = []
    for item in state.phases:
        summary = _text(item.summary)
        if summary:
            phases.append({"phase": word(item.phase), "name": fold(item.name), "summary": summary})
    return {
        "skill": fold(state.skill),
        "phase": word(state.phase),
        "name": fold(state.name),
        "output": fold(state.output),
        "next": fold(state.next),
        "phases": phases,
    }


def word(text: str) -> str:
    """Return a phase's number as one word without marks: `2 b` is `2-b`."""
    clean = "-".join("".join(" " if c in _SEPARATORS else c for c in text).split())
    return clean.strip(".-?#")  # a heading ends before a closing "#"


def bounded(item: dict[str, Any]) -> dict[str, Any]:
    """Return a phase as an event holds it."""
    return {name: value[: BOUNDS.get(name, 400)].strip() for name, value in item.items()}


def render(state: Any, file: dict[str, Any] | None = None) -> str:
    """Render a state as Markdown. state: as `facts_of` takes it.

    file: the file's present content, as `parse` returns it; a summary that is longer there than an
    event holds stays whole.
    """
    facts = facts_of(state)
    for item in facts["phases"]:
        for filed in file["phases"] if file else ():
            if len(filed["summary"]) > len(item["summary"]) and bounded(filed) == item:
                item["summary"] = filed["summary"]
    lines = [
        f"# Progress of {facts['skill'] or 'a skill'}",
        "",
        "<!-- Written by the journal at each save. Edits that Claude makes here are recorded. -->",
        "",
    ]
    phase = facts["phase"] or ("?" if facts["name"] else "")
    for label, value in (
        ("Skill", facts["skill"]),
        ("Phase", f"{phase} — {facts['name']}" if facts["name"] else phase),
        ("Output", facts["output"]),
        ("Next Action", facts["next"]),
    ):
        if value:
            lines.append(f"**{label}**: {value}")
    if facts["phases"]:
        lines += ["", "## Completed phases"]
    for item in facts["phases"]:
        name = f" ({item['name']})" if item["name"] else ""
        lines += ["", f"### Phase {item['phase'] or '?'}{name}", "", _escaped(item["summary"])]
    return "\n".join(lines) + "\n"


def parse(text: str) -> dict[str, Any] | None:
    """Read such a file; None where it has neither a skill nor a phase nor a next action."""
    facts: dict[str, Any] = {
        "skill": "",
        "phase": "",
        "name": "",
        "output": "",
        "next": "",
        "phases": [],
    }
    section, at = "head", 0
    rows = scan(text)
    for heading in headings(text, rows):
        if rows[heading.row].kind == TITLE and heading.title and heading.level <= 3:
            _close(facts, section, text[at : heading.start])
            section, at = _section(facts, section, heading.level, heading.title), heading.body
    _close(facts, section, text[at:])
    facts["phases"] = [item for item in facts["phases"] if item["summary"]]
    return facts if facts["skill"] or facts["phase"] or facts["next"] or facts["phases"] else None


def changes(
    previous: dict[str, Any] | None, after: dict[str, Any], path: str
) -> list[dict[str, Any]]:
    """Build the bodies of the `progress.saved` events of an edit.

    Each phase whose text is new, then the head where it differs. before and after are as `parse`
    returns them; None before: everything is new.
    """
    recorded = [] if previous is None else previous["phases"]
    head = ("skill", "phase", "name", "output", "next")
    bodies = [
        {"skill": after["skill"], "path": path, **item}
        for item in after["phases"]
        if item not in recorded
    ]
    if bodies or previous is None or any(previous[name] != after[name] for name in head):
        last = {"path": path, **{name: after[name] for name in head}}
        if bodies and bodies[-1]["phase"] == after["phase"]:
            bodies[-1] = {**last, **bodies[-1], "name": after["name"] or bodies[-1]["name"]}
        else:
            bodies.append(last)
    return [
        {name: value[: BOUNDS.get(name, 400)] for name, value in body.items()}
        for body in bodies[-_PHASES:]
    ]


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")


def _text(text: str) -> str:
    return "\n".join(_lines(text)).strip()


def _escaped(summary: str) -> str:
    """Return a summary as a file has it: no line is a heading, or hides the heading after it."""
    lines = summary.split("\n")
    marked = [_marked(line, ("\\",)) for line in lines]
    for at in _titles(marked)[:-1]:
        marked[at] = _marked(marked[at], ("#",))
    if _titles(marked) != [len(lines)]:
        marked = [_marked(line, _SIGNS) for line in lines]
    return "\n".join(marked)


def _marked(line: str, signs: tuple[str, ...]) -> str:
    """Put a backslash before the text of a line that begins with one of the signs."""
    stripped = line.lstrip(" \t")
    return (
        line[: len(line) - len(stripped)] + "\\" + stripped if stripped.startswith(signs) else line
    )


def _titles(lines: list[str]) -> list[int]:
    """Return which lines, and the one after them, are headings if that one is written as such."""
    rows = scan("\n".join(["# before", *lines, "# after"]))
    return [at for at, row in enumerate(rows[1:]) if row.kind == TITLE]


def _plain(body: str) -> str:
    """Return the summary that `_escaped` returned as `body`."""
    out = []
    for line in _lines(body):
        stripped = line.lstrip(" \t")
        is_marked = stripped.startswith("\\") and stripped[1:].startswith(_SIGNS)
        out.append(line[: len(line) - len(stripped)] + stripped[1:] if is_marked else line)
    return "\n".join(out).strip()


def _field(facts: dict[str, Any], line: str) -> None:
    """Read `**Name**: value`, also as a list item, with the colon inside, or without stars."""
    stripped = line.strip().removeprefix("- ").removeprefix("* ").lstrip()
    name, colon, value = stripped.partition(":")
    member = _FIELDS.get(fold(name.strip("* ")).lower())
    if not colon or member is None:
        return
    value = fold(value.removeprefix("**")).removeprefix("** ")
    if member == "phase":
        facts["phase"], facts["name"] = _numbered(value)
    else:
        facts[member] = value


def _section(facts: dict[str, Any], section: str, level: int, title: str) -> str:
    """Return the section a heading opens: head, phases, phase, next, output or other."""
    low = title.lower()
    is_phase = low.startswith("phase") and (title[5:6].isspace() or title[5:6] == "")
    if level > 1 and (is_phase or (level == 3 and section in ("phases", "phase"))):
        number, name = _numbered(title)
        if not is_phase and not title[:1].isdigit():
            number, name = str(len(facts["phases"]) + 1), title
        facts["phases"].append({"phase": number, "name": name, "summary": ""})
        return "phase"
    if level == 1:
        return "head" if section == "head" else "other"
    if low.startswith(("completed", "phases")):
        return "phases"
    return _FIELDS.get(low, "other")


def _close(facts: dict[str, Any], section: str, body: str) -> None:
    """Assign a section's text to the member it belongs to."""
    if section == "head":
        for line in _lines(body):
            _field(facts, line)
    elif section == "phase":
        facts["phases"][-1]["summary"] = _plain(body)
    elif section in ("next", "output", "skill"):
        facts[section] = fold(body) or facts[section]


def _numbered(title: str) -> tuple[str, str]:
    """Return number and name of `Phase 3 (Scope)`, `3 — Scope`, `3 of 5: Scope`, `3. Scope`."""
    text = fold(title)
    if text.lower().startswith("phase "):
        text = text[6:]
    at = next((at for at, c in enumerate(text) if c == " " or c in _SEPARATORS), len(text))
    number, rest = word(text[:at]), text[at:].lstrip()
    words = rest.split(" ", 2)
    if len(words) > 1 and words[0].lower() == "of" and words[1][:1].isdigit():
        rest = rest[len(words[0]) + 1 + len(words[1].rstrip(_SEPARATORS)) :].lstrip()
    if rest[:1] in ("—", "\u2013", ":") or rest[:2] in ("- ", "-"):
        return number, rest[1:].lstrip()
    if rest[:1] == "(" and rest[-1:] == ")":
        return number, rest[1:-1].strip()
    if rest and not text[:1].isdigit() and title[:5].lower() != "phase":
        return "", text  # a name alone
    return number, rest
