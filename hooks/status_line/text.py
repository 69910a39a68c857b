"""The text of the status line: the most important facts first, as many as there is space for.

Pure. Invariant: never wider than asked for, one line, and nothing unprintable from the input in it.
"""

from __future__ import annotations

from journal.text import clip, short_count, width
from projections.headroom import Headroom, headroom_text

_RED, _YELLOW, _END = "\x1b[31m", "\x1b[33m", "\x1b[0m"
_SEPARATOR = " · "


class Facts:
    """What there is to show.

    tokens, point: None is unknown. level: "", info or urgent.
    compacts: whether the client compacts by itself at `point`. state: of the journal, as in `#42`.
    cost: of today and the block, in words. untested: the client's version where it is out of the
    tested range. is_shown: print at all.
    """

    def __init__(self) -> None:
        self.tokens: int | None = None
        self.point: int | None = None
        self.compacts = True
        self.is_shown = True
        self.level = self.stage = self.state = self.model = self.untested = self.cost = ""


def compose(facts: Facts, columns: int, *, colour: bool) -> str:
    """Return the line; what does not fit is left out from the least telling on."""
    context = _context(facts)
    untested = f"client {_clean(facts.untested)} untested" if facts.untested else ""
    parts = {
        "context": context,
        "stage": _clean(facts.stage),
        "cost": _clean(facts.cost),
        "journal": f"journal {_clean(facts.state)}",
        "model": _clean(facts.model),
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


def _clean(text: str) -> str:
    """One printable line, bounded."""
    printable = "".join(c if c.isprintable() else " " for c in text[:200])
    return " ".join(printable.split())[:80]
