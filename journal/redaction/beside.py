"""Replace what looks like a secret near a word that announces one, whatever the grammar.

A rule for each form of a sentence or a command never ends; but what has the form of a password or
a token hardly ever stands near such a word without being one.

Invariant: linear; a value has no quote and no backslash, so that JSON stays JSON.
"""

from __future__ import annotations

import re

from journal.redaction.drawn import is_public
from journal.redaction.value_forms import form_of, is_jumbled, is_plain
from journal.redaction.value_kinds import (
    has_cluster,
    has_digit,
    has_stem,
    is_hexadecimal,
    is_made_up,
    is_path,
    is_scrambled,
    is_shuffled,
    is_words,
)

TAG = "[redacted:beside]"

_REACH = 100  # characters of the same line between a word and its secret
_NEAR = 40  # the same for a value that could be a name: word1234
_TOKEN_SIZE = 16  # characters; a shorter mixture beside `key` may be anything
_WORDS = 20  # characters between a noun for a password and its value, with other words between
_SIGNS = r"\w!#$%&*+.?@^~\-"
_VALUE = re.compile(
    rf"(?:(?<![{_SIGNS}/\\])|(?<=\\[nrt]))(?:[\w+/-]{{10,120}}+={{1,2}}(?![\w=])|"
    rf"[A-Za-z0-9+/]{{40}}(?![\w+/=.-])|"
    rf"[{_SIGNS}]{{8,64}}+(?![{_SIGNS}/(]|::|\\(?![\\\"'nrt])))",
    re.ASCII,
)
_EQUATED = re.compile(rf"(?<![{_SIGNS}/\\=])[{_SIGNS}=]{{11,64}}+(?![/(\"'])", re.ASCII)
# Long expressions are texts, which `re` compiles where they are first needed and remembers: all of
# them take 13 ms, and most texts with a marker need none.
_EDGE = r"(?:(?<![a-z])|(?<=\\[nrt]))"
_ASIDE = re.compile(r"\[redacted:[\w-]+\]")
_PASSWORD = (
    r"(?i:passw|pass_?phr|passc|" + _EDGE + r"(?:pass|pwd?|creds?|psk|ssid|wi-?fi|wlan)(?![a-z])|"
    r"credential|key content|"
    r"パスワード|パスフレーズ|パス(?=は)|暗証|合言葉|비밀번호|비번|암호|패스워드|密[码碼]|口令|парол|"
    r"contrase[nñ]|palavra[- ]passe|"
    r"(?<![a-z])(?:clave|mdp|heslo|vpn)(?![a-z])|kennwort|mot de passe|senha|wachtwoord|hasł|"
    r"lösenord|passord|adgangskode|salasana|şifre|jelszó|kata sandi|parol|mật khẩu|authtok|"
    r"slaptaž|geslo|lozink|лозинк|parool|contrasenya|laluan|"
    r"κωδικός|পাসওয়ার্ড|סיסמ|كلمة (?:ال)?(?:مرور|سر)|पासवर्ड|รหัสผ่าน)"
)
# What stands between such a word and the value that it announces: "Password for 'X': ", (pw →
_DIRECT = (
    _PASSWORD + r"(?i:(?:[^\W\d_]{0,4}|のは)[\"'`)\]}*]{0,4}"
    r"(?: (?:for|of|on|vom|von|für|du|de|del|от|для|до|van|voor|dla|pro|pentru|của)"
    r"(?: \S{1,60}){1,3}?)?"
    r"(?:[ \t]*(?:[:=\uff1a→—\u2013|«]|[-=]>|<-)+|"
    r" (?:is|ist|est|es|to|from|was|be|c'est|auf|type|är|je|az|adalah|este|enter|er|é|è|là|"
    r"είναι|\u0435|"
    r"\(?(?:was|is|now|now is))(?= ))"
    r"(?: {1,2}(?:is|to|from|now))*(?: ?[\[({](?:[\"'`]{0,2}, ?)*)?[ \t\"'`„“「*]{0,7})\Z"
)
_CLOSE = (  # password X, wifi Home / X
    rf"(?:{_DIRECT})|{_PASSWORD}\w{{0,4}} [\"'`]?\Z|"
    r"(?i:ssid|wi-?fi|wlan)[: ]{1,2}[\w.-]{2,32} ?/ ?\Z"
)
# Such words in prose and in code that hardly announce a value: pass, credentials, PassRef.
_NO_NOUN = r"(?i:vpn|cred(?:s|entials?)?|(?<![a-z])pass(?![a-z]))|[Pp]ass(?=[A-Z])"
# What labels a value from behind: X (root pw), X  # password
_LABEL = r"(?i)(?:\(|# ?|// ?|-- )(?:\w{2,12} ){0,2}(?:password|pass|pwd?|passphrase)\)?\s*\Z"
_LOGIN = (
    r"(?i)log(?:ged|ging)? ?in|sign(?:ed)? ?in|" + _EDGE + r"(?:auth|admin|root|sudo|community|"
    r"wi-?fi|psk)|/user:|user(?:name)?[ =:]"
)
# What stands right before the password of a user: basic auth is bob:X, <<< X.
_OF_USER = (
    r"(?i)(?:(?:auth(?: is)?|creds are)[ =][\"']?\w{1,30}:|/user:\w{1,30} |"
    r"<<< ?[\"']?|\bbasic |\{(?:plain|cleartext)\})\Z"
)
# The same where nothing but a password follows: -u bob:X, -u bob -p X, btoa("bob:X").
_FLAGGED = (
    r"(?i)(?:(?<![\w-])(?:-[au]|--[\w-]{0,20}(?:user|auth|creds?))(?:[ =]|[\"'], ?)[\"']?"
    r"[\w.@+-]{1,40}:|"
    r"(?<![\w-])(?:-[ulx]|-[gx]u|--user(?:name)?|/r?u)[ =:]?\S{1,40} (?:[^\n|;]{0,60} )?"
    r"[-/][agrx]?pw?[ =:]?[\"']?|"
    r"(?:btoa|b64encode\w*|base64\w*|buffer\.from|userpwd,|auth\w*) ?\(?b?"
    r"[\"'][\w.@+-]{1,40}:)\Z"
)
_KEYS = (
    r"(?i:token|secret|\"kty\"|api[-_ ]?key|[a-z]key(?![a-z])|bearer|authorization|hmac|"
    r"(?<![a-z])(?:sk|pk|pat|jwts?|cred|t?otp|priv|sign(?:er|with)?|keys?|auth|seed|signing|"
    r"ingest(?:ion)?|api|geheimnis|keyring)(?![a-z])|[a-z]jwt|api_?client|"
    r"cipher(?:iv)?\(|aes(?:\.new|gcm)?\(|"
    r"salt|pepper|schlüssel|jeton|clé|clave|chave|chiave|ключ|токен|pwgen|rand -|urandom|"
    r"cookie|session(?=[\"']:|[:=](?! ))|add-mask|"
    r"klucz|klíč|sleutel|nyckel|nøgle|avain|anahtar|kulcs|cheie|"
    r"licen[cs]e|serial|lizenz|ライセンス|トークン|キー|"
    r"シークレット|鍵|토큰|키(?![가-힣])|키[는를가:]|시크릿|密[钥鑰]|令牌|[私公]钥)"
)
# The same right before a value that a person made up: la chiave API è X, WPA2 key X
_KEY_IS = (
    _KEYS + r"(?i:[^\W\d_]{0,3}(?: [\w']{1,12}){0,2}(?: ?[:=→]| (?:is|ist|est|es|é|è))|"
    r"(?<=wpa key)|(?<=wpa[23] key))[ \"'`]{1,2}\Z"
)
# What stands around a value that has a line of its own: marks of a list, quotes.
_AROUND = " \t\r\"'`,;*•-+()[]|>:.=" + "0123456789"
_ALONE = re.compile(r"(?=\S*\d)\S{6,80}")
_ABOVE = 600  # characters above a value in which the line is looked for that announces it
# What says behind a value that it is a token: X is the API key, X for JWT_SECRET, X // token.
_COMMENT = (
    r"(?i)(?:#|//|--).{0,20}(?:token|api[_ -]?key|secret)|"
    r"\A[^\n]{0,40}\"kty\"|field: ?[\"']x-[\w-]{0,20}(?:key|token)|\A a valid (?:api key|token)|"
    r"\A[\"'`)?,.]{0,3} ?(?:is|as|in as|for|that's|it's|ist|als) "
    r"(?:(?:(?:an?|the|our|my|your|der|unser) (?:[a-z]{2,12} ){0,2}|(?:jwt|session|webhook) ?)"
    r"(?:api[-_ ]?(?:key|schlüssel)|token|secret|key|password|passphrase)\b|"
    r"(?-i:[A-Z]{2,}_(?:KEY|TOKEN|SECRET)))|"
    r"\A[\"'`)?,.]{0,3} ?(?:is|as|for|als) api[-_ ]?(?:key|token|schlüssel)\b|"
    r"\A[\"'`]? ?(?:[が는은가이是]|作为) ?(?:api ?(?:キー|키|密钥)|トークン|토큰|令牌|密钥)"
)
# What stands right before the password of an account: bob@host / X, as root with X.
_ACCOUNT = (
    r"(?i)(?:\b(?:[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,40}|"
    r"[\w.-]{1,40}@\d{1,3}(?:\.\d{1,3}){3}|admin|root|ssh [\w.-]{1,40}@[\w-]{1,40})"
    r"(?: ?[#/,:;|→]| and| with| und| mit| 和| 및)?[ \t]\(?|"
    r"\b(?:with|as|using|mit|avec|con|com|met) [\w.@-]{2,40} ?/ ?|"
    r"\b[A-Z][\w.-]{1,20}\\[\w.-]{2,30}[:/ ]|"
    r"(?:\A|\n)[ *•-]{0,4}[\w .-]{2,30} ?: [\w.@-]{2,30}(?: ?/ ?|:)|: (?:admin|root) |"
    r"\b(?:unlock|locked|[de][en]crypt|log ?in|sign ?in|ssh|sudo|anmeld\w{0,6}|einlogg\w{0,6}|"
    r"open)\b[^\n]{0,40}?[ ,](?:with|using|mit|it's|und)[: ]|"
    r"(?:auth(?!o)|basic|admin|user|login|account|cred|cracked|계정|アカウント|账号|"
    r"connect(?:ion)?\()[^\n]{0,40}?"
    r"[\"'(\s=:/][\w.=@-]{2,40}[\"']?(?::|, ?|: | ?/ ?|"
    r" (?:and|und|e|y|et|i|og|och|en|и|та) ))[\"'`„“]?\Z"
)
# The same where hardly anything but a password follows: bob@x.com:X, 10.0.0.4 root X, root:X.
_OWNER = re.compile(
    r"(?i)(?:\b(?:admin|root|(?!git@)[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,40})(?:[:;|]| / | \| )|"
    r"\b(?:admin|root|guest)[\"']: ?(?=[\"'])|"
    r"\d\.\d{1,3}[ ,;|-]{1,3}(?:admin|root|sa|user)(?: [|-])? |"
    r"\bu: ?\S{1,40}[ ,;]{1,2}p: ?)[\"'`]?\Z"
)
_TREE = re.compile(r"\broot[\"']: ?[\"']\Z")  # digits behind it are the ID of a tree's root
_USER = re.compile(r"(?i)(?<![a-z])(?:user(?:name)?|login|e-?mail) ?: ?\S{2,60}\s*\Z")  # above it
_OTHER = r"(?i)(?:user|name|mode|type(?! )|id|repr)[\"']?[:=(, ]{1,4}[\"'`]\Z"  # than a password
_COMMENTED = re.compile(r"(?<![^\n])[ \t]*(?:#|//|--(?= )|;|/\*)[^\n]{4,80}\n\Z")  # above a value
_PROMPT = re.compile(r"(?:\S{1,60}[$#%]|[$%]) ")  # of a shell: the line below is the output
_MEMBER = re.compile(r"[ \t+-]*[\"']?([\w.-]{1,40})[\"']?(?:: ?| ?=>? ?)b?[\"']?")
# The head of a mapping in a file or in code: secrets:, "api_keys": {, TOKENS = {
_SECTION = (
    r"(?i)(?:secret(?:s|_?data)|passwords|credentials|tokens|[_-]keys|users|admins|accounts|"
    r"logins|(?<![a-z])auth)[\"']?\]? ?(?::|=>?|:=|(?<=\]))(?:[\w\[\] ]{0,30}[\[{(])?\s"
)
_VALUES = ("value", "default", "defaultvalue")  # members whose mapping has the name
_OTHERS = ("name", "user", "login", "id", "arn", "type", "provider", "url", "host", "path")
# Of these each ASCII text has one in which a word for a password may stand.
_STEMS = (
    "$ ",
    *"""
    pass pwd pw cred auth psk ssid wi- wifi wlan vpn clave mdp kennwort senha wachtwoord parol
    adgang salasana heslo kata contrase palavra admin root @ -u user -xu -gu btoa encode secrets:
    <<< secret_data tokens:
    """.split(),
)
# A second secret, right behind the first: "changed from X to Y".
_SECOND = re.compile(
    r"\[redacted:[\w-]+\][\"'`,.]{0,2} (?:to|->|=>|→|in|auf|and|or|und|the new one is|"
    r"(?:but|and),? (?:on|for|in) \w{1,20}(?: it)?(?: is|'s)?) [\"'`]?\Z"
)
# What stands between a key and its secret: ("X", "Y"), AKIA… Y, AKIA…: Y.
_NEXT = re.compile(
    r"\[redacted:(?:[\w-]+\][\"'], ?[\"']|aws\][^A-Za-z0-9]{1,8}(?:(?:with|and) )?)\Z"
)
_REST = re.compile(r"\[redacted:[\w-]+\][\"'\\+. ]*\Z")  # above the second half of a secret
_DIGEST = r"sha\d{1,3}[=:-]\Z"  # sha256=
_RARE = frozenset("!#$%@")  # signs of passwords
_ODD = (has_digit, has_cluster, is_scrambled, is_shuffled, is_words)
_CHOSEN_FORMS = ("name", "letters", "short")


def without_beside(text: str) -> str:
    """Replace each such value; the same object if there is none."""
    if "=" in text:
        text = _EQUATED.sub(_replace_equated, text)
    out: list[str] = []
    copied = 0
    lower = text.lower()
    announced = not text.isascii() or any(stem in lower for stem in _STEMS)
    for match in _VALUE.finditer(text):
        form, ahead, value = form_of(match[0])
        start = match.start() + ahead
        end = start + len(value)
        sure = form == "typed" or _is_output(text, start, end)
        if not form:
            if not (sure and _is_no_name(value)) and not (announced and is_plain(value)):
                continue
            form = "plain"
        if form == "generated":
            sure, form = sure or not is_public(text, start, end), "mixed"
        if sure or _is_announced(text, start, end, form):
            out += [text[copied:start], TAG]
            copied = end
    return "".join((*out, text[copied:])) if out else text


def names_password(value: str) -> bool:
    """Return whether a word for a password is in a value: Wachtwoord, private_pass."""
    return re.search(_PASSWORD, value) is not None


def _replace_equated(match: re.Match[str]) -> str:
    """Return the tag for a password that has an equals sign in it."""
    value = match[0]
    first, _, rest = value.partition("=")
    named = first.isidentifier() and len(first) > 2 and first in (first.lower(), first.upper())
    whole = rest.strip("=") and not named and "&" not in value
    sure = is_jumbled(value)
    if whole and not sure and is_scrambled(value) and has_digit(value):
        before = match.string[max(match.start() - _NEAR, 0) : match.start()].rpartition("\n")[2]
        sure = before[-1:] in ("'", '"') and re.search(_PASSWORD, before) is not None
    return TAG if whole and sure else value


def _is_announced(text: str, start: int, end: int, form: str) -> bool:
    """Return whether a word in the line of a value announces a secret of this form."""
    first = text.rfind("\n", 0, start) + 1
    before = _ASIDE.sub("", text[max(start - _REACH, first) : start])
    after = _ASIDE.sub("", text[end : end + _REACH].partition("\n")[0])
    asserted = form != "hexadecimal" and re.search(_PASSWORD, before[-_NEAR:] + after[:_NEAR])
    named = form in ("strong", "name", "plain") or (asserted and not re.search(_DIGEST, before))
    part = form in ("plain", *_CHOSEN_FORMS) and before[-2:] == after[:2] == ": "  # wifi: mac80211:
    if part or (not named and is_public(text, start, end)):
        return False
    second = _SECOND.search(text, max(start - _NEAR, first), start)
    owned = second or _OWNER.search(before) or re.search(_FLAGGED, before)
    if owned and (form != "hexadecimal" or not _TREE.search(before)):
        return form != "hexadecimal" or "@" not in before[-_NEAR:]
    if _is_of_account(text[start:end], form, before):
        return True
    behind = _NEXT.search(text, max(start - _NEAR, 0), start)
    if behind and form in ("hexadecimal", "mixed", "strong"):
        return True
    if first and not (before.strip(_AROUND) or after.strip(_AROUND)):
        before = _line_above(text, first)
        if _REST.search(before) or (form != "plain" and _USER.search(before)):
            return True
    elif member := _MEMBER.fullmatch(before):
        head = _parent(text, first)
        if re.search(_SECTION, head + " ") and not member[1].lower().endswith(_OTHERS):
            return True
        head = _line_above(text, first) if member[1] == "value" else head
        before = f"{head.rstrip(' {[(')} {'' if member[1].lower() in _VALUES else before}"
    if comment := _COMMENTED.search(text, max(first - _REACH, 0), first):
        before = f"{comment[0]} {before}"
    return _is_close(text, start, end, form, (before, after))


def _is_of_account(value: str, form: str, before: str) -> bool:
    """Return whether a value that no name looks like is right behind a user or an account."""
    if form == "plain":
        form = "" if is_words(value, 4) or (has_digit(value) and set(value) & _RARE) else form
    owned = re.search(_OF_USER, before)
    if owned and form == "plain" and any(f(value) for f in (is_words, is_scrambled, is_made_up)):
        return True
    if form in ("hexadecimal", "plain"):
        return False
    return bool(owned or re.search(_ACCOUNT, before))


def _is_output(text: str, start: int, end: int) -> bool:
    """Return whether a value is all that the command in the line above prints and announces."""
    if text[max(start - 1, 0) : start] != "\n" or text[end : end + 1] not in ("", "\n"):
        return False
    above = text.rfind("\n", 0, start - 1) + 1
    if not _PROMPT.match(text, above):
        return False
    line = text[max(above, start - _REACH) : start]
    return bool(re.search(_PASSWORD, line) or re.search(_KEYS, line))


def _is_no_name(value: str) -> bool:
    """Return whether the output of a command is neither a digest nor a file nor a word."""
    digest = is_hexadecimal(value) and len(value) < 32
    return has_digit(value) and not (digest or is_path(value) or has_stem(value))


def _is_close(text: str, start: int, end: int, form: str, sides: tuple[str, str]) -> bool:
    """Return whether a word for a secret is as close to a value as its form asks for."""
    before, after = sides
    if form == "plain":
        value = text[start:end]
        odd = any(is_kind(value) for is_kind in _ODD)
        quote = text[start - 1 : start]
        quoted = quote in (("'", '"', "`") if odd else ("'", '"')) and text[end : end + 1] == quote
        if quoted and not re.search(_OTHER, before):
            near = [before[-_NEAR:], after[:_NEAR]]
            if quote == "`" or not odd:  # a name in code, or in a list of names
                near = [re.sub(_NO_NOUN, "", side) for side in near]
            return any(re.search(_PASSWORD, side) for side in near)
        if re.search(_LABEL, after):
            return True
        if text[start - 1] == "]" or text[end : end + 1] in ("<", "[", "("):
            return False
        whole = "&" not in value and "." not in value.partition("@")[2]  # &#34; bob@x.invalid
        noun = odd and whole and re.search(_PASSWORD, re.sub(_NO_NOUN, "", before)[-_WORDS:])
        key = odd and value.isalnum() and re.search(_KEY_IS, before)
        return bool(noun or key or re.search(_CLOSE if odd else _DIRECT, before))
    if form == "hexadecimal":
        close = re.search(_KEYS, before[-60:]) or re.search(_PASSWORD, before[-_NEAR:])
        return bool(close or re.search(_COMMENT, after))
    if form in _CHOSEN_FORMS:
        if re.search(_KEY_IS, before):
            return True
        return any(re.search(_PASSWORD, side) for side in (before[-_NEAR:], after[:_NEAR]))
    patterns = [_PASSWORD]
    if form == "strong" or end - start >= _TOKEN_SIZE:
        patterns += (_KEYS, _LOGIN)
    return any(re.search(pattern, side) for pattern in patterns for side in sides)


def _line_above(text: str, end: int) -> str:
    """Return the end of the line that a list of values, one a line, stands below."""
    for line in reversed(text[max(end - _ABOVE, 0) : end].split("\n")):
        if (bare := line.strip(_AROUND)) and not _ALONE.fullmatch(bare):
            return line[-_REACH:]
    return ""


def _parent(text: str, end: int) -> str:
    """Return the name of the mapping in which the line behind `end` stands."""
    indent = _indent(text[end : end + _REACH])
    for line in reversed(text[max(end - _ABOVE, 0) : end].split("\n")):
        if line.strip() and (_indent(line) < indent or (line[0] == "[" and line[-1] == "]")):
            return line[-_REACH:]
    return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t+-"))
