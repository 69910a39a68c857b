"""A JSON plan of what to export."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.past.plan import choices, ranges, spans
from journal.errors import UsageError
from journal.history.summaries.groups import Group, build_group
from tests.cases.world import OTHER, World
from tests.cli.past.conftest import exported, tale


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
    pytest.param("[{", "not JSON", id="torn"),
    pytest.param("", "not JSON", id="empty"),
    pytest.param("[" * 100_000, "got `array`", id="deep"),
    pytest.param("{}", "Expected `array`, got `object`", id="object"),
    pytest.param("[1]", "Expected `object`, got `int` - at `$[0]`", id="number"),
    pytest.param('[{"groups": [1]}]', "missing required field `title`", id="no-title"),
    pytest.param('[{"title": " ", "groups": [1]}]', "it has no title", id="blank-title"),
    pytest.param('[{"title": 1, "groups": [1]}]', "got `int` - at `$[0].title`", id="title-a-number"),
    pytest.param('[{"title": "T"}]', "either groups or seqs", id="nothing-chosen"),
    pytest.param('[{"title": "T", "groups": [1], "seqs": [3]}]', "either groups or seqs",
                 id="both-chosen"),
    pytest.param('[{"title": "T", "groups": [1], "x": 1}]', "unknown field `x`", id="another-member"),
    pytest.param('[{"title": "T", "groups": [4]}]', "4: out of range; there are 1 to 3",
                 id="group-out-of-range"),
    pytest.param('[{"title": "T", "groups": []}]', "groups is empty", id="no-group"),
    pytest.param('[{"title": "T", "groups": [true]}]', "got `bool`", id="group-a-switch"),
    pytest.param('[{"title": "T", "groups": {"a": 1}}]', "got `object`", id="group-object"),
    pytest.param('[{"title": "T", "seqs": []}]', "seqs is empty", id="no-seq"),
    pytest.param('[{"title": "T", "seqs": [true]}]', "got `bool`", id="seq-a-switch"),
    pytest.param('[{"title": "T", "seqs": [3.5]}]', "got `float`", id="seq-a-fraction"),
    pytest.param('[{"title": "T", "seqs": ["3-x"]}]', "not a sequence number", id="seq-a-word"),
    pytest.param('[{"title": "T", "seqs": ["5-3"]}]', "goes backwards", id="seqs-backwards"),
    pytest.param('[{"title": "T", "seqs": [99999]}]', "#99999 does not belong to this session",
                 id="seq-unknown"),
    pytest.param('[{"title": "T", "seqs": [1e400]}]', "the plan is", id="seq-infinite"),
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


@given(st.sets(st.integers(1, 60), min_size=1))
def test_runs_are_read_as_they_were_written(found: set[int]) -> None:
    """The ranges of seqs shown in the list of groups are valid in a plan."""
    seqs = sorted(found)
    assert ranges("", spans(seqs), frozenset(seqs)) == seqs
    assert ranges("", ",".join(spans(seqs)), frozenset(seqs)) == seqs


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
