"""The index: what it finds, and that it always equals a newly built one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.journal.history.search.conftest import Home


def test_sessions_are_found_by_what_they_say(home: Home) -> None:
    """Prompts, decisions, files, errors, summaries and branches are searched, best match first."""
    home.session("one", "fix the login redirect loop")
    home.tell("two", ("session.started", {"branch": "feature/invoices"}),
              ("decision.recorded", {"text": "Money is Decimal, never float"}),
              ("tool.finished", {"tool": "Edit", "target": "src/billing/render.py", "changed": True}),
              ("tool.failed", {"tool": "Bash", "target": "pytest", "error": "ZeroDivisionError"}),
              ("turn.ended", {"message": "Rounding happens once per line now."}))  # fmt: skip
    home.tell("", ("session.summarized", {"of": "two", "upto": 9, "title": "Exact sums",
                                          "summary": "Totals were off by a cent."}))  # fmt: skip
    for query in ("decimal", "render.py", "src/billing", "ZeroDivisionError", "rounding", "invoices",
                  "totals cent", "exact sums"):  # fmt: skip
        assert home.found(query)[:1] == ["two"], query
    assert home.found("redirect login")[0] == "one"
    assert home.found("kubernetes") == []


@pytest.mark.parametrize(("text", "query"), [("認証の画面を直す", "認証"), ("로그인을 고쳐 줘", "로그인"),
                         ("재고가 음수가 된다", "재고"), ("検索", "検索"), ("在庫", "在")],
                         ids=["ja", "ko-particle", "ko-two", "ja-whole", "ja-one"])  # fmt: skip
def test_short_words_of_cjk(home: Home, text: str, query: str) -> None:
    """A CJK word of two characters, or of one, is found, and the snippet marks it."""
    home.session("yes", text)
    home.session("no", "配信 監視 배포 복구")
    assert home.found(query) == ["yes"]
    (hit,) = home.index.search(query)
    assert next(hit.snippet[a:b] for a, b in hit.spans).startswith(query[0])


def test_an_id_is_a_word(home: Home) -> None:
    """A session is found by its id, and by the beginning of its id."""
    home.session("9f31c2aa-5b1e-4c55-8d0a-77aa00bb11cc", "apple")
    home.session("other", "9f31 bananas")
    home.index.update()
    assert home.found("9f31c2aa-5b1e-4c55-8d0a-77aa00bb11cc")[0].startswith("9f31c2aa")
    assert home.found("9f31c2aa")[0].startswith("9f31c2aa")


def test_find_by_id(home: Home) -> None:
    """An id finds its session; a beginning finds all sessions that start with it, newest first."""
    home.session("abc", "one")
    home.session("abcd", "two")
    home.index.update()
    assert [past.digest.sid for past in home.index.find("abc")] == ["abc"]
    assert [past.digest.sid for past in home.index.find("ab")] == ["abcd", "abc"]
    assert home.index.find("abc", project="other") == []
    assert home.index.find("") == []
    assert home.index.find("%") == []
