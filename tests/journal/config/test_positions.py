"""Positions of keys and values in TOML texts."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from journal.config.positions import positions
from journal.config.problem import line_and_column
from tests.support.rows import each


@each(
    "text, path, expected",
    [
        ("a = 1", ("a",), (1, 1, 5)),
        ("\n  a=1", ("a",), (2, 3, 5)),
        ("# c\na.b = 1", ("a", "b"), (2, 1, 7)),
        ("# c\na.b = 1", ("a",), (2, 1, 1)),
        ("[t]\na = 1", ("t",), (1, 1, 1)),
        ("[t]\na = 1", ("t", "a"), (2, 1, 5)),
        ("[ t . u ]  # c\na = 1", ("t", "u", "a"), (2, 1, 5)),
        ("\n [[t]]\na = 1", ("t",), (2, 2, 2)),
        ('"a b"."c\\u0041" = 1', ("a b", "cA"), (1, 1, 19)),
        ("'a.b' = 1", ("a.b",), (1, 1, 9)),
        ("t = { a = 1, b.c = 2 }", ("t", "b", "c"), (1, 14, 20)),
        ("x = '''\na = 1\n'''\na = 2", ("a",), (4, 1, 5)),
        ('x = """\\"""" \na = 2', ("a",), (2, 1, 5)),
        ('x = """a"""""\na = 2', ("a",), (2, 1, 5)),
        ("x = [ # ]\n '[', {a = 1}, [2]\n]\na = 2", ("a",), (4, 1, 5)),
        ("x = 1979-05-27 07:32:00 # c\na = 2", ("a",), (2, 1, 5)),
        ('"é" = 1', ("é",), (1, 1, 7)),
    ],
)
def test_positions(text, path, expected):
    """Positions are the line, the column of the key and the column of the value, from 1."""
    tomllib.loads(text)
    found = positions(text)[path]
    assert (*line_and_column(text, found.key), line_and_column(text, found.value)[1]) == expected


KEYS = st.one_of(
    st.text("abc-_09", min_size=1, max_size=3),
    st.text(max_size=3).map(
        lambda s: (
            '"' + "".join(f"\\U{ord(c):08x}" for c in s) + '"'
            if not any(0xD800 <= ord(c) < 0xE000 for c in s)
            else '"s"'
        )
    ),
    st.text("ab.#=[]{}, ", max_size=3).map(lambda s: f"'{s}'"),
)
SCALARS = st.sampled_from(
    ["1", "-0.5", "true", "'#]'", '"\\"]}"', "1979-05-27", '"""\n#\\"]"""', "'''\n[a]\n''''", "inf"]
)
ARRAYS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3).map(lambda v: "[ " + ",\n ".join(v) + "]")
)


def inline(inner):
    """Return a strategy for inline tables of values from `inner`."""
    return st.lists(st.tuples(KEYS, inner), max_size=3, unique_by=lambda p: p[0]).map(
        lambda pairs: "{ " + ", ".join(f"{k} = {v}" for k, v in pairs) + " }"
    )


VALUES = st.recursive(ARRAYS, inline, max_leaves=5)
LINES = st.one_of(
    st.tuples(KEYS, VALUES).map(lambda p: f"{p[0]} = {p[1]} # c"),
    st.lists(KEYS, min_size=1, max_size=3).map(lambda p: f"[{' . '.join(p)}] # [x]"),
    st.lists(KEYS, min_size=1, max_size=2).map(lambda p: f" {'.'.join(p)}.z='' "),
    st.just("# a = 1"),
    st.just(""),
)


def leaves(table, prefix=()):
    """Yield every path of a document outside arrays."""
    for key, value in table.items():
        yield (*prefix, key)
        if isinstance(value, dict):
            yield from leaves(value, (*prefix, key))


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_every_path_has_a_position(text):
    """Exactly the paths of a valid document have positions, and a value's text parses alone."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = positions(text)
    assert set(found) == set(leaves(document))
    for position in found.values():
        assert 0 <= position.key <= position.value <= position.end <= len(text)
        if position.end > position.value and "\n" not in text[position.value : position.end]:
            tomllib.loads(f"value = {text[position.value : position.end]}")
