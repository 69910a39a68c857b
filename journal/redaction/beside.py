"""Replace what looks like a secret near a word that announces one, whatever the grammar.

A rule for each form of a sentence or a command never ends; but what has the form of a password or
a token hardly ever stands near such a word without being one.

Invariant: linear; a value has no quote and no backslash, so that JSON stays JSON.
"""

from __future__ import annotations

import re

from journal.redaction.drawn import count_pronounceable, is_drawn, is_public
from journal.redaction.value_kinds import (
    has_digit,
    has_stem,
    is_hexadecimal,
    is_numbered,
    is_odd,
    is_placeholder,
    is_random,
    is_reference,
    turns,
)

TAG = "[redacted:beside]"

_REACH = 100  # characters of the same line between a word and its secret
_NEAR = 40  # the same for a value that could be a name: word1234
_TOKEN_SIZE = 16  # characters; a shorter mixture beside `key` may be anything
_SIGNS = r"\w!#$%&*+.?@^~\-"
_VALUE = re.compile(
    rf"(?:(?<![{_SIGNS}/\\])|(?<=\\[nrt]))[{_SIGNS}]{{8,64}}+(?![/(]|\\(?![\\\"'nrt]))", re.ASCII
)
_EDGE = r"(?:(?<![a-z])|(?<=\\[nrt]))"
_ASIDE = re.compile(r"\[redacted:[\w-]+\]")
_PASSWORD = re.compile(
    r"(?i)passw|pass_?phr|passc|" + _EDGE + r"(?:pass|pwd?|creds?|psk|ssid|wi-?fi)(?![a-z])|"
    r"credential|"
    r"パスワード|パスフレーズ|暗証|合言葉|비밀번호|비번|암호|패스워드|密[码碼]|口令|парол|contraseñ|"
    r"(?<![a-z])(?:clave|mdp)(?![a-z])|kennwort|mot de passe|senha|wachtwoord|hasło|lösenord|"
    r"passord|adgangskode|salasana|şifre|parol|mật khẩu"
)
_LOGIN = re.compile(
    r"(?i)log(?:ged|ging)? ?in|sign(?:ed)? ?in|" + _EDGE + r"(?:auth|admin|root|sudo|community|"
    r"wi-?fi|psk)|/user:|user(?:name)?[ =:]"
)
# What stands right before the password of a user: -u bob:X, /user:bob X, basic auth is bob:X.
_OF_USER = re.compile(
    r"(?i)(?:(?:-[au]|--user|auth is|creds are)[ =][\"']?\w{1,30}:|/user:\w{1,30} )\Z"
)
_TOKEN = re.compile(
    r"(?i)token|secret|\"kty\"|api[-_ ]?key|(?<![a-z])key(?![a-z])|[a-z]key(?![a-z])|"
    r"(?<![a-z])(?:sk|pat|jwt)(?![a-z])|salt|pepper|schlüssel|jeton|clé|clave|chave|chiave|ключ|токен|トークン|キー|"
    r"シークレット|鍵|토큰|키(?![가-힣])|키[는를가:]|시크릿|密[钥鑰]|令牌|[私公]钥"
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CHOSEN = re.compile(r"[A-Z]?[a-z]{3,14}[0-9]{3,6}")
_DRIVEN = re.compile(
    r"[a-z]{3,12}[0-9]{2,6}[!$^#]{1,3}|[!$^#]{0,2}[a-z0-9]{3,12}[!$^][a-z0-9]{2,12}"
)
_APART = re.compile(r"[0-9][A-Za-z]+[0-9]")
_LINE = re.compile(r"[A-Za-z]?[0-9]+")
_ENCODED = re.compile(r"%[0-9A-F]{2}")
_ORDINARY = ("sha", "utf", "base", "python", "windows", "ubuntu", "port", "user", "test", "http")


def without_beside(text: str) -> str:
    """Replace each such value; the same object if there is none."""
    out: list[str] = []
    copied = 0
    for match in _VALUE.finditer(text):
        value = match[0].rstrip(".?*").lstrip("*")
        start = match.start() + len(match[0]) - len(match[0].lstrip("*"))
        if (form := _form(value)) and _is_announced(text, start, start + len(value), form):
            out += [text[copied:start], TAG]
            copied = start + len(value)
    return "".join((*out, text[copied:])) if out else text


def _is_announced(text: str, start: int, end: int, form: str) -> bool:
    """Return whether a word in the line of a value announces a secret of this form."""
    if form != "strong" and is_public(text, start, end):
        return False
    before = _ASIDE.sub("", text[max(start - _REACH, 0) : start].rpartition("\n")[2])
    if _OF_USER.search(before):
        return form != "hexadecimal"
    if form == "hexadecimal":
        return bool(_TOKEN.search(before[-60:]))
    after = _ASIDE.sub("", text[end : end + _REACH].partition("\n")[0])
    if form in ("name", "letters"):
        return any(_PASSWORD.search(side) for side in (before[-_NEAR:], after[:_NEAR]))
    patterns = [_PASSWORD]
    if form == "strong" or end - start >= _TOKEN_SIZE:
        patterns += (_TOKEN, _LOGIN)
    return any(pattern.search(side) for pattern in patterns for side in (before, after))


def _form(value: str) -> str:
    """Return the form of a value: strong, mixed, letters, name, hexadecimal; "" for another."""
    if value.isdigit() or len(value) < 8 or (value.isalpha() and value[1:].islower()):
        return ""
    if has_stem(value) or is_placeholder(value) or is_reference(value):
        return ""
    if is_hexadecimal(value.lower()):
        long = "-" not in value and len(value) in (32, 40, 48, 64)
        return "hexadecimal" if long or _UUID.fullmatch(value) else ""
    if value.isalnum():
        return _form_of_word(value)
    if not has_digit(value):
        return ""
    if is_numbered(value):
        return "name"
    if is_odd(value):
        return "mixed"
    return "strong" if _is_strong(value) else ""


def _form_of_word(value: str) -> str:
    """Return the form of a value that has only letters and digits."""
    if _CHOSEN.fullmatch(value):
        return "" if value.lower().startswith(_ORDINARY) else "name"
    if value.isalpha():
        return "letters" if len(value) > 11 and _is_mixture(value) else ""
    if value.startswith(("0x", "0X")):
        return ""
    one_case = value in (value.lower(), value.upper())
    drawn = (one_case and is_random(value, 20)) or is_drawn(value)
    return "mixed" if drawn or _is_mixture(value) else ""


def _is_mixture(value: str) -> bool:
    """Return whether letters of both cases and digits alternate as in no name."""
    cases = value not in (value.lower(), value.upper())
    share = 5 if _APART.search(value) else 4
    return (
        cases
        and len(value) > 9
        and turns(value) * share >= 2 * len(value) > 6 * count_pronounceable(value)
    )


def _is_strong(value: str) -> bool:
    """Return whether a value has a sign typical of passwords, and is no code and no address."""
    signs = {c for c in value if not (c.isalnum() or c in "_-.")}
    if not signs or value[0] in "-$%@#&~.+?" or _ENCODED.search(value):
        return False
    if value in (value.lower(), value.upper()):
        return _DRIVEN.fullmatch(value) is not None
    sign = min(signs, key="!^~%@#$*&+?".find)
    first, _, rest = value.partition(sign)
    if sign == "@":  # not user@Host.name
        return rest.isdigit() or (len(first) < 3 and "." not in rest)
    if sign in "#$":  # not Issue#12, Outer$Inner
        return not (_LINE.fullmatch(rest) or (rest.isidentifier() and first.isidentifier()))
    return sign in "!^~%" or _is_mixture("".join(filter(str.isalnum, value)))
