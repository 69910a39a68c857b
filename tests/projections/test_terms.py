"""The shared tokenizer: words, identifiers, paths, scripts without spaces, stop words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections import terms as tokenizer
from projections.terms import groups, is_stop, normal, significant_terms, terms, words
from tests.support.rows import each

# text → terms that must be among its terms
HAS = {
    "camel": ("getUserName", "getusername get user name"),
    "snake": ("login_handler", "login_handler login handler"),
    "upper": ("HTTPServerError", "httpservererror http server error"),
    "path": ("see src/auth/login.py:12", "src auth login py 12"),
    "windows": ("C:\\work\\app.cs", "c work app cs"),
    "version": ("v1.2.3", "v1 2 3"),
    "plus": ("C++ and C#", "c++ c#"),
    "accents": ("Café Zürich", "cafe zurich"),
    "case": ("GROẞ İzmir", "gross izmir"),
    "endings": ("caching retries failed migrations", "cach retry fail migrat"),
    "no endings": ("string billion", "string billion"),
    "wide": ("ＡＰＩキー", "api キー"),
    "half-kana": ("ｶﾞｲﾄﾞ", "ガイ イド"),
    "japanese": ("認証画面", "認証 証画 画面"),
    "scripts-apart": ("画面を閉じる", "画面 閉"),
    "korean": ("로그인을", "로그 그인 인을"),
    "jamo": ("로그", "로그"),
    "mixed": ("Redis接続エラー", "redis 接続 エラ"),
    "hindi": ("हिन्दी भाषा", "हिन्दी भाषा"),
    "thai": ("ภาษา", "ภา าษ ษา"),
    "dunder": ("__init__", "__init__"),
}
# the text, the query: they must share a term
MEET = {
    "plural": ("retries", "retry"),
    "verb": ("we cached it", "caching"),
    "part of camel": ("parseHttpHeader", "header"),
    "whole of camel": ("parseHttpHeader", "parsehttpheader"),
    "file of a path": ("edited src/a/token_store.ts", "token_store.ts"),
    "folder of a path": ("edited src/billing/x.ts", "billing"),
    "particle": ("검색이 안 된다", "검색"),
    "two of three": ("再認証の手順", "認証"),
    "composed": ("한글", "한글"),
    "width": ("テスト", "ﾃｽﾄ"),
    "accents": ("résumé naïve", "resume"),
    "sharp s": ("die Straße", "STRASSE"),
    "number": ("error E0382 again", "e0382"),
}


@each(("text", "wanted"), HAS.values(), ids=HAS)
def test_terms_of_a_text(text: str, wanted: str) -> None:
    """Words are normalised; identifiers are indexed whole and in parts; CJK becomes pairs."""
    assert set(wanted.split()) <= set(terms(text))


@each(("text", "query"), MEET.values(), ids=MEET)
def test_what_is_written_and_what_is_asked_meet(text: str, query: str) -> None:
    """A query finds another form of the same word."""
    assert set(terms(query)) & set(terms(text))


@pytest.mark.parametrize("text", ["", "  ", "!!! ... ???", "-- // ::", "、。「」", "…", "🙂", "__"])
def test_no_word_no_term(text: str) -> None:
    """Punctuation and pictures give no terms."""
    assert list(terms(text)) == []
    assert groups(text) == []


@given(st.text(max_size=200))
def test_terms_and_positions_are_bounded(text: str) -> None:
    """A term has no space or quote and a bounded length; its position lies inside the text."""
    for term in terms(text):
        assert 0 < len(term) <= 64
        assert not any(char in term for char in " \n\t\0'\"")
    text = normal(text)
    for start, end, found in words(text):
        assert 0 <= start < end <= len(text)
        assert found
    assert [term for _, _, found in words(text) for term in found] == list(terms(text))


@given(st.text(max_size=200))
def test_an_offer_rests_on_terms_of_the_index(text: str) -> None:
    """Offers and search share one tokenizer: every significant term is in the index."""
    assert set(significant_terms(text)) <= set(terms(text))


def test_a_hostile_text_stays_cheap() -> None:
    """A very long word gives only a few terms."""
    assert len(list(terms("x" * 10_000))) == 1
    assert len(set(terms("a_" * 5000))) < 40
    assert len(set(terms("/".join(["deep"] * 3000)))) < 40


@pytest.mark.parametrize("word", ["the", "and", "is", "of", "what", "when", "with", "should"])
def test_words_that_stand_in_any_text(word: str) -> None:
    """English grammar words, and words such as "done" and "made", are stop words."""
    (term,) = terms(word)
    assert is_stop(term)


@pytest.mark.parametrize("word", ["lock", "last", "try", "fix", "keep", "error", "認証", "no_op"])
def test_words_that_do_not(word: str) -> None:
    """The sibling: words that may tell one session from another are not stop words."""
    assert not is_stop(next(terms(word)))


def test_every_stop_word_is_one_term() -> None:
    """Each stop word is one term, in the form the tokenizer produces."""
    assert {term for word in tokenizer._STOP for term in terms(word)} == tokenizer._STOP_TERMS
