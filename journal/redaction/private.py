"""Remove passages that the user marked as private: `<private>…</private>` in a prompt or a text.

Invariant: nothing between the tags is left, in any case of letters. If a tag is missing because the
text was cut, nothing after the opening or before the closing tag is left.
"""

from __future__ import annotations

MARK = "[private]"
"""Replacement for a private passage."""

_OPEN, _CLOSE = "<private>", "</private>"


def without_private(text: str) -> str:
    """Replace each private passage by `MARK`; the same object if there is none."""
    if "<" not in text:
        return text
    folded = text.lower()
    # A letter such as İ changes the length of a text in lower case; positions would be wrong.
    if len(folded) != len(text):
        folded = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    at, close = folded.find(_OPEN), folded.find(_CLOSE)
    if at < 0 and close < 0:
        return text
    parts, done = [], 0
    if close >= 0 and not 0 <= at < close:  # the text begins within a passage
        parts, done = [MARK], close + len(_CLOSE)
    while at >= 0:
        parts += [text[done:at], MARK]
        done = _end(folded, at)
        at = folded.find(_OPEN, done)
    return "".join((*parts, text[done:]))


def _end(folded: str, start: int) -> int:
    """Return where the passage that begins at `start` ends; passages within it are part of it."""
    depth, at = 1, start + len(_OPEN)
    while depth:
        close = folded.find(_CLOSE, at)
        if close < 0:
            return len(folded)
        inner = folded.find(_OPEN, at, close)
        depth += 1 if inner >= 0 else -1
        at = inner + len(_OPEN) if inner >= 0 else close + len(_CLOSE)
    return at
