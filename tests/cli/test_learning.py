"""`journal learning`: what it writes into the files, and what it appends."""

from __future__ import annotations

import pytest

from journal.errors import JournalError


@pytest.mark.parametrize("words, stdin", [
    (["--body", "why and how"], "ignored"), ([], "why and how\n"), (["--body", "-"], "why and how"),
])  # fmt: skip
def test_learning_is_written_then_recorded(words, stdin, workspace, monkeypatch):
    """A learning is written to its file, unverified, and recorded in the journal."""
    monkeypatch.setattr("cli.learning._piped", lambda: True)
    result = workspace.journal("learning", "add", "--topic", "cart", "--title", "Round once",
                           "--phase", "review", *words, stdin=stdin)  # fmt: skip
    assert result.code == 0, result.err
    text = (workspace.project / ".claude/context/learnings-cart.md").read_text()
    assert text == ("### Round once\n<!-- confirmed: 0 | added: 2026-11-21 | phases: review -->\n\n"
                    "why and how\n")  # fmt: skip
    event = workspace.last_event
    assert (event["type"], event["file"], event["title"], event["phase"]) == (
        "learning.recorded", ".claude/context/learnings-cart.md", "Round once", "review",
    )  # fmt: skip


@pytest.fixture
def stocked(workspace):
    """Two topics, with one title in both and one that starts like another."""
    for topic, title in [("cart", "Round once"), ("cart", "Codes are upper case"),
                         ("api", "Round once"), ("api", "Retry thrice")]:  # fmt: skip
        assert workspace.journal("learning", "add", "--topic", topic, "--title", title).code == 0
    return workspace


@pytest.mark.parametrize("name, topic, code, says", [
    ("codes are", "", 0, "Codes are upper case"),
    ("Retry thrice", "", 0, "Retry thrice"),
    ("round", "", 2, "matches 2 learnings"),
    ("round", "api", 0, "Round once"),
    ("rund once", "", 2, "similar: 'Round once'"),
    ("nothing like it at all", "", 2, "no learning"),
    ("round", "none", 2, "no learning"),
])  # fmt: skip
def test_learning_confirmed(name, topic, code, says, stocked):
    """One entry, found across the topics, is confirmed; none or several is an error."""
    result = stocked.journal("learning", "confirm", name, "--phase", "debug",
                             *(["--topic", topic] if topic else []))  # fmt: skip
    assert result.code == code
    assert says in result.out + result.err
    counts = [entry["confirmed"] for entry in stocked.journal("learning", "list", "--json").data]
    assert sum(counts) == (not code)
    assert (stocked.last_event["type"] == "learning.confirmed") == (not code)


def test_learning_list_of_a_topic(stocked):
    """`learning list` shows all entries, or those of one topic, with their place."""
    every = stocked.journal("learning", "list", "--json").data
    assert [entry["topic"] for entry in every] == ["api", "api", "cart", "cart"]
    one = stocked.journal("learning", "list", "--topic", "cart", "--json").data
    assert [(entry["title"], entry["line"], entry["phases"]) for entry in one] == [
        ("Round once", 1, ["manual"]), ("Codes are upper case", 4, ["manual"]),
    ]  # fmt: skip


def test_learning_list_of_an_empty_topic(stocked):
    """A topic without learnings is named, so that nobody takes all topics for empty."""
    said = stocked.journal("learning", "list", "--topic", "none").out
    assert ".claude/context/learnings-none.md" in said
    assert "journal learning add --topic" in said
    assert "learnings-none" not in stocked.journal("learning", "list").out


def test_learning_outside_of_a_project(workspace):
    """Outside of a project there are no learnings, and the command says so."""
    result = workspace.journal("learning", "list", "--project", "/")
    assert result.code == 3
    assert "not in a project" in result.err


def test_an_event_that_fails_leaves_a_word(workspace, monkeypatch):
    """If only the append fails, the error says that the file has the entry."""

    def fail(*_: object) -> None:
        raise JournalError("log", "cannot be written")

    monkeypatch.setattr("cli.scope.Scope.append", fail)
    result = workspace.journal("learning", "add", "--topic", "cart", "--title", "Round once")
    assert result.code == 3
    assert (workspace.project / ".claude/context/learnings-cart.md").exists()
    assert "learnings-cart.md is changed, but the journal has no event of it." in result.err
