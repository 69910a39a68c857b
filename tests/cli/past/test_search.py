"""`journal search`: its output, and its errors for bad input."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from journal.history.search import embed
from journal.text import width
from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.cli.import_.test_automatic import write_transcript
from tests.journal.history.search.relevance.made import topics
from tests.journal.history.search.test_together import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Result, Workspace

SID = "aaaa1111-0000-4000-8000-000000000001"


def recorded(workspace: Workspace, sid: str, *prompts: str, over: bool = True) -> None:
    """Record a session through the hooks."""
    workspace.hook("SessionStart", sid, source="startup")
    for text in prompts:
        workspace.hook("UserPromptSubmit", sid, prompt=text)
    if over:
        workspace.hook("SessionEnd", sid, reason="clear")


@pytest.fixture
def filled(workspace: Workspace) -> Iterator[Workspace]:
    """A workspace with two sessions."""
    recorded(workspace, SID, "fix the login redirect loop in src/auth/redirect.py")
    workspace.at(3600)
    recorded(workspace, SID[:-1] + "2", "在庫がマイナスになる", over=False)
    return workspace


def test_it_prints_what_was_found(filled: Workspace) -> None:
    """Title, date, project, status and id, and a snippet with the match marked."""
    result = filled.journal("search", "redirect")
    assert result.code == 0
    assert result.err == ""
    assert SID[:8] in result.out
    assert "2026-11-21" in result.out
    assert "completed" in result.out
    assert "«redirect»" in result.out
    assert " · shop · " in result.out


def test_the_best_hit_can_be_read(filled: Workspace) -> None:
    """The last line is the command that shows it; `journal show 1` would show another session."""
    recorded(filled, SID[:-1] + "3", "add a button")
    out = filled.journal("search", "redirect").out
    command = out.splitlines()[-1].partition(": journal ")[2]
    assert "redirect loop" in filled.journal(*command.split()).out
    assert "redirect loop" not in filled.journal("show", "1").out
    assert "1." not in out


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_no_line_is_wider_than_the_terminal(filled: Workspace, columns: int) -> None:
    """Facts and snippet are broken into lines."""
    out = filled.journal("search", "redirect", "loop", COLUMNS=str(columns)).out
    assert [line for line in out.splitlines() if width(line) > columns] == []
    assert out.count("«redirect»") == 2


def test_json(filled: Workspace) -> None:
    """The output is JSON alone: a list of hits, whose spans are positions in the snippet."""
    (hit,) = filled.journal("search", "在庫", "--json").data
    assert hit["session"] == SID[:-1] + "2"
    assert hit["status"] == "open"
    assert hit["ways"] == {"words": 1}
    assert [hit["snippet"][a:b] for a, b in hit["spans"]] == ["在庫"]
    assert filled.journal("search", "nowhere", "--json").data == []


def test_nothing_found_is_said(filled: Workspace) -> None:
    """A message on stderr, exit code 0 and empty stdout."""
    result = filled.journal("search", "kubernetes")
    assert (result.code, result.out) == (0, "")
    assert "nothing found for kubernetes" in result.err
    assert "leave out" not in result.err
    filtered = filled.journal("search", "kubernetes", "--since", "2h", "--status", "open")
    assert "leave out --since and --status" in filtered.err


def test_nothing_found_without_a_journal(workspace: Workspace) -> None:
    """Without a journal other words do not help: it says what records the first session."""
    for _ in range(2):
        result = workspace.journal("search", "kubernetes")
        assert (result.code, result.out) == (0, "")
        assert "no session yet; to record the next ones: journal setup" in result.err
        assert "other words" not in result.err
    workspace.home.mkdir()
    (workspace.home / "install.json").write_text("{}")
    (workspace.home / "app").mkdir()  # setup's copy is no journal
    is_set_up = workspace.journal("search", "kubernetes").err
    assert "no session yet; the journal records the next one" in " ".join(is_set_up.split())
    write_transcript(workspace, 1, workspace.project)
    waits = workspace.journal("search", "kubernetes").err
    assert "no session yet; to import past ones: journal import" in waits


def test_filters(filled: Workspace) -> None:
    """Status, date, number and project narrow the hits."""

    def sids(*words: str) -> list[str]:
        return [hit["session"][-1] for hit in filled.journal("search", *words, "--json").data]

    recorded(filled, SID[:-1] + "3", "login again")
    assert sids("login") == ["3", "1"] or sids("login") == ["1", "3"]
    assert len(sids("login", "--limit", "1")) == 1
    assert sids("login", "--since", "2026-11-21T09:30") == ["3"]
    assert sids("在庫", "--status", "completed") == []
    assert sids("在庫", "--status", "open") == ["2"]
    assert sids("login", "--project", str(filled.project)) != []
    assert sids("login", "--project", filled.directory.name) != []


def test_a_finished_session_gets_its_summary_first(filled: Workspace) -> None:
    """A search first summarises completed sessions of the project, once, unless switched off."""
    filled.journal("search", "redirect")
    assert filled.segment.read_bytes().count(b'"session.summarized"') == 1
    filled.journal("search", "redirect")
    assert filled.segment.read_bytes().count(b'"session.summarized"') == 1


@pytest.mark.parametrize("switch", ["[summary]\nauto = false\n", '[capture]\nlevel = "off"\n'])
def test_summaries_can_be_off(filled: Workspace, switch: str) -> None:
    """With summaries or capture off a search appends nothing and still finds sessions."""
    (filled.home / "config.toml").write_text(switch)
    assert SID[:8] in filled.journal("search", "redirect").out
    assert b'"session.summarized"' not in filled.segment.read_bytes()


BAD = {
    "empty": (("",), 2, "empty"),
    "blank": (("  \t ",), 2, "empty"),
    "punctuation": (("!!! ... ???",), 2, "no word"),
    "limit": (("x", "--limit", "0"), 2, "--limit"),
    "huge limit": (("x", "--limit", "100000"), 2, "--limit"),
    "minus limit": (("x", "--limit", "-1"), 2, "--limit"),
    "since": (("x", "--since", "last summer"), 2, "last summer"),
    "since seq": (("x", "--since", "17"), 2, "sequence number"),
    "since date": (("x", "--since", "2026-13-45"), 2, "2026-13-45"),
    "status": (("x", "--status", "done"), 2, "'completed', 'open'"),
    "project": (("x", "--project", "/nowhere/at-all"), 2, "no such directory"),
    "none": ((), 2, "QUERY"),
    "option": (("x", "--fuzzy"), 2, "--fuzzy"),
}


@pytest.mark.parametrize(("words", "code", "says"), BAD.values(), ids=BAD)
def test_bad_input(filled: Workspace, words: tuple[str, ...], code: int, says: str) -> None:
    """One clear line on stderr and an exit code; no traceback, nothing on stdout."""
    result = filled.journal("search", *words)
    assert (result.code, result.out) == (code, "")
    assert says in result.err
    assert "Traceback" not in result.err
    assert "unexpected" not in result.err


ODD = {
    "sql": "'; drop table sessions; --",
    "percent": "100%_done LIKE '%'",
    "quotes": "say \"hello\" 'world'",
    "nul": "a\0b",
    "surrogate": "caf\udce9 redirect",
    "long": "redirect " * 1200,
    "one long word": "x" * 10_000,
    "many words": " ".join(f"word{number}" for number in range(2000)),
    "control": "\x1b[31m redirect\x07",
    "bidi": "\u202eredirect",
    "emoji": "🙂 redirect",
    "braces": "{redirect} [x] (y) $1 ?1",
    "regex": "re.*ct|(",
    "unfinished": "redir",
}


def test_odd_queries(filled: Workspace) -> None:
    """Any query is plain text: it is searched for, and has no other effect."""
    wrong = {}
    for name, query in ODD.items():
        code, out, err = filled.journal("search", query)
        is_printable = "Traceback" not in err and "\x1b" not in out + err
        if code or not is_printable or ("redir" in query and SID[:8] not in out):
            wrong[name] = (code, out, err)
    assert wrong == {}
    assert filled.journal("search", "在庫", "--json").data


def test_hostile_text_is_escaped(workspace: Workspace) -> None:
    """Text of sessions is escaped in snippet and title before it reaches the terminal."""
    recorded(workspace, SID, "redirect \x1b[2J\u202e <script>alert(1)</script> loop")
    for words in (("search", "redirect"), ("search", "script")):
        out = workspace.journal(*words).out
        assert "\x1b" not in out
        assert "\u202e" not in out
    assert workspace.journal("search", "redirect", "--json").data[0]["session"] == SID


def test_no_journal_at_all(workspace: Workspace) -> None:
    """Without any journal nothing is found and nothing is created."""
    result: Result = workspace.journal("search", "apple")
    assert (result.code, result.out) == (0, "")
    assert not workspace.home.exists()


def test_the_match_is_bold_on_a_terminal(filled: Workspace) -> None:
    """On a terminal the match is set in bold, without marks."""
    import pty

    leader, follower = pty.openpty()
    env = {**filled.env, "TERM": "xterm", "NO_COLOR": ""}
    ran = subprocess.Popen([sys.executable, "-m", "cli", "search", "redirect"], cwd=ROOT, env=env,
                           stdin=follower, stdout=follower, stderr=follower)  # fmt: skip
    os.close(follower)
    seen = b""
    try:
        while part := os.read(leader, 4096):
            seen += part
    except OSError:
        pass
    os.close(leader)
    assert ran.wait(60) == 0
    assert b"\x1b[1mredirect\x1b[0m" in seen
    assert "«".encode() not in seen


def test_every_topic_is_found_by_its_own_words(workspace: Workspace) -> None:
    """In every language a prompt, searched word by word, is its own best hit."""
    some = topics()[::6]
    for number, topic in enumerate(some):
        recorded(workspace, f"{number:08d}-topic", topic.lines["p"][0])
    for number, topic in enumerate(some):
        (hit, *_rest) = workspace.journal("search", topic.lines["p"][0], "--json").data
        assert hit["session"] == f"{number:08d}-topic"


def test_only_common_words(filled: Workspace) -> None:
    """`the` finds nothing, which the command says; beside another word it changes nothing."""
    result = filled.journal("search", "the", "--json")
    assert (result.code, result.data) == (0, [])
    assert "too common" in result.err
    found_none = filled.journal("search", "the").err
    assert "journal: try other words" in found_none
    assert "journal: searched by words" in found_none  # and how to search by meaning
    assert filled.journal("search", "the", "redirect", "--json").data[0]["session"] == SID


def test_a_misspelled_word(filled: Workspace) -> None:
    """A word no session has is replaced by the nearest one, and the command says so."""
    result = filled.journal("search", "redirct", "--json")
    assert [hit["session"] for hit in result.data] == [SID]
    assert "redirect" in result.err


def test_fetching_the_model(filled: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """On request the model is downloaded, once; without the package it says how to add it."""
    asked: list[str] = []
    monkeypatch.setattr(embed, "fetch", lambda home, _settings: asked.append(home) or "here")
    monkeypatch.setattr(embed, "find_spec", lambda _name: None)
    result = filled.journal("search", "--fetch-model")
    assert (result.code, asked) == (3, [])
    assert "pip install" in result.err
    monkeypatch.setattr(embed, "find_spec", lambda _name: object())
    result = filled.journal("search", "--fetch-model")
    assert (result.code, asked) == (0, [str(filled.home)])
    assert "model: here" in result.out


def test_claude_fetches_no_model(filled: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skills may run `journal search` unasked, so inside Claude Code nothing is downloaded."""
    asked: list[str] = []
    monkeypatch.setattr(embed, "fetch", lambda home, _settings: asked.append(home) or "here")
    monkeypatch.setattr(embed, "find_spec", lambda _name: object())
    result = filled.journal("search", "--fetch-model", CLAUDECODE="1")
    assert (result.code, asked) == (2, [])
    assert "run it in your own terminal: journal search --fetch-model" in result.err
