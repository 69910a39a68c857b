"""What `recall` finds, and where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from journal.history.tools.run import call
from tests.cases.world import OTHER
from tests.journal.history.tools.conftest import ask

if TYPE_CHECKING:
    from tests.cases.world import World


def test_recall_names_the_session_and_its_source(past: World) -> None:
    """A hit has its title, a quoted passage, and the source that `get` reads."""
    found = ask(past, "recall", query="redirect")
    assert not found.failed
    assert "1 past session of the project" in found.text
    assert f"source: {OTHER}, from event 2 on" in found.text
    assert 'prompt: "repair the login redirect"' in found.text
    assert not ask(past, "get", source=OTHER).failed


def test_recall_finds_what_this_session_compacted_away(past: World) -> None:
    """Of the own session only messages before its last compaction are found."""
    found = ask(past, "recall", query="warehouse").text
    assert "This session, before its last compaction:" in found
    assert "the warehouse needs a bulk order" in found
    assert "the warehouse after it" not in found
    source = re.search(r"source: (\S+@\d+)", found)
    assert source is not None
    shown = ask(past, "get", source=source[1]).text
    assert "the warehouse needs a bulk order" in shown
    assert "Bulk orders are parsed now." in shown


def test_recall_of_this_session_needs_a_compaction(inline: World) -> None:
    """Messages of this session that are still in the context are not found."""
    inline.start()
    inline.prompt("the warehouse needs a bulk order")
    assert "Nothing in the project" in ask(inline, "recall", query="warehouse").text


def test_recall_finds_what_was_noted(past: World) -> None:
    """An entry of a past session is found; of this one only if it has no conversation of its own."""
    ask(past, "note", kind="entry", text="the gateway drops headers")
    assert "Nothing in the project" in ask(past, "recall", query="gateway").text
    for sid in ("other", "of-another-client"):
        assert 'note: "the gateway drops headers"' in ask(past, "recall", sid, query="gateway").text
        assert not ask(past, "note", sid, kind="decision", text="retries are bounded").failed
        assert 'decision: "retries are bounded"' in ask(past, "recall", sid, query="retries").text


def test_recall_knows_other_projects_only_where_it_is_asked(past: World) -> None:
    """A search covers this project, unless `all` is given."""
    there = past.home / "elsewhere"
    (there / ".git").mkdir(parents=True)
    env = {**past.env(), "CLAUDE_PROJECT_DIR": str(there)}
    assert "no journal" in call("recall", {"query": "redirect"}, env).text
    found = call("recall", {"query": "redirect", "all": True}, env).text
    assert OTHER in found
    assert "project shop," in found


def test_an_index_that_is_behind_is_read_on(past: World) -> None:
    """Events newer than the index are found."""
    past.order("search", "redirect")
    past.sid = "33333333-aaaa-4bbb-8ccc-000000000003"
    past.start()
    past.prompt("measure the turbine")
    past.end()
    assert past.sid in ask(past, "recall", session="", query="turbine").text
