"""`journal export-session`: it shows groups, and writes only what is chosen, once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.past.plan import choices, ranges, spans
from journal.errors import UsageError
from journal.events.registry import class_of
from journal.history.summaries.groups import Group, build_group
from journal.history.summaries.parts import PartChoice, parts_of
from journal.log.record import CAP
from journal.log.truncate import cut_to
from tests.cases.world import OTHER, SID, World

if TYPE_CHECKING:
    from pathlib import Path

    from journal.history.summaries.groups import KindEvent

GITHUB = "ghp_" + "a1B2" * 9  # looks like a secret


@pytest.fixture
def shop(tmp_path: Path) -> World:
    """A session that did three things and is still open."""
    shop = World(tmp_path, inline=True)
    shop.start()
    shop.prompt("Fix the login of the shop")
    shop.tool("Edit", file_path=str(shop.project / "login.py"))
    shop.tool("Bash", command="pytest tests/test_login.py", response={"stdout": "1 passed"})
    shop.stop(last_assistant_message="The login is fixed.")
    shop.prompt("認証のテストを追加")
    shop.tool("Write", file_path=str(shop.project / "auth" / "token.py"))
    assert shop.run("decide", "Tokens last an hour").code == 0
    shop.stop(last_assistant_message="追加しました。")
    shop.after(hours=2).prompt("Write the manual")
    shop.tool("Write", file_path=str(shop.project / "guide.md"))
    return shop


def exported(shop: World) -> list[dict[str, Any]]:
    """Return the export events in the log."""
    return shop.events("session.exported")


def test_the_groups_are_shown_with_counts_and_nothing_is_written(shop: World) -> None:
    """Showing writes nothing: three groups with their observations, and the log unchanged."""
    before = shop.records()
    said = shop.run("export-session")
    assert said.code == 0
    rows = said.out.splitlines()
    assert [row.split()[0] for row in rows[1:4]] == ["1.", "2.", "3."]
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


def test_a_plan_regroups(shop: World) -> None:
    """A plan groups by groups and seqs, with titles, and with its own summary if given."""
    groups = shop.run("export-session", "--json").data["groups"]
    plan = [
        {"title": "Login and token", "groups": [1, 2], "summary": "Both are done."},
        {"title": "The manual", "seqs": groups[2]["seqs"]},
        {"title": "One call", "seqs": [groups[0]["first"] + 1]},
    ]
    said = shop.run("export-session", "--plan", "-", stdin=json.dumps(plan))
    assert said.code == 0, said.err
    first, second, third = exported(shop)
    assert (first["title"], first["summary"], first["engine"]) == (
        "Login and token", "Both are done.", "claude",
    )  # fmt: skip
    assert sorted(first["files"]) == ["auth/token.py", "login.py"]
    assert first["decisions"] == ["Tokens last an hour"]
    assert (second["title"], second["engine"]) == ("The manual", "extractive")
    assert third["seqs"] == [groups[0]["first"] + 1]


def test_a_plan_may_be_a_file(shop: World) -> None:
    """A path is relative to the working directory; a missing file is an error."""
    (shop.project / "plan.json").write_text('[{"title": "T", "groups": "1-2"}]')
    assert shop.run("export-session", "--plan", "plan.json").code == 0
    assert len(exported(shop)) == 1
    assert shop.run("export-session", "--plan", "nowhere.json").code == 3
    (shop.project / "plan.json").write_bytes(b"\xff\xfe")
    assert shop.run("export-session", "--plan", "plan.json").code == 3


OTHERS = "an event of another session"
BAD = [
    pytest.param("{", "not JSON", id="torn"),
    pytest.param("", "not JSON", id="empty"),
    pytest.param("[" * 100_000, "not JSON", id="deep"),
    pytest.param("{}", "it is not a list", id="object"),
    pytest.param("[1]", "entry 1: it is not an object", id="number"),
    pytest.param('[{"groups": [1]}]', "entry 1: it has no title", id="no-title"),
    pytest.param('[{"title": " ", "groups": [1]}]', "it has no title", id="blank-title"),
    pytest.param('[{"title": 1, "groups": [1]}]', "title must be a text", id="title-a-number"),
    pytest.param('[{"title": "T"}]', "either groups or seqs", id="nothing-chosen"),
    pytest.param('[{"title": "T", "groups": [1], "seqs": [3]}]', "either groups or seqs",
                 id="both-chosen"),
    pytest.param('[{"title": "T", "groups": [1], "x": 1}]', "x is not a member", id="another-member"),
    pytest.param('[{"title": "T", "groups": [4]}]', "4: out of range; there are 1 to 3",
                 id="group-out-of-range"),
    pytest.param('[{"title": "T", "groups": []}]', "not a list of numbers", id="no-group"),
    pytest.param('[{"title": "T", "groups": [true]}]', "not a list of numbers", id="group-a-switch"),
    pytest.param('[{"title": "T", "groups": {"a": 1}}]', "not a list of numbers", id="group-object"),
    pytest.param('[{"title": "T", "seqs": []}]', "not a list of numbers", id="no-seq"),
    pytest.param('[{"title": "T", "seqs": [true]}]', "not a sequence number", id="seq-a-switch"),
    pytest.param('[{"title": "T", "seqs": [3.5]}]', "not a sequence number", id="seq-a-fraction"),
    pytest.param('[{"title": "T", "seqs": ["3-x"]}]', "not a sequence number", id="seq-a-word"),
    pytest.param('[{"title": "T", "seqs": ["5-3"]}]', "goes backwards", id="seqs-backwards"),
    pytest.param('[{"title": "T", "seqs": [99999]}]', "#99999 does not belong to this session",
                 id="seq-unknown"),
    pytest.param('[{"title": "T", "seqs": [1e400]}]', "not a sequence number", id="seq-infinite"),
    pytest.param('[{"title": "T", "seqs": [2]}]', "no observation", id="no-observation"),
    pytest.param(f'[{{"title": "T", "seqs": ["{OTHERS}"]}}]', "does not belong to this session",
                 id="seq-of-another"),
    pytest.param('[{"title": "T", "groups": [1]}, {"title": "U", "groups": [9]}]',
                 "entry 2: groups: 9: out of range", id="second-entry-bad"),
]  # fmt: skip


@pytest.mark.parametrize(("plan", "what"), BAD)
def test_a_plan_that_does_not_fit_is_refused_whole(shop: World, plan: str, what: str) -> None:
    """The error names the entry and the fault; valid entries are not written either."""
    shop.hook("SessionStart", sid=OTHER, source="startup")
    shop.tool("Edit", sid=OTHER, file_path=str(shop.project / "x.py"))
    theirs = next(one["seq"] for one in shop.events("tool.finished") if one["sid"] == OTHER)
    before = shop.records()
    given_ = plan.replace(f'"{OTHERS}"', str(theirs))
    for more in ((), ("--json",)):
        said = shop.run("export-session", "--plan", "-", *more, stdin=given_)
        assert (said.code, said.out) == (2, "")
        assert what in said.err
        assert len(said.err) < 600
    assert shop.records() == before


def test_a_plan_and_a_pick_exclude_each_other(shop: World) -> None:
    """A plan and a pick together are an error."""
    assert shop.run("export-session", "--plan", "-", "--pick", "1", stdin="[]").code == 2
    assert exported(shop) == []


def test_a_session_in_which_nothing_was_observed(tmp_path: Path) -> None:
    """The command says so; choosing from it is refused."""
    shop = World(tmp_path, inline=True)
    shop.start()
    shop.prompt("Hello")
    said = shop.run("export-session")
    assert (said.code, said.out) == (
        0,
        f"session {SID} has no observation that could be exported\n",
    )
    assert shop.run("export-session", "--json").data == {"session": SID, "groups": []}
    for words in (("--pick", "1"), ("--plan", "-")):
        said = shop.run("export-session", *words, stdin="[]")
        assert said.code == 1
        assert "has no observation" in said.err
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


def tale(count: int, name: str = "f") -> list[KindEvent]:
    """Record a session of many edits."""
    made = class_of("tool.finished")
    return [
        ("tool.finished", made(seq=seq, ts="2026-11-21T09:00:00.000Z", sid="s", tool="Edit",
                               target=f"{name}{seq}.py", changed=True))
        for seq in range(100_000, 100_000 + count)
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["f", "認証" * 60, "\u0001" * 90])
def test_a_part_of_any_length_fits_a_record(name: str) -> None:
    """Of thousands of events it names the first, the last and some between, none cut in half."""
    events = tale(5_000, name)
    seqs = [event.seq for _, event in events]
    (part,) = parts_of("s" * 200, events, [PartChoice("T" * 80, seqs, (name * 2000)[:2000])])
    body = cut_to(part.body, CAP - 400)
    assert body == part.body or not name.isprintable()
    kept = body["seqs"]
    assert (kept[0], kept[-1]) == (seqs[0], seqs[-1])
    assert kept == sorted(set(kept))
    assert part.group.observations == 5_000
    (small,) = parts_of("s", events[:9], [PartChoice("", seqs[:9])])
    assert small.body["seqs"] == seqs[:9]


@given(st.sets(st.integers(1, 60), min_size=1))
def test_runs_are_read_as_they_were_written(found: set[int]) -> None:
    """The ranges of seqs shown in the list of groups are valid in a plan."""
    seqs = sorted(found)
    assert ranges(spans(seqs), frozenset(seqs), seqs) == seqs
    assert ranges(",".join(spans(seqs)), frozenset(seqs), seqs) == seqs


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4),
              st.sampled_from(["100000-100002", "all", "1"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["title", "groups", "seqs", "summary", "x"]), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@given(_JSON)
def test_a_plan_is_taken_or_refused(value: Any) -> None:
    """Any JSON gives entries with titles and the session's own seqs, or a UsageError."""
    events = tale(4)
    groups: list[Group] = [build_group(events[:2]), build_group(events[2:])]
    own = {event.seq for _, event in events}
    try:
        found = choices(json.dumps(value), groups, own)
    except UsageError:
        return
    assert all(entry.title and entry.seqs and own >= set(entry.seqs) for entry in found)
