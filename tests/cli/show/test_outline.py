"""The parts of a text: code blocks, code in a line, bold words."""

from __future__ import annotations

import pytest

from cli.show.html import prose
from cli.show.outline import parts_of


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", [([("plain", "")], False)]),
        ("a `b` c", [([("a ", ""), ("b", "code"), (" c", "")], False)]),
        ("**a** b", [([("a", "bold"), (" b", "")], False)]),
        ("**a `b`**", [([("a b", "bold")], False)]),
        ("2 ** 3 ** 4", [([("2 ** 3 ** 4", "")], False)]),
        ("one ` alone", [([("one ` alone", "")], False)]),
        ("a\n```py\n`b`\n```\nc",
         [([("a", "")], False), ([("`b`", "")], True), ([("c", "")], False)]),
        ("", []),
    ],
)  # fmt: skip
def test_parts(text: str, parts: list[tuple[list[tuple[str, str]], bool]]) -> None:
    """Fences make blocks in which nothing is marked; elsewhere code and bold words are marked."""
    assert parts_of(text) == parts


def test_markup_of_a_text_stays_text() -> None:
    """Whatever is marked is escaped."""
    assert prose("`<b>` **<i>** <u>") == (
        '<div class="t"><code>&lt;b&gt;</code> <b>&lt;i&gt;</b> &lt;u&gt;</div>'
    )
