"""How texts become terms: words, identifiers, paths, scripts without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.history.search import tokens

# text → terms that must be among its own
HAS = {
    "camel": ("getUserName", "getusername get user name"),
    "snake": ("login_handler", "login_handler login handler"),
    "upper": ("HTTPServerError", "httpservererror http server error"),
    "path": ("see src/auth/login.py:12", "src/auth/login.py:12 src auth login"),
    "windows": ("C:\\work\\app.cs", "app.cs work app"),
    "version": ("v1.2.3", "v1.2.3"),
    "plus": ("C++ and C#", "c++ c#"),
    "accents": ("Café Zürich", "cafe zurich"),
    "case": ("GROẞ İzmir", "gross izmir"),
    "endings": ("caching retries failed migrations", "cach retry fail migrat"),
    "wide": ("ＡＰＩキー", "api キー"),
    "half-kana": ("ｶﾞｲﾄﾞ", "ガイ イド"),
    "japanese": ("認証画面", "認証 証画 画面"),
    "korean": ("로그인을", "로그 그인 인을"),
    "jamo": ("로그", "로그"),
    "mixed": ("Redis接続エラー", "redis 接続 エラ"),
    "hindi": ("हिन्दी भाषा", "हिन्दी भाषा"),
    "thai": ("ภาษา", "ภา าษ ษา"),
    "dunder": ("__init__", "__init__"),
}
# what is written, what is asked: they must share a term
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


@pytest.mark.parametrize(("text", "wanted"), HAS.values(), ids=HAS)
def test_terms_of_a_text(text: str, wanted: str) -> None:
    """Words are folded; identifiers and paths are kept whole and taken apart; CJK goes in pairs."""
    assert set(wanted.split()) <= set(tokens.terms(text))


@pytest.mark.parametrize(("text", "query"), MEET.values(), ids=MEET)
def test_what_is_written_and_what_is_asked_meet(text: str, query: str) -> None:
    """A query finds what is there in another form of the same word."""
    assert {item.term for item in tokens.asked(query)} & set(tokens.terms(text))


@pytest.mark.parametrize("text", ["", "  ", "!!! ... ???", "-- // ::", "、。「」", "…", "🙂"])
def test_no_word_no_term(text: str) -> None:
    """Punctuation and pictures are no terms."""
    assert list(tokens.terms(text)) == []
    assert tokens.asked(text) == []


@given(st.text(max_size=200))
def test_a_text_finds_itself(text: str) -> None:
    """Every term asked for is one of the text's own, whatever its script."""
    asked = {item.term for item in tokens.asked(text)}
    assert asked <= set(tokens.terms(text))
    assert bool(asked) == bool(list(tokens.terms(text)))


@given(st.text(max_size=200))
def test_terms_and_places_are_bounded(text: str) -> None:
    """A term holds no space and is of bounded length; a place lies inside the text."""
    for term in tokens.terms(text):
        assert 0 < len(term) <= tokens.TERM
        assert not any(char in term for char in " \n\t\0'")
    text = tokens.normal(text)
    for terms, start, end in tokens.spans(text):
        assert 0 <= start < end <= len(text)
        assert terms


def test_a_hostile_text_stays_cheap() -> None:
    """A very long word, and very many, give few terms for a query."""
    assert len(tokens.asked("x" * 10_000)) == 1
    assert len(tokens.asked(" ".join(f"word{n}" for n in range(5000)))) == tokens.ASKED
    assert len(set(tokens.terms("a_" * 5000))) < 40
    assert len(set(tokens.terms("/".join(["deep"] * 3000)))) < 40


def test_only_the_last_word_may_be_unfinished() -> None:
    """A word before the end is meant as it is; so is a short one, or one followed by a space."""
    begun = {item.term: item.prefix for item in tokens.asked("migration sched")}
    assert begun == {"migrat": False, "sched": True}
    assert not any(item.prefix for item in tokens.asked("sched "))
    assert not any(item.prefix for item in tokens.asked("db"))
