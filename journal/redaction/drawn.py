"""Recognize characters drawn at random, whatever is around them.

Invariant: pure; digests, ids and names in code are none. Measured on ordinary lines, what passes
here stands in fewer than 1 of 10,000.
"""

from __future__ import annotations

import itertools
import re

from journal.redaction.prefixes import is_id
from journal.redaction.value_kinds import (
    count_pronounceable,
    is_camel,
    is_hexadecimal,
    is_unpronounceable,
    turns,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PUBLIC = frozenset(
    "id ids uuid guid ulid cid hash sha sha1 sha2 sha256 sha384 sha512 md5 digest checksum sum h1 "
    "zh integrity etag rev ref commit fingerprint thumbprint version revision cursor iterator "
    "nonce base64 b64 data blob content body text html css svg path file filename image url uri "
    "href src name class type title label symbol address pub pubkey public cert certificate csr "
    "test example pattern regex format date time color font mappings quot json b v list track tag "
    "snapshot buffer bytes str string select selector query describe it equal equals match matches "
    "expect assert contains startswith endswith find get has include require import load open read "
    "write print log debug info warn error decode encode parse split join replace version goto "
    "push append add set delete remove btoa atob hex unhex fromhex publickey shape".split()
)
"""Names of data, digests and ids, and of calls that take one."""

# Names of digests: only these make public what stands after a comma behind them.
_DIGESTS = frozenset("hash sha sha1 sha256 sha384 sha512 md5 digest sum integrity etag rev".split())

_LEAST = 20  # letters and digits
_LOWER = 24  # the same, of one case
_SIGNED = 26  # the same, with signs between
_LONG = 40  # the same, with digits in one place
_SHARE = 2.5  # characters to a change of class, or to one that is part of a word
_DRAWING = frozenset("mMhHvVlLcCsSqQtTaAzZ")  # the letters of an SVG path
_OTHERS = (
    "eyJ",
    "LS0t",
    "AAAA",
)  # rows of their own know the tokens among objects in JSON, and SSH's keys
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9]*)(?:_|[^\w)}]){0,8}\Z")
_PREFIXED = re.compile(r"(?<!\w)[bBrRfF]{1,2}(?=[\"']\Z)")  # of a string in code
_LAST_WORD = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)\d*\Z")
_DATA_KEY = re.compile(
    r"(?i)primary[ _-]keys?(?: is| are)?[ \"'`]{0,2}\Z|"
    r"(?:public|foreign|cache|sort|partition|index|group|object|row)[ _-]?"
    r"keys?(?: is| are)?[\W_]{0,8}\Z"
)
# The secret of a role; key = bytes("…"), in any language.
_SECRET_ID = re.compile(
    r"(?i)(?:secret[ _-]?(?:id|hex|b(?:ase)?64|string)|"
    r"(?<![a-z])(?:key|secret|token) ?:?= ?[\w.:]{1,40}\()\W{0,8}\Z"
)
_NUMBER = re.compile(r"0x[0-9a-f]{1,16}u?l{0,2}")  # of 64 bits
_WRAPPED = 60  # characters of a line of an encoded file, at least
_BLOCK = 400  # characters above and below a line in which others of its length are looked for
_REACH = 60  # characters before a value in which its name is looked for


def is_drawn(value: str) -> bool:
    """Return whether digits, capitals and small letters, or digits and one case, are mixed."""
    core = value.rstrip("=")
    plain = "".join(c for c in core if c.isalnum())
    low, size = plain.lower(), len(plain)
    if size < _LEAST or "AAA" in value or "example" in low:
        return False
    if is_hexadecimal(low) or is_camel(value) or _NUMBER.fullmatch(low):
        return False
    groups = len(re.findall(r"[0-9]+", plain))
    if plain in (low, plain.upper()):
        words = [word for word in re.findall("[a-z]{8,}", low) if not is_unpronounceable(word)]
        few = sum(map(len, words)) * _SHARE < size
        return few and groups > 3 and size == len(value) >= _LOWER
    if len(core) > size and (size < _SIGNED or groups < 3):
        return False
    mixed = turns(plain) * _SHARE >= size > count_pronounceable(plain) * _SHARE
    strewn = groups > 1 or (groups == 1 and size >= _LONG and is_unpronounceable(plain))
    return mixed and strewn and not _DRAWING.issuperset(c for c in plain if c.isalpha())


def is_public(text: str, start: int, end: int) -> bool:
    """Return whether a random value is data, a digest or an id, by what stands before it."""
    value = text[start:end]
    if value.startswith(_OTHERS) or is_id(value) or _is_line_of_base64(text, start, end):
        return True
    before = _PREFIXED.sub("", text[max(start - _REACH, 0) : start])
    name = _NAME.search(before)
    if not name or _DATA_KEY.search(before):
        return name is not None
    if _SECRET_ID.search(before):
        return False
    last = _LAST_WORD.search(name[1])
    if "," in name[0] and last:  # the argument or the cell before it
        return last[0].lower() in _DIGESTS
    return name[1].lower() in PUBLIC or (last is not None and last[0].lower() in PUBLIC)


def _is_line_of_base64(text: str, start: int, end: int) -> bool:
    """Return whether a value is one line of an encoded file, or its last one."""
    first = text.rfind("\n", 0, start) + 1
    if start - first > _REACH:  # in a long line
        return False
    above = [line.strip() for line in text[max(first - _BLOCK, 0) : first].split("\n")[:-1]]
    line, *below = [line.strip() for line in text[first : end + _BLOCK].split("\n")]
    if len(line) != end - start or is_hexadecimal(line):
        return False
    size = len(above[-1]) if above and len(above[-1]) > len(line) else len(line)
    alike = [*_beside(size, reversed(above)), line, *_beside(size, below)]
    wrapped = size >= _WRAPPED and len(alike) > 2 and any(c in "+/" for c in "".join(alike))
    return size in (64, 76) or wrapped


def _beside(size: int, lines: Iterable[str]) -> Iterable[str]:
    """Return the lines next to another that are as long as it and have no space."""
    return itertools.takewhile(lambda line: len(line) == size and " " not in line, lines)
