"""The text of the status line: the most important facts first, as many as there is space for.

Pure. Invariant: never wider than asked for, one line, and nothing unprintable from the input in it.
"""

from __future__ import annotations

from journal.text import clip, percent, short_count, width

__all__ = ["Facts", "compose"]

_RED, _YELLOW, _END = "\x1b[31m", "\x1b[33m", "\x1b[0m"
_SEPARATOR = " · "


class Facts:
    """What there is to show.

    tokens, point: None is unknown. used: percent of the full window. level: "", info or urgent.
    compacts: whether the client compacts by itself at `point`. state: of the journal, as in `#42`.
    untested: the client's version where it is out of the tested range. shown: print at all.
    """

    __slots__ = (
        "compacts",
        "level",
        "model",
        "point",
        "shown",
        "stage",
        "state",
        "tokens",
        "untested",
        "used",
    )

    def __init__(self) -> None:
        self.tokens: int | None = None
        self.point: int | None = None
        self.used: int | None = None
        self.compacts = True
        self.shown = True
        self.level = self.stage = self.state = self.model = self.untested = ""


def compose(facts: Facts, columns: int, *, colour: bool) -> str:
    """Return the line; what does not fit is left out from the least telling on."""
    context = _context(facts)
    used = f"window {facts.used}%" if facts.used is not None else ""
    untested = f"client {_clean(facts.untested)} untested" if facts.untested else ""
    parts = {
        "context": context,
        "used": used,
        "stage": _clean(facts.stage),
        "journal": f"journal {_clean(facts.state)}",
        "model": _clean(facts.model),
        "untested": untested,
    }
    for name in ("", "model", "used", "untested", "stage"):
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
    share = percent(100 * facts.tokens / facts.point)
    text = f"context {share} ({short_count(facts.tokens)} of {short_count(facts.point)})"
    if not facts.compacts:
        text += " no auto-compact"
    return f"{text} {facts.level}" if facts.level else text


def _clean(text: str) -> str:
    """One printable line, bounded."""
    printable = "".join(c if c.isprintable() else " " for c in text[:200])
    return " ".join(printable.split())[:80]
