"""Find a secret in all its forms: as it is, escaped, in base64, in hex, cut in two.

A form is a sequence of units, each the pattern of one character or byte. In a text that was clipped
it is also found by its beginning before the cut, or by its end after it. Invariant: every form is
built here; all code that searches for a secret uses `Needle`.
"""

import re
from base64 import b64encode
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from journal.codec import dumps
from journal.history.forget.spelling import INCOMPLETE, spelled

_PART = 8  # characters of a secret that must be left of it; fewer also occur in ordinary text
_BREAK = r"(?:\\+[rn]|[\r\n]){0,4}"  # base64 is often broken into lines
_HEX_MARK = r"(?:%|\\+x|0x)?"
_HEX_GAP = r"(?:[ :-]|, ?)?"
_BETWEEN = b" %:-,\\xX"  # bytes that may separate hex digits
_LONG = 80  # characters; a shorter text was clipped only if it shows "…"
_AT_ONCE = 256  # units; a longer form takes minutes to compile as one pattern
_RANDOM = re.compile(r"(?=\S*[0-9])(?=\S*[A-Za-z])\S{16,}")  # a line found without the others
_CUT_BEHIND = r"\s{{0,80}}(?:\[?…{})"
_CUT_BEFORE = r"(?:…\]?\s{{0,80}}{})"


class _Form(NamedTuple):
    """One way to write a secret.

    units: patterns, in order. part: number of units that hold `_PART` characters. edges: patterns
    of the characters before and after that hold some bits of the secret. rest: pattern of a unit
    that a cut left incomplete. needles: a line without any of these texts cannot hold the form; for
    hex they are in lower case, without the bytes of `_BETWEEN`.
    """

    units: list[str]
    part: int
    needles: tuple[str, ...]
    edges: tuple[str, str] = ("", "")
    rest: str = ""

    @property
    def pattern(self) -> str:
        before, after = self.edges
        return f"{before}{''.join(self.units)}{after}"


class Needle:
    """A secret in all its forms."""

    def __init__(self, secret: str) -> None:
        alike = list(dict.fromkeys([secret, normalize("NFC", secret), normalize("NFD", secret)]))
        breaks = [secret.replace("\r\n", "\n"), re.sub(r"\r?\n", "\r\n", secret)]
        encoded = dict.fromkeys([*alike, *breaks])
        texts = [_escaped(text) for text in [*alike, *_random_lines(secret)]]
        texts += [form for text in encoded for form in _base64(text)]
        digits = [_hexadecimal(text) for text in encoded]
        forms = [*digits, *texts]  # the last character of %31 is also what it stands for
        short = [form for form in forms if len(form.units) <= _AT_ONCE]
        self._long = [_Part(form) for form in forms if len(form.units) > _AT_ONCE]
        # A long text of many special characters is found as it is, whatever its patterns cost.
        exact = [*alike, *(dumps(text)[1:-1].decode() for text in alike)]
        self._exact = sorted(set(exact), key=len, reverse=True) if self._long else []
        self._whole = re.compile("|".join(form.pattern for form in short)) if short else None
        self._parts = [_Part(form) for form in short if len(form.units) > form.part]
        self._needles = {needle.encode() for form in texts for needle in form.needles}
        self._digits = {needle.encode() for form in digits for needle in form.needles}
        self._number = secret if secret.isascii() and secret.isdigit() else ""

    def may_be_in(self, line: bytes) -> bool:
        """Return False if a line of UTF-8 or JSON cannot contain any form of the secret."""
        for needle in self._needles:
            if needle in line:
                return True
        digits = line.lower().translate(None, _BETWEEN)
        return any(needle in digits for needle in self._digits)

    def replace(self, text: str, tag: str) -> str:
        """Replace every form in a text by `tag`; return the same object if there is none."""
        for exact in self._exact:
            text = text.replace(exact, tag) if exact in text else text
        for part in self._long:
            text = part.replace(text, tag)
        replaced, count = self._whole.subn(tag, text) if self._whole else (text, 0)
        text = replaced if count else text
        for part in self._parts:
            text = part.replace(text, tag)
        return text

    def is_number(self, value: float) -> bool:
        """Return whether a JSON number is the secret, if that consists of digits only."""
        return bool(self._number) and re.sub(r"\.0$", "", repr(value)).lstrip("-") == self._number


_compiled = cache(re.compile)  # a form of thousands of characters has few patterns


class _Part:
    """The beginning of a form before a cut, its end after one, and a form that is long, whole."""

    def __init__(self, form: _Form) -> None:
        self._units = form.units  # compiled only when a text has the beginning of the form
        self._least = form.part
        self._head = re.compile(f"{form.edges[0]}({''.join(form.units[: form.part])})")
        self._tail = re.compile("".join(form.units[-form.part :]))
        self._edge = re.compile(form.edges[1])
        self._rest = re.compile(f"(?:{form.rest})?")

    def replace(self, text: str, tag: str) -> str:
        """Replace each part in a text by `tag`; return the same object if there is none."""
        is_long = len(text) >= _LONG
        behind = re.compile(_CUT_BEHIND.format(r"|\Z" if is_long else ""))
        ahead = re.compile(_CUT_BEFORE.format(r"|\A" if is_long else ""))
        pieces, done = [], 0
        for match in self._head.finditer(text):
            start = match.start()
            if start >= done and (end := self._end(text, match.start(1), behind)):
                pieces += [text[done:start], tag]
                done = end
        text = "".join([*pieces, text[done:]]) if pieces else text
        if self._tail.search(text):
            for start in [match.end() for match in ahead.finditer(text)][::-1]:
                if end := self._end_behind(text, start):
                    text = text[:start] + tag + text[end:]
        return text

    def _end(self, text: str, at: int, cut: re.Pattern[str]) -> int:
        """Return where the form that begins at `at` ends or was cut, 0 if it is not there."""
        at, is_whole = _matched(self._units, text, at)
        if is_whole:
            return self._with_edge(text, at)
        rest = self._rest.match(text, at)
        return next((end for end in (rest and rest.end(), at) if end and cut.match(text, end)), 0)

    def _end_behind(self, text: str, start: int) -> int:
        """Return the end of a form whose beginning was cut off before `start`, 0 for none."""
        for first in range(1, len(self._units) - self._least + 1):
            at, is_whole = _matched(self._units[first:], text, start)
            if is_whole:
                return self._with_edge(text, at)
        return 0

    def _with_edge(self, text: str, at: int) -> int:
        """Return the end of a form that ends at `at`, with the character that has its last bits."""
        edge = self._edge.match(text, at)
        return edge.end() if edge else at


def _matched(units: list[str], text: str, at: int) -> tuple[int, bool]:
    """Return where the units that stand at `at` end, and whether all of them do."""
    for unit in units:
        if not (match := _compiled(unit).match(text, at)):
            return at, False
        at = match.end()
    return at, True


def _escaped(secret: str) -> _Form:
    """Return the form of the secret itself, in every way JSON, a shell or a URL escapes it."""
    units = spelled(secret)
    # Letters and digits are never escaped.
    needles = tuple(
        max(re.findall(r"[A-Za-z0-9]*", "".join(unit for unit, _ in part)), key=len)
        for part in (units[:_PART], units[-_PART:])
    )
    return _Form([pattern for _, pattern in units], _PART, needles, rest=INCOMPLETE)


def _random_lines(secret: str) -> list[str]:
    """Return the lines of a secret of several lines that are no ordinary text by themselves."""
    lines = [line.strip() for line in secret.splitlines()]
    if len(lines) < 2:
        return []
    return [line for line in dict.fromkeys(lines) if _RANDOM.fullmatch(line)]


def _base64(secret: str) -> list[_Form]:
    """Return the three base64 forms of the secret, one per alignment within the encoded bytes."""
    data = secret.encode("utf-8", "surrogateescape")
    forms = []
    for offset in range(3):
        encoded = b64encode(bytes(offset) + data).decode()
        # A character is certain only if all of its six bits come from the secret.
        first, last = -(-offset * 8 // 6), (offset + len(data)) * 8 // 6
        code = encoded[first:last]
        units = [_BREAK + _digit(char) if at else _digit(char) for at, char in enumerate(code)]
        edge = _BREAK + "[A-Za-z0-9+/_-]"
        edges = (
            f"(?:[A-Za-z0-9+/_-]{_BREAK})?" if offset else "",
            f"(?:{edge})?" if (offset + len(data)) % 3 else "",
        )
        part = -(-_PART * 4 // 3)
        halves = (code[:part], code[-part:])
        # A line break may split a part; then one of its halves is unbroken.
        pieces = [half[: part // 2] for half in halves] + [half[part // 2 :] for half in halves]
        plain = (max(re.findall(r"[A-Za-z0-9]*", piece), key=len) for piece in pieces)
        forms.append(_Form(units, part, tuple(plain), edges))
    return forms


def _digit(char: str) -> str:
    """Return the pattern of one character of base64, in both alphabets."""
    return {"+": r"[+-]", "/": r"(?:\\*/|_|%2[fF])"}.get(char, char)


def _hexadecimal(secret: str) -> _Form:
    r"""Return the secret byte by byte: 7a7a, %7a%7a, \x7a, 0x7a, 7a 7a, 7a:7a."""
    data = secret.encode("utf-8", "surrogateescape")
    marked = [f"(?i:{_HEX_MARK}{byte:02x})" for byte in data]
    units = [marked[0], *(_HEX_GAP + unit for unit in marked[1:])]
    needles = [
        mark.join(f"{byte:02x}" for byte in piece)
        for piece in (data[:2], data[-2:])
        for mark in ("", "0")  # of 0x
    ]
    rest = _HEX_GAP + r"(?:%[0-9A-Fa-f]?|\\+(?:x[0-9A-Fa-f]?)?|0x[0-9A-Fa-f]?|[0-9A-Fa-f])?,?"
    return _Form(units, min(_PART, len(data)), tuple(needles), rest=rest)
