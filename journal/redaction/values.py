"""Decide whether a value is a secret, or a reference, code, a type, a word of prose.

Imported only once a regular expression of the table has matched. Invariant: what is clearly a
reference (`$X`, `<token>`, `getpass()`, `self.token`, `str`) stays; anything with the look of a
typed-in value goes. In doubt an upper-case name (`DB_PASSWORD=`) and quotes speak for a secret.
"""

from __future__ import annotations

import itertools

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_STEMS = ("password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key")
# Words that stand where a value could: types, keywords, states, the prose of help and logs.
_WORDS = frozenset(
    """
    none null nil true false undefined void any object string str bytes int integer bool boolean
    number float char text varchar field optional required secretstr unknown never self this
    super await async new return yield lambda function func def class const let var import from
    require if else not and or is in on to as of for with the an was were has had must should
    can will may when via that then than instead only flag flags option options param parameter
    parameters argument arguments value values name file files path stdin stdout prompt prompted
    input output list dict invalid missing incorrect expired empty unset changed updated reset
    disabled enabled wrong failed accepted rejected default hidden protected provided given
    needed valid revoked rotated mismatch refreshed created deleted removed added found ignored
    stored saved verified confirmed redacted masked example placeholder changeme dummy todo tbd
    fixme bearer basic digest oauth oauth2 jwt sha1 sha256 sha512 md5 base64 bcrypt argon2
    argon2id utf8 utf-8 hmac ed25519 manager service authentication authorization authenticated
    credentials credential identifier keyword number hashed encrypted plaintext generate
    generated random inherit authorized unauthorized denied before after which without until
    because support supported supports requires using already again either while where there
    these those could would might cannot between during through header query cookie body type
    types kind length count reuse
    """.split()
)
# What stands in a sentence of a form or an error message, never in a passphrase.
_SENTENCE = frozenset(
    """
    all any are been but chars characters check click confirm contain contains current did does
    enter error every field first forgot get has have here how its least login long match message
    minimum new not old one only other our out page please repeat same see set short show sign
    some text than the their them they this too try two typed use used user wrong you your want
    """.split()
)
_PLACEHOLDERS = (
    "your",
    "example",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "insert",
    "dummy",
    "todo",
    "enter",
    "redacted",
    "some-",
    "some_",
)
_ROOTS = (
    "process.",
    "os.",
    "self.",
    "this.",
    "config.",
    "settings.",
    "env.",
    "import.meta",
    "args.",
)
_PASSWORDS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "storepass",
    "keypass",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
)
_SETTERS = ("password", "setpassword", "set_password", "withpassword", "with_password")
_CURSORS = ("page_token", "pagetoken", "next_token", "nexttoken", "page-token", "next-token")
_KEYS = (
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "encryption",
    "signing",
    "master",
    "account",
    "storage",
)
# Keys of data, not of doors.
_ORDINARY_KEYS = (
    "public",
    "pub",
    "primary",
    "foreign",
    "cache",
    "sort",
    "partition",
    "hash",
    "index",
    "group",
    "idempotency",
    "routing",
    "dedupe",
    "dedup",
    "unique",
    "natural",
    "object",
    "row",
    "query",
    "lookup",
    "s3",
    "host",
    "etag",
)
_FILES = (
    ".pem",
    ".key",
    ".txt",
    ".json",
    ".env",
    ".yaml",
    ".yml",
    ".py",
    ".crt",
    ".toml",
    ".sh",
    ".ts",
    ".js",
    ".md",
    ".go",
    ".rs",
    ".java",
    ".html",
    ".cfg",
    ".ini",
    ".com",
    ".log",
)
_PATTERNED = ("{", "[^", "\\w", "\\d", "\\s", "(?")  # a template or a regular expression
_DIGITS = frozenset("0123456789")
_BARE_STOP = frozenset("\"'`<>&,;|\\ \t\r\n\f\v")
_BOUND = 160  # characters; the bound of `u` and `h` in the table
_NAME_LIMIT = 48  # characters looked at before a keyword for the whole name


def secret_span(name: str, match: re.Match[str], text: str) -> tuple[int, int] | None:
    """Return the span (start, end) in `text` that is to be replaced, or None to leave it."""
    group = match.lastgroup or ""
    for candidate in "sdegbuh":
        if candidate in match.re.groupindex and match[candidate]:
            group = candidate
            break
    start, end = match.span(group)
    if group == "s":
        return start, end
    cut = end - start >= _BOUND
    if group == "u" or name == "sentence":
        end = _trim(text, start, end)
    value = text[start:end]
    good = not _reference(value) and _weighed(name, group, match, text, value)
    if good and cut and (group == "u" or name == "header"):
        end = _extend(text, match.end(group))
    return (start, end) if good else None


def _weighed(name: str, group: str, match: re.Match[str], text: str, value: str) -> bool:
    """Return whether the value that a row of the table found is a secret."""
    if name == "is-the":
        plain = _placeholder(value) or _common(value.lower()) or "(" in value
        return not plain and (_random(value) or _mixed(value))
    if name == "sentence":
        return _said(match, value)
    if name == "header":
        return _header(match, value)
    if group == "h" or name in ("curl", "command", "netrc", "sql", "stdin", "literal"):
        return _host(name, value)
    if name == "flag":
        return _flag(match["k"].lower(), value, quoted=group != "u")
    return _assigned(match, text, value, quoted=group != "u")


def secret_under(key: str, value: str) -> bool:
    """Return whether `value` is a secret because it stands under `key` in a mapping."""
    kind = _kind(key.lower())
    return bool(kind) and not _reference(value) and _quoted(kind, value)


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


def _reference(value: str) -> bool:
    """Return whether `value` is a template, a mask, a tag or a location, never a secret."""
    if len(value) < 3 or not value.strip("*xX.\u2022-_#?\u2026: "):
        return True
    head = value[0]
    if head in "<{" or "{{" in value or "${" in value or "$(" in value or "%(" in value:
        return True
    if head == "$":
        return value[1:].strip("!:-").replace("_", "a").replace(":", "a").isalpha() or (
            value[1:2].isupper() and value[1:].replace("_", "a").isalnum()
        )
    if head == "%" and (value[1:2] in "sdv" or value.endswith("%")):
        return True
    if "[redacted:" in value or "://" in value or value.startswith(("...", "#{", "\\(")):
        return True
    return _path(value)


def _path(value: str) -> bool:
    if value.startswith(("/", "./", "../", "~/", "@/", "file:", "env:", "env.", "arn:", "vault:")):
        return len(value) < 24 or value.count("/") > 1 or "." in value
    return value.lower().endswith(_FILES) and value.replace("/", "").replace(".", "").isascii()


def _placeholder(value: str) -> bool:
    low = value.lower()
    return low in _WORDS or low.startswith(_PLACEHOLDERS) or low.endswith(("_here", "-here"))


def _stem(value: str) -> bool:
    """Return whether `value` is itself a name of a secret: `db_password`, `API_TOKEN`."""
    low = value.lower()
    return any(stem in low for stem in _STEMS)


def _digit(value: str) -> bool:
    return not _DIGITS.isdisjoint(value)


def _random(value: str, least: int = 16) -> bool:
    """Return whether `value` looks drawn at random: digits strewn among letters."""
    value = value.rstrip("=").removeprefix("base64:")
    if len(value) < least or not all(c.isalnum() or c in "-_+/.=~" for c in value):
        return False
    if value.isdigit():
        return len(value) >= least
    pairs = list(itertools.pairwise(value))
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairs)
    humps = sum(a.isupper() != b.isupper() for a, b in pairs if a.isalpha() and b.isalpha())
    parts = value.replace("_", "-").replace("/", "-").replace(".", "-").split("-")
    named = sum(len(part) > 2 and part.isalpha() and part[1:].islower() for part in parts)
    return (turns >= 3 or humps * 3 >= len(value)) and named < 2


def _mixed(value: str) -> bool:
    """Return whether `value` has a digit and a letter."""
    return _digit(value) and any(c.isalpha() for c in value)


def _wordy(value: str) -> bool:
    """Return whether `value` is letters alone, or words joined by - _ . / :."""
    parts = value
    for c in "-_./:":
        parts = parts.replace(c, "a")
    return parts.isalpha()


def _identifier(value: str) -> bool:
    """Return whether every part of a dotted or arrowed `value` could be a name in code."""
    parts = value.replace("->", ".").replace("::", ".").replace("?.", ".").strip("!&*.").split(".")
    return all(p.isidentifier() for p in parts)


def _code(value: str) -> bool:
    """Return whether a bare `value` is a call, an index, a dotted name or an expression."""
    value = _unpadded(value)
    for bracket in "([":
        head, found, _ = value.partition(bracket)
        if found and (not head or _identifier(head)):
            return True
    if value[0] in "([{=!&*+-|:~" or value[-1] in "([{=":
        return True
    if ":" in value and _identifier(value.replace(":", ".")):
        return True
    return any(c in value for c in ".>:?") and _identifier(value)


def _unpadded(value: str) -> str:
    """Return base64 text without its padding; anything else as it is."""
    bare = value.rstrip("=")
    coded = 0 < len(value) - len(bare) < 3 and len(value) % 4 == 0 and len(bare) > 5
    return bare if coded and bare.replace("+", "a").replace("/", "a").isalnum() else value


def _kind(key: str) -> str:
    """Return `password`, `pass`, `secret`, `token`, `key` or "" for a lower-case name."""
    kind = ""
    if key.endswith(_PASSWORDS):
        kind = "password"
    elif key.endswith(("psk", "pw")):
        head = key.removesuffix("psk").removesuffix("pw")
        kind = "pass" if not head or head[-1] in "_-." else ""
    elif key.endswith("pass"):
        kind = "pass" if key == "pass" or key[-5] in "_-." else ""
    elif key.endswith("token"):
        kind = "" if key.endswith(_CURSORS) else "token"
    elif key.endswith("key"):
        owner = key[:-3].rstrip("_- ")
        kind = "secret" if owner.endswith(_KEYS) else ""
        if owner and not kind and not owner.endswith(_ORDINARY_KEYS):
            kind = "key"
    elif key == "_auth" or key.endswith(("secret", "credential", "credentials", "cli_auth")):
        kind = "secret"
    return kind


def _host(name: str, value: str) -> bool:
    """Return whether the password of a URL, of `curl -u`, of a database command is a secret."""
    if name in ("netrc", "markup", "stdin", "literal") and (_placeholder(value) or len(value) < 4):
        return False
    if name == "sql":
        return not _placeholder(value) and not any(c.isspace() for c in value)
    return not (value[0] == "$" and value[1:].isidentifier())


def _header(match: re.Match[str], value: str) -> bool:
    """Return whether what stands behind `Authorization:` or `Bearer` is a secret."""
    if _placeholder(value) or _path(value):
        return False
    inner = sum(value[i].islower() and value[i + 1].isupper() for i in range(len(value) - 1))
    if match["k"] and not match["t"]:
        return _mixed(value) and len(value) >= 12 and not _code(value)
    if match["k"]:
        long = len(value) >= 20 and not _wordy(value)
        return _digit(value) or inner > 1 or value.endswith("=") or long
    if _identifier(value) and _stem(value):
        return False
    return len(value) >= 12 and (inner > 2 or (_mixed(value) and len(value) >= 16))


def _flag(flag: str, value: str, *, quoted: bool) -> bool:
    """Return whether what stands behind `--password`, `--token` is a secret."""
    password = "pass" in flag or "pwd" in flag
    if value[0] == "-" or len(value) < 4 or _placeholder(value):
        return False
    if not (flag.startswith("--") or password or _mixed(value)):
        return False
    if quoted:
        return _quoted(_kind(flag), value, shell=password)
    if _wordy(value):  # the metavariable or the prose of a help text
        least = 6 if password else 16
        return len(value) >= least and value.isalpha() and not (value.isupper() or _stem(value))
    return not _code(value) and (_mixed(value) or password)


def _assigned(match: re.Match[str], text: str, value: str, *, quoted: bool) -> bool:
    """Return whether the value of `name = value`, `"name": "value"` is a secret."""
    at = start = match.start("k")
    while start > 0 and at - start < _NAME_LIMIT:
        c = text[start - 1]
        if not (c.isascii() and (c.isalnum() or c in "_-")):
            break
        start -= 1
    while start < at and text[start] == "-":
        start += 1
    name = text[start : match.end("k")]
    kind = _kind(name.lower())
    if not kind:
        return False
    sep = match["o"].strip()[-1:]
    if kind == "key":
        return _random(value, 14)
    if sep in ("(", ","):  # setPassword("…"), define('DB_PASSWORD', '…'), not any list of words
        if not (name.isupper() if sep == "," else name.lower() in _SETTERS):
            return False
        return _mixed(value) and not _stem(value) and _quoted(kind, value)
    if quoted:
        return _quoted(kind, value, shell=match["o"] == "=" and name.isupper())
    tight = match["o"].strip("\"'`\\]") in ("=", "\uff1a", "\uff1d") or not name.isascii()
    if not name.islower() and name.isupper() and name.isascii():
        return _environment(kind, name, value, tight=tight)
    return _bare(kind, value, text[match.end("u") :][:1], colon=":" in match["o"], tight=tight)


def _quoted(kind: str, value: str, *, shell: bool = False) -> bool:
    """Return whether a quoted value of a name of `kind` is a secret; shell: it may have spaces."""
    odd = not (value.isascii() or _digit(value)) or any(c.isspace() for c in value)
    if kind == "password" and _passphrase(value):
        return True
    if kind == "key":
        return _random(value, 14)
    if odd and not (shell and kind == "password" and not _stem(value)):
        return False
    if _placeholder(value) or any(part in value for part in _PATTERNED):
        return False
    if _random(value, 20):
        return True
    named = _stem(value) and _wordy(value)
    if kind == "password":
        return len(value) >= 4 and not (named and _named(value))
    if len(value) < 8 or named:
        return kind == "pass" and len(value) >= 4 and not named
    if _wordy(value):
        return value.isalpha() and len(value) >= (8 if kind == "secret" else 20)
    return not ("/" in value and not _digit(value)) and not ("(" in value and _code(value))


def _passphrase(value: str) -> bool:
    """Return whether `value` is three to eight plain words that make no sentence."""
    words = value.split(" ")
    plain = all(word.isalnum() and 2 < len(word) < 16 for word in words)
    return 3 <= len(words) <= 8 and plain and not any(_common(word.lower()) for word in words)


def _common(word: str) -> bool:
    return word in _WORDS or word in _SENTENCE or any(stem in word for stem in _STEMS)


def _said(match: re.Match[str], value: str) -> bool:
    """Return whether a sentence gives away the secret it speaks of."""
    if _placeholder(value) or _common(value.lower()) or _stem(value) or not value.isascii():
        return False
    key = match["k"].lower()
    token = any(
        word in key for word in ("token", "key", "secret", "トークン", "キー", "키", "토큰")
    )
    plain = not match["o"].strip()  # "the token X", without is
    if token or plain:
        return _random(value) and not (plain and _hexadecimal(value))
    if value.isalpha() or value.isdigit() or "(" in value or value[0] in "-.,;:/<{[":
        return bool(match["q"]) and len(value) > 5 and not _common(value.lower())
    words = [part for part in value.replace("-", " ").split() if part.isalpha()]
    return not ("-" in value and words) and (_mixed(value) or not _identifier(value))


def _hexadecimal(value: str) -> bool:
    return all(c in "0123456789abcdef-" for c in value)


def _named(value: str) -> bool:
    """Return whether a value with a keyword in it is a name (`db-password`), not a word."""
    return value.lower() in _STEMS or any(c in value for c in "_-./:") or value.istitle()


def _environment(kind: str, name: str, value: str, *, tight: bool) -> bool:
    """Return whether the bare value of an upper-case name is a secret: `DB_PASSWORD=…`."""
    if _placeholder(value) or value.lower() in _STEMS or (name == "PASS" and not tight):
        return False
    if _random(value, 20):
        return True
    called = not tight or value.startswith(_ROOTS) or "(" in value or "[" in value
    constant = value.isidentifier() and value.isupper() and (_stem(value) or not _digit(value))
    if len(value) < 4 or constant or (called and _code(value)):
        return False
    if kind in ("password", "pass"):
        return tight or not value.istitle()
    if _wordy(value):
        return tight and value.isalpha() and len(value) >= (12 if _stem(value) else 8)
    return len(value) >= (12 if kind == "token" and value.isdigit() else 8)


def _bare(kind: str, value: str, after: str, *, colon: bool, tight: bool) -> bool:
    """Return whether a bare value of any other name is a secret: query, INI, YAML, code."""
    compared = "=" in value.rstrip("=") and not (tight or _random(value))
    if _random(value, 20) and not _placeholder(value):
        return True
    named = _stem(value) and (_wordy(value) or value.isidentifier())
    if compared or named or _placeholder(value) or _code(value):
        return False
    if kind == "pass" and not tight and value.isidentifier():
        return colon and _mixed(value) and "_" not in value
    password = kind == "password"
    if value.isdigit():
        return (password and len(value) >= 4 and tight) or len(value) >= 12
    if _wordy(value):
        whole = colon and after in ("", "\n", "\r") and value.islower()
        typed = whole or (tight and after not in (",", ")", ";", "."))
        return password and value.isalpha() and len(value) >= 6 and typed
    if value.isidentifier():
        least = 6 if password else 8 if tight else 12
        return len(value) >= least and _mixed(value) and (tight or colon or "_" not in value)
    return len(value) >= (5 if password else 8) and (_mixed(value) or password)
