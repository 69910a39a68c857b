r"""The patterns of a secret's characters in every way programs write them.

A letter or digit of ASCII stands as it is; everything else may be escaped for JSON, a shell, a URL,
HTML or a language's string. Spaces between words match any spaces, and an end of line between two
lines also what a listing adds: indentation, marks of a diff, line numbers, a list's quotes.
"""

import re
from html.entities import codepoint2name
from itertools import pairwise

__all__ = ["INCOMPLETE", "spelled"]

_NAMED = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_SPACE = (
    r"\\+[rntbf]|\\+u00(?:20|[aA]0)|\\+x20|%(?:25)*(?:0[9aAdD]|20)|&nbsp;|&\#(?:32|160);"
    r"|\\*\s|\+"
)
_MARK = r"\\+u2[0-9a-fA-F]{3}|[^\w\s]|_"
_MOST = 80  # spaces or other characters between two words or lines
_AHEAD = 8  # characters of the next word that tell where it begins
INCOMPLETE = (
    r"(?:%(?:25)*[0-9A-Fa-f]{0,2}|&\#?[0-9A-Za-z]{0,8}"
    r"|\\+(?:u\{?[0-9A-Fa-f]{0,6}|U[0-9A-Fa-f]{0,8}|x[0-9A-Fa-f]?|[0-7]{1,3})?){1,4}"
)
"""The pattern of a character that a cut left in part."""


def spelled(secret: str) -> list[tuple[str, str]]:
    """Split a secret into characters, backslashes in a row as one; return each with its pattern."""
    units = re.findall(r"\\+|[^\\]", secret, re.DOTALL)
    patterns = [_character(unit) for unit in units]
    for at, unit in enumerate(units):
        if unit == "&" and units[at + 1 : at + 2] != ["#"]:  # &#10; is a space before an &
            patterns[at] = rf"(?!&\#(?!0*38;|x0*26;)x?[0-9A-Fa-f]{{1,6}};){patterns[at]}"
    for at in range(len(units) - 2, -1, -1):
        if units[at].startswith("\\"):  # leave the backslashes that escape the next one to it
            patterns[at] = rf"(?:\\+(?={patterns[at + 1]})|{patterns[at]})"
    words = [at for at, unit in enumerate(units) if not unit.isspace()]
    for before, after in pairwise(words):
        spaces = "".join(units[before + 1 : after])
        for at in range(before + 1, after):
            least = 1 if at == before + 1 else 0
            patterns[at] = _between(spaces, least, units[after:], patterns[after:])
    return list(zip(units, patterns, strict=True))


def _between(spaces: str, least: int, units: list[str], patterns: list[str]) -> str:
    """Return the pattern of at least `least` spaces, which end before the given units."""
    end = next((at for at, unit in enumerate(units[:_AHEAD]) if unit.isspace()), _AHEAD)
    # Atomic, so that a text with many escapes is read in one way only.
    space = "|".join([*map(_character, sorted(set(spaces))), _SPACE])
    number = ""
    one = space = f"(?>{space})"
    if "\n" in spaces or "\r" in spaces:
        one = f"(?>{space}|{_MARK})"
        number = rf"(?:\d{{1,7}}{one}{{1,{_MOST}}}?){{0,3}}?"
    run = f"{one}{{{least},{_MOST}}}?{number}"
    word = "".join(patterns[:end])
    return f"(?>{run}(?={word})|{run}(?={patterns[0]})|{space}{{{least},{_MOST}}})"


def _character(unit: str) -> str:
    """Return the pattern of one character, or of backslashes in a row, in all escaped forms."""
    if unit.isascii() and unit.isalnum():
        return unit
    if unit.startswith("\\"):
        times = f"{{1,{len(unit)}}}"
        escaped = rf"(?:\\+(?i:u(?:0000)?005c|u\{{0*5c\}}|x5c|0*134)){times}"
        number = r"&\#(?:0*92|[xX]0*5[cC]);|&bsol;"
        return rf"(?:{escaped}|\\+|(?:%(?:25)*5[cC]){times}|(?:{number}){times})"
    data, point = unit.encode("utf-8", "surrogatepass"), ord(unit)
    units = unit.encode("utf-16-be", "surrogatepass").hex()
    forms = [
        "".join(rf"\\+(?-i:u){units[at : at + 4]}" for at in range(0, len(units), 4)),
        rf"\\+u\{{0*{point:x}\}}",
        rf"\\+(?-i:U){point:08x}",
        "".join(f"%(?:25)*{byte:02x}" for byte in data),
        "".join(rf"\\+x{byte:02x}" for byte in data),
        "".join(rf"\\+0*{byte:o}" for byte in data),
        rf"&\#0*{point};",
        rf"&\#x0*{point:x};",
    ]
    if 128 <= point < 256:
        forms.append(rf"\\+x{point:02x}")
    if point in codepoint2name:
        forms.append(f"&{codepoint2name[point]};")
    if unit in _NAMED:
        forms.append(rf"\\+{_NAMED[unit]}")
    if unit == "%":
        forms.append(r"%2(?=\s*(?:\[?…|\Z))")  # %25 that a cut left incomplete
    if unit == "'":
        forms.append(r"'(?:\\*\"\\*'\\*\"|\\+')\\*'")  # as a shell quotes it
    if unit == " ":
        forms.append(r"\+")  # as browsers encode it in form data
    # The character itself comes last: a percent sign begins its own escaped form.
    return rf"(?:(?i:{'|'.join(forms)})|\\*{re.escape(unit)})"
