"""Name the form of a word that could be a secret: what a generator, or a person, makes up.

Invariant: pure. An ordinary word, a name in code, a path and a placeholder have none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from journal.redaction.drawn import is_drawn
from journal.redaction.value_kinds import (
    count_pronounceable,
    has_both_cases,
    has_digit,
    has_stem,
    is_camel,
    is_code,
    is_common,
    is_grouped,
    is_hexadecimal,
    is_identifier,
    is_lettered,
    is_numbered,
    is_odd,
    is_placeholder,
    is_random,
    is_reference,
    is_shuffled,
    is_unpronounceable,
    is_words,
    parts_of,
    turns,
    without_signs,
)

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CHOSEN = re.compile(
    r"[A-Z]?[a-z]{3,14}(?:[A-Z][a-z]{2,14})?[0-9]{3,6}|[a-z]{3,14}[A-Z][a-z]{2,14}[0-9]{2}"
)
_JOINED = re.compile(r"[A-Z][a-z]{2,14}[_-][A-Z][a-z]{2,14}[0-9]{2,6}")
_TYPED = re.compile(
    r"[A-Z][a-z]{2,14}(?:[A-Z][a-z]{2,14})?[0-9]{2,6}[!@#$%^~]{1,2}|"
    r"[A-Z][a-z]{2,14}(?:[A-Z][a-z]{2,14})?(?!(?:128|160|224|256|384|512)&)[0-9]{3,6}&|"
    r"[A-Z][a-z]{2,14}[A-Z][a-z]{2,14}[0-9]{3,6}[+_-]|[a-z]{4,14}[0-9]{2,6}!{1,2}|"
    r"[A-Z][a-z]*[0134578][a-z]+[!._-][0-9]{2,6}[!@#$%]?|[A-Z]?[a-z]*[0134578][a-z]+[0-9]{2,6}[!@#$%]|"
    r"[A-Z][a-z]{3,14}![0-9]{2,6}|[A-Z][a-z]*[0134578][a-z]+(?:[0134578][a-z]*)?[@#$%][0-9]{2,4}"
)
_SIGNED = re.compile(r"[A-Z]?[a-z]{3,14}(?:[A-Z][a-z]{2,14})?[0-9]{2,6}[!@#$%*&~^+=_-]{1,2}")
_DRIVEN = re.compile(
    r"[a-z]{3,12}[0-9]{2,6}[!$^#]{1,3}|[!$^#]{0,2}[a-z0-9]{3,12}[!$^][a-z0-9]{2,12}"
)
_THIRDS = re.compile(r"[A-Za-z0-9]{6}(?:-[A-Za-z0-9]{6}){2}")  # what Apple's keychain suggests
_LEET = re.compile(r"[A-Z][a-z0-9]{2,14}[._!-][0-9]{2,6}")
_ALGORITHM = re.compile(
    r"sha|md5|pbkdf|argon|crypt|base|utf|oauth|http|hmac|aes|rsa|pkcs|x509|tls|ssl|test|user|ipv|"
    r"float|i18n|l10n",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Z][a-z]{2,}|(?<![A-Za-z])[a-z]{3,}|[a-z]{4,}|[A-Z]{4,}")
_BASE32 = re.compile(r"(?![A-F2-7]+\Z)(?:[A-Z2-7]{16}|[A-Z2-7]{26}|[A-Z2-7]{32})")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|(?:\d:)?\d{1,3}\.\d+[.+~-]")  # or a version
_NUMBER = re.compile(r"[0-9]+")
_KINDS = (str.isdigit, str.isalpha)
_COMMON_SIZE = 40  # characters; 30 bytes in base64, as a secret of AWS
_SIGNS_OF_PASSWORDS = frozenset("!#$%&*@^+")
_RARE_SIGNS = frozenset("!^~%#$")  # and *, which multiplies in code
_APART = re.compile(r"[0-9][A-Za-z]+[0-9]")
_LINE = re.compile(r"[A-Za-z]?[0-9]+")
_ENCODED = re.compile(r"%[0-9A-F]{2}")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[a-z.]{2,}")
_ORDINARY = ("sha", "utf", "base", "python", "windows", "ubuntu", "port", "user", "test", "http")


@lru_cache(1 << 14)  # most words of a text come again
def form_of(word: str) -> tuple[str, int, str]:
    """Return the form of the value in a word, "" for none, how much is before it, and the value."""
    bare = word.lstrip("*")
    value = bare.rstrip(".?*")
    form = "typed" if _is_typed(value) else "generated" if _is_generated(value) else _form(value)
    return form, len(word) - len(bare), value


def _is_typed(value: str) -> bool:
    """Return whether a value has a form that only passwords have: Word123!, aB3#dE5f."""
    if value.isalnum() or not has_digit(value):
        return False
    if _TYPED.fullmatch(value):
        return True
    if has_both_cases(value) and _THIRDS.fullmatch(value):
        spoken = value[0].islower() and sum(map(str.isupper, value)) == 1
        return spoken or not is_camel(value)
    signs = {c for c in value if not c.isalnum()}
    if signs.isdisjoint("!^~%@#$*") or _ENCODED.search(value):
        return False
    if signs.isdisjoint("!^~%#$*") or not value[0].isalnum():
        words = parts_of(value)
        longest = max(words, key=len, default="")
        mixed = len(longest) > 3 and not longest.isdigit() and turns(longest) > 1
        mixed = mixed and not (words[-1].istitle() and words[-1].isalpha())  # name@Base
        if not (mixed and signs.isdisjoint("._?+")):
            return False
    letters = without_signs(value)
    return is_jumbled(value) or (len(value) > 9 and _is_mixture(letters))


def is_jumbled(value: str) -> bool:
    """Return whether digits, signs and letters of both cases alternate: dO+v#k2hl=tX%."""
    if len(value) < 11 or not value[0].isalnum() or _ENCODED.search(value) or "A-Z" in value:
        return False
    kinds = has_digit(value) and has_both_cases(value) and not _RARE_SIGNS.isdisjoint(value)
    return kinds and 2 * turns(value) >= len(value) and not is_camel(value)


def _is_generated(value: str) -> bool:
    """Return whether a program made up a value: aB3dE5fGh7J, a license key, a seed in base32.

    Ordinary lines have no such words, so no word for a secret needs to be near.
    """
    if len(value) < 11 or not (value.isascii() and has_digit(value)):
        return False
    if value.isupper():
        parts = value.split("-")
        digits, letters = (sum(any(map(kind, part)) for part in parts) for kind in _KINDS)
        if is_grouped(value) and not is_hexadecimal(value.lower()):
            return digits > 1 and letters > 1
        return bool(_BASE32.fullmatch(value)) and (
            is_unpronounceable(value) or len(_NUMBER.findall(value)) > 2
        )
    if len(value) > 19 or not value.isalnum() or value.islower() or value[:2] in ("0x", "0X"):
        return False
    words = _WORDS.findall(value)
    if len(_NUMBER.findall(value)) > 1:  # names seldom have two numbers
        words = [word for word in words if not is_unpronounceable(word)]
    named = 2 * sum(map(len, words)) > len(value) or _ALGORITHM.search(value)
    return not named and 5 * turns(value) >= 2 * len(value)


def _form(value: str) -> str:
    """Return the form of a value, such as strong, mixed or hexadecimal; "" for an ordinary one."""
    if _is_ordinary(value) or (not has_digit(value) and value[1:].islower()):
        return ""
    if is_hexadecimal(value.lower()):
        long = "-" not in value[:32] and len(value) > 31
        return "hexadecimal" if long or _UUID.fullmatch(value) else ""
    if value.endswith("="):
        if _SIGNED.fullmatch(value):
            return "name"
        return "mixed" if len(value) % 4 == 0 and has_digit(value) else ""
    return _form_of_word(value) if value.isalnum() else _form_of_signs(value)


@lru_cache(1 << 12)
def is_plain(value: str) -> bool:
    """Return whether a value may be a password right behind a word for one: no word, no code."""
    if _is_ordinary(value) or _MAIL.fullmatch(value):
        return False
    if value.isalpha():
        return is_lettered(value) and not is_camel(value)
    if is_words(value) or (is_shuffled(value) and not value.isidentifier()):
        return True
    word = value.rstrip("0123456789")
    named = "_" in value and value.isidentifier() and not is_unpronounceable(value)
    named = named and not is_numbered(value)
    said = "-" in value and value.islower() and sum(map(str.isdigit, value)) < 2  # at-least-8
    if named or said or is_common(word.lower()) or is_code(value) or _ALGORITHM.search(value):
        return False
    signed = has_digit(value) or not _SIGNS_OF_PASSWORDS.isdisjoint(value)
    return signed and any(map(str.isalpha, value))


def _is_ordinary(value: str) -> bool:
    """Return whether a value is too short or a number, or names or replaces a secret."""
    number = value.isdigit() or value[:2] in ("0x", "0X") or bool(_DATE.match(value))
    named = "A-Z" in value or len(value) < 8 or number or has_stem(value)
    return named or is_placeholder(value) or is_reference(value)


def _form_of_signs(value: str) -> str:
    """Return the form of a value with signs in it."""
    if is_grouped(value):
        return "hexadecimal"
    plain = without_signs(value)
    mixed = _is_mixture(plain)
    if mixed and value.replace("_", "").replace("-", "") == plain:
        return "mixed"
    if not (mixed or has_digit(value)):
        return ""
    if mixed and "/" in value:
        return "mixed" if len(value) == _COMMON_SIZE and plain.isascii() else ""
    numbered = is_numbered(value) and not is_identifier(value)
    if numbered or any(p.fullmatch(value) for p in (_LEET, _SIGNED, _JOINED)):
        return "name"
    if is_odd(value):
        return "mixed"
    return "strong" if _has_sign_of_password(value) else ""


def _form_of_word(value: str) -> str:
    """Return the form of a value that has only letters and digits."""
    if _CHOSEN.fullmatch(value):
        return "" if value.lower().startswith(_ORDINARY) else "name"
    if value.isalpha():
        named = value.isupper() or is_camel(value)
        drawn = len(value) > 7 and is_unpronounceable(value) and not named
        return "letters" if drawn or (len(value) > 11 and _is_mixture(value)) else ""
    one_case = not has_both_cases(value)
    drawn = (one_case and is_random(value, 20)) or is_drawn(value) or _is_mixture(value)
    spoken = one_case or is_camel(value) or _ALGORITHM.search(value)
    if drawn or not (spoken or len(value) < 10 or not is_unpronounceable(value)):
        return "mixed"
    if len(value) in (8, 9) and not spoken and turns(value) > 3:
        return "short"
    return "short" if one_case and len(value) > 9 and not _is_algorithm(value) else ""


def _is_algorithm(value: str) -> bool:
    """Return whether a value of one case is a word with a number, or the name of an algorithm."""
    worded = value.rstrip("0123456789").isalpha() and not is_unpronounceable(value)
    return worded or _ALGORITHM.search(value) is not None


def _is_mixture(value: str) -> bool:
    """Return whether letters of both cases and digits alternate as in no name."""
    share = 5 if _APART.search(value) else 4
    return (
        has_both_cases(value)
        and len(value) > 9
        and not is_camel(value)
        and turns(value) * share >= 2 * len(value)
        and len(value) > 2 * count_pronounceable(value)
    )


def _has_sign_of_password(value: str) -> bool:
    """Return whether a value has a sign typical of passwords, and is no code and no address."""
    signs = {c for c in value if not (c.isalnum() or c in "_-.")}
    hashed = value[0] == "#" and not signs.isdisjoint("!^*")
    if not signs or (value[0] in "-$%@#&~.+?" and not hashed) or _ENCODED.search(value):
        return False
    if not has_both_cases(value):
        return _DRIVEN.fullmatch(value) is not None
    sign = min(signs, key="!^~%@#$*&+?".find)
    first, _, rest = value.partition(sign)
    if sign == "@":  # not user@Host.name
        return (
            rest.isdigit()
            or (len(first) < 3 and "." not in rest)
            or not signs.isdisjoint("!^~%*#$")
        )
    letters = without_signs(value)
    if sign in "#$" and not _is_mixture(letters):  # not Issue#12, Outer$Inner
        return not (_LINE.fullmatch(rest) or (rest.isidentifier() and first.isidentifier()))
    return sign in "!^~%#$" or _is_mixture(letters)
