"""Recognize characters drawn at random: bare, or behind the words that an issuer puts before them.

Invariant: pure; digests, ids and names in code are none. Measured on ordinary lines, what passes
`is_drawn` stands in fewer than 1 of 10,000.
"""

from __future__ import annotations

import itertools
import re

from journal.redaction.value_kinds import (
    count_pronounceable,
    has_both_cases,
    has_digit,
    is_camel,
    is_hexadecimal,
    is_random,
    is_unpronounceable,
    longest_word,
    parts_of,
    turns,
    without_signs,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Names of data, digests and ids, and of calls that take one.
_PUBLIC = frozenset(
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

# Names of digests: only these make public what stands after a comma behind them.
_DIGESTS = frozenset("hash sha sha1 sha256 sha384 sha512 md5 digest sum integrity etag rev".split())

_LEAST = 20  # letters and digits
_LOWER = 24  # the same, of one case
_SIGNED = 26  # the same, with signs between
_LONG = 40  # the same, with digits in one place
_SHARE = 2.5  # characters to a change of class, or to one that is part of a word
_DRAWING = frozenset("mMhHvVlLcCsSqQtTaAzZ")  # the letters of an SVG path
_OTHERS = ("eyJ", "LS0t", "AAAA")  # objects in JSON, PEM, SSH's keys: other rows know their tokens
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9]*)(?:_|[^\w)}]){0,8}\Z")
_PREFIXED = re.compile(r"(?<!\w)[bBrRfF]{1,2}(?=[\"']\Z)")  # of a string in code
_LAST_WORD = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)\d*\Z")
_DATA_KEY = re.compile(
    r"(?i)primary[ _-]keys?(?: is| are)?[ \"'`]{0,2}\Z|"
    r"(?:public|foreign|cache|sort|partition|index|group|object|row)[ _-]?"
    r"keys?(?: is| are)?[\W_]{0,8}\Z"
)
# The secret of a role; getTokenInfo("…"); key = bytes("…"), in any language.
_SECRET_ID = re.compile(
    r"(?i)(?:secrets?[ _-]?(?:id|hash)|"
    r"(?:secret|token|password|api_?key)s?[ _-]?"
    r"(?:hex|b(?:ase)?64|str(?:ing)?|info|data|text|value)|"
    r"(?<![a-z])(?:key|secret|token) ?:?= ?[\w.:]{1,40}\()\W{0,8}\Z"
)
_NUMBER = re.compile(r"0x[0-9a-f]{1,16}u?l{0,2}")  # of 64 bits
_WRAPPED = 60  # characters of a line of an encoded file, at least
_BLOCK = 400  # characters above and below a line in which others of its length are looked for
_REACH = 60  # characters before a value in which its name is looked for

# What digests, ids and built files begin with.
_ID_WORDS = frozenset(
    "sha1 sha2 sha224 sha256 sha384 sha512 md5 blake2b blake3 sha checksum digest hash integrity "
    "etag chunk build vendor bundle index main commit rev id uid uuid ulid cid request req "
    "response resp msg message call toolu chatcmpl thread session sess run trace span event evt "
    "cus pi ch sub cs file blob image img asset font page node module test nonce asst acct price "
    "txn pm seti prj dpl usr inv card src team job task step item order key part mrk m".split()
)
_TAIL = 20  # characters of a token that are drawn at random, at least
_KEYED_TAIL = 16  # the same behind a word such as `live` or `key`
_DIVIDED = 24  # the same, all parts together
_VOWELS = frozenset("aeiouy")


def is_drawn(value: str) -> bool:
    """Return whether digits, capitals and small letters, or digits and one case, are mixed."""
    core = value.rstrip("=")
    plain = without_signs(core)
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
    return name[1].lower() in _PUBLIC or (last is not None and last[0].lower() in _PUBLIC)


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


def has_prefix(value: str, *, keyed: bool = False) -> bool:
    """Return whether a value is a token of some issuer: words, then characters at random."""
    parts = value.replace(".", "_").replace("-", "_").split("_")
    least = _KEYED_TAIL if keyed else _TAIL
    at = next((at for at, part in enumerate(parts) if len(part) >= least), None)
    words = parts[:at]
    first = words[0] if words else value[:1]
    if not first or has_both_cases(first[1:]):
        return False
    if not keyed and is_id(value):
        return False
    if at is None:
        return _is_divided(parts)
    run = parts_of(parts[at])[0]
    behind = f"_{run}" in value or (f"-{run}" in value and _VOWELS.isdisjoint(first.lower()))
    return _is_drawn_tail(run, least, keyed=keyed, hexadecimal=keyed or behind)


def is_id(value: str) -> bool:
    """Return whether a word before the random characters is that of a digest, an id or a file."""
    parts = value.replace(".", "_").replace("-", "_").split("_")
    words = itertools.takewhile(lambda part: len(part) < _TAIL, parts)
    return not _ID_WORDS.isdisjoint(map(str.lower, words))


def _is_divided(parts: list[str]) -> bool:
    """Return whether parts, none of them long, are random characters with signs among them."""
    at = next((at for at, part in enumerate(parts) if at and _is_mixed_part(part)), len(parts))
    run = without_signs("".join(parts[at:]))
    return len(run) >= _DIVIDED and is_random(run, _DIVIDED) and is_unpronounceable(run)


def _is_mixed_part(part: str) -> bool:
    """Return whether a part mixes digits, capitals and small letters as no name does."""
    if len(part) < 8:  # most parts of a long text of signs
        return False
    plain = without_signs(part)
    mixed = has_both_cases(plain) and has_digit(plain)
    return len(plain) > 7 and mixed and len(longest_word(plain)) < 7


def _is_drawn_tail(run: str, least: int, *, keyed: bool, hexadecimal: bool) -> bool:
    word = longest_word(run)
    turns = sum(a.isdigit() != b.isdigit() for a, b in itertools.pairwise(run))
    if has_both_cases(run):
        odd = len(word) < 7 or is_unpronounceable(word)
        if odd and is_unpronounceable(run):
            return len(run) >= least and (turns > 0 or is_random(run, least))
        most = (8 if turns > 2 else 4) + len(run) // _TAIL - 1
        return is_random(run, least if turns > 2 else 24) and len(word) < most
    if is_hexadecimal(run):
        return turns > 3 and hexadecimal and len(run) >= (24 if keyed else 28)
    if turns > 2 and is_unpronounceable(run):
        return len(run) >= least
    return turns > (3 if keyed else 5) and len(run) >= (_TAIL if keyed else 24) and len(word) < 20
