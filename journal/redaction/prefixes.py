"""Recognise tokens of issuers that the table does not know: words, then random characters.

Invariant: pure; digests, ids and the names of built files are none.
"""

from __future__ import annotations

import itertools
from itertools import pairwise

from journal.redaction.value_kinds import (
    is_hexadecimal,
    is_random,
    is_unpronounceable,
    longest_word,
)

# What digests, ids and built files begin with.
_PUBLIC = frozenset(
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


def has_prefix(value: str, *, keyed: bool = False) -> bool:
    """Return whether a value is a token of some issuer: words, then characters at random."""
    parts = value.replace(".", "_").replace("-", "_").split("_")
    least = _KEYED_TAIL if keyed else _TAIL
    at = next((at for at, part in enumerate(parts) if len(part) >= least), None)
    words = parts[:at]
    first = words[0] if words else value[:1]
    if not first or first[1:] not in (first[1:].lower(), first[1:].upper()):
        return False
    if not keyed and is_id(value):
        return False
    if at is None:
        return _is_divided(parts)
    run = "".join(c if c.isalnum() else " " for c in parts[at]).split()[0]
    behind = f"_{run}" in value or (f"-{run}" in value and _VOWELS.isdisjoint(first.lower()))
    return _is_drawn(run, least, keyed=keyed, hexadecimal=keyed or behind)


def is_id(value: str) -> bool:
    """Return whether a word before the random characters is that of a digest, an id or a file."""
    parts = value.replace(".", "_").replace("-", "_").split("_")
    words = itertools.takewhile(lambda part: len(part) < _TAIL, parts)
    return not _PUBLIC.isdisjoint(map(str.lower, words))


def _is_divided(parts: list[str]) -> bool:
    """Return whether parts, none of them long, are random characters with signs among them."""
    at = next((at for at, part in enumerate(parts) if at and _is_odd(part)), len(parts))
    run = "".join(c for c in "".join(parts[at:]) if c.isalnum())
    return len(run) >= _DIVIDED and is_random(run, _DIVIDED) and is_unpronounceable(run)


def _is_odd(part: str) -> bool:
    """Return whether a part mixes digits, capitals and small letters as no name does."""
    if len(part) < 8:  # most parts of a long text of signs
        return False
    plain = "".join(c for c in part if c.isalnum())
    mixed = plain not in (plain.lower(), plain.upper()) and any(map(str.isdigit, plain))
    return len(plain) > 7 and mixed and len(longest_word(plain)) < 7


def _is_drawn(run: str, least: int, *, keyed: bool, hexadecimal: bool) -> bool:
    word = longest_word(run)
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairwise(run))
    if run not in (run.lower(), run.upper()):
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
