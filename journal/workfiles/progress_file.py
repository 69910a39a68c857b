"""Render and parse the Markdown file of a skill's progress: `.cpm-progress-<session>.md`.

Pure. Invariant: `parse(render(state))` is `facts_of(state)`, whatever its texts contain. The parser
also accepts files that people wrote by hand.
"""

from __future__ import annotations

from journal.codec import digest
from journal.workfiles.markdown import TITLE, fold, headings, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "docs/plans"
PREFIX = ".cpm-progress-"
LEGACY = ".cpm-progress.md"
"""Name of a file without a session, which belongs to no session."""

# Characters of each field in an event.
BOUNDS = {"skill": 80, "phase": 24, "name": 120, "summary": 1200, "output": 300, "next": 600}
_HEAD = ("skill", "phase", "name", "output", "next")
_PHASES = 16
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
# Beginnings of headings, and of fences and comments, which hide headings. The parser drops a
# backslash before them.
_SIGNS = ("\\", "#", "```", "~~~", "<!--")
_SEPARATORS = ":—\u2013()"
_FIELDS = {
    "skill": "skill",
    "phase": "phase",
    "current phase": "phase",
    "output": "output",
    "output target": "output",
    "output path": "output",
    "target": "output",
    "next action": "next",
    "next": "next",
    "next step": "next",
    "next actions": "next",
}


def file_name(sid: str) -> str:
    """Return the file name of a session, with a digest of an id that is not a plain name."""
    safe = sid if 0 < len(sid) <= 64 and _PLAIN.issuperset(sid) else digest(sid)
    return f"{PREFIX}{safe}.md"


def facts_of(state: Any) -> dict[str, Any]:
    """Return a state (projections.progress.State) in the form that `parse` returns.

    Texts of one line have folded white space.
    """
    phases = []
    for item in state.phases:
        summary = "\n".join(_lines(item.summary)).strip()
        if summary:
            phases.append({"phase": word(item.phase), "name": fold(item.name), "summary": summary})
    texts = {name: fold(getattr(state, name)) for name in _HEAD}
    return {**texts, "phase": word(state.phase), "phases": phases}


def word(text: str) -> str:
    """Return the number of a phase as one word without separators: `2 b` → `2-b`."""
    clean = "-".join("".join(" " if c in _SEPARATORS else c for c in text).split())
    return clean.strip(".-?#")  # a heading ends before a closing "#"


def bounded(item: dict[str, Any]) -> dict[str, Any]:
    """Return a phase with its texts cut to the bounds of an event."""
    return {name: value[: BOUNDS.get(name, 400)].strip() for name, value in item.items()}


def render(state: Any, file: dict[str, Any] | None = None) -> str:
    """Return a state (projections.progress.State) as Markdown.

    file: the current content of the file, as `parse` returns it; its summaries replace those that
    an event had to cut.
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
    """Parse a progress file.

    Returns:
        skill, phase, name, output and next as texts, and phases as a list of dicts with phase, name
        and summary; None if the text has neither a skill nor a phase nor a next action.

    """
    facts: dict[str, Any] = {**dict.fromkeys(_HEAD, ""), "phases": []}
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
    """Build the `progress.saved` events of an edit: the new phases, then the head if it changed.

    previous, after: the file before and after the edit, as `parse` returns it; without `previous`,
    everything is new. path: of the file.
    """
    recorded = [] if previous is None else previous["phases"]
    bodies = [
        {"skill": after["skill"], "path": path, **item}
        for item in after["phases"]
        if item not in recorded
    ]
    if bodies or previous is None or any(previous[name] != after[name] for name in _HEAD):
        last = {"path": path, **{name: after[name] for name in _HEAD}}
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


def _escaped(summary: str) -> str:
    """Return a summary escaped so that no line is a heading or hides the heading after it."""
    lines = summary.split("\n")
    marked = [_with_backslash(line, ("\\",)) for line in lines]
    for at in _titles(marked)[:-1]:
        marked[at] = _with_backslash(marked[at], ("#",))
    if _titles(marked) != [len(lines)]:
        marked = [_with_backslash(line, _SIGNS) for line in lines]
    return "\n".join(marked)


def _with_backslash(line: str, signs: tuple[str, ...]) -> str:
    """Return a line with a backslash before its text if that begins with one of the signs."""
    stripped = line.lstrip(" \t")
    return (
        line[: len(line) - len(stripped)] + "\\" + stripped if stripped.startswith(signs) else line
    )


def _titles(lines: list[str]) -> list[int]:
    """Return the indexes of lines that are headings; a heading after them has len(lines)."""
    rows = scan("\n".join(["# before", *lines, "# after"]))
    return [at for at, row in enumerate(rows[1:]) if row.kind == TITLE]


def _plain(body: str) -> str:
    """Return the summary that `_escaped` turned into `body`."""
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
    """Return the section that a heading opens: head, phases, phase, next, output, skill or other.

    Append a phase to `facts` if it opens one.
    """
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
    """Store the text of a section in its field of `facts`."""
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
        return "", text  # only a name
    return number, rest
