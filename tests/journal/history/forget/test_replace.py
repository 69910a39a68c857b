"""A secret is found in each form in which programs write it, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
import random
import re
import shlex
import time
import unicodedata
from typing import TYPE_CHECKING, Literal
from unittest.mock import patch
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from journal.errors import UsageError
from journal.history.forget.replace import TAG, Pattern, Rules, Secret
from journal.log.record import frame, is_whole, unframe
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Callable

_AMBIGUOUS = re.compile(r"\\[\\\s]|\s\\")  # an escaped space, or a backslash and a space?
_OTHERS = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])
secrets = st.text(
    st.one_of(st.sampled_from('ab1"\\/\n\té한😀%@$ '), _OTHERS), min_size=6, max_size=20
).filter(lambda text: len(text.strip()) >= 6 and text not in TAG and not _AMBIGUOUS.search(text))
FORMS = {
    "as it is": lambda text: text,
    "JSON": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON in ASCII": lambda text: json.dumps(text)[1:-1],
    "JSON in JSON": lambda text: json.dumps(json.dumps(text, ensure_ascii=False)[1:-1])[1:-1],
    "a part of a URL": lambda text: quote(text, safe=""),
    "JSON with slashes escaped": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "a part of a form": lambda text: quote_plus(text, safe=""),
    "hex": lambda text: text.encode().hex(),
    "hex of a shell": lambda text: "".join(f"\\x{byte:02X}" for byte in text.encode()),
    "hex in URL": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "hex with spaces": lambda text: text.encode().hex(" "),
    "hex with colons": lambda text: text.encode().hex(":").upper(),
    "hex of C": lambda text: ", ".join(f"0x{byte:02x}" for byte in text.encode()),
}


def _each(escape: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that escapes all but letters and digits of ASCII."""
    return lambda text: "".join(c if c.isascii() and c.isalnum() else escape(c) for c in text)


SPELLED = {
    **FORMS,
    "a URL in a URL": lambda text: quote(quote(text, safe=""), safe=""),
    "HTML": html.escape,
    "HTML in numbers": _each(lambda char: f"&#{ord(char)};"),
    "HTML in numbers of four digits": _each(lambda char: f"&#{ord(char):04d};"),
    "HTML in hexadecimal": _each(lambda char: f"&#x{ord(char):x};"),
    "a shell's quotes": lambda text: shlex.quote(f"{text}'")[1:].removesuffix("'\"'\"''"),
    "bytes of a string": _each(lambda char: "".join(f"\\x{b:02x}" for b in char.encode())),
    "octal": _each(lambda char: "".join(f"\\{b:03o}" for b in char.encode())),
    "code points": _each(lambda char: f"\\u{{{ord(char):x}}}"),
    "long code points": _each(lambda char: f"\\U{ord(char):08x}"),
}


@example(secret="00000\0", form="long code points")
@example(secret="00000\\", form="long code points")
@example(secret="00000000\\\\", form="a part of a URL")
@example(secret="one7Z\\\n\ntwo", form="HTML in hexadecimal")
@example(secret="one7Z\n\n\n&\n\ntwo", form="HTML in numbers")
@examples(100)
@given(secret=secrets, form=st.sampled_from(sorted(SPELLED)))
def test_every_form(secret: str, form: str) -> None:
    """Whatever its characters and escaping, no letter of the secret stays."""
    assert Secret(secret).text(f"x{SPELLED[form](secret)}y") == f"x{TAG}y"


LONG = "\n".join(
    f'{at:03} "key\\n{at}": {random.Random(at).randbytes(24).hex()} & <Ä>' for at in range(120)
)


@pytest.fixture(scope="module")
def long() -> tuple[Secret, int]:
    """Return the replacer of a long secret, and how many characters of patterns were compiled."""
    compiled, compile_regex = 0, re.compile

    def compile_(pattern: str) -> re.Pattern[str]:
        nonlocal compiled
        compiled += len(pattern)
        return compile_regex(pattern)

    with patch("re.compile", compile_):
        secret = Secret(LONG)
    return secret, compiled


@pytest.mark.parametrize("form", ["as it is", "JSON", "a part of a URL", "HTML", "hex with spaces"])
def test_a_long_secret(long: tuple[Secret, int], form: str) -> None:
    """A secret of 9,000 characters is found whole and cut, and costs no pattern of its length."""
    secret, compiled = long
    assert compiled < 200_000  # 5 million when each form was one pattern
    text = SPELLED[form](LONG)
    assert secret.text(f"x {text} y") == f"x {TAG} y"
    assert secret.text(f"x {text[:5_000]}…[+9000 bytes]") == f"x {TAG}…[+9000 bytes]"


@pytest.mark.parametrize("given", ["NFC", "NFD"])
@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("encode", [str, quote, lambda t: t.encode().hex(), json.dumps])
def test_accents_in_both_forms(
    given: Literal["NFC", "NFD"], stored: Literal["NFC", "NFD"], encode: Callable[[str], str]
) -> None:
    """A letter with its accent, as one character or as two, is the same letter."""
    secret = "Übergröße-열쇠-ñ"
    text = encode(unicodedata.normalize(stored, secret))
    assert Secret(unicodedata.normalize(given, secret)).text(text).strip('"') == TAG


KEY = "-----BEGIN KEY-----\nMIIEqzWx9kTabcdefghijk+mn/op\n\nQRST  uvw xyz\n-----END KEY-----"
LISTED = {
    "ends of line of Windows": "\r\n".join,
    "a block of YAML": "\n    ".join,
    "a diff": "\n-".join,
    "numbered": lambda lines: "".join(f"{at}\t{line}\n" for at, line in enumerate(lines))[2:],
    "numbered with arrows": lambda lines: "\n".join(
        f"{at:6}→{line}" for at, line in enumerate(lines)
    ),
    "a list": json.dumps,
    "one line": lambda lines: " ".join(" ".join(lines).split()),
    "a string over lines": lambda lines: '"\n  "'.join(f"{line}\\n" for line in lines),
    "a comment": "\n# ".join,
}


@pytest.mark.parametrize("wrap", [str, lambda text: json.dumps(text)[1:-1]], ids=["text", "JSON"])
@pytest.mark.parametrize("listed", LISTED)
def test_lines_as_a_listing_shows_them(listed: str, wrap: Callable[[str], str]) -> None:
    """A secret of several lines is found with what a listing puts between them."""
    text = Secret(KEY).text(wrap(LISTED[listed](KEY.split("\n"))))
    assert TAG in text
    assert not any(word in text for word in ("KEY", "MII", "QRS", "uvw", "xyz")), text


def test_a_line_without_the_others() -> None:
    """Of a secret of several lines, one that looks random is found alone; an ordinary one stays."""
    lines = {"lines": ["+-----BEGIN KEY-----", "+MIIEqzWx9kTabcdefghijk+mn/op", "+QRST uvw"]}
    line = frame(3, {"ts": "t", "type": "x", "v": 1, "sid": "", **lines})[:-1]
    assert unframe(Secret(KEY).record(line))["lines"] == [lines["lines"][0], f"+{TAG}", "+QRST uvw"]


ALPHABETS = {
    "base64": base64.b64encode,
    "base64 of a URL": base64.urlsafe_b64encode,
    "base64 in lines": lambda data: base64.encodebytes(data).replace(b"\n", b"\\n"),
}


@examples(60)
@given(secret=secrets.filter(lambda text: len(set(text)) > 1),  # else it stands at several places
       before=st.binary(max_size=70), after=st.binary(max_size=7),
       form=st.sampled_from(sorted(ALPHABETS)))  # fmt: skip
def test_base64_of_a_text_that_holds_it(
    secret: str, before: bytes, after: bytes, form: str
) -> None:
    """In base64 of a text around the secret, only the digits that depend on the secret are removed."""
    encode = ALPHABETS[form]
    whole = encode(before + secret.encode() + after).decode()
    line = frame(3, {"ts": "t", "type": "x", "v": 1, "sid": "", "text": f"is {whole} so"})[:-1]
    text = unframe(Secret(secret).record(line))["text"]
    kept = len(before) * 8 // 6
    assert TAG in text
    plain = text.replace("\\n", "")
    head, _, tail = plain.partition(TAG)
    assert len(head.removeprefix("is ")) == kept
    assert len(tail.removesuffix(" so").rstrip("=")) <= -(-len(after) * 8 // 6)


def test_time_grows_with_the_text_only() -> None:
    """A text that begins like the secret and goes on with thousands of ends of line takes no time."""
    replacer = Secret(KEY)
    text = KEY[:48] + "\\\\n" * 20_000
    start = time.process_time()
    assert replacer.text(text).startswith("-----BEGIN KEY-----\n[redacted")
    assert time.process_time() - start < 5  # 230 s when it grew with the square


CUTS = {  # the text after a clip's beginning, or the text before it
    "with a mark": "{}…",
    "with a count": "{}…[+9 bytes, b2:0011223344556677]",
    "with a mark on a line of its own": "{}\n[…]",
    "within a text": "{}… and more",
    "without a mark": "x" * 80 + " {}",
}
CLIPPED = {**FORMS, "base64": lambda text: base64.b64encode(text.encode()).decode().rstrip("=")}
"""Padding of base64 is no part of a secret."""


@example(secret="0000000=00", form="JSON", cut="with a count", left=0.0)
@example(secret="0\\\x1f0000000", form="JSON", cut="with a count", left=0.0)
@example(secret="00000000\\\\", form="a part of a URL", cut="with a count", left=1.0)
@example(secret="0" * 20, form="as it is", cut="with a count", left=0.7)
@example(secret="00000000:%z", form="a part of a URL", cut="with a count", left=0.5)
@example(secret="0:::::::::", form="hex in URL", cut="with a count", left=0.0)
@examples(100)
@given(secret=secrets.filter(lambda text: len(text) > 9), form=st.sampled_from(sorted(CLIPPED)),
       cut=st.sampled_from(sorted(CUTS)), left=st.floats(0, 1))  # fmt: skip
def test_a_secret_that_was_cut_in_two(secret: str, form: str, cut: str, left: float) -> None:
    """From eight characters on, the beginning of a clipped secret is removed in each form."""
    whole = CLIPPED[form](secret)
    least = len(CLIPPED[form](secret[:8]))
    part = whole[: least + round(left * (len(whole) - least))]
    if part.endswith(" ") and cut != "without a mark":
        part = part.rstrip(" ")  # a clip strips trailing spaces
        assume(len(part) >= least)
    before = CUTS[cut].format(f"it is {part}")
    after = Secret(secret).text(before)
    expected = CUTS[cut].format(f"it is {TAG}")
    assert after.replace("\n", "") == expected.replace("\n", ""), part  # it may be the secret's own


@examples(40)
@given(secret=secrets.filter(lambda text: len(text) > 9), form=st.sampled_from(sorted(FORMS)),
       at=st.integers(1, 99))  # fmt: skip
def test_a_secret_whose_beginning_was_cut_off(secret: str, form: str, at: int) -> None:
    """The end of a secret after a cut is removed, in pieces of a record and at the end of a prompt."""
    part = FORMS[form](secret[min(at, len(secret) - 8) :])
    assert Secret(secret).text(f"… {part} it is") == f"… {TAG} it is" or part[:1].isspace()
    assert Secret(secret).text(part + "y" * 80) == TAG + "y" * 80


def test_what_only_looks_cut() -> None:
    """A beginning of fewer than eight characters, or one with no cut after it, stays."""
    replacer = Secret("correct-horse-1")
    for text in ("correct…", "correct-horse-2…", "correct-horse-", "y" * 80 + " correct-horse- it",
                 "horse-1 it", "x-horse-1" + "y" * 80):  # fmt: skip
        assert replacer.text(text) is text


@pytest.mark.parametrize(
    ("member", "kept"),
    [(48213377, False), (48213377.0, False), (-48213377, False), (482133770, True),
     (True, True), (4.8213377, True), ("48213377", False), ("148213377.5", False)],
)  # fmt: skip
def test_a_number(member: object, kept: bool) -> None:
    """A secret of digits is found as a JSON number if it is the whole number."""
    replacer = Secret("48213377")
    line = json.dumps({"a": [member]}).encode()
    assert (b"48213377" in replacer.other(line)) == (kept and b"48213377" in line)
    record = frame(3, {"ts": "t", "type": "of.later", "v": 1, "sid": "", "a": {"b": member}})[:-1]
    assert (replacer.record(record) is record) == kept


def test_numbers_of_the_journal_stay() -> None:
    """A size equal to the secret stays; a metric that a user measured is removed with its name."""
    replacer = Secret("128000")
    line = frame(3, {"ts": "t", "type": "stage.finished", "v": 1, "sid": "", "remaining": 128000,
                     "metrics": {"pin": 128000.0, "tests": 3.0}})[:-1]  # fmt: skip
    found = unframe(replacer.record(line))
    assert (found["remaining"], found["metrics"]) == (128000, {"tests": 3.0})


def test_ordinary_lines_stay() -> None:
    """Digests, base64 and numbers that are not the secret are never taken for a part of it."""
    draw = random.Random(5)
    replacers = [Secret(text) for text in ("48213377", "hunter2!", "correct-horse-1", 'Rü"be\\n-q')]
    for _ in range(2_000):
        data = draw.randbytes(90)
        text = f"{data.hex()} {base64.b64encode(data).decode()} {draw.random()} …"
        assert all(replacer.text(text) is text for replacer in replacers)


@examples(60)
@given(secret=secrets, nested=st.booleans())
def test_a_record_keeps_its_envelope(secret: str, nested: bool) -> None:
    """The new record is whole and keeps seq, time, type and names; digests of the text are removed."""
    text = json.dumps({"a": f"to {secret}"}) if nested else f"to {secret} it"
    fields = {"ts": "2026-11-21T20:31:13.123Z", "type": "tool.finished", "v": 1, "sid": "s",
              "target": text, "digest": "00112233", "ms": 4,
              "error": f"{secret}…[+9 bytes, b2:0011223344556677]"}  # fmt: skip
    old = frame(7, fields)[:-1]
    new = Secret(secret).record(old)
    assert is_whole(new)
    found = unframe(new)
    assert [found[name] for name in ("seq", "ts", "type", "v")] == [
        7,
        fields["ts"],
        fields["type"],
        1,
    ]
    assert list(found) == ["seq", *(name for name in fields if name != "digest")]
    assert found["error"] == f"{TAG}…[+9 bytes]"
    assert Secret(secret).record(new) is new


def test_what_does_not_hold_it_is_the_same_object() -> None:
    """A record without the secret is returned itself, even if it contains a similar text."""
    replacer = Secret("correct-horse-1")
    for text in ("correct horse 1", "correct-horse-2", "", "correct-horse-"):
        line = frame(
            3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": text, "digest": "x"}
        )[:-1]
        assert replacer.record(line) is line
        assert replacer.other(line) is line


@pytest.mark.parametrize("secret", ["", "abcde", "  abcde ", "[redacted:history]", "redacted"])
def test_a_secret_that_is_no_secret(secret: str) -> None:
    """A text that is too short, or part of its own replacement, is refused."""
    with pytest.raises(UsageError):
        Secret(secret)


@pytest.mark.parametrize("pattern", ["(", "", "x*", ".*", "history"])
def test_a_pattern_that_is_none(pattern: str) -> None:
    """A pattern that is invalid, matches the empty text or matches its own tag is refused."""
    with pytest.raises(UsageError):
        Pattern(pattern)


def test_a_pattern_works_on_texts_and_names() -> None:
    """A pattern is applied to unescaped texts, including names of nested members."""
    line = frame(3, {"ts": "t", "type": "x", "v": 1, "sid": "", "input": {'k"ey-77': ['"77"', 77]}})
    found = unframe(Pattern(r'"?(ey-)?77"?').record(line[:-1]))
    assert found["input"] == {f'k"{TAG}': [TAG, 77]} or found["input"] == {f"k{TAG}": [TAG, 77]}


def test_the_rules_of_today() -> None:
    """What the redaction rules find is replaced; a record without it is returned itself."""
    old = frame(3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": "x ghp_" + "aB3" * 12})
    assert b"ghp_" not in Rules().record(old[:-1])
    plain = frame(3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": "plain"})[:-1]
    assert Rules().record(plain) is plain
