"""`journal sessions` and `journal get`: the list, the meaning of its numbers, the output."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from journal.text import width
from projections.repetition import EDIT_LOOP
from tests.cases.world import OTHER, SID, World
from tests.support.copied import Copied, copied

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

THIRD = "33333333-aaaa-4bbb-8ccc-000000000003"
FOURTH = "44444444-aaaa-4bbb-8ccc-000000000004"


def work(shop: World, sid: str, prompt: str, *paths: str, end: bool = True) -> None:
    """Run some work in a session."""
    shop.sid = sid
    shop.start()
    shop.prompt(prompt)
    for path in paths:
        shop.tool("Edit", file_path=str(shop.project / path))
    shop.stop(last_assistant_message=f"{paths[0] if paths else 'Nothing'} is done.")
    if end:
        shop.hook("SessionEnd", reason="other")


@pytest.fixture(scope="module")
def built() -> Iterator[Copied[World]]:
    """Build `shop` once."""
    yield from copied(lambda top: _built(World(top, inline=True)))


@pytest.fixture
def shop(built: Copied[World]) -> World:
    """Three completed sessions and one open one, in which the commands run."""
    return built.restore()


def _built(shop: World) -> World:
    work(shop, SID, "Fix the login of the shop", "login.py")
    assert shop.run("decide", "Sessions last a day").code == 0
    shop.after(days=1)
    work(shop, OTHER, "認証のトークンを直す", "auth/token.py")
    shop.after(days=1)
    work(shop, THIRD, "Refactor the cart", "cart.py", "totals.py")
    work(shop, FOURTH, "Write the manual", "guide.md", end=False)
    return shop


def ids(said: Any) -> list[str]:
    """Return the sessions of a JSON answer."""
    assert said.code == 0, said.err
    return [one["session"] for one in said.data]


def test_the_list_is_numbered_newest_first(shop: World) -> None:
    """Completed sessions of the project have date and title; the open one has no number."""
    said = shop.run("get")
    assert said.code == 0
    rows = said.out.splitlines()
    assert [row.split()[:2] for row in rows[:3]] == [
        ["1.", "2026-11-23"], ["2.", "2026-11-22"], ["3.", "2026-11-21"],
    ]  # fmt: skip
    for row, title in zip(rows, ("Refactor the cart", "認証のトークンを直す", "Fix the login"),
                          strict=False):  # fmt: skip
        assert title in row
    assert "Write the manual" not in said.out
    assert [one["number"] for one in shop.run("get", "--json").data] == [1, 2, 3]
    assert ids(shop.run("get", "--json")) == [THIRD, OTHER, SID]


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        pytest.param(["last"], [THIRD], id="last"),
        pytest.param(["last", "2"], [THIRD, OTHER], id="last-n"),
        pytest.param(["last 2"], [THIRD, OTHER], id="last-n-as-one-word"),
        pytest.param(["1,3"], [THIRD, SID], id="list"),
        pytest.param(["3,", "1"], [SID, THIRD], id="list-in-the-order-asked"),
        pytest.param(["1-3"], [THIRD, OTHER, SID], id="range"),
        pytest.param(["all"], [THIRD, OTHER, SID], id="all"),
        pytest.param([OTHER], [OTHER], id="id"),
        pytest.param(["2222"], [OTHER], id="beginning-of-an-id"),
        pytest.param([FOURTH], [FOURTH], id="id-of-an-open-one"),
        pytest.param(["login"], [SID], id="search"),
        pytest.param(["認証"], [OTHER], id="search-of-two-characters"),
    ],
)
def test_what_is_chosen_is_printed(shop: World, words: list[str], chosen: list[str]) -> None:
    """CN24: each form of a selector returns its sessions, as Markdown and as JSON."""
    assert ids(shop.run("get", *words, "--json")) == chosen
    text = shop.run("get", *words).out
    at = [text.index(f"Source: session `{sid}`") for sid in chosen]
    assert at == sorted(at)
    assert text.count("\n## ") == len(chosen)


def test_a_block_has_summary_decisions_and_files(shop: World) -> None:
    """CN24: a block has what is needed to continue, and its events in the journal."""
    text = shop.run("get", "3").out
    for part in ("# Past sessions\n", "## Fix the login of the shop (2026-11-21)", "login.py",
                 "Decisions:\n- Sessions last a day", "Changed files:\n- `login.py`", "event #"):  # fmt: skip
        assert part in text
    (one,) = shop.run("get", "3", "--json").data
    assert (one["decisions"], one["files"]) == (["Sessions last a day"], ["login.py"])
    assert f"event #{one['source']}" in text
    assert one["summary"]


def test_a_summary_that_was_made_is_what_is_told(shop: World) -> None:
    """The journal's own summary is printed, with the event that holds it."""
    assert shop.run("summarize").code == 0
    seq = next(one["seq"] for one in shop.events()
               if one["type"] == "session.summarized" and one["of"] == SID)  # fmt: skip
    assert f"event #{seq}," in shop.run("get", SID).out


@pytest.mark.parametrize(
    ("words", "what"),
    [
        pytest.param(["4"], "4: out of range", id="too-high"),
        pytest.param(["0"], "0: out of range", id="zero"),
        pytest.param(["2-9"], "2-9: out of range", id="range"),
        pytest.param(["3-1"], "3-1: goes backwards", id="backwards"),
        pytest.param(["deadbeef-1"], 'no session matches "deadbeef-1"', id="unknown-id"),
        pytest.param(["1,nonsense"], "nonsense: neither a number nor a session", id="unknown-word"),
        pytest.param(["zzzz", "qqqq"], 'no session matches "zzzz qqqq"', id="a-search-for-nothing"),
    ],
)
def test_what_is_not_there_is_said(shop: World, words: list[str], what: str) -> None:
    """Exit code 2, nothing on stdout, and stderr names what exists."""
    for more in ((), ("--json",)):
        said = shop.run("get", *words, *more)
        assert (said.code, said.out) == (2, "")
        assert what in said.err
        assert "there are 1 to 3" in said.err or "journal search" in said.err


def test_more_than_there_are_are_all(shop: World) -> None:
    """`last 9` of three returns the three, and stderr says that there are no more."""
    said = shop.run("get", "last", "9", "--json")
    assert ids(said) == [THIRD, OTHER, SID]
    assert "only 3 sessions found, not 9" in said.err


def test_a_session_that_only_looked_has_no_number(shop: World) -> None:
    """`last` skips a session without work; an ID and `journal sessions` still find it."""
    shop.after(days=1)
    shop.sid = "55555555-aaaa-4bbb-8ccc-000000000005"
    shop.start()
    shop.prompt("/journal:get last")
    shop.stop(last_assistant_message="Here is what was done.")
    shop.hook("SessionEnd", reason="other")
    assert "Refactor the cart" in shop.run("get", "last").out
    assert ids(shop.run("get", "--json"))[0] == THIRD
    assert shop.sid in ids(shop.run("sessions", "--json"))
    assert ids(shop.run("get", shop.sid, "--json")) == [shop.sid]
    work(shop, "66666666-aaaa-4bbb-8ccc-000000000006", "Explain how the cart rounds")
    assert "Explain how the cart rounds" in shop.run("get", "last").out


def test_a_limit_bounds_list_and_choice(shop: World) -> None:
    """The output says how many sessions were left out."""
    said = shop.run("get", "--limit", "2")
    assert "Fix the login" not in said.out
    assert "there are more" in said.out
    assert "there are more" not in shop.run("get", "--limit", "3").out
    said = shop.run("get", "--limit", "2", "--json")
    assert (len(said.data), "there are more" in said.err) == (2, True)
    said = shop.run("get", "all", "--limit", "2", "--json")
    assert ids(said) == [THIRD, OTHER]
    assert "the first 2 of 3" in said.err


def test_numbers_stay_while_sessions_are_searched_and_summarised(shop: World) -> None:
    """A number means the same session until another session is completed."""
    before = ids(shop.run("get", "--json"))
    shop.run("get", "login")
    shop.run("summarize")
    shop.prompt("and more")
    assert ids(shop.run("get", "--json")) == before
    shop.hook("SessionEnd", reason="other")
    assert ids(shop.run("get", "--json")) == [FOURTH, *before]


def test_no_reading_command_writes_into_the_journal(shop: World) -> None:
    """Listing, getting and searching leave the log unchanged."""
    before = shop.records()
    for words in (["get"], ["get", "all"], ["sessions"], ["sessions", "--all"]):
        assert shop.run(*words).code == 0
    assert shop.records() == before


def other_project(shop: World) -> Path:
    """Create another project with its own session."""
    project = shop.home / "bakery"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    own, shop.project = shop.project, project
    sid, shop.sid = shop.sid, "55555555-aaaa-4bbb-8ccc-000000000005"
    work(shop, shop.sid, "Bake the bread", "bread.py")
    shop.project, shop.sid = own, sid
    return project


def test_another_project_is_named_or_all_are(shop: World) -> None:
    """Numbers refer to one project; an id is found in any."""
    project = other_project(shop)
    bread = "55555555-aaaa-4bbb-8ccc-000000000005"
    assert ids(shop.run("get", "--json")) == [THIRD, OTHER, SID]
    assert ids(shop.run("get", "--json", "--project", str(project))) == [bread]
    assert ids(shop.run("get", "last", "--json", "--project", str(project))) == [bread]
    assert ids(shop.run("get", bread, "--json")) == [bread]
    assert ids(shop.run("get", "--all", "--json")) == [bread, THIRD, OTHER, SID]
    assert "journal `bakery`" in shop.run("get", bread).out
    assert ids(shop.run("sessions", "--all", "--json")) == [bread, FOURTH, THIRD, OTHER, SID]


def test_an_id_is_found_where_there_is_no_journal(shop: World) -> None:
    """In a project without a journal a list is refused, but an id of another project works."""
    empty = shop.home / "empty"
    (empty / ".git").mkdir(parents=True)
    said = shop.run("get", cwd=empty)
    assert (said.code, said.out) == (3, "")
    assert "no journal for" in said.err
    assert shop.run("sessions", cwd=empty).code == 3
    assert ids(shop.run("get", SID, "--json", cwd=empty)) == [SID]


def test_a_project_without_a_completed_session_says_so(tmp_path: Path) -> None:
    """An empty list is not an error; a selector on it is."""
    shop = World(tmp_path, inline=True)
    work(shop, SID, "Fix it", "a.py", end=False)
    assert shop.run("get").out == "No session has ended yet. Open ones: journal sessions.\n"
    assert shop.run("get", "--json").data == []
    said = shop.run("get", "last")
    assert said.code == 2
    assert "no session has ended here" in said.err


def test_sessions_lists_all_with_their_state(shop: World) -> None:
    """Newest first, including open ones, with the fields scripts need."""
    said = shop.run("sessions", "--json")
    assert ids(said) == [FOURTH, THIRD, OTHER, SID]
    newest, third = said.data[:2]
    assert (newest["status"], third["status"]) == ("open", "completed")
    assert {
        "status", "title", "started", "ended", "duration_ms", "tools", "failures", "tokens",
        "branch", "outcome", "marks", "project", "files", "model",
    } <= set(third)  # fmt: skip
    assert (third["title"], third["tools"], third["branch"]) == ("Refactor the cart", 2, "main")
    assert third["files"] == ["totals.py", "cart.py"]
    *rows, _, shared, blank, zone = shop.run("sessions").out.splitlines()
    assert (blank, zone) == ("", "Times are UTC.")
    assert rows[0].split()[:3] == ["STARTED", "SESSION", "TITLE"]
    assert ["44444444" in row for row in rows[1:]] == [True, False, False, False]
    assert shared == "Cannot be resumed: its transcript does not exist (4 sessions)"
    assert (third["resume"], third["no_resume"]) == (None, "its transcript does not exist")


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        pytest.param(["--status", "open"], [FOURTH], id="open"),
        pytest.param(["--status", "completed"], [THIRD, OTHER, SID], id="completed"),
        pytest.param(["--limit", "2"], [FOURTH, THIRD], id="limit"),
        pytest.param(["--since", "2026-11-22"], [FOURTH, THIRD, OTHER], id="since"),
        pytest.param(["--since", "1h"], [FOURTH, THIRD], id="since-an-age"),
        pytest.param(["--since", "2030-01-01"], [], id="none"),
    ],
)
def test_sessions_are_filtered(shop: World, words: list[str], chosen: list[str]) -> None:
    """State, date and number filter the list."""
    assert ids(shop.run("sessions", "--json", *words)) == chosen


def test_a_seq_is_no_time(shop: World) -> None:
    """Numbers of events belong to one journal, so sessions are selected by time."""
    said = shop.run("sessions", "--since", "12")
    assert said.code == 2
    assert "not a time" in said.err


def test_wide_and_hostile_titles_keep_the_columns(shop: World, monkeypatch) -> None:
    """At 80 columns no line is wider, columns are aligned, control characters are escaped."""
    monkeypatch.setattr("cli.scope.columns", lambda _: 80)
    for number, prompt in enumerate((
        "東京の店舗の在庫を一覧にして、それから合計を計算して帳票に書き出してください。お願いします",
        "<script>alert(1)</script> \x1b[31mred\x1b[0m \u202eevil " + "x" * 300,
        "로그인 오류를 고쳐 주세요",
    )):  # fmt: skip
        work(shop, f"6666666{number}-aaaa-4bbb-8ccc-000000000006", prompt, "a.py")
    for words in (["get"], ["sessions"], ["sessions", "--all"], ["get", "--all"]):
        rows = shop.run(*words).out.splitlines()
        assert all(width(row) <= 80 for row in rows)
        assert all(char.isprintable() for row in rows for char in row)
    rows = shop.run("get").out.splitlines()[:6]
    ends = {width(row[: row.rindex("ended")]) for row in rows}
    assert len(ends) == 1


@pytest.mark.parametrize(("columns", "further"), [
    (60, []), (80, []), (100, ["TOOK", "CALLS"]), (140, ["TOOK", "CALLS", "FAILED"]),
])  # fmt: skip
def test_further_columns_leave_36_to_the_title(
    columns: int, further: list[str], shop: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wider terminal first shows more of the title, then more columns."""
    monkeypatch.setattr("cli.scope.columns", lambda _: columns)
    work(
        shop,
        "55555555-aaaa-4bbb-8ccc-000000000005",
        "count the boxes in the northern warehouse, then all others too",
        "a.py",
    )
    heads, first, *_ = shop.run("sessions", "--all").out.splitlines()
    assert [head for head in heads.split() if head in ("TOOK", "CALLS", "FAILED")] == further
    assert not further or "count the boxes in the northern" in first


def test_trouble_that_the_list_counts_is_named(
    shop: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session's trouble is counted under the name with which `journal get` lists it."""
    monkeypatch.setattr("cli.scope.columns", lambda _: 140)
    assert "TROUBLE" not in shop.run("sessions").out
    sid = "77777777-aaaa-4bbb-8ccc-000000000007"
    work(shop, sid, "count the boxes", *["a.py"] * EDIT_LOOP)
    heads, first, *_ = shop.run("sessions").out.splitlines()
    assert first[heads.index("TROUBLE") :].split()[0] == "1"
    assert "Trouble: " in shop.run("get", sid).out


def test_an_exported_part_is_in_the_list(shop: World) -> None:
    """An exported part is completed from the start, has a number, and can be selected by it."""
    assert shop.run("export-session", "--pick", "1", "--title", "Manual, first part").code == 0
    first = shop.run("get", "--json").data[0]
    assert (first["title"], first["of"]) == ("Manual, first part", FOURTH)
    assert f"part of session `{FOURTH}`" in shop.run("get", "1").out
    assert json.loads(shop.run("get", "1", "--json").out)[0]["files"] == ["guide.md"]


def test_an_empty_list_of_all_projects_does_not_offer_the_other_ones(tmp_path: Path) -> None:
    """Who has given `--all` is not told to give it, but how to record sessions."""
    said = World(tmp_path, inline=True).run("sessions", "--all")
    assert said.out == "No session yet. To record the next ones: journal setup.\n"


def test_a_narrow_list_has_whole_dates_and_titles_that_say_something(
    shop: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 40 columns the outcome leaves its room to the title; dates stay whole."""
    monkeypatch.setattr("cli.scope.columns", lambda _: 40)
    heads, first, *_, zone = shop.run("sessions").out.splitlines()
    assert heads.split() == ["STARTED", "SESSION", "TITLE"]
    assert re.match(r"2026-\d\d-\d\d  [0-9a-f]{8}  .{8}", first)
    assert zone.endswith(".")


def test_a_beginning_of_an_id_can_be_too_short(shop: World) -> None:
    """Three characters name no session, and the message says how many do."""
    assert "name at least 4 characters of its ID" in shop.run("show", "abc").err


def test_sessions_fit_the_terminal(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal lines are folded, but for the one to copy; in a pipe they stay whole."""
    whole = shop.run("get", "all").out
    monkeypatch.setattr("cli.scope.columns", lambda _: 40)
    lines = shop.run("get", "all").out.splitlines()
    assert any(width(line) > 80 for line in whole.splitlines())
    assert all(width(line) <= 40 for line in lines if not line.startswith("Resume: "))
    assert "".join("".join(lines).split()) == "".join(whole.split())
