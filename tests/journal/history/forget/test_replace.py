"""Secrets, patterns and rules are replaced in texts and in records, which stay whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.errors import UsageError
from journal.events.registry import KINDS, class_of
from journal.history.forget.replace import TAG, Pattern, Rules, Secret
from journal.log.record import frame, is_whole, unframe
from tests.journal.history.forget.forms import secrets
from tests.support.examples import examples


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


@pytest.mark.parametrize(
    "kind, key, is_kept",
    [
        ("prompt.submitted", "00", False),
        ("files.changed", "00", False),
        ("compact.started", "00.20261121080000000", False),
        ("turn.failed", "00.", False),
        ("tool.finished", "00", True),
    ],
)
def test_a_key_that_is_a_digest_of_texts_goes_with_its_secret(
    kind: str, key: str, is_kept: bool
) -> None:
    """It would confirm a guess; a key made of ids stays, and so does an import's."""
    fields = {"ts": "t", "type": kind, "v": 1, "sid": "", "key": key, "text": "77-qv-Rx"}
    replacer = Secret("77-qv-Rx")
    assert ("key" in unframe(replacer.record(frame(3, fields)[:-1]))) is is_kept
    kept = unframe(replacer.record(frame(3, {**fields, "imported": True})[:-1]))
    assert (kept["key"], kept["text"]) == (key, TAG)


def test_the_rules_judge_a_result_by_its_command() -> None:
    """In a stored conversation a call is in an earlier line than its result; once is enough."""
    rules, secret = Rules(), "qv7" + "kTm4Rx"
    call, result = (
        json.dumps({"message": {"content": [block]}}).encode()
        for block in (
            {"type": "tool_use", "id": "t1", "input": {"command": "pass show prod/db"}},
            {"type": "tool_result", "tool_use_id": "t1", "content": secret},
        )
    )
    assert rules.other(call) is call
    clean = rules.other(result)
    assert secret.encode() not in clean
    assert rules.other(call) is call
    assert rules.other(clean) is clean


def test_the_rules_of_today() -> None:
    """What the redaction rules find is replaced; a record without it is returned itself."""
    old = frame(3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": "x ghp_" + "aB3" * 12})
    assert b"ghp_" not in Rules().record(old[:-1])
    plain = frame(3, {"ts": "t", "type": "note", "v": 1, "sid": "", "text": "plain"})[:-1]
    assert Rules().record(plain) is plain


def test_the_rules_keep_ids_beside_words_for_secrets() -> None:
    """A member of any event type that has an ID keeps it; the chain of a session rests on `root`."""
    title, sid = "reset the password, rotate the token", "5f3c9a7b-1e2d-4c6f-8a90-b1c2d3e4f506"
    for kind in KINDS:
        names = [name for name in class_of(kind).__struct_fields__ if name != "seq"]
        ids = {name: sid for name in names if not name.endswith("tokens")}  # those are numbers
        known = {"ts": "t", "type": kind, "v": 1, "key": "2c494353bc7a77f5", "title": title}
        fields = {**ids, **known}
        record = frame(3, fields)[:-1]
        assert Rules().record(record) is record
