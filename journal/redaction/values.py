"""Decide whether the value that a row of the table found is a secret.

Imported only once a regular expression of the table has matched; `named_values` judges the values
of names. Invariant: what is clearly a reference (`$X`, `<token>`, `getpass()`, `self.token`, `str`)
stays; anything that looks like a typed-in value is redacted.
"""

from __future__ import annotations

import re
from itertools import pairwise

from journal.redaction.drawn import has_prefix, is_drawn, is_public
from journal.redaction.named_values import is_key, kind_of, of_flag, of_name
from journal.redaction.tokens import ISSUED, end_of_token, start_of_token
from journal.redaction.value_kinds import (
    has_both_cases,
    has_cluster,
    has_digit,
    has_stem,
    is_code,
    is_common,
    is_grouped,
    is_hexadecimal,
    is_identifier,
    is_lettered,
    is_made_up,
    is_mixed,
    is_numbered,
    is_passphrase,
    is_path,
    is_pin,
    is_placeholder,
    is_random,
    is_reference,
    is_scrambled,
    is_shuffled,
    is_strong,
    is_unpronounceable,
    is_words,
    is_wordy,
    turns,
)

_BARE_STOP = frozenset("\"'`<>&,;|\\ \t\r\n\f\v")
_BOUND = 160  # characters; the bound of `u` and `h` in the table
_URL = re.compile(r"://[^\s\"'<>()]+/\Z")
_CLOSING = {"「": "」", "“": "”", "„": "“", "«": "»"}  # the quotes that close others
_DIGEST = re.compile(r"(?:sha\d{1,3}|md5)[=:-][\w+/-]{0,90}\Z")  # around a digest in base64
# the name of an id: "GroupId": ", --group-id, group_id =
_OF_ID = re.compile(
    r"(?<![sS]ecret)(?<![sS]ecret[_-])(?:(?<![A-Za-z])[iI][dD]|(?<=[a-z])Id)"
    r"[\"']?[ :=]{1,3}[\"']?\Z"
)
_ENCODED = re.compile(r"%2[Bb]|%2[Ff]|%3[Dd]")  # the signs of base64 in a URL
_LINE_END = re.compile(r"[\"'`*. \t]*(?:\n|\Z)")
# What names a token rather than a password, in English, German, Japanese, Korean and Chinese.
_TOKEN_NAMES = tuple(
    "token key secret schlüssel トークン キー 鍵 シークレット 키 토큰 시크릿 令牌 钥 鑰".split()
)

# Rows whose value is judged without a name; documentation writes placeholders after the first ones.
_WITH_PLACEHOLDERS = ("markup", "stdin", "literal", "directive", "password-file", "expect")
# Rows whose surroundings leave room for words: the value must look like a secret itself.
_STRICT = ("call", "element", "default", "bare-sql", "setting", "pair")
# Of these, rows that also take a value of letters alone.
_LETTERED = ("pair", "default", "element", "setting")
_RANDOM = ("prefixed", "keyed")  # rows whose value is judged by its randomness
_ENGLISH = ("password", "passwd", "passphrase", "pass", "pw", "p/w")  # prose has much behind these
_SAMPLES = ("password", "pass", "passwd", "pwd", "secret", "token")  # of addresses: user:pass@host
_WITHOUT_NAME = (*_WITH_PLACEHOLDERS, "curl", "command", "sql")


def secret_span(name: str, match: re.Match[str], text: str) -> tuple[int, int] | None:
    """Return the span (start, end) in `text` that is to be replaced, or None to leave it."""
    group = match.lastgroup or ""
    for candidate in "sdegbuh":
        if candidate in match.re.groupindex and match[candidate]:
            group = candidate
            break
    start, end = match.span(group)
    if group == "s":
        return start, end_of_token(text, end) if name in ISSUED else end
    cut = end - start >= _BOUND
    if group == "u" or name == "sentence":
        end = _trim(text, start, end)
        if name == "sentence" and text[end - 1] == "(":  # Korean: 비밀번호를 X(으)로
            end -= 1
    if name == "sentence" and match["q"]:
        phrase = text[start : start + _BOUND].partition(_CLOSING.get(match["q"], match["q"]))
        if phrase[1] and is_passphrase(phrase[0]):
            return start, start + len(phrase[0])
    value = text[start:end]
    good = not is_reference(value) and _is_secret(name, group, match, text, value)
    if good and cut and group in ("u", "h") and end == match.end(group):
        end = _extend(text, end)
    elif good and name in (*_RANDOM, "drawn"):
        start, end = start_of_token(text, start), end_of_token(text, end)
    return (start, end) if good else None


def _is_secret(name: str, group: str, match: re.Match[str], text: str, value: str) -> bool:
    """Return whether the value that a row of the table found is a secret."""
    if name in _RANDOM:
        keyed = name == "keyed"
        if not keyed and _OF_ID.search(text, max(match.start("h") - 30, 0), match.start("h")):
            return False
        return has_prefix(value, keyed=keyed) and (keyed or _is_apart(text, *match.span("h")))
    if name == "drawn":
        span = match.span("h")
        return is_drawn(value) and not is_public(text, *span) and _is_apart(text, *span)
    if name == "phrase":
        return is_passphrase(value)
    if weigh := _WEIGHED.get(name):
        return weigh(match, value)
    if name in _STRICT or (name == "password-file" and not (match["p"] or match["q"])):
        return is_key(value) if match.groupdict().get("k") else _strict(name, value)
    if group == "h" or name in _WITHOUT_NAME:
        return _host(name, value)
    if name == "flag":
        return of_flag(match["k"].lower(), value, quoted=group != "u")
    return of_name(match, text, value, quoted=group != "u")


def _is_last_word(match: re.Match[str], key: str, value: str) -> bool:
    """Return whether one word ends the line of `password: X`, or is quoted: the secret is "X"."""
    if not (value.isalpha() and value.islower() and len(value) > 4) or is_common(value):
        return False
    if match["q"] and key == "secret":
        return True
    told = "pass" in key and match["o"].strip(" *").endswith((":", "->", "→"))
    return told and _LINE_END.match(match.string, match.end("h")) is not None


def _is_apart(text: str, start: int, end: int) -> bool:
    """Return whether a token is no part of a path: it may be the last one of a URL."""
    before = text[max(start - 1, 0) : start]
    if before != "/":
        return before not in ("\\", "_") and not _DIGEST.search(text, max(start - 99, 0), start)
    value = text[start:end]
    if "." in value or not has_digit(value):
        return False
    return _URL.search(text, max(start - _BOUND, 0), start) is not None


def _is_named_behind(_match: re.Match[str], value: str) -> bool:
    """Return whether the value before `is the password` is a secret."""
    plain = is_placeholder(value) or is_common(value.lower()) or "(" in value
    kinds = (is_made_up, is_random, is_mixed, is_words, is_lettered)
    chosen = any(is_kind(value) for is_kind in kinds)
    return chosen and not plain


def _extend(text: str, end: int) -> int:
    """Go on to the end of a bare value that the pattern, being bounded, cut short."""
    while end < len(text) and "!" <= text[end] <= "~" and text[end] not in _BARE_STOP:
        end += 1
    return end


def _trim(text: str, start: int, end: int) -> int:
    """Leave closing brackets and the full stop of a sentence outside of a bare value."""
    pairs = {")": "(", "]": "[", "}": "{"}
    while end > start + 1:
        last = text[end - 1]
        if last in pairs:
            if pairs[last] in text[start:end]:
                return end
        elif last not in ".,;:|":
            return end
        end -= 1
    return end


def _strict(name: str, value: str) -> bool:
    """Return whether a value has a digit and a letter and is no code, name, path or sentence."""
    if is_passphrase(value, 4):
        return True
    if has_stem(value) or is_placeholder(value) or any(c in value for c in " ()<>{}[]"):
        return False
    if is_words(value) or is_numbered(value) or is_made_up(value):
        return True
    if name in _LETTERED and is_lettered(value):
        return True
    if name == "call" and value.isalpha() and len(value) > 5:
        return not is_common(value.lower())
    if (
        is_shuffled(value)
        or (len(value) > 9 and is_scrambled(value))
        or (name == "pair" and _is_password(value))
    ):
        return True
    literal = name in ("call", "default")
    if is_pin(value) or (literal and is_words(value, 2)):
        return True
    code = not literal and is_code(value)
    if len(value) < (5 if literal else 6) or code or not is_mixed(value) or value[0] == "/":
        return False
    if value.endswith(("/tcp", "/udp")) or (value[0].isdigit() and value.count("/") == 1):
        return False
    drawn = is_random(value) or is_unpronounceable(value) or value[0].isupper()
    return drawn or "_" not in value.strip("_") or not value.isidentifier()


def _host(name: str, value: str) -> bool:
    """Return whether the password of a URL, of `curl -u`, of a database command is a secret."""
    if name in _WITH_PLACEHOLDERS and (is_placeholder(value) or len(value) < 4):
        return False
    if name in ("url", "dsn", "oracle") and value.lower() in _SAMPLES:
        return False
    if name == "sql":
        return not is_placeholder(value) and not any(c.isspace() for c in value)
    return not (value[0] == "$" and value[1:].isidentifier())


def _header(match: re.Match[str], value: str) -> bool:
    """Return whether the value after `Authorization:` or `Bearer` is a secret."""
    if is_placeholder(value) or is_path(value):
        return False
    if match["x"] or (value[-1:] == "=" != value[:-1][-1:] and len(value) % 4):
        return is_random(value)
    inner = sum(value[i].islower() and value[i + 1].isupper() for i in range(len(value) - 1))
    if match["k"] and not match["t"]:
        return is_mixed(value) and len(value) >= 12 and not is_code(value)
    if match["k"]:
        long = len(value) >= 20 and not is_wordy(value)
        return has_digit(value) or inner > 1 or value.endswith("=") or long
    if is_identifier(value) and has_stem(value):
        return False
    return len(value) >= 12 and (inner > 2 or (is_mixed(value) and len(value) >= 16))


def _is_random_alone(value: str) -> bool:
    """Return whether a value without a name is random: no digest, no path, no file."""
    return is_random(value, 20) and not (
        is_hexadecimal(value.lower()) or "/" in value or is_path(value)
    )


def _queried(match: re.Match[str], value: str) -> bool:
    """Return whether a part of a query, or the text after `key=` in a log, is a secret."""
    name = match["k"] or "K"
    if name.lower() == "login" and len(value) >= 32 and is_hexadecimal(value):
        return is_mixed(value)
    named = name.islower()
    value = _ENCODED.sub("+", value)
    return _is_random_alone(value) if named else is_random(value)


def _in_sentence(match: re.Match[str], value: str) -> bool:
    """Return whether a sentence contains the secret that it names."""
    named = has_stem(value) and not (match["q"] and value.isalnum() and has_digit(value))
    word = is_common(value.lower()) and (named or not has_stem(value))
    if is_placeholder(value) or word or named or not value.isascii() or value[0] == "\\":
        return False
    key = match["k"].lower()
    if key.endswith(" key") and not kind_of(key):  # public, primary
        return False
    token = any(name in key for name in _TOKEN_NAMES)
    plain = not match["o"].strip() or "\n" in match["o"]  # "the token X", without is
    if not token and (is_lettered(value) or is_words(value)):
        said = match["o"].strip().startswith(("is", ":", "=", "->", "→"))
        return said or not key.isascii() or is_words(value) or not _is_adjective(match, value)
    if plain and not token and (_is_password(value) or _is_numbered_word(key, value)):
        return True
    numbered = is_numbered(value) and not (token or (plain and is_identifier(value)))
    if numbered or _is_last_word(match, key, value) or (is_made_up(value) and not token):
        return True
    chosen = is_mixed(value) and len(value) >= 8 and "_" not in value.strip("_")
    chosen = chosen or is_numbered(value)
    if "secret" in key and not plain and chosen and not is_code(value):
        return True
    if token or plain:
        commit = plain and is_hexadecimal(value) and len(value) < 32
        least = 12 if value.isalnum() and not plain else 16
        drawn = is_random(value, least) or is_strong(value) or is_grouped(value)
        return drawn and not commit
    if value.isalpha() or value.isdigit() or "(" in value or value[0] in "-.,;:/<{[":
        return bool(match["q"]) and len(value) > 5 and not is_common(value.lower())
    words = [part for part in value.replace("-", " ").split() if part.isalpha()]
    if "-" in value and words:
        return is_mixed(value) and any(_has_hump(word) for word in words)
    return is_mixed(value) or any(c in "!$^~#%*" for c in value[1:])


def _is_adjective(match: re.Match[str], value: str) -> bool:
    """Return whether a word that can be spoken is followed by another: password modificata con."""
    behind = match.string[match.end("h") : match.end("h") + 2]
    spoken = value[1:].islower() and not (is_unpronounceable(value) or has_cluster(value))
    return spoken and behind[:1] in (" ", ".") and (behind[1:].isalpha() or behind == ".")


def _has_hump(word: str) -> bool:
    """Return whether an upper-case letter follows a lower-case one."""
    return any(a.islower() and b.isupper() for a, b in pairwise(word))


def _is_numbered_word(key: str, value: str) -> bool:
    """Return whether a value right behind its name is a word with digits behind it."""
    if key not in _ENGLISH:
        return is_mixed(value)
    word = value.rstrip("0123456789")
    return key == "password" and word.isalpha() and len(word) > 3 and len(value) - len(word) > 2


def _is_password(value: str) -> bool:
    """Return whether a value can only be a chosen password: letters, a digit and a sign."""
    signs = any(c in ("!$^&+~#%*" if has_both_cases(value) else "!$^&+~") for c in value[1:])
    mixed = is_mixed(value) or turns(value) > 3
    return len(value) >= 8 and mixed and signs and not any(c in "=/(<@" for c in value)


_WEIGHED = {
    "is-the": _is_named_behind,
    "sentence": _in_sentence,
    "header": _header,
    "query": _queried,
}
