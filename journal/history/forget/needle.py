"""Find a secret in all its forms: as it is, escaped, in base64, in hex, cut in two.

A form is a sequence of units, each the pattern of one character or byte. In a text that was clipped
it is also found by its beginning before the cut, or by its end after it. Invariant: every form is
built here; all code that searches for a secret uses `Needle`.
"""

from __future__ import annotations

import re
from base64 import b64encode
from typing import NamedTuple

_PART = 8  # characters of a secret that must be left of it; fewer also occur in ordinary text
_ESCAPED = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_BREAK = r"(?:\\+[rn]|[\r\n])*"  # base64 is often broken into lines
_HEX_MARK = r"(?:%|\\+x|0x)?"
_HEX_GAP = r"(?:[ :-]|, ?)?"
_BETWEEN = b" %:-,\\xX"  # bytes that may separate hex digits
_LONG = 80  # characters; a shorter text was clipped only if it shows "…"
_CUT_BEHIND = r"\s*(?:\[?…{})"
_CUT_BEFORE = r"(?:…\]?\s*{})"


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
        spelled = [_escaped(secret), *_base64(secret)]
        digits = _hexadecimal(secret)
        forms = [*spelled, digits]
        self._whole = re.compile("|".join(form.pattern for form in forms))
        self._parts = [_Part(form) for form in forms if len(form.units) > form.part]
        self._needles = {needle.encode() for form in spelled for needle in form.needles}
        self._digits = {needle.encode() for needle in digits.needles}
        self._number = secret if secret.isascii() and secret.isdigit() else ""

    def may_be_in(self, line: bytes) -> bool:
        """Return False if a line of UTF-8 or JSON cannot hold any form of the secret."""
        for needle in self._needles:
            if needle in line:
                return True
        digits = line.lower().translate(None, _BETWEEN)
        return any(needle in digits for needle in self._digits)

    def replace(self, text: str, tag: str) -> str:
        """Replace every form in a text by `tag`; return the same object if there is none."""
        replaced, count = self._whole.subn(tag, text)
        text = replaced if count else text
        for part in self._parts:
            text = part.replace(text, tag)
        return text

    def is_number(self, value: float) -> bool:
        """Return whether a JSON number is the secret, if that consists of digits only."""
        return bool(self._number) and re.sub(r"\.0$", "", repr(value)).lstrip("-") == self._number


class _Part:
    """The beginning of a form before a cut, and its end after one."""

    def __init__(self, form: _Form) -> None:
        self._units = [re.compile(unit) for unit in form.units]
        self._least = form.part
        self._head = re.compile("".join(form.units[: form.part]))
        self._tail = re.compile("".join(form.units[-form.part :]))
        self._edge = re.compile(form.edges[1])
        self._rest = re.compile(f"(?:{form.rest})?")

    def replace(self, text: str, tag: str) -> str:
        """Replace each part in a text by `tag`; return the same object if there is none."""
        is_long = len(text) >= _LONG
        behind = re.compile(_CUT_BEHIND.format(r"|\Z" if is_long else ""))
        ahead = re.compile(_CUT_BEFORE.format(r"|\A" if is_long else ""))
        for start in [match.start() for match in self._head.finditer(text)][::-1]:
            end = self._end(text, start, behind)
            if end:
                text = text[:start] + tag + text[end:]
        if self._tail.search(text):
            for start in [match.end() for match in ahead.finditer(text)][::-1]:
                if end := self._end_behind(text, start):
                    text = text[:start] + tag + text[end:]
        return text

    def _end(self, text: str, at: int, cut: re.Pattern[str]) -> int:
        """Return the offset at which the form that begins at `at` was cut, 0 if it was not."""
        for unit in self._units:
            match = unit.match(text, at)
            if not match:
                break
            at = match.end()
        rest = self._rest.match(text, at)
        return next((end for end in (rest and rest.end(), at) if end and cut.match(text, end)), 0)

    def _end_behind(self, text: str, start: int) -> int:
        """Return the end of a form whose beginning was cut off before `start`, 0 for none."""
        for first in range(1, len(self._units) - self._least + 1):
            at = start
            for unit in self._units[first:]:
                match = unit.match(text, at)
                if not match:
                    break
                at = match.end()
            else:
                edge = self._edge.match(text, at)
                return edge.end() if edge else at
        return 0


def _escaped(secret: str) -> _Form:
    """Return the form of the secret itself, in every way JSON, a shell or a URL escapes it."""
    units = re.findall(r"\\+|[^\\]", secret, re.DOTALL)
    # Letters and digits are never escaped.
    needles = tuple(
        max(re.findall(r"[A-Za-z0-9]*", "".join(part)), key=len)
        for part in (units[:_PART], units[-_PART:])
    )
    rest = r"(?:%[0-9A-Fa-f]{0,2}|\\+(?:u[0-9A-Fa-f]{0,4})?){1,4}"
    patterns = [_character(unit) for unit in units]
    for at, (unit, following) in enumerate(zip(units, patterns[1:], strict=False)):
        if unit.startswith("\\"):  # leave the backslashes that escape the next character to it
            patterns[at] = rf"(?:\\+(?={following})|{patterns[at]})"
    return _Form(patterns, _PART, needles, rest=rest)


def _character(unit: str) -> str:
    """Return the pattern of one character, or of backslashes in a row, in all escaped forms."""
    if unit.isascii() and unit.isalnum():
        return unit
    if unit.startswith("\\"):
        return r"(?:\\+|%5[cC])"
    units = unit.encode("utf-16-be", "surrogatepass").hex()
    escaped = "".join(rf"\\+u{units[at : at + 4]}" for at in range(0, len(units), 4))
    percent = "".join(f"%{byte:02x}" for byte in unit.encode("utf-8", "surrogatepass"))
    # The character itself comes last: a percent sign begins its own escaped form.
    forms = [rf"(?i:{escaped}|{percent})", rf"\\*{re.escape(unit)}"]
    if unit in _ESCAPED:
        forms.append(rf"\\+{_ESCAPED[unit]}")
    if unit == " ":
        forms.append(r"\+")  # as browsers encode it in form data
    return f"(?:{'|'.join(forms)})"


def _base64(secret: str) -> list[_Form]:
    """Return the three base64 forms of the secret, one per alignment within the encoded bytes."""
    data = secret.encode("utf-8", "surrogateescape")
    forms = []
    for offset in range(3):
        encoded = b64encode(bytes(offset) + data).decode()
        # Only a character of which all six bits come from the secret is certain.
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
