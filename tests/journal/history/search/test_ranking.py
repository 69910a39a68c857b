"""Which sessions match, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.search import database
from journal.history.search.ranking import Filter, by_scan, merge_rankings

if TYPE_CHECKING:
    import pytest

    from tests.journal.history.search.conftest import Home


def test_filters(home: Home) -> None:
    """Project, date and status narrow a search and a list."""
    home.session("old", "parser one", project="a-00000001")
    home.session("new", "parser two", project="b-00000002", over=False)
    home.index.update()
    second = home.index.find("new")[0].digest.session.started
    assert sorted(home.found("parser")) == ["new", "old"]
    assert home.found("parser", project="a-00000001") == ["old"]
    assert home.found("parser", since=second) == ["new"]
    assert home.found("parser", status="completed") == ["old"]
    assert home.found("parser", status="open") == ["new"]
    assert home.found("parser", limit=1) in (["new"], ["old"])
    listed = home.index.sessions
    assert [past.digest.sid for past in listed()] == ["new", "old"]
    assert [past.project for past in listed(Filter("a-00000001"))] == ["a-00000001"]
    assert [past.digest.sid for past in listed(Filter(until=second[:16]), limit=1)] == ["new"]
    assert [past.digest.sid for past in listed(Filter(text="PARSER o"))] == ["old"]
    assert [past.digest.sid for past in listed(Filter(since=second, status="open"))] == ["new"]
    assert listed(Filter(since="2030-01-01")) == []


def test_more_than_a_hundred(home: Home) -> None:
    """A limit above a hundred returns more than a hundred hits."""
    for number in range(130):
        home.session(f"s{number}", "apple")
    assert len(home.found("apple", limit=500)) == 130
    assert len(home.found("apple")) == 10


def test_without_fts5_every_session_is_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without FTS5 in SQLite, search says so, reads every session and finds the same."""
    monkeypatch.setattr(database, "has_fts5", lambda: False)
    home.session("one", "fix the login redirect loop", "redirect again")
    home.session("two", "a redirect of invoices")
    home.session("three", "bananas")
    assert home.found("redirect login") == ["one", "two"]
    assert "no FTS5" in "".join(home.reports)
    home.session("four", "login")
    assert home.found("login") == ["one", "four"] or home.found("login") == ["four", "one"]
    assert home.found("kubernetes") == []
    assert home.found("login", status="open") == []


def test_rankings_are_merged_by_reciprocal_rank() -> None:
    """A rank counts 1 / (60 + rank) in each ranking; of equals the first one found stays first."""
    found = merge_rankings({"words": [1, 2, 3], "meaning": [3, 4]})
    assert [doc for doc, _, _ in found] == [3, 1, 2, 4]
    assert [score for _, score, _ in found] == [1 / 63 + 1 / 61, 1 / 61, 1 / 62, 1 / 62]
    assert found[0][2] == {"words": 3, "meaning": 1}
    assert merge_rankings({"words": [], "meaning": []}) == []


def test_an_empty_member_is_no_condition() -> None:
    """Only members with a value become conditions, and each value is a parameter."""
    assert Filter().sql() == ("true", [])
    sql, values = Filter("shop", until="2026-11-21", text="LOGIN①", own=True).sql()
    assert sql == (
        "true and s.project = ? and s.started < ? || '~' and instr(s.plain, ?) > 0 and not s.looked"
    )
    assert values == ["shop", "2026-11-21", "login1"]


def test_of_equal_sessions_the_last_active_comes_first(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With and without a full-text index the order of equal matches is that of their activity."""
    for sid in ("one", "two", "three"):
        home.session(sid, "prune the orchard")
    home.tell("one", ("session.started", {"source": "resume"}))
    assert home.found("orchard") == ["one", "three", "two"]
    monkeypatch.setattr("journal.history.search.index.by_words", by_scan)
    assert home.found("orchard") == ["one", "three", "two"]
