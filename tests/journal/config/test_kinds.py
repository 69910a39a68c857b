"""Kinds of values that a setting takes."""

from __future__ import annotations

import pytest

from journal.config.kinds import Kind, Name, Names, Number, Switch, Word, described, toml
from journal.config.schema import SETTINGS


@pytest.mark.parametrize(
    "key",
    [key for key, each in SETTINGS.items() if isinstance(getattr(each.kind, "low", None), int)],
)
def test_limits_are_inclusive(folders, key):
    """The limits themselves are allowed; one beyond is not."""
    kind = SETTINGS[key].kind
    low, high, also = kind.low, kind.high, kind.also
    for value, fine in ((low, True), (high, True), (low - 1, False), (high + 1, False)):
        loaded = folders.write(home=f"{key} = {value}")
        assert (loaded.problems == ()) is (fine or value == also)


@pytest.mark.parametrize(
    "text, word", [('"ful"', "full"), ('"of"', "off"), ('"Minimal"', "minimal")]
)
def test_words_are_suggested(folders, text, word):
    """For a misspelt word, the word that was meant is suggested."""
    (problem,) = folders.write(home=f"capture.level = {text}").problems
    assert problem.remedy == f'did you mean "{word}"?'


def test_far_words_list_the_choices(folders):
    """For a word unlike any other, the message lists the choices."""
    (problem,) = folders.write(home='capture.level = "everything"').problems
    assert problem.remedy == 'set "off" or "minimal" or "full"; the default is "full"'


ACCEPTED: list[tuple[Kind, object, object]] = [
    # kind, value of a file, what the program uses (None: not allowed)
    (Switch(), True, True), (Switch(), 1, None),
    (Number(0.1, 1.0), 1, 1.0), (Number(0.1, 1.0), 0.05, None), (Number(0.1, 1.0), True, None),
    (Number(1, 9), 9, 9), (Number(1, 9), 10, None), (Number(1, 9, also=0), 0, 0), (Number(1, 9), 1.0, None),
    (Word("off", "full"), "full", "full"), (Word("off", "full"), "Full", None),
    (Name(), "ann@x", "ann@x"), (Name(), "", ""), (Name(), "a b", None), (Name(), "x" * 65, None),
    (Names(2), ["/plan", "plan", "b"], None), (Names(3), ["/plan", "plan", "b"], ("plan", "b")),
    (Names(2), [""], None), (Names(2), "plan", None), (Names(2), [], ()),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "used"), ACCEPTED, ids=str)
def test_what_a_kind_accepts(kind, value, used):
    """A value comes back in the form that the program uses, or None if it is not allowed."""
    found = kind.accept(value)
    assert (found, type(found)) == (used, type(used))


@pytest.mark.parametrize(
    ("value", "shown", "as_toml"),
    [(True, "true", "true"), (7, "7", "7"), (10**20, "so large a number", str(10**20)),
     (0.5, "0.5", "0.5"), ("full", '"full"', '"full"'), (("a", "b"), "a date or time", '["a", "b"]'),
     ([1], "a list", "[1]"), ({}, "a table", "{}")],
)  # fmt: skip
def test_a_value_for_a_person(value, shown, as_toml):
    """A short value is shown itself, another one by its type; accepted ones can be written as TOML."""
    assert described(value) == shown
    assert toml(value) == as_toml
    assert described("x" * 100) == f'"{"x" * 39}…"'
