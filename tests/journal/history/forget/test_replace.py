"""A secret is found in each form in which programs write it down, and nothing else is."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.errors import UsageError
from journal.history.forget.replace import TAG, Pattern, Rules, Secret
from journal.log.record import frame, is_whole, unframe
from tests.support.examples import examples

secrets = st.text(
    st.one_of(st.sampled_from('ab1"\\/\n\té한😀%@$ '), st.characters(exclude_categories=["Cs"])),
    min_size=6, max_size=20,
).filter(lambda text: len(text.strip()) >= 6 and text not in TAG)  # fmt: skip
FORMS = {
    "as it is": lambda text: text,
    "JSON": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON in ASCII": lambda text: json.dumps(text)[1:-1],
    "JSON in JSON": lambda text: json.dumps(json.dumps(text, ensure_ascii=False)[1:-1])[1:-1],
    "a part of a URL": lambda text: quote(text, safe=""),
    "JSON with slashes escaped": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
}


@examples(60)
@given(secret=secrets, form=st.sampled_from(sorted(FORMS)))
def test_every_form(secret: str, form: str) -> None:
    """Whatever its characters are, and however it is escaped, no letter of it stays."""
    assert Secret(secret).text(f"x{FORMS[form](secret)}y") == f"x{TAG}y"


@examples(60)
@given(secret=secrets, nested=st.booleans())
def test_a_record_keeps_its_envelope(secret: str, nested: bool) -> None:
    """The new record is whole, of the same seq, time, type and names; digests of the text are gone."""
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
    """A record without it, also one that looks alike, stays byte for byte."""
    replacer = Secret("correct-horse-1")
    for text in ("correct horse 1", "correct-horse-2", "", "correct-horse-"):
        line = frame(
            3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": text, "digest": "x"}
        )[:-1]
        assert replacer.record(line) is line
        assert replacer.other(line) is line


@pytest.mark.parametrize("secret", ["", "abcde", "  abcde ", "[redacted:history]", "redacted"])
def test_a_secret_that_is_no_secret(secret: str) -> None:
    """Too short a text, and one that is part of what takes its place, are refused."""
    with pytest.raises(UsageError):
        Secret(secret)


@pytest.mark.parametrize("pattern", ["(", "", "x*", ".*", "history"])
def test_a_pattern_that_is_none(pattern: str) -> None:
    """A pattern that is broken, matches nothing at all or its own tag is refused."""
    with pytest.raises(UsageError):
        Pattern(pattern)


def test_a_pattern_works_on_texts_and_names() -> None:
    """A pattern sees each text as its writer meant it, names of nested members included."""
    line = frame(3, {"ts": "t", "type": "x", "v": 1, "sid": "", "input": {'k"ey-77': ['"77"', 77]}})
    found = unframe(Pattern(r'"?(ey-)?77"?').record(line[:-1]))
    assert found["input"] == {f'k"{TAG}': [TAG, 77]} or found["input"] == {f"k{TAG}": [TAG, 77]}


def test_the_rules_of_today() -> None:
    """What today's rules find goes, with the tag of the rule; the same object where they do not."""
    old = frame(3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": "x ghp_" + "aB3" * 12})
    assert b"ghp_" not in Rules().record(old[:-1])
    plain = frame(3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": "plain"})[:-1]
    assert Rules().record(plain) is plain
