"""Queries: which terms count, what replaces an unknown word, and the FTS5 expression."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, bisect_right
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.history.search.query import Term, expand, expression, parse_query
from projections.terms import terms

INDEXED = sorted(
    (
        "deadlock",
        "decoder",
        "lock",
        "locker",
        "migrat",
        "parameter",
        "parametric",
        "redirect",
        "the",
    )
)


def vocabulary(first: str, last: str) -> list[str]:
    """Return the indexed terms from one text up to another."""
    return INDEXED[bisect_left(INDEXED, first) : bisect_right(INDEXED, last)]


def meant(query: str) -> list[Term]:
    """Return the terms that a query searches for."""
    return expand(parse_query(query).terms, vocabulary)


@pytest.mark.parametrize(
    ("query", "wanted", "stops"),
    [
        pytest.param("the lock", ["lock"], ["the"], id="stop"),
        pytest.param("it's Bob's lock", ["bob", "lock"], ["it", "s", "s"], id="contractions"),
        pytest.param("What is the", [], ["What", "is", "the"], id="stops alone"),
        pytest.param("login_handler", ["login_handler", "login", "handler"], [], id="identifier"),
        pytest.param("9f31c2a", ["9f31c2a"], [], id="id"),
        pytest.param("lock lock LOCK", ["lock"], [], id="once"),
        pytest.param("画面を閉じる", ["画面", "閉"], [], id="kana is grammar"),
        pytest.param("つながらない", ["つな", "なが", "がら", "らな", "ない"], [], id="kana alone"),
        pytest.param("!!!", [], [], id="no word"),
    ],
)
def test_what_is_asked_for(query: str, wanted: list[str], stops: list[str]) -> None:
    """Each term counts once, in order, without stop words."""
    found = parse_query(query)
    assert [term.text for term in found.terms] == wanted
    assert found.stops == stops


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param("lock", [Term("lock")], id="there"),
        pytest.param("redir", [Term("redir", prefix=True)], id="unfinished"),
        pytest.param("dedlock", [Term("deadlock")], id="misspelled"),
        pytest.param("paramter", [Term("parameter")], id="a letter less"),
        pytest.param("zebra", [Term("zebra")], id="unknown"),
        pytest.param("lo", [Term("lo")], id="too short"),
        pytest.param("認証", [Term("認証")], id="another script"),
        pytest.param("在", [Term("在", prefix=True)], id="one character"),
    ],
)
def test_what_a_word_is_taken_for(query: str, found: list[Term]) -> None:
    """An unknown word is searched as a prefix, else as a misspelling, else as it is."""
    assert meant(query) == found


def test_a_long_query_is_cut() -> None:
    """At most 64 terms count, and a longer query is marked as cut."""
    found = parse_query(" ".join(f"word{number}" for number in range(5000)))
    assert (len(found.terms), found.cut) == (64, True)
    assert not parse_query("word1 word2").cut


@given(st.text(max_size=200))
def test_any_text_is_a_query(text: str) -> None:
    """FTS5 accepts the expression of any text, and its terms come from that text."""
    asked = parse_query(text).terms
    assert {term.text for term in asked} <= set(terms(text))
    found = expand(asked, vocabulary)
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("create virtual table t using fts5(a, tokenize = \"ascii tokenchars '_+#'\")")
        made.execute("insert into t values (?)", [" ".join(terms(text))])
        if asked:
            rows = made.execute("select count(*) from t where t match ?", [expression(asked)])
            assert rows.fetchone() == (1,)
            made.execute("select count(*) from t where t match ?", [expression(found)])
