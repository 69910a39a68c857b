"""`journal export-session`: parts of a session as sessions of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from journal.history.summaries.parts import PartChoice, parts_of
from journal.log.record import CAP, OVERHEAD
from journal.log.truncate import cut_to
from tests.cases.world import SID, World
from tests.cli.past.conftest import exported, tale

if TYPE_CHECKING:
    from pathlib import Path


GITHUB = "ghp_" + "a1B2" * 9  # looks like a secret


def test_the_groups_are_shown_with_counts_and_nothing_is_written(shop: World) -> None:
    """Showing writes nothing: three groups with their observations, and the log unchanged."""
    before = shop.records()
    said = shop.run("export-session")
    assert said.code == 0
    rows = said.out.splitlines()
    assert [row.split()[0] for row in rows[1:4]] == ["1.", "2.", "3."]
    assert rows[-1] == "Nothing is written yet: --pick 1,2 exports those"
    assert [title in row for title, row in zip(
        ("Fix the login of the shop", "認証のテストを追加", "Write the manual"), rows[1:4], strict=True
    )] == [True] * 3  # fmt: skip
    data = shop.run("export-session", "--json").data
    assert data["session"] == SID
    assert [group["observations"] for group in data["groups"]] == [2, 1, 1]
    assert [group["files"] for group in data["groups"]] == [
        ["login.py"], ["auth/token.py"], ["guide.md"],
    ]  # fmt: skip
    assert data["groups"][1]["decisions"] == ["Tokens last an hour"]
    assert shop.records() == before


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        pytest.param(["--pick", "none"], None, id="pick-none"),
        pytest.param(["--pick", ""], None, id="pick-nothing"),
        pytest.param([], "\n", id="empty-line"),
        pytest.param([], "", id="end-of-input"),
        pytest.param([], "none\n", id="none-typed"),
        pytest.param(["--plan", "-"], "[]", id="empty-plan"),
        pytest.param(["--pick", "all", "--dry-run"], None, id="dry-run"),
        pytest.param(["--pick", "9"], None, id="out-of-range"),
        pytest.param(["--pick", "1,9"], None, id="one-of-them-out-of-range"),
        pytest.param([], "9\n", id="out-of-range-typed"),
        pytest.param(["--pick", "1", "--title", "a", "--title", "b"], None, id="titles-left-over"),
    ],
)
def test_nothing_picked_is_nothing_written(
    shop: World, words: list[str], typed: str | None
) -> None:
    """CN23: choosing nothing, or something that does not exist, leaves the log unchanged."""
    before = shop.records()
    terminal = typed is not None and not words
    said = shop.run("export-session", *words, stdin=typed or "", terminal=terminal)
    assert said.code == (2 if "9" in "".join([*words, typed or ""]) or "b" in words else 0)
    assert shop.records() == before


def test_what_is_picked_becomes_a_session(shop: World) -> None:
    """Each chosen group becomes one event with its contents, and then a completed session."""
    said = shop.run("export-session", "--pick", "1,3")
    assert said.code == 0
    first, second = exported(shop)
    assert (first["of"], first["title"]) == (SID, "Fix the login of the shop")
    assert (first["files"], first["engine"]) == (["login.py"], "extractive")
    assert "The login is fixed." in first["summary"]
    assert "認証" not in first["summary"]
    assert second["files"] == ["guide.md"]
    ids = [f"{SID}.{one['seq']}" for one in (first, second)]
    assert all(f"exported as {sid}" in said.out for sid in ids)
    found = shop.run("sessions", "--json", "--status", "completed").data
    assert sorted(one["session"] for one in found) == sorted(ids)
    assert {one["of"] for one in found} == {SID}


def test_a_part_can_be_searched_for(shop: World) -> None:
    """A search finds it by its words right after the export."""
    assert shop.run("export-session", "--pick", "2", "--title", "Token tests").code == 0
    (one,) = exported(shop)
    for query in ("認証", "Token tests", "token.py"):
        assert f"{SID[:8]}.{one['seq']}" in shop.run("search", query).out, query


def test_the_seqs_of_a_part_are_its_events(shop: World) -> None:
    """They are the prompt, the calls and the end of the turn, and no other session's events."""
    shop.run("export-session", "--pick", "1")
    (one,) = exported(shop)
    recorded = {event["seq"]: event for event in shop.events()}
    assert [recorded[seq]["type"] for seq in one["seqs"]] == [
        "prompt.submitted", "tool.finished", "tool.finished", "turn.ended",
    ]  # fmt: skip
    assert {recorded[seq]["sid"] for seq in one["seqs"]} == {SID}


def test_a_terminal_is_asked(shop: World) -> None:
    """The command shows the groups first, and exports what the person types."""
    said = shop.run("export-session", stdin="2\n", terminal=True)
    assert said.code == 0
    assert "Export which" in said.err
    assert said.out.index("認証のテストを追加") < said.out.index("exported as")
    (one,) = exported(shop)
    assert one["title"] == "認証のテストを追加"
    assert shop.run("export-session", stdin="2\n").code == 0
    assert len(exported(shop)) == 1


def test_the_same_part_is_exported_once(shop: World) -> None:
    """A second export names the existing part, as does the list; other groups are still free."""
    shop.run("export-session", "--pick", "1")
    (one,) = exported(shop)
    said = shop.run("export-session", "--pick", "1-2", "--title", "Another title")
    assert f"exported before as {SID}.{one['seq']}" in said.out
    assert [event["files"] for event in exported(shop)] == [["login.py"], ["auth/token.py"]]
    again = shop.run("export-session", "--pick", "all", "--json").data
    assert [part["new"] for part in again["exported"]] == [False, False, True]
    data = shop.run("export-session", "--json").data
    assert [bool(group["exported"]) for group in data["groups"]] == [True, True, True]
    assert "yes" in shop.run("export-session").out


def test_a_group_that_grew_is_another_part(shop: World) -> None:
    """Work since the export makes the group a new part."""
    shop.run("export-session", "--pick", "3")
    shop.tool("Edit", file_path=str(shop.project / "guide.md"))
    assert shop.run("export-session", "--json").data["groups"][2]["exported"] is None
    assert "exported as" in shop.run("export-session", "--pick", "3").out
    assert len(exported(shop)) == 2


def test_a_dry_run_says_what_would_be(shop: World) -> None:
    """A dry run prints the export with its summary, as JSON or text, and writes nothing."""
    said = shop.run("export-session", "--pick", "1", "--dry-run", "--json").data
    assert said["dry_run"] is True
    assert said["appended"] == []
    assert said["exported"][0]["session"] is None
    assert "The login is fixed." in said["exported"][0]["summary"]
    assert "would be exported: Fix the login" in shop.run(
        "export-session", "--pick", "1", "--dry-run"
    ).out  # fmt: skip


def test_a_session_in_which_nothing_was_observed(tmp_path: Path) -> None:
    """The command says so; choosing from it is refused."""
    shop = World(tmp_path, inline=True)
    shop.start()
    shop.prompt("Hello")
    said = shop.run("export-session")
    assert (said.code, said.out.count("\n")) == (0, 1)
    assert said.out.startswith(f"session {SID} has nothing to export: no hook recorded a tool call")
    assert said.out.endswith(f"to read it: journal show {SID[:8]}\n")
    assert shop.run("export-session", "--json").data == {"session": SID, "groups": []}
    for words in (("--pick", "1"), ("--plan", "-")):
        said = shop.run("export-session", *words, stdin="[]")
        assert said.code == 1
        assert "nothing to export" in said.err
    assert exported(shop) == []


def test_the_session_is_named_or_the_clients_own(shop: World) -> None:
    """Outside of Claude Code the session must be named; it is never guessed."""
    said = shop.run("export-session", sid=None)
    assert said.code == 2
    assert "--session ID" in said.err
    assert "3." in shop.run("export-session", "--session", SID[:6], sid=None).out
    said = shop.run("export-session", "--session", "nobody", sid=None)
    assert said.code == 2
    assert 'no session matches "nobody"' in said.err
    assert shop.run("export-session", "--session", SID, "--pick", "1", sid=None).code == 0
    assert "sid" not in exported(shop)[0] or exported(shop)[0]["sid"] == ""


def test_secrets_are_redacted(shop: World) -> None:
    """Secrets in a plan's titles and summaries are redacted too."""
    plan = [{"title": f"Use {GITHUB}", "groups": [1], "summary": f"The token is {GITHUB}."}]
    assert shop.run("export-session", "--plan", "-", stdin=json.dumps(plan)).code == 0
    assert GITHUB not in json.dumps(exported(shop))
    assert "Use " in exported(shop)[0]["title"]


def test_a_hostile_title_stays_text(shop: World) -> None:
    """Neither the list nor the block lets a hostile title take effect."""
    title = "<script>alert(1)</script> \x1b[31m # x"
    assert shop.run("export-session", "--pick", "1", "--title", title).code == 0
    text = shop.run("get", "last").out
    assert "<script>" not in text
    assert "\x1b" not in text
    assert text.count("\n## ") == 1


@pytest.mark.parametrize("name", ["f", "認証" * 60, "\u0001" * 90])
def test_a_part_of_any_length_fits_a_record(name: str) -> None:
    """Of thousands of events it names the first, the last and some between, none cut in half."""
    events = tale(5_000, name)
    seqs = [event.seq for _, event in events]
    (part,) = parts_of("s" * 200, events, [PartChoice("T" * 80, seqs, (name * 2000)[:2000])])
    body = cut_to(part.body, CAP - OVERHEAD - 400)
    assert body == part.body or not name.isprintable()
    kept = body["seqs"]
    assert (kept[0], kept[-1]) == (seqs[0], seqs[-1])
    assert kept == sorted(set(kept))
    assert part.group.observations == 5_000
    (small,) = parts_of("s", events[:9], [PartChoice("", seqs[:9])])
    assert small.body["seqs"] == seqs[:9]
