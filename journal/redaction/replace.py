"""Replace the secrets of a text by tags. Imported only where a marker was found."""

from __future__ import annotations

import re

from journal.redaction import found, redact, without_colors
from journal.redaction.beside import without_beside
from journal.redaction.rules import RULES, starts
from journal.redaction.tokens import pattern
from journal.redaction.values import secret_span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# A replacement can uncover a neighbour, such as the next secret of a command: of those, at most 20
# tags fit into the gap of 400 characters. The second pass nearly always finds nothing.
_PASSES = 24
_APART = "\x1f"  # stands for a color while words beside it are searched
_TAIL = re.compile(rf"(\[redacted:[\w-]+\])(?:{_APART}+[\w+/=-]+)+")  # the rest of a secret
# How JSON, HTML and URLs escape the signs around a name and its value.
_ESCAPES = tuple(
    tuple(pair.split(" ") for pair in style.split("  "))
    for style in (
        "\\u0022 \"  \\u0027 '  \\u003c <  \\u003e >  \\u003d =  \\u0026 &",
        "&quot; \"  &#39; '  &lt; <  &gt; >",
        "&#34; \"  &#x27; '",
        "%22 \"  %27 '  %3A :  %3D =  %40 @  %2F /  %26 &",
    )
)
_HIDDEN = 0x100000  # of the last plane for private use
_compiled: dict[str, re.Pattern[str]] = {}


def replaced(text: str, names: set[str]) -> str:
    """Return a text without its secrets; the same object if the rules of `names` find none."""
    if "\x1b[" in text:
        return _without_colors(text, names)
    if "private" in names:
        from journal.redaction.private import without_private

        text = without_private(text)
    if "manifest" in names:
        from journal.redaction.manifests import without_manifests

        text = without_manifests(text)
    if "columns" in names:
        from journal.redaction.columns import without_columns

        text = without_columns(text)
    for _ in range(_PASSES):
        previous = text
        for name in RULES:
            if name in names:
                text = _without(name, text)
        text = _without_escaped(without_beside(text))
        if text == previous:
            return previous
        names = found(text)
    return text


def _without_colors(text: str, names: set[str]) -> str:
    """Return a colored text without its secrets and colors; the same object if it has no secret.

    A color may end one word and begin the next, or stand within a secret.
    """
    apart = without_colors(text, _APART)
    plain = _TAIL.sub(r"\1", replaced(apart, names)).replace(_APART, "")
    clean = replaced(plain, names)
    return text if clean == apart.replace(_APART, "") else clean


def _without_escaped(text: str) -> str:
    """Return a text without the secrets whose quotes are written as an escape.

    An escape takes the place of its sign, and the sign one that no rule knows, and then back.
    """
    for style in _ESCAPES:
        if any(escape in text for escape, _ in style):
            plain = text
            for _, sign in style:
                plain = plain.replace(sign, chr(_HIDDEN + ord(sign)))
            for escape, sign in style:
                plain = plain.replace(escape, sign)
            clean = redact(plain)
            if clean is not plain:
                for escape, sign in reversed(style):
                    clean = clean.replace(sign, escape).replace(chr(_HIDDEN + ord(sign)), sign)
                text = clean.replace("[redacted%3A", "[redacted:")
    return text


def pattern_of(name: str) -> re.Pattern[str]:
    """Return the compiled expression of a rule."""
    compiled = _compiled.get(name)
    if compiled is None:
        compiled = _compiled[name] = re.compile(pattern(name, RULES[name][0]), re.ASCII)
    return compiled


def _next(
    expression: re.Pattern[str], text: str, at: int, places: Iterator[int] | None
) -> re.Match[str] | None:
    """Return the first match from `at` on. places: where one can begin, None for anywhere."""
    if places is None:
        return expression.search(text, at)
    tries = (expression.match(text, place) for place in places if place >= at)
    return next(filter(None, tries), None)


def _without(name: str, text: str) -> str:
    """Return a text in which one rule's secrets are replaced; the same object if it finds none."""
    expression, places = pattern_of(name), starts(name, text)
    begins = None if places is None else iter(places)
    tag = f"[redacted:{name}]"
    out: list[str] = []
    copied = at = 0
    while match := _next(expression, text, at, begins):
        span = secret_span(name, match, text)
        if span is None:  # the rejected value may itself hold a secret: go on inside of it
            at = max(match.start() + 1, min(match.end(), _inside(match)))
            continue
        out.append(text[copied : span[0]])
        out.append(tag)
        copied = at = span[1]
    if not out:
        return text
    out.append(text[copied:])
    return "".join(out)


def _inside(match: re.Match[str]) -> int:
    """Return where the value of a match begins."""
    return max(match.start(group) for group in match.re.groupindex if group in "degbuh")
