"""A secret is found whole, cut, encoded and as a number, and nothing else is."""

from __future__ import annotations

import base64
import random
import re
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from journal.history.forget.replace import TAG, Secret
from journal.log.record import frame, unframe
from tests.journal.history.forget.forms import FORMS, KEY, SPELLED, secrets
from tests.support.examples import examples, scaled

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


def test_ordinary_lines_stay() -> None:
    """Digests, base64 and numbers that are not the secret are never taken for a part of it."""
    draw = random.Random(5)
    replacers = [Secret(text) for text in ("48213377", "hunter2!", "correct-horse-1", 'Rü"be\\n-q')]
    for _ in range(scaled(2_000)):
        data = draw.randbytes(90)
        text = f"{data.hex()} {base64.b64encode(data).decode()} {draw.random()} …"
        assert all(replacer.text(text) is text for replacer in replacers)
