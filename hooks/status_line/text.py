"""Compose the status line: the most important facts first, as many as fit.

Pure. Invariant: one line, at most as wide as requested, without unprintable characters.
"""

from __future__ import annotations

from journal.text import clip, plain_line, short_count, width
from projections.headroom import Headroom, headroom_text

_RED, _YELLOW, _END = "\x1b[31m", "\x1b[33m", "\x1b[0m"
_LONGEST = 80  # characters of one fact
_SEPARATOR = " · "


class Facts:
    """The facts that the line can show.

    tokens, point: None is unknown. level: "", info or urgent.
    compacts: whether the client compacts by itself at `point`. state: of the journal, as in `#42`.
    cost: text about today and the current block. untested: the client's version if it is outside
    the tested range. is_shown: whether to print the line at all.
    """

    def __init__(self) -> None:
        self.tokens: int | None = None
        self.point: int | None = None
        self.compacts = True
        self.is_shown = True
        self.level = self.stage = self.state = self.model = self.untested = self.cost = ""


def compose(facts: Facts, columns: int, *, colour: bool) -> str:
    """Return the line; if it is too long, the least important facts are left out first."""
    context = _context(facts)
    untested = f"client {plain_line(facts.untested, _LONGEST)} untested" if facts.untested else ""
    parts = {
        "context": context,
        "stage": plain_line(facts.stage, _LONGEST),
        "cost": plain_line(facts.cost, _LONGEST),
        "journal": f"journal {plain_line(facts.state, _LONGEST)}",
        "model": plain_line(facts.model, _LONGEST),
        "untested": untested,
    }
    for name in ("", "model", "untested", "cost", "stage"):
        if name:
            parts[name] = ""
        plain = _SEPARATOR.join(part for part in parts.values() if part)
        if width(plain) <= columns:
            break
    if width(plain) > columns:
        return clip(plain, columns)
    if colour:
        mark = {"urgent": _RED, "info": _YELLOW}.get(facts.level)
        if mark:
            plain = plain.replace(context, f"{mark}{context}{_END}", 1)
        if facts.state.startswith("off"):
            off = parts["journal"]
            plain = plain.replace(off, f"{_RED}{off}{_END}", 1)
    return plain


def _context(facts: Facts) -> str:
    if facts.tokens is None:
        return "context ?"
    if not facts.point:
        return f"context {short_count(facts.tokens)} of ?"
    remaining = round(Headroom(facts.tokens, facts.point, facts.compacts).left)
    text = f"context {headroom_text(remaining, compacts=facts.compacts)}"
    text += f" ({short_count(facts.tokens)} of {short_count(facts.point)})"
    return f"{text} {facts.level}" if facts.level else text
