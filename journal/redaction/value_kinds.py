"""Classify a value by its form: reference, code, words, or random characters.

Each function answers one question about a text, independent of its name; `values` combines them.
Invariant: pure, and imported only once a regular expression of the table has matched.
"""

from __future__ import annotations

import itertools
import re

STEMS = ("password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key")
# Words that follow a secret's name in code and prose: types, keywords, states, help, logs.
_WORDS = frozenset(
    "none null nil true false undefined void any object string str bytes int integer bool boolean "
    "number float char text varchar field optional required secretstr unknown never self this "
    "super await async new return yield lambda function func def class const let var import from "
    "require if else not and or is in on to as of for with the an was were has had must should "
    "can will may when via that then than instead only flag flags option options param parameter "
    "parameters argument arguments value values name file files path stdin stdout prompt prompted "
    "input output list dict invalid missing incorrect expired empty unset changed updated reset "
    "disabled enabled wrong failed accepted rejected default hidden protected provided given "
    "needed valid revoked rotated mismatch refreshed created deleted removed added found ignored "
    "stored saved verified confirmed redacted masked example placeholder changeme dummy todo tbd "
    "fixme bearer basic digest oauth oauth2 jwt sha1 sha256 sha512 md5 base64 bcrypt argon2 "
    "argon2id utf8 utf-8 sha hmac ed25519 manager service authentication authorization "
    "authenticated credentials credential identifier keyword number hashed encrypted plaintext "
    "generate generated random inherit authorized unauthorized denied before after which without "
    "until because support supported supports requires using already again either while where "
    "there these those could would might cannot between during through header query cookie body "
    "type types kind length count reuse".split()
)
# Words of forms and error messages that no passphrase contains.
_SENTENCE = frozenset(
    "all any are been but chars characters check click confirm contain contains current did does "
    "enter error every field first forgot get has have here how its least login long match "
    "message minimum new not old one only other our out page please repeat same see set short "
    "show sign some text than the their them they this too try two typed use used user wrong you "
    "your want".split()
)
# How long words end that prose has behind the name of a secret: "the password is encrypted".
_ENDINGS = tuple(
    "ed ing ly able ible ory ion ment ive al ent ant ate ete ison ful les ous ity ness ary ence "
    "ance ic ism ist ify ize ise ie ede text ound here elve".split()
)
_PLACEHOLDERS = tuple(
    "your example placeholder changeme change_me change-me replace insert dummy todo enter "
    "redacted some- some_".split()
)
_FILES = tuple(
    ".pem .key .txt .json .env .yaml .yml .py .crt .toml .sh .ts .js .md .go .rs .java .html .cfg "
    ".ini .com .log".split()
)
_SCRAMBLED = 16  # letters of one case that are looked at for vowels
_VOWELS = str.maketrans("aeiouy", "      ")
_LETTERS = str.maketrans("", "", "0123456789")
_JOINTS = str.maketrans("_/.+", "----")
_NUMBERED = re.compile(r"[a-z]{4,14}[_.][0-9]{4,6}")
_WORD = re.compile(r"[a-z]{4,}|[A-Z]{6,}")
_PART = re.compile(r"[A-Z][a-z]{2,}|[a-z]{4,}")
_ENCODED = str.maketrans("+/-_", "aaaa")  # the signs of base64
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xz]{5}")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UUID = [8, 4, 4, 4, 12]
_WIDTHS = ("16", "32", "64", "128", "256")  # of types
_TYPED = frozenset("!#$%@^")
# What people make up: .valley1971, Rocket#garlic.
_CHOSEN = re.compile(
    r"[!#%&*+.?@_~-][A-Za-z]{4,14}[0-9]{2,6}|[A-Z][a-z]{2,14}[!#$%&*@^+=][a-z]{3,14}"
)
_BRACKETS = frozenset("()[]{}<>.:,;=/\"'`\\")
_DIGITS = frozenset("0123456789")


def is_reference(value: str) -> bool:
    """Return whether `value` is a template, a mask, a tag or a location, never a secret."""
    number = "." in value and not value.strip("0123456789.")  # a version, an address
    if number or len(value) < 3 or not value.strip("*xX.\u2022-_#?\u2026: "):
        return True
    head = value[0]
    if head in "<{" or "{{" in value or "${" in value or "$(" in value or "%(" in value:
        return True
    if head == "$":
        return value[1:].strip("!:-").replace("_", "a").replace(":", "a").isalpha() or (
            value[1:2].isupper() and value[1:].replace("_", "a").isalnum()
        )
    formatted = value[1:2] in "sdv" and not value[2:3].isalpha()
    if head == "%" and (formatted or value.endswith("%")):
        return True
    if "[redacted:" in value or "://" in value or value.startswith(("...", "#{", "\\(", "[%")):
        return True
    return is_path(value)


def is_path(value: str) -> bool:
    """Return whether `value` names a file, an environment variable or another location."""
    if value.startswith(("/", "./", "../", "~/", "@/", "file:", "env:", "env.", "arn:", "vault:")):
        return len(value) < 16 or not _is_padded(value)
    return value.lower().endswith(_FILES) and value.replace("/", "").replace(".", "").isascii()


def _is_padded(value: str) -> bool:
    """Return whether a text that begins like a path is base64: padded, digits and capitals."""
    coded = (value[-1] in "+=" and len(value) % 4 == 0) or is_shuffled(value)
    return coded and "." not in value and has_digit(value) and value != value.lower()


def is_placeholder(value: str) -> bool:
    """Return whether `value` is a placeholder: `changeme`, `your-key-here`, `none`."""
    low = value.lower().rstrip("!?")  # the type of a field: String!
    sample = low in _WORDS or low.startswith(_PLACEHOLDERS)
    return sample or low.endswith(("_here", "-here", "_value"))


def has_stem(value: str) -> bool:
    """Return whether `value` is itself a name of a secret: `db_password`, `API_TOKEN`."""
    low = value.lower()
    return any(stem in low for stem in STEMS)


def has_both_cases(value: str) -> bool:
    """Return whether a value has capital and small letters."""
    return value not in (value.lower(), value.upper())


def without_signs(value: str) -> str:
    """Return the letters and digits of a value."""
    return "".join(filter(str.isalnum, value))


def parts_of(value: str) -> list[str]:
    """Return the runs of letters and digits in a value."""
    return "".join(c if c.isalnum() else " " for c in value).split()


def has_digit(value: str) -> bool:
    """Return whether a digit is in `value`."""
    return not _DIGITS.isdisjoint(value)


def is_random(value: str, least: int = 16) -> bool:
    """Return whether `value` looks drawn at random: digits strewn among letters."""
    value = value.rstrip("=").removeprefix("base64:")
    if ":" in value and all(len(part) >= 8 and is_mixed(part) for part in value.split(":")):
        value = value.replace(":", "-")
    if len(value) < least or not all(c.isalnum() or c in "-_+/.=~" for c in value):
        return False
    if value.isdigit():
        return len(value) >= least
    if value.isalpha() and not has_both_cases(value):
        return len(value) >= _SCRAMBLED and _is_vowelless(value.lower())
    if is_camel(value):
        return False
    pairs = list(itertools.pairwise(value))
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairs)
    humps = sum(a.isupper() != b.isupper() for a, b in pairs if a.isalpha() and b.isalpha())
    parts = value.translate(_JOINTS).split("-")
    named = sum(len(part) > 2 and part.isalpha() and part[1:].islower() for part in parts)
    named *= [len(part) for part in parts] != _UUID
    odd = turns > 0 and is_unpronounceable(value)
    odd = odd and (value.isalnum() or has_both_cases(value))
    return (turns >= 3 or (humps + 1) * 3 >= len(value) or odd) and named < 2


def _is_vowelless(value: str) -> bool:
    """Return whether letters of one case make no word: hardly a vowel, or none for long."""
    gaps = value.translate(_VOWELS)
    return gaps.count(" ") * 5 < len(value) or sum(len(gap) > 3 for gap in gaps.split()) > 1


def is_unpronounceable(value: str) -> bool:
    """Return whether no speech has the letters of `value`: hardly a vowel, or none for long."""
    low = value.lower().replace("http", "hop").replace("html", "hal")
    return _is_vowelless(low.translate(_LETTERS)) and any(map(str.isalpha, low))


def has_cluster(value: str) -> bool:
    """Return whether five consonants follow each other, which hardly a word has."""
    return _CONSONANTS.search(value.lower()) is not None


def count_pronounceable(value: str) -> int:
    """Return how many letters of a value are part of something that can be pronounced."""
    return sum(len(word) for word in _WORD.findall(value) if not is_unpronounceable(word))


def is_camel(value: str) -> bool:
    """Return whether most letters of a value of both cases are words, as in `SocksClientState5`."""
    letters = sum(map(str.isalpha, value))
    words = sum(len(word) for word in _PART.findall(value) if _is_spoken(word))
    return has_both_cases(value) and words * 10 >= letters * 7


def _is_spoken(word: str) -> bool:
    """Return whether a part of a name is a word; one vowel is enough for a short one: Branch."""
    short = len(word) < 8 and " " in word.lower().translate(_VOWELS)
    return short or not is_unpronounceable(word)


def is_lettered(value: str) -> bool:
    """Return whether letters alone make no word of prose: random ones, or words run together."""
    if len(value) < 8 or not (value.isascii() and value.isalpha()) or is_common(value.lower()):
        return False
    if is_shuffled(value) or is_unpronounceable(value) or has_cluster(value):
        return not value.isupper()
    joined = value.islower() or (value[0].isupper() and is_camel(value) and turns(value) > 2)
    return len(value) > 9 and joined and not value.removesuffix("s").endswith(_ENDINGS)


def is_shuffled(value: str) -> bool:
    """Return whether capitals and small letters alternate, signs left out, as in no name."""
    plain = without_signs(value)
    cased = plain.isascii() and has_both_cases(plain)
    return cased and len(plain) > 7 and turns(plain) * 3 >= len(plain) and not is_camel(plain)


def is_scrambled(value: str) -> bool:
    """Return whether a value is letters of both cases, digits and signs that nobody can speak."""
    cased = has_both_cases(value)
    return cased and _BRACKETS.isdisjoint(value) and is_unpronounceable(value)


def turns(value: str) -> int:
    """Return how often digits, capitals, other letters and signs alternate."""
    classes = [2 if c.isdigit() else c.isupper() if c.isalnum() else 3 for c in value]
    return sum(a != b for a, b in itertools.pairwise(classes))


def is_strong(value: str) -> bool:
    """Return whether `value` is what generators of passwords make: three kinds of signs, mixed."""
    digits = sum(c.isdigit() for c in value)
    signs = not value.isalnum()
    kinds = (value != value.lower()) + (value != value.upper()) + (digits > 0) + signs
    named = sum(len(word) > 2 and word.isalpha() and word[1:].islower() for word in parts_of(value))
    longest = len(longest_word(value))
    if len(value) < 12 or digits < 2 or kinds < 3 or named > 1 or longest > 2 * kinds:
        return False
    return kinds > 3 or is_unpronounceable(value)


def is_grouped(value: str) -> bool:
    """Return whether `value` has the form of a licence key: ABCDE-FGHIJ-KLMNO-PQRST."""
    groups = value.split("-")
    alike = len({len(group) for group in groups}) == 1 and 3 < len(groups[0]) < 9
    return len(groups) > 3 and alike and value.isupper() and value.replace("-", "").isalnum()


def longest_word(value: str) -> str:
    """Return the longest run of lower-case letters in `value`."""
    return max("".join(c if c.islower() else " " for c in value).split(), key=len, default="")


def is_mixed(value: str) -> bool:
    """Return whether `value` has a digit and a letter."""
    return has_digit(value) and any(c.isalpha() for c in value)


def is_wordy(value: str) -> bool:
    """Return whether `value` is only letters, or words joined by - _ . / :."""
    parts = value
    for c in "-_./:":
        parts = parts.replace(c, "a")
    return parts.isalpha()


def is_identifier(value: str) -> bool:
    """Return whether every part of a dotted or arrowed `value` could be a name in code."""
    parts = value.replace("->", ".").replace("::", ".").replace("?.", ".").strip("!?&*.").split(".")
    return all(p.isidentifier() for p in parts)


def is_code(value: str) -> bool:
    """Return whether a bare `value` is a call, an index, a dotted name or an expression."""
    value = _unpadded(value.removeprefix("base64:") or value)
    if value[0] == "+" and is_random(value, 20):  # base64
        return False
    if (len(value) > 9 and is_scrambled(value)) or is_made_up(value):
        return False
    for bracket in "([":
        head, found, _ = value.partition(bracket)
        if found and (not head or is_identifier(head)):
            return True
    typed = value[0] == "!" and value[1:2].isdigit()  # no name and no number is negated like that
    signed = value[0] in "&*+-|~" and not _TYPED.isdisjoint(value[1:])
    if (value[0] in "([{=!&*+-|:~" and not (typed or signed)) or value[-1] in "([{":
        return True
    if value[-1] == "=" and not value[-3:-1].isdigit():
        return True
    if ":" in value and is_identifier(value.replace(":", ".")):
        return True
    if not any(c in value for c in ".>:?") or not is_identifier(value):
        return False
    return not (_is_chosen(value) or is_odd(value) or is_numbered(value))


def is_odd(value: str) -> bool:
    """Return whether a dotted value has digits in its parts as no name has: `qx18XL.G6Zt`."""
    return "." in value and value.replace(".", "").isalnum() and any(map(_is_odd, value.split(".")))


def _is_odd(part: str) -> bool:
    inner = part.strip("0123456789")
    if len(inner) < 4 or not has_digit(inner) or part == part.lower() or is_camel(part):
        return False
    return turns(inner) * 5 >= len(inner) * 2 or is_unpronounceable(inner) or inner[-2:].isupper()


def _is_chosen(value: str) -> bool:
    """Return whether `value` is `Dragon73?` or `Tokyo.Rocky90`, not `Int32?` or `x.y`."""
    first, _, last = value.partition(".")
    if first.istitle() and last.istitle() and first.isalpha():
        word = last.rstrip("0123456789")
        return word.isalpha() and len(last) - len(word) > 1 and last[len(word) :] not in _WIDTHS
    word = value[:-1].rstrip("0123456789")
    number = value[len(word) : -1]
    return word[:1].isupper() and word.isalpha() and len(number) > 1 and number not in _WIDTHS


def _unpadded(value: str) -> str:
    """Return base64 text without its padding; anything else as it is."""
    bare = value.rstrip("=")
    coded = 0 < len(value) - len(bare) < 3 and len(value) % 4 == 0 and len(bare) > 5
    return bare if coded and bare.translate(_ENCODED).isalnum() else value


def is_passphrase(value: str, least: int = 3) -> bool:
    """Return whether `value` is `least` to eight plain words that make no sentence."""
    words = value.split(" ")
    plain = all(word.isalnum() and 2 < len(word) < 16 for word in words)
    return least <= len(words) <= 8 and plain and not any(is_common(word.lower()) for word in words)


def is_words(value: str, least: int = 3) -> bool:
    """Return whether `value` is `least` to eight uncommon words with a hyphen between.

    Dots or underscores, which names in code have too, join at least four. A word with a sign and
    four or more digits behind it counts as three.
    """
    if least < 4 and _NUMBERED.fullmatch(value):
        return not is_common(value.rstrip("0123456789")[:-1])
    sign = "-" if "-" in value else "_" if "_" in value else "."
    words = value.rstrip("0123456789").split(sign)
    cased = value.islower() or (value.istitle() and has_digit(value))  # no Access-Control-Origin
    plain = cased and all(word.isalpha() and 2 < len(word) < 10 for word in words)
    return least <= len(words) <= 8 and plain and not any(is_common(word.lower()) for word in words)


def is_numbered(value: str) -> bool:
    """Return whether `value` is words with signs between, and a number: a-b-12, a.b12."""
    *words, number = value.translate(_JOINTS).split("-")
    if word := number.rstrip("0123456789"):
        number = number[len(word) :]
        if number in _WIDTHS:
            return False
        words.append(word)
    plain = all(word.isalpha() and len(word) > 2 and not is_common(word.lower()) for word in words)
    return len(words) > 1 and plain and number.isdigit() and len(number) > 1


def is_half_titled(value: str) -> bool:
    """Return whether `value` is two uncommon words, only the first titled: Velvet_pony."""
    words = value.replace("_", "-").split("-")
    plain = value[0].isupper() and value[1:].islower() and not any(map(is_common, words))
    return plain and len(words) == 2 and all(len(word) > 2 and word.isalpha() for word in words)


def is_pin(value: str) -> bool:
    """Return whether a value is a number long enough for a password."""
    return value.isdigit() and len(value) > 5


def is_titled_pair(value: str) -> bool:
    """Return whether `value` is two uncommon words, both titled: VelvetPony."""
    words = _HUMPS.sub(" ", value).lower().split()
    plain = value.isalpha() and value[0].isupper() and not any(map(is_common, words))
    return plain and len(words) == 2 and all(len(word) > 2 for word in words)


def is_made_up(value: str) -> bool:
    """Return whether `value` is a sign, a word and a number, or two words around a sign."""
    return _CHOSEN.fullmatch(value) is not None


def is_common(word: str) -> bool:
    """Return whether a word is one of prose, of forms, or a name of secrets."""
    return word in _WORDS or word in _SENTENCE or any(stem in word for stem in STEMS)


def is_hexadecimal(value: str) -> bool:
    """Return whether `value` is only hexadecimal digits and hyphens."""
    return all(c in "0123456789abcdef-" for c in value)


def is_name(value: str) -> bool:
    """Return whether a value with a keyword in it is a name (`db-password`), not a word."""
    return value.lower() in STEMS or any(c in value for c in "_-./:") or value.istitle()
