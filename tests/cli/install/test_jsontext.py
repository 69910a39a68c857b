"""Laws of changing one member in the text of a JSON object."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cli.install.jsontext import drop, get, indented, parse, put
from tests.support.examples import examples

SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)
TEXTS = st.builds(
    lambda value, indent, ascii_only, lines: json.dumps(
        value, indent=indent, ensure_ascii=ascii_only
    ).replace("\n", lines),
    OBJECTS,
    st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\n\n ", "\r\n\t"]),
)
KEY = "statusLine"


@given(TEXTS, VALUES)
def test_put_sets_one_member(text: str, value: object) -> None:
    """The member gets the value; all others keep value and order."""
    before = parse(text)
    after = parse(put(text, KEY, indented(value, text)))
    assert after == {**before, KEY: value}
    assert list(after) == list({**before, KEY: value})


@given(TEXTS.filter(lambda text: parse(text) and KEY not in parse(text)), VALUES)
def test_drop_undoes_put(text: str, value: object) -> None:
    """Removing an added member restores the text exactly."""
    assert drop(put(text, KEY, indented(value, text)), KEY) == text


@given(TEXTS, VALUES, VALUES)
def test_put_back(text: str, one: object, other: object) -> None:
    """Replacing a value and putting the old text back restores the text exactly."""
    text = put(text, KEY, indented(one, text))
    spelled = get(text, KEY)
    assert spelled is not None
    assert put(put(text, KEY, indented(other, text)), KEY, spelled) == text


@given(TEXTS)
def test_drop_takes_each_member(text: str) -> None:
    """Any member can be taken out, and the others stay."""
    values = parse(text)
    for key in values:
        assert parse(drop(text, key)) == {k: v for k, v in values.items() if k != key}


@given(TEXTS, st.text())
def test_drop_of_nothing(text: str, key: str) -> None:
    """Dropping a missing member changes nothing."""
    if key not in parse(text):
        assert drop(text, key) == text
        assert get(text, key) is None


@examples(30)
@given(st.dictionaries(st.text(), OBJECTS, min_size=1, max_size=3))
def test_nested(values: dict[str, dict[str, object]]) -> None:
    """A path reaches into objects; if a step is missing nothing changes."""
    text = json.dumps(values, indent=2)
    for outer, inner in values.items():
        for key in inner:
            kept = {k: v for k, v in inner.items() if k != key}
            assert parse(drop(text, outer, key)) == {**values, outer: kept}
        assert drop(text, outer + "x", "y") == text or outer + "x" in values
