"""Remove passages that the user marked as private: `<private>…</private>` in a prompt or a text.

A passage may begin in one text of a tool's input or response and end in a later one.

Invariant: nothing between the tags is left, in any case of letters. If a tag is missing because the
text was cut, nothing after the opening or before the closing tag is left. A type argument such as
`PKey<Private>` is no tag if nothing closes it, nor is a placeholder beside `<public>`, nor a
closing tag that documentation writes of.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "[private]"
"""Replacement for a private passage."""

_OPEN, _CLOSE = "<private>", "</private>"


def without_private(text: str) -> str:
    """Replace each private passage by `MARK`; the same object if there is none."""
    if "<" not in text:
        return text
    folded = _folded(text)
    at, close = folded.find(_OPEN), folded.find(_CLOSE)
    if close >= 0:
        links = text.count(" L<") + text.count("\nL<") > 1  # of Perl's documentation
        tags = _all(folded, _CLOSE)
        close = next((found for found in tags if not _is_written_of(text, found, links)), -1)
    if at < 0 and close < 0:
        return text
    if close < 0 and _CLOSE not in folded[max(at, 0) :]:
        named = "<public>" in folded and "</public>" not in folded  # placeholders, both of them
        opened = () if named else _all(folded, _OPEN)
        at = next((found for found in opened if not _is_type(text, found)), -1)
    parts, done = [], 0
    if close >= 0 and not 0 <= at < close:  # the text begins within a passage
        parts, done = [MARK], close + len(_CLOSE)
    while at >= 0:
        parts += [text[done:at], MARK]
        done = _end(folded, at)
        at = folded.find(_OPEN, done)
    return "".join((*parts, text[done:]))


def _is_type(text: str, at: int) -> bool:
    """Return whether a tag is written like a type argument, capitalized and right behind a name."""
    before = text[at - 1 : at]
    return text[at + 1] == "P" and before.isascii() and before.isalnum()


def _is_written_of(text: str, at: int, links: bool) -> bool:
    """Return whether a closing tag is code in Markdown, or a link in Perl's documentation."""
    code = text[at - 1 : at] == text[at + len(_CLOSE) : at + len(_CLOSE) + 1] == "`"
    return code or (links and text[at - 2 : at] in (" L", "\nL"))


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


_FORM = frozenset(("type", "status", "id", "taskId", "tool_use_id"))
"""Members whose texts are no content: what reads a tool call depends on them."""
_LONGEST_NAME = 40  # characters; a longer name of a member, or one of several words, is content


def may_be_private(raw: bytes) -> bool:
    """Return whether JSON may have a tag, in any case of letters."""
    return b">" in raw and b"private>" in raw.lower()


def without_spread_private(value: object) -> object:
    """Remove the passages of a JSON value that end in a later text than they begin in.

    Texts count in the order in which they stand. A passage within one text, and one that nothing
    ends, is left to `without_private`. Return the same object if there is none.
    """
    try:
        texts = list(_texts(value))
    except RecursionError:
        return MARK
    cuts = _spread([_folded(text) for text in texts])
    if not cuts:
        return value
    shown = []
    for at, text in enumerate(texts):
        parts, done = [], 0
        for start, end in cuts.get(at, ()):
            parts += [text[done:start], MARK]
            done = end if end >= 0 else len(text)
        shown.append("".join((*parts, text[done:])))
    return _with_texts(value, iter(shown))


def _spread(texts: list[str]) -> dict[int, list[tuple[int, int]]]:
    """Return text → [start, end] of what belongs to passages over several; end -1: the text's."""
    tags = sorted(
        (at, found, tag)
        for at, text in enumerate(texts)
        for tag in (_OPEN, _CLOSE)
        for found in _all(text, tag)
    )
    opened: list[tuple[int, int]] = []
    passages: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for at, found, tag in tags:
        if tag == _OPEN:
            opened.append((at, found))
        elif opened:
            begin = opened.pop()
            while passages and passages[-1][0] > begin:  # within this one
                passages.pop()
            passages.append((begin, (at, found + len(tag))))
    cuts: dict[int, list[tuple[int, int]]] = {}
    for (first, start), (last, end) in passages:
        if first == last:
            continue
        cuts.setdefault(first, []).append((start, -1))
        cuts.update({between: [(0, -1)] for between in range(first + 1, last)})
        cuts.setdefault(last, []).append((0, end))
    return cuts


def _all(text: str, tag: str) -> Iterator[int]:
    at = text.find(tag)
    while at >= 0:
        yield at
        at = text.find(tag, at + 1)


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a value that may be content, names of members included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if _is_content(name):
                yield name
            if name not in _FORM or not isinstance(item, str):
                yield from _texts(item)


def _with_texts(value: object, shown: Iterator[str]) -> object:
    """Return a value with other texts, in the order of `_texts`."""
    if isinstance(value, str):
        return next(shown)
    if isinstance(value, list):
        return [_with_texts(item, shown) for item in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, object] = {}
    for name, item in value.items():
        key = next(shown) if _is_content(name) else name
        is_form = name in _FORM and isinstance(item, str)
        made[key] = item if is_form else _with_texts(item, shown)
    return made


def _is_content(name: str) -> bool:
    return len(name) > _LONGEST_NAME or not name.replace("-", "_").isidentifier()


def _folded(text: str) -> str:
    """Return a text in lower case, of the same length."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
