"""A secret is found in each form in which programs write its characters."""

from __future__ import annotations

import json
import time
import unicodedata
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.history.forget.replace import TAG, Secret
from tests.journal.history.forget.forms import KEY, SPELLED, secrets
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Callable


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


def test_time_grows_with_the_text_only() -> None:
    """A text that begins like the secret and goes on with thousands of ends of line takes no time."""
    replacer = Secret(KEY)
    text = KEY[:48] + "\\\\n" * 20_000
    start = time.process_time()
    assert replacer.text(text).startswith("-----BEGIN KEY-----\n[redacted")
    assert time.process_time() - start < 5  # 230 s when it grew with the square
