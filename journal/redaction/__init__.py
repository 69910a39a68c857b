"""Redaction of every string of an event before the append.

An append-only log cannot take a secret back, so no string reaches it unsearched. Invariant:
`redact(redact(x)) == redact(x)`, and a text in which nothing was found comes back as the same
object; until a marker of the table is found no regular expression is imported or compiled.
"""

from __future__ import annotations

from journal.redaction.markers import (
    ADDRESS,
    ANYWHERE,
    EXACT,
    IN_RUNS,
    LONG,
    OTHERS,
    PASSWORDS,
    RUN,
    SIGNED,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.redaction.markers import Group

_SHORTEST = 8  # characters; nothing shorter can hold a name and a value
DEEPEST = 200  # levels of a value; deeper ones are dropped, never passed unsearched

_RUN = 20  # characters; a run that begins with 01 is the API's id of a message or of a tool call
_HEXADECIMAL = b"0123456789abcdef"
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Digits, capitals, small letters and the signs of passwords as one character each.
_CLASSES = (
    33 * b" "
    + b"! !!!    !  -. "
    + 10 * b"0"
    + 6 * b" "
    + b"!"
    + 26 * b"A"
    + b"   !- "
    + 26 * b"a"
    + b"   !"
    + 129 * b" "
)
_SIGNS = bytes(range(48)) + b":;<=>?@[\\]^_`{|}~\x7f"
_SEPARATED = bytes.maketrans(_SIGNS, b" " * len(_SIGNS))
_LEAD = b"abcdefghijklmnopqrstuvwxyz_"  # before the 01 of an id: toolu_01…, toolu_bdrk_01…
_BROKEN = 28  # characters of a run that has - and _ in it, as base64 for URLs has
_QUOTES = b"\"'`,;()[]{}<>."  # around base64
_WORDS = bytes.maketrans(_SIGNS.replace(b"-", b"").replace(b"_", b""), b" " * (len(_SIGNS) - 2))


def redact(text: str, names: set[str] | None = None) -> str:
    """Replace each secret in `text` by `[redacted:NAME]`; the same object if there is none.

    The text between `<private>` and `</private>` is removed. names: result of `found`, if known.
    """
    if names is None:
        names = found(text) if len(text) >= _SHORTEST else None
    if not names:
        return text
    from journal.redaction.replace import replaced  # costs milliseconds: only where a marker is

    return replaced(text, names)


def redact_value(value: object) -> object:
    """Redact every string of a JSON-like value (dict, list, tuple, str), keys included.

    A string under a key such as `password` is judged as if it were written `"password": "…"`.
    Nothing is changed in place; the same object comes back if nothing was found.
    """
    if isinstance(value, str):
        return redact(value)
    texts: list[str] = []
    names: list[str] = []
    if _collect(value, texts, names, 0):
        # One scan over all strings instead of one for each. The name of a text comes before it;
        # `tokens` of a number announces nothing, so those names come at the end.
        texts.append("")
        if not found(":".join(texts) + "\n".join(names)):
            return value
    from journal.redaction.walk import walk

    return walk(value, 0)


def _collect(value: object, texts: list[str], names: list[str], depth: int) -> bool:
    """Collect every string of `value`; return False if it is nested too deeply."""
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(key, str):
                (texts if isinstance(item, str) else names).append(key)
            if not _collect(item, texts, names, depth + 1):
                return False
    elif isinstance(value, (list, tuple)):
        if value and all(item.__class__ is str for item in value):
            texts.append(" ".join(value))  # the arguments of a command
        for item in value:
            if depth >= DEEPEST or not _collect(item, texts, names, depth + 1):
                return False
    return depth <= DEEPEST


def found(
    text: str,
    words: Sequence[Group] = ANYWHERE,
    exact: Sequence[Group] = EXACT,
    folded: Sequence[Group] = OTHERS,
    in_runs: Sequence[Group] = IN_RUNS,
    passwords: Sequence[Group] = PASSWORDS,
) -> set[str]:
    """Return the names of the rules that may match: those with a marker in `text`."""
    names: set[str] = set()
    if not text:
        return names
    if "\x1b[" in text:
        text = f"{text}\n{without_colors(text)}"
    tokens = long_words(text) if words or in_runs else ""
    runs = in_runs if RUN in tokens else ()
    for groups, hay in ((words, tokens), (runs, tokens), (exact, text)):
        if groups and hay:
            _mark(names, groups, hay)
    if folded:
        lower = text.lower()
        _mark(names, folded, lower)
        if "pass" in lower:
            _mark(names, passwords, lower)
    return names


def without_colors(text: str, instead: str = "") -> str:
    """Return a text without the escapes of a terminal, which may split a secret."""
    first, *rest = text.split("\x1b[")
    plain = instead.join((first, *[part.lstrip("0123456789;")[1:] for part in rest]))
    return plain.replace("\x1b", instead)  # an escape could be left of those within others


def _mark(names: set[str], groups: Sequence[Group], hay: str) -> None:
    for name, near, markers in groups:
        for marker in markers:
            if marker in hay and (near is None or _near(hay, marker, near)):
                names.add(name)


def long_words(text: str) -> str:
    """Return the words that are long enough to contain a token, each after a space."""
    words = [word for word in text.split() if len(word) >= LONG]
    line = classes(text)
    if has_password(line):
        words.append(SIGNED)
    if ("@" in text or b"0.0" in line) and _has_address(line):
        words.append(ADDRESS)
    if not words:
        return ""
    longest = " ".join([word for word in words if len(word) > _RUN])
    return " ".join(["", *words, RUN] if has_run(longest) else ["", *words])


def classes(text: str) -> bytes:
    """Return the class of each character: digit, capital, small letter, sign of passwords."""
    return text.encode("ascii", "replace").translate(_CLASSES)


def has_password(line: bytes) -> bool:
    """Return whether one of words, given by classes, may be a password: Word123!, aB3dE5fGh7."""
    if b"0" not in line:
        return False
    words = [word for word in line.split() if len(word) > 7 and b"0" in word]
    return any(_is_signed(word) if b"!" in word else _is_generated(word) for word in words)


def _has_address(line: bytes) -> bool:
    """Return whether what may be a password follows an IP address, or a user at a host, closely."""
    words = line.split()
    return any(
        ((host := word.rpartition(b"!")[2].strip(b"-")).count(b".") == 3 or b"a.a" in host)
        and not (host.strip(b"0.") and host.strip(b"a.-"))
        and any(len(w) > 5 and b"0" in w and w.strip(b"0.-") for w in words[at + 1 : at + 4])
        for at, word in enumerate(words)
        if b"0.0" in word or b"a!a" in word
    )


def _is_signed(word: bytes) -> bool:
    """Return whether a word, given by the classes of its characters, may be a password."""
    if b"A" not in word:
        return word.endswith((b"00!", b"00!!"))
    return b"0" in word and b"a" in word


def _is_generated(word: bytes) -> bool:
    """Return whether a word, given by classes, may be aB3dE5fGh7J, a licence key, a TOTP seed."""
    if not 10 < len(word) < 48 or b"A" not in word:
        return False
    if b"a" not in word:
        return len(word) > 15 and b".0" not in word
    if len(word) == _RUN:  # what Apple's keychain suggests
        return word[6:14:7] == b"--"
    return len(word) < _RUN and word.isalnum() and _turns(word) * 5 >= len(word) * 2


def _turns(word: bytes) -> int:
    return sum(map(int.__ne__, word, word[1:]))


def has_run(text: str) -> bool:
    """Return whether `text` has a long run of letters and digits that is no word and no digest."""
    line = text.encode("ascii", "replace")
    pieces = line.translate(_SEPARATED).split()
    if any(_is_run(piece, line) for piece in pieces if len(piece) >= _RUN):
        return True
    words = line.translate(_WORDS).split()
    if any(_is_mixture(word) for word in words if len(word) >= _BROKEN):
        return True
    padded = [word.strip(_QUOTES) for word in line.split()] if b"=" in line else ()
    return any(
        word.endswith(b"=") and len(word) >= _BROKEN and _is_mixture(word) for word in padded
    )


def _is_run(piece: bytes, line: bytes) -> bool:
    digits = len(piece) - len(piece.translate(None, b"0123456789"))
    if not digits or piece.startswith(b"01"):
        return False
    if not piece.strip(_HEXADECIMAL):
        long = len(piece) >= 28  # not the digest of a commit or a file
        return long and (b"_" + piece in line or b"-" + piece in line)
    return digits > 1 or len(piece) - len(piece.translate(None, _CAPITALS)) > 4


def _is_mixture(word: bytes) -> bool:
    """Return whether digits, capitals and small letters are in a word, three of each at least."""
    if b"_01" in word and word.lstrip(_LEAD).startswith(b"01"):
        return False
    left = word.translate(None, b"0123456789")
    small = left.translate(None, _CAPITALS)
    return min(len(word) - len(left), len(left) - len(small), len(small)) > 2


def _near(text: str, marker: str, near: tuple[str, int, int] | tuple[str, int, int, int]) -> bool:
    chars, first, last, *least = near
    present = [c for c in chars if c in text]
    end = -1 if present else len(text)
    while (end := text.find(marker, end + 1)) >= 0:
        end += len(marker)
        if least and len(text[end : end + least[0]].partition(" ")[0]) < least[0]:
            continue
        for c in present:
            if text.find(c, max(end + first, 0), max(end + last, 0)) >= 0:
                return True
        end -= 1
    return False
