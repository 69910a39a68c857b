"""Decide whether the value of a name is a secret: `password = X`, `--token X`, `"key": "X"`.

The name says what its value is: `db_password`, `API_TOKEN`, `sort_key`.

Invariant: what is clearly a reference stays. In doubt an upper-case name (`DB_PASSWORD=`) and
quotes decide for a secret.
"""

from __future__ import annotations

import re

from journal.redaction.beside import names_password
from journal.redaction.value_kinds import (
    STEMS,
    has_cluster,
    has_digit,
    has_stem,
    is_code,
    is_common,
    is_half_titled,
    is_hexadecimal,
    is_lettered,
    is_made_up,
    is_mixed,
    is_name,
    is_numbered,
    is_passphrase,
    is_path,
    is_pin,
    is_placeholder,
    is_random,
    is_scrambled,
    is_shuffled,
    is_strong,
    is_titled_pair,
    is_words,
    is_wordy,
    longest_word,
    turns,
)

_PASSWORDS = tuple(
    "password passwd passphrase passcode pwd storepass keypass keymaterial authtok pass_phrase "
    "密码 密碼 口令 パスワード 비밀번호".split()
)
_OWNERS = tuple(
    "_ - . db bind root pg admin user login smtp mail key ssh ftp ldap sudo remote proxy mqtt "
    "wifi imap email require master".split()
)
_SECRETS = ("secret", "credential", "credentials", "erlang_cookie", "root_token_id")
_PEPPER = ("salt", "secret_id", "secretid", "_pat", "_jwt", "bearer")  # random, or a reference
_CURSORS = ("page_token", "pagetoken", "next_token", "nexttoken", "page-token", "next-token")
_KEYS = tuple(
    "api access secret private auth encryption signing master account storage jwt".split()
)
# Keys of data, not of access.
_ORDINARY_KEYS = tuple(
    "public pub primary foreign cache sort partition hash index group idempotency routing dedupe "
    "dedup unique natural object row query lookup s3 host etag".split()
)
_LEAST_WORDS = {"password": 3, "pass": 2, "secret": 4}
_NAME_LIMIT = 48  # characters looked at before a keyword for the whole name

_ABOVE = 400  # characters above a setting in which the heading of its section is looked for
_SECTION = re.compile(
    r"(?:\A|\n)[ +-]?\[[\w. :-]+\]\n(?:[ +]?[\w.-]+ ?= ?[^\n(]*\n|[#;][^\n]*\n|\n)*[+-]?\Z"
)
_ESCAPE = re.compile(r"\\u[0-9a-f]{4}", re.IGNORECASE)  # a letter in JSON: Contrase\u00f1a
_ROOTS = tuple("process. os. self. this. config. settings. env. import.meta args.".split())
_SETTERS = ("password", "setpassword", "set_password", "withpassword", "with_password")
_PATTERNED = ("{", "[^", "\\w", "\\d", "\\s", "(?")  # a template or a regular expression
_NEXT = re.compile(r" [a-z]\w{2,20}=[^=\s]")
_CONNECTION = ("server=", "host=", "source=", "username=", "user=", "uid=", "user id=", ":6380,")


def name_start(text: str, at: int) -> int:
    """Return where the name begins whose last part, a keyword, begins at `at`."""
    start = at
    while start > 0 and at - start < _NAME_LIMIT:
        c = text[start - 1]
        if not (c.isascii() and (c.isalnum() or c in "_-")):
            break
        start -= 1
    while start < at and text[start] == "-":
        start += 1
    return start


def kind_of(key: str) -> str:
    """Return `password`, `pass`, `secret`, `token`, `key` or "" for a lower-case name."""
    kind = ""
    if key.endswith(_PASSWORDS):
        kind = "password"
    elif key.endswith(("psk", "pw", "pass")):
        head = key.removesuffix("psk").removesuffix("pw").removesuffix("pass")
        kind = "pass" if not head else ""
        if head.endswith(_OWNERS) or key == "psk":
            kind = "password"
    elif key.endswith("token"):
        kind = "" if key.endswith(_CURSORS) else "token"
    elif key.endswith("key"):
        owner = key[:-3].rstrip("_-: ")
        kind = "secret" if owner.endswith(_KEYS) or "secret" in owner else ""
        if owner and not kind and not owner.endswith(_ORDINARY_KEYS):
            kind = "key"
    elif key.endswith(_PEPPER) or (key.endswith("_auth") and key != "_auth"):
        kind = "secret" if key.endswith("cli_auth") else "key"
    elif key == "_auth" or key.endswith(_SECRETS):
        kind = "secret"
    return kind


def of_flag(flag: str, value: str, *, quoted: bool) -> bool:
    """Return whether the value after `--password` or `--token` is a secret."""
    password = "pass" in flag or "pwd" in flag
    if value[0] == "-" or len(value) < 4 or is_placeholder(value):
        return False
    if not (flag.startswith("--") or password or is_mixed(value)):
        return False
    if flag.endswith("key") and kind_of(flag) in ("", "key"):
        return is_key(value)
    if quoted:
        return _quoted(kind_of(flag), value, shell=password)
    if is_wordy(value):  # the metavariable or the prose of a help text
        least = 6 if password else 16
        if password and (is_words(value, 2) or is_half_titled(value)):
            return True
        return len(value) >= least and value.isalpha() and not (value.isupper() or has_stem(value))
    return not is_code(value) and (is_mixed(value) or password or is_scrambled(value))


def of_name(match: re.Match[str], text: str, value: str, *, quoted: bool) -> bool:
    """Return whether the value of `name = value`, `"name": "value"` is a secret."""
    start = name_start(text, match.start("k"))
    name = text[start : match.end("k")]
    kind = kind_of(name.lower())
    typed = text[start - 2 : start] == "::" and match["o"][0] in "\"'"  # "AWS::IAM::AccessKey": …
    if not kind or (typed and is_hexadecimal(value)):
        return False
    value = _ESCAPE.sub("\u00f6", value)
    if " " in value and names_password(value):  # a label, not a passphrase
        return False
    sep = match["o"].strip()[-1:]
    if kind == "key":
        password = value.partition(":")[2] if name.lower().endswith("auth") else ""
        return is_key(value) or (len(password) > 5 and is_mixed(password))
    if sep in ("(", ","):  # setPassword("…"), define('DB_PASSWORD', '…'), not any list of words
        called = text[start - 1 : start] == "." and not name.lower().startswith("get")
        setter = name.lower() in _SETTERS or (called and is_mixed(value))
        if sep == "," and not name.isupper():
            return _is_listed(name, value)
        chosen = is_mixed(value) or is_words(value, 2) or (len(value) >= 8 and value.isalpha())
        chosen = chosen or is_made_up(value) or is_pin(value)
        return (sep == "," or setter) and chosen and not has_stem(value) and _quoted(kind, value)
    if quoted:
        chosen = kind in ("password", "pass") and is_mixed(value)
        compared = match["o"].strip().endswith(("==", "or"))
        shell = match["o"] == "=" and name.isupper()
        return (chosen or not compared) and _quoted(kind, value, shell=shell)
    if value[-1] not in "([{" and _is_literal(text, start, match.end("u")):
        return _quoted(kind, value)
    tight = match["o"].strip("\"'`\\]") in ("=", "\uff1a", "\uff1d") or not name.isascii()
    tight = tight or (sep == "=" and bool(_SECTION.search(text[max(start - _ABOVE, 0) : start])))
    if not name.islower() and name.isupper() and name.isascii():
        return _environment(kind, name, value, tight=tight)
    after = text[match.end("u") : match.end("u") + 1]
    connected = _is_connection(text, start, match.end("u"))
    kind = "password" if connected and tight and kind == "secret" else kind
    if kind == "password" and connected:
        after = "" if tight and after in (",", ";") else after
        tight = True
    return _bare(kind, value, after, colon=":" in match["o"], tight=tight)


def _is_listed(name: str, value: str) -> bool:
    """Return whether the text after a name in a row or in arguments is a secret, not a name."""
    if len(value) < 6 or not value.isascii() or is_common(value.rstrip("0123456789").lower()):
        return False
    if names_password(value) or has_stem(value) or is_path(value) or is_placeholder(value):
        return False
    compound = "_" in name.strip("_")
    odd = is_strong(value) or is_random(value) or is_made_up(value) or is_shuffled(value)
    typed = has_digit(value) and not (value.islower() and value.isalnum() and not compound)
    typed = typed and not ("_" in value and value.isidentifier()) and not is_code(value)
    worded = "_" not in value and is_words(value, 2)
    return odd or (typed and is_mixed(value)) or (compound and (is_pin(value) or worded))


def _is_literal(text: str, start: int, end: int) -> bool:
    """Return whether the quotes around `name=value` make it one text, which no code can be."""
    quote = text[end : end + 1]
    return quote in ("'", '"') and text[text.rfind("\n", 0, start) + 1 : start].count(quote) % 2 > 0


def is_key(value: str) -> bool:
    """Return whether the value of some `X_KEY` looks drawn at random."""
    plain = (
        value.isalnum() and len(value) >= 16 and is_mixed(value) and len(longest_word(value)) < 9
    )
    drawn = plain or is_random(value, 14) or is_strong(value)
    return drawn and not (has_stem(value) or is_code(value) or is_path(value))


def _is_connection(text: str, start: int, end: int) -> bool:
    """Return whether a name and its value stand among others, as in a connection string."""
    if _NEXT.match(text, end):
        return True
    before = text[max(start - 120, 0) : start].lower().rpartition("\n")[2]
    return any(part in before for part in _CONNECTION)


def _quoted(kind: str, value: str, *, shell: bool = False) -> bool:
    """Return whether a quoted value of a name of `kind` is a secret; shell: it may have spaces."""
    odd = not (value.isascii() or has_digit(value)) or any(c.isspace() for c in value)
    if kind == "key":
        return is_key(value)
    if kind in ("password", "secret") and is_passphrase(value, 3 if kind == "password" else 4):
        return True
    if odd and not (shell and kind == "password" and not has_stem(value)):
        return False
    if is_placeholder(value) or any(part in value for part in _PATTERNED):
        return False
    if is_random(value, 20) or _is_phrase(kind, value):
        return True
    return _named(kind, value)


def _is_phrase(kind: str, value: str) -> bool:
    """Return whether a value is words with hyphens; of a `secret`, three name its object."""
    return kind in _LEAST_WORDS and is_words(value, _LEAST_WORDS[kind])


def _named(kind: str, value: str) -> bool:
    """Return whether a quoted value that is neither words nor random is a secret."""
    named = is_wordy(value) and (has_stem(value) or names_password(value))
    if kind == "password":
        return len(value) >= 4 and not (named and is_name(value))
    if len(value) < (6 if is_mixed(value) or value.isdigit() else 8) or named:
        return kind == "pass" and len(value) >= 4 and not named
    if kind == "pass" and value.isalpha():
        return True
    if is_wordy(value):
        letters = value.replace("-", "")
        short = kind == "secret" or (value.islower() and has_cluster(value))
        long = letters.isalpha() and len(value) >= (8 if short else 20)
        return long and (letters == value or is_scrambled(letters))
    called = "(" in value and is_code(value) and turns(value) * 2 < len(value)
    return not ("/" in value and not has_digit(value)) and not called


def _environment(kind: str, name: str, value: str, *, tight: bool) -> bool:
    """Return whether the bare value of an upper-case name is a secret: `DB_PASSWORD=…`."""
    if is_placeholder(value) or value.lower() in STEMS or (name == "PASS" and not tight):
        return False
    if is_random(value, 20):
        return True
    words = is_words(value, 2)
    called = not tight or value.startswith(_ROOTS) or "(" in value or "[" in value
    constant = (
        value.isidentifier() and value.isupper() and (has_stem(value) or not has_digit(value))
    )
    password = kind in ("password", "pass")
    if len(value) < 4 or constant or (called and is_code(value) and not (password and words)):
        return False
    if password:
        return tight or words or not (value.isalpha() and value.istitle())
    if is_wordy(value):
        plain = value.isalpha() and len(value) >= (12 if has_stem(value) else 8)
        return is_lettered(value) or (tight and (plain or is_words(value, 4)))
    least = 12 if kind == "token" and value.isdigit() else 5 if tight else 8
    return len(value) >= (6 if kind == "secret" and is_mixed(value) else least)


def _bare(kind: str, value: str, after: str, *, colon: bool, tight: bool) -> bool:
    """Return whether a bare value of any other name is a secret: query, INI, YAML, code."""
    ends = after in ("", "\n", "\r")
    compared = "=" in value.rstrip("=") and not (tight or is_random(value))
    if is_random(value, 12 if value.isalpha() else 20) and not is_placeholder(value):
        return True
    sure = ends and "(" not in value and (is_shuffled(value) or is_words(value, 4))
    pair = ends or (tight and after == " " and "." not in value)
    pair = pair and (is_words(value, 2) or is_titled_pair(value)) and not is_path(value)
    if (kind in ("password", "secret") and sure) or (kind == "password" and pair):
        return True
    named = has_stem(value) and (is_wordy(value) or value.isidentifier())
    if compared or named or is_placeholder(value) or is_code(value):
        return False
    password = kind == "password"
    if is_lettered(value) and (colon or tight) and kind != "key":
        return ends or (kind in ("password", "pass") and after not in (",", ";", "."))
    if kind == "pass" and not tight and value.isidentifier():
        return colon and is_mixed(value) and "_" not in value
    if value.isdigit():
        chosen = kind in ("password", "pass", "secret") and len(value) >= (4 if tight else 6)
        chosen = chosen and (tight or ends)
        return chosen or len(value) >= 12
    chosen = password and ends and (is_numbered(value) or is_half_titled(value))
    if chosen or _is_phrase(kind, value):
        return password or tight or colon
    if is_wordy(value):
        least = 4 if tight else 6
        typed = (colon and ends and value.islower()) or (
            tight and after not in (",", ")", ";", ".")
        )
        return kind in ("password", "pass") and value.isalpha() and len(value) >= least and typed
    if value.isidentifier():
        short = password or (kind == "pass" and tight)
        least = 6 if short else 8 if tight or (colon and ends) else 12
        return len(value) >= least and is_mixed(value) and (tight or colon or "_" not in value)
    least = 4 if password else 5 if tight else 6 if colon and ends else 8
    return len(value) >= least and (is_mixed(value) or password)
