"""Replace what looks like a secret near a word that announces one, whatever the grammar.

A rule for each form of a sentence or a command never ends; but what has the form of a password or
a token hardly ever stands near such a word without being one.

Invariant: linear; a value has no quote and no backslash, so that JSON stays JSON.
"""

from __future__ import annotations

import re
from functools import lru_cache

from journal.redaction.drawn import is_drawn, is_public
from journal.redaction.value_kinds import (
    count_pronounceable,
    has_digit,
    has_stem,
    is_camel,
    is_grouped,
    is_hexadecimal,
    is_numbered,
    is_odd,
    is_placeholder,
    is_random,
    is_reference,
    is_unpronounceable,
    turns,
)

TAG = "[redacted:beside]"

_REACH = 100  # characters of the same line between a word and its secret
_NEAR = 40  # the same for a value that could be a name: word1234
_TOKEN_SIZE = 16  # characters; a shorter mixture beside `key` may be anything
_SIGNS = r"\w!#$%&*+.?@^~\-"
_VALUE = re.compile(
    rf"(?:(?<![{_SIGNS}/\\])|(?<=\\[nrt]))(?:[\w+/-]{{16,120}}+={{1,2}}(?![\w=])|"
    rf"[{_SIGNS}]{{8,64}}+(?![/(]|\\(?![\\\"'nrt])))",
    re.ASCII,
)
_EDGE = r"(?:(?<![a-z])|(?<=\\[nrt]))"
_ASIDE = re.compile(r"\[redacted:[\w-]+\]")
_PASSWORD = re.compile(
    r"(?i)passw|pass_?phr|passc|" + _EDGE + r"(?:pass|pwd?|creds?|psk|ssid|wi-?fi|wlan)(?![a-z])|"
    r"credential|"
    r"パスワード|パスフレーズ|パス(?=は)|暗証|合言葉|비밀번호|비번|암호|패스워드|密[码碼]|口令|парол|contraseñ|"
    r"(?<![a-z])(?:clave|mdp)(?![a-z])|kennwort|mot de passe|senha|wachtwoord|hasło|lösenord|"
    r"passord|adgangskode|salasana|şifre|parol|mật khẩu"
)
_LOGIN = re.compile(
    r"(?i)log(?:ged|ging)? ?in|sign(?:ed)? ?in|" + _EDGE + r"(?:auth|admin|root|sudo|community|"
    r"wi-?fi|psk)|/user:|user(?:name)?[ =:]"
)
# What stands right before the password of a user: -u bob:X, /user:bob X, basic auth is bob:X.
_OF_USER = re.compile(
    r"(?i)(?:(?:-[au]|--user|auth is|creds are)[ =][\"']?\w{1,30}:|/user:\w{1,30} |<<< ?[\"']?|"
    r"\{(?:plain|cleartext)\}|"
    r"(?:-u|-U|-l|--user(?:name)?)[ =]?\S{1,40} (?:[^\n|;]{0,60} )?-p[ =]?[\"']?)\Z"
)
_TOKEN = re.compile(
    r"(?i)token|secret|\"kty\"|api[-_ ]?key|[a-z]key(?![a-z])|bearer|authorization|hmac|"
    r"(?<![a-z])(?:sk|pk|pat|jwts?|cred|t?otp|sign(?:er|with)?|keys?|auth|seed|signing|"
    r"ingest(?:ion)?|api|cookie|geheimnis)(?![a-z])|[a-z]jwt|api_?client|"
    r"salt|pepper|schlüssel|jeton|clé|clave|chave|chiave|ключ|токен|pwgen|rand -|licen[cs]e|"
    r"serial|lizenz|ライセンス|トークン|キー|"
    r"シークレット|鍵|토큰|키(?![가-힣])|키[는를가:]|시크릿|密[钥鑰]|令牌|[私公]钥"
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CHOSEN = re.compile(r"[A-Z]?[a-z]{3,14}[0-9]{3,6}")
_TYPED = re.compile(
    r"[A-Z][a-z]{3,14}[0-9]{2,6}[!@#$%]{1,2}|[a-z]{4,14}[0-9]{2,6}!{1,2}|"
    r"[A-Z][a-z]*[0134578][a-z]+[!._-][0-9]{2,6}[!@#$%]?|[A-Z]?[a-z]*[0134578][a-z]+[0-9]{2,6}[!@#$%]"
)
_SIGNED = re.compile(r"[A-Z]?[a-z]{3,14}[0-9]{2,6}[!@#$%*&]{1,2}")
_DRIVEN = re.compile(
    r"[a-z]{3,12}[0-9]{2,6}[!$^#]{1,3}|[!$^#]{0,2}[a-z0-9]{3,12}[!$^][a-z0-9]{2,12}"
)
_LEET = re.compile(r"[A-Z][a-z0-9]{2,14}[._!-][0-9]{2,6}")
# What stands around a value that has a line of its own: marks of a list, quotes.
_AROUND = " \t\r\"'`,;*•-+()[]|>:.=" + "0123456789"
_ALONE = re.compile(r"(?=\S*\d)\S{6,80}")
_ABOVE = 600  # characters above a value in which the line is looked for that announces it
# What says behind a value that it is a token: X is the API key, X for JWT_SECRET, X // token.
_COMMENT = re.compile(
    r"(?i)(?:#|//|--).{0,20}(?:token|api[_ -]?key|secret)|"
    r"field: ?[\"']x-[\w-]{0,20}(?:key|token)|\A a valid (?:api key|token)|"
    r"\A[\"'`)?,.]{0,3} ?(?:is|as|in as|for|that's|it's|ist|als) "
    r"(?:(?:an?|the|our|my|your|der|unser) (?:[a-z]{2,12} ){0,2}"
    r"(?:api[-_ ]?(?:key|schlüssel)|token|secret|key|password|passphrase)\b|"
    r"(?-i:[A-Z]{2,}_(?:KEY|TOKEN|SECRET)))|"
    r"\A[\"'`)?,.]{0,3} ?(?:is|as|for|als) api[-_ ]?(?:key|token|schlüssel)\b|"
    r"\A[\"'`]? ?(?:[が는은가이是]|作为) ?(?:api ?(?:キー|키|密钥)|トークン|토큰|令牌|密钥)"
)
# What stands right before the password of an account: bob@host / X, as root with X.
_ACCOUNT = re.compile(
    r"(?i)(?:\b(?:[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,40}|admin|root)"
    r"(?: ?[/,:;]| and| with| und| mit| 和| 및)? |\b(?:with|as|using|mit) [\w.@-]{2,40} ?/ ?|"
    r"\b(?:admin|root):|"
    r"\b(?:unlock|decrypt|log ?in|sign ?in|ssh|sudo|anmeld\w{0,6}|einlogg\w{0,6}|open)\b"
    r"[^\n]{0,40}?[ ,](?:with|using|mit|it's|und)[: ]|"
    r"(?:auth(?!o)|basic|admin|user|login|account|cred|cracked|connect(?:ion)?\()[^\n]{0,40}?"
    r"[\"'(\s=:/][\w.=@-]{2,40}[\"']?(?::|, ?|: | / ))[\"'`„“]?\Z"
)
_ALGORITHM = re.compile(
    r"sha|md5|pbkdf|argon|crypt|base|utf|oauth|http|hmac|aes|rsa|pkcs|x509|tls|ssl|test|user|ipv",
    re.IGNORECASE,
)
_CHOSEN_FORMS = ("name", "letters", "short")
_APART = re.compile(r"[0-9][A-Za-z]+[0-9]")
_LINE = re.compile(r"[A-Za-z]?[0-9]+")
_ENCODED = re.compile(r"%[0-9A-F]{2}")
_ORDINARY = ("sha", "utf", "base", "python", "windows", "ubuntu", "port", "user", "test", "http")


def without_beside(text: str) -> str:
    """Replace each such value; the same object if there is none."""
    out: list[str] = []
    copied = 0
    for match in _VALUE.finditer(text):
        form, ahead, value = _form_of(match[0])
        if not form:
            continue
        start = match.start() + ahead
        end = start + len(value)
        if form == "typed" or _is_announced(text, start, end, form):
            out += [text[copied:start], TAG]
            copied = end
    return "".join((*out, text[copied:])) if out else text


@lru_cache(1 << 14)  # most words of a text come again
def _form_of(word: str) -> tuple[str, int, str]:
    """Return the form of the value in a word, "" for none, how much is before it, and the value."""
    bare = word.lstrip("*")
    value = bare.rstrip(".?*")
    form = "typed" if _is_typed(value) else _form(value)
    return form, len(word) - len(bare), value


def _is_typed(value: str) -> bool:
    """Return whether a value has a form that only passwords have: Word123!, aB3#dE5f."""
    if value.isalnum() or not has_digit(value):
        return False
    if _TYPED.fullmatch(value):
        return True
    signs = {c for c in value if not c.isalnum()}
    if signs.isdisjoint("!^~%@#$*") or not signs.isdisjoint("._?+"):
        return False
    plain = "".join(filter(str.isalnum, value))
    longest = max("".join(c if c.isalnum() else " " for c in value).split(), key=len, default="")
    mixed = len(longest) > 3 and not longest.isdigit() and turns(longest) > 1
    return len(value) > 9 and mixed and _is_mixture(plain) and not _ENCODED.search(value)


def _is_announced(text: str, start: int, end: int, form: str) -> bool:
    """Return whether a word in the line of a value announces a secret of this form."""
    if form not in ("strong", "name") and is_public(text, start, end):
        return False
    first = text.rfind("\n", 0, start) + 1
    before = _ASIDE.sub("", text[max(start - _REACH, first) : start])
    after = _ASIDE.sub("", text[end : end + _REACH].partition("\n")[0])
    if _OF_USER.search(before) or _ACCOUNT.search(before[-_REACH:]):
        return form != "hexadecimal"
    if first and not (before.strip(_AROUND) or after.strip(_AROUND)):
        before = _line_above(text, first)
    if form == "hexadecimal":
        close = _TOKEN.search(before[-60:]) or _PASSWORD.search(before[-_NEAR:])
        return bool(close or _COMMENT.search(after))
    if form in _CHOSEN_FORMS:
        return any(_PASSWORD.search(side) for side in (before[-_NEAR:], after[:_NEAR]))
    patterns = [_PASSWORD]
    if form == "strong" or end - start >= _TOKEN_SIZE:
        patterns += (_TOKEN, _LOGIN)
    return any(pattern.search(side) for pattern in patterns for side in (before, after))


def _line_above(text: str, end: int) -> str:
    """Return the end of the line that a list of values, one a line, stands below."""
    for line in reversed(text[max(end - _ABOVE, 0) : end].split("\n")):
        if (bare := line.strip(_AROUND)) and not _ALONE.fullmatch(bare):
            return line[-_REACH:]
    return ""


def _form(value: str) -> str:
    """Return the form of a value, such as strong, mixed or hexadecimal; "" for an ordinary one."""
    if len(value) < 8 or value.isdigit() or (not has_digit(value) and value[1:].islower()):
        return ""
    if has_stem(value) or is_placeholder(value) or is_reference(value):
        return ""
    if is_hexadecimal(value.lower()):
        long = "-" not in value and len(value) > 31
        return "hexadecimal" if long or _UUID.fullmatch(value) else ""
    if value.endswith("="):
        return "mixed" if len(value) % 4 == 0 and has_digit(value) else ""
    return _form_of_word(value) if value.isalnum() else _form_of_signs(value)


def _form_of_signs(value: str) -> str:
    """Return the form of a value with signs in it."""
    if is_grouped(value):
        return "hexadecimal"
    plain = "".join(filter(str.isalnum, value))
    mixed = _is_mixture(plain)
    if mixed and value.replace("_", "").replace("-", "") == plain:
        return "mixed"
    if not (mixed or has_digit(value)):
        return ""
    if is_numbered(value) or _LEET.fullmatch(value) or _SIGNED.fullmatch(value):
        return "name"
    if is_odd(value):
        return "mixed"
    return "strong" if _is_strong(value) else ""


def _form_of_word(value: str) -> str:
    """Return the form of a value that has only letters and digits."""
    if _CHOSEN.fullmatch(value):
        return "" if value.lower().startswith(_ORDINARY) else "name"
    if value.isalpha():
        drawn = len(value) > 7 and is_unpronounceable(value) and not value.isupper()
        return "letters" if drawn or (len(value) > 11 and _is_mixture(value)) else ""
    if value.startswith(("0x", "0X")):
        return ""
    one_case = value in (value.lower(), value.upper())
    drawn = (one_case and is_random(value, 20)) or is_drawn(value) or _is_mixture(value)
    spoken = one_case or is_camel(value) or _ALGORITHM.search(value)
    if drawn or not (spoken or len(value) < 10 or not is_unpronounceable(value)):
        return "mixed"
    return "short" if one_case and len(value) > 9 and not _is_algorithm(value) else ""


def _is_algorithm(value: str) -> bool:
    """Return whether a value of one case is a word with a number, or the name of an algorithm."""
    worded = value.rstrip("0123456789").isalpha() and not is_unpronounceable(value)
    return worded or _ALGORITHM.search(value) is not None


def _is_mixture(value: str) -> bool:
    """Return whether letters of both cases and digits alternate as in no name."""
    cases = value not in (value.lower(), value.upper())
    share = 5 if _APART.search(value) else 4
    return (
        cases
        and len(value) > 9
        and not is_camel(value)
        and turns(value) * share >= 2 * len(value)
        and len(value) > 2 * count_pronounceable(value)
    )


def _is_strong(value: str) -> bool:
    """Return whether a value has a sign typical of passwords, and is no code and no address."""
    signs = {c for c in value if not (c.isalnum() or c in "_-.")}
    hashed = value[0] == "#" and not signs.isdisjoint("!^*")
    if not signs or (value[0] in "-$%@#&~.+?" and not hashed) or _ENCODED.search(value):
        return False
    if value in (value.lower(), value.upper()):
        return _DRIVEN.fullmatch(value) is not None
    sign = min(signs, key="!^~%@#$*&+?".find)
    first, _, rest = value.partition(sign)
    if sign == "@":  # not user@Host.name
        return (
            rest.isdigit()
            or (len(first) < 3 and "." not in rest)
            or not signs.isdisjoint("!^~%*#$")
        )
    letters = "".join(filter(str.isalnum, value))
    if sign in "#$" and not _is_mixture(letters):  # not Issue#12, Outer$Inner
        return not (_LINE.fullmatch(rest) or (rest.isidentifier() and first.isidentifier()))
    return sign in "!^~%#$" or _is_mixture(letters)
