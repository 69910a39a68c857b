"""Recognise tokens of issuers that the table does not know: words, then random characters.

Invariant: pure; digests, ids and the names of built files are none.
"""

from __future__ import annotations

from itertools import pairwise

from journal.redaction.value_kinds import (
    is_hexadecimal,
    is_random,
    is_unpronounceable,
    longest_word,
)

# What digests, ids and built files begin with.
_PUBLIC = frozenset(
    """
    sha1 sha2 sha224 sha256 sha384 sha512 md5 blake2b blake3 sha checksum digest hash integrity etag
    chunk build vendor bundle index main commit rev id uid uuid ulid cid request req response resp
    msg message call toolu chatcmpl thread session sess run trace span event evt cus pi ch sub cs
    file blob image img asset font page node module test nonce asst acct price txn pm seti prj dpl
    usr inv card src team job task step item order key
    """.split()
)
_TAIL = 20  # characters of a token that are drawn at random, at least
_KEYED_TAIL = 16  # the same behind a word such as `live` or `key`
_NEVER = 1 << 20
_VOWELS = frozenset("aeiouy")


def has_prefix(value: str, *, keyed: bool = False) -> bool:
    """Return whether a value is a token of some issuer: words, then characters at random."""
    parts = value.replace(".", "_").replace("-", "_").split("_")
    least = _KEYED_TAIL if keyed else _TAIL
    tail = next((part for part in parts if len(part) >= least), "")
    words = parts[: parts.index(tail)] if tail else [""]
    first = words[0]
    if not first or first[1:] not in (first[1:].lower(), first[1:].upper()):
        return False
    if not (keyed or _PUBLIC.isdisjoint(map(str.lower, words))):
        return False
    run = "".join(c if c.isalnum() else " " for c in tail).split()[0]
    word = longest_word(run)
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairwise(run))
    if run not in (run.lower(), run.upper()):
        odd = len(word) < 7 or is_unpronounceable(word)
        if odd and is_unpronounceable(run):
            return len(run) >= least and (turns > 0 or is_random(run, least))
        return is_random(run, least if turns > 2 else 24) and len(word) < (8 if turns > 2 else 4)
    if is_hexadecimal(run):
        abbreviated = _VOWELS.isdisjoint(first.lower())
        behind = f"_{run}" in value or (f"-{run}" in value and abbreviated)
        return turns > 3 and len(run) >= (24 if keyed else 32 if behind else _NEVER)
    if turns > 2 and is_unpronounceable(run):
        return len(run) >= least
    return turns > (3 if keyed else 5) and len(run) >= (_TAIL if keyed else 24) and len(word) < 20
