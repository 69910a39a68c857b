"""Grouping a session's observations into units of work: what joins them, and that none is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.clock import iso, millis
from journal.events.registry import class_of
from journal.history.summaries.groups import Group, group_events, is_observation

if TYPE_CHECKING:
    from journal.history.summaries.groups import KindEvent

GAP_MS = 1_800_000  # 30 minutes: after a pause this long other work begins
START = millis("2026-11-21T09:00:00.000Z") or 0


class Script:
    """A scripted session: each call appends an event a minute after the one before."""

    def __init__(self) -> None:
        self.events: list[KindEvent] = []
        self.now = START

    def __call__(self, kind: str, **more: Any) -> Script:
        """Append an event."""
        self.now += 60_000
        seq = len(self.events) + 10
        event = class_of(kind)(seq=seq, ts=iso(self.now), sid="s", **more)
        self.events.append((kind, event))
        return self

    def ask(self, text: str) -> Script:
        """Append a prompt."""
        return self("prompt.submitted", origin="human", size=len(text), text=text)

    def edit(self, *paths: str) -> Script:
        """Append edits."""
        for path in paths:
            self("tool.finished", tool="Edit", target=path, changed=True)
        return self

    def read(self, path: str) -> Script:
        """Append a read of a file."""
        return self("tool.finished", tool="Read", target=path)

    def bash(self, command: str) -> Script:
        """Append a command."""
        return self("tool.finished", tool="Bash", target=command)

    def task(self, tool: str, *row: str) -> Script:
        """Append a call of Claude Code's task tools."""
        return self("tool.finished", tool=tool, items=[list(row)])

    def pause(self, ms: int = GAP_MS) -> Script:
        """Let time pass, by default the length that begins other work."""
        self.now += ms
        return self

    @property
    def groups(self) -> list[Group]:
        """The groups of the events so far."""
        return group_events(self.events)

    @property
    def shape(self) -> list[tuple[str, str, int]]:
        """Title, reason and number of observations of each group."""
        return [(group.title, group.why, group.observations) for group in self.groups]


def test_nothing_is_no_group() -> None:
    """Without an observation there is no group."""
    assert group_events([]) == []
    assert Script().ask("Hello?")("turn.ended", message="Hi.").groups == []


def test_a_unit_is_a_group() -> None:
    """Everything between the start and end of a unit is that unit's group, with its title."""
    session = Script().ask("Do both")
    session("unit.started", unit="u1", title="Totals").edit("a.py").ask("and the test").bash("x")
    session.pause().edit("b.py")("unit.finished", unit="u1")
    session.ask("Now the docs").edit("guide.md")
    assert session.shape == [("Totals", "unit", 3), ("Now the docs", "files", 1)]
    first, second = session.groups
    assert first.prompts == ["Do both", "and the test"]
    assert (first.first, first.last, first.files) == (10, 16, ["a.py", "b.py"])
    assert (second.first, second.last) == (17, 18)


def test_a_unit_without_title_has_its_name() -> None:
    """A unit without a title is named by its id, and when taken up again continues its group."""
    session = Script()("unit.started", unit="u1").edit("a.py")("unit.finished", unit="u1")
    session.ask("Something else").edit("z.py")
    session("unit.started", unit="u1").edit("b.py")
    assert session.shape == [("u1", "unit", 2), ("Something else", "files", 1)]


def test_the_clients_tasks_stand_for_units() -> None:
    """A task in progress names the work, and list updates belong to the task they lead to."""
    session = Script().ask("Build the shop")
    session.task("TaskCreate", "1", "Write the cart", "pending")
    session.task("TaskCreate", "2", "Write the till", "pending")
    session.task("TaskUpdate", "1", "", "in_progress").edit("cart.py")
    session.task("TaskUpdate", "1", "", "completed")
    session.task("TaskUpdate", "2", "", "in_progress").edit("till.py", "cart.py")
    session.task("TaskUpdate", "2", "", "completed")("turn.ended", message="Done.")
    assert session.shape == [("Write the cart", "task", 5), ("Write the till", "task", 4)]


def test_a_new_list_is_new_work() -> None:
    """Numbers repeat in a new list, so the text of a task identifies the work."""
    session = Script().task("TodoWrite", "1", "First job", "in_progress").edit("a.py")
    session.task("TodoWrite", "1", "First job", "completed")
    session.task("TodoWrite", "1", "Second job", "in_progress").edit("a.py")
    assert [group.title for group in session.groups] == ["First job", "Second job"]


def test_a_stage_is_a_group_unless_a_unit_is_under_way() -> None:
    """Inside a stage, a unit names the work; otherwise the stage does."""
    session = Script()("stage.started", cycle="c1", stage="sprint").edit("a.py")
    session("unit.started", unit="u", title="Totals").edit("b.py")("unit.finished", unit="u")
    session.edit("c.py")("stage.finished", cycle="c1", stage="sprint")
    session("stage.started", cycle="c1", stage="audit").bash("pytest")
    assert session.shape == [
        ("stage sprint", "stage", 2), ("Totals", "unit", 1), ("stage audit", "stage", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        pytest.param("src/cart.py", "src/cart.py", 1, id="same-file"),
        pytest.param("src/cart.py", "tests/test_cart.py", 1, id="its-test"),
        pytest.param("web/Cart.tsx", "web/Cart.spec.tsx", 1, id="its-spec"),
        pytest.param("src/cart.py", "src/till.py", 2, id="other-file"),
        pytest.param("a/__init__.py", "b/__init__.py", 2, id="a-name-that-says-nothing"),
    ],
)
def test_requests_about_the_same_files_are_one_work(first: str, second: str, count: int) -> None:
    """Without a named work a prompt begins new work, unless it continues with the same files."""
    session = Script().ask("One thing").edit(first).ask("Another thing").edit(second)
    assert len(session.groups) == count


def test_work_that_is_returned_to_goes_on() -> None:
    """Work that is taken up again continues its group, though its events are not adjacent."""
    session = Script().ask("Cart").edit("cart.py").ask("Till").edit("till.py")
    session.ask("Cart again").edit("cart.py")
    assert session.shape == [("Cart", "files", 2), ("Till", "files", 1)]
    assert session.groups[0].seqs == [10, 11, 14, 15]


def test_a_pause_begins_other_work() -> None:
    """A pause of half an hour separates work on the same files; a slightly shorter one does not."""
    for ms, count in ((GAP_MS - 60_000, 2), (GAP_MS - 60_001, 1)):
        session = Script().ask("Cart").edit("cart.py").pause(ms).edit("cart.py")
        assert len(session.groups) == count


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        pytest.param(["a.py", "b.py"], ["b.py", "c.py"], 1, id="half of two"),
        pytest.param(["a.py", "b.py", "c.py"], ["c.py", "d.py", "e.py"], 2, id="a third"),
        pytest.param(["a.py", "b.py", "c.py"], ["b.py", "c.py", "d.py"], 1, id="two thirds"),
        pytest.param(["a.py", "b.py", "c.py"], ["c.py"], 1, id="all of the smaller one"),
        pytest.param(["a.py"], ["b.py"], 2, id="none"),
    ],
)
def test_half_of_the_files_make_one_work(before: list[str], after: list[str], count: int) -> None:
    """Two requests are one work if at least half of the smaller one's files are shared."""
    session = Script().ask("First thing to do").edit(*before).ask("Second thing to do").edit(*after)
    assert len(session.groups) == count


def test_bounds_of_a_group() -> None:
    """A title has at most 80 characters, and at most 40 files are listed."""
    session = Script().ask("word " * 60).edit(*(f"src/f{number}.py" for number in range(60)))
    (group,) = session.groups
    assert len(group.title) == 80
    assert len(group.files) == 40
    assert group.observations == 60


def test_commands_belong_to_the_work_before_them() -> None:
    """A request that touches no file joins the work before it; the first one joins the next."""
    session = Script().ask("Look around").bash("ls").ask("Cart").edit("cart.py")
    session.ask("Run the tests").bash("pytest").ask("Docs").edit("guide.md")
    assert session.shape == [("Look around", "files", 3), ("Docs", "files", 1)]


def test_what_was_read_counts_where_nothing_was_changed() -> None:
    """Reading a file and then changing it is one work."""
    session = Script().ask("How does the cart work?").read("cart.py").read("till.py")
    session.ask("Fix it").edit("cart.py")
    assert len(session.groups) == 1
    assert session.groups[0].files == ["cart.py"]


def test_the_journals_own_commands_are_no_work() -> None:
    """The journal's own commands and skills are not work; similar names of other commands are."""
    session = Script().ask("/journal:export").bash("journal export-session --json")
    assert session.groups == []
    assert Script().bash("journalctl -u shop").groups[0].title == "Bash"


def test_a_group_counts_and_names_what_was_done() -> None:
    """A group has failures, decisions, times and changed files, each file once."""
    session = Script().ask("Fix the totals. They are wrong.").edit("a.py", "a.py")
    session("tool.failed", tool="Bash", target="pytest", error="1 failed")
    session("decision.recorded", text="Round at the end")("pressure.sampled", tokens=5)
    (group,) = session.groups
    assert (group.title, group.observations, group.failures) == ("Fix the totals.", 3, 1)
    assert (group.files, group.decisions) == (["a.py"], ["Round at the end"])
    assert group.seqs == [10, 11, 12, 13, 14]
    assert (group.started, group.ended) == ("2026-11-21T09:01:00.000Z", "2026-11-21T09:05:00.000Z")


def test_without_a_request_files_or_tools_name_the_work() -> None:
    """Without a request, files or tools name the work: a title is never empty."""
    assert (
        Script().edit("src/a.py", "b.py", "c.py", "d.py").groups[0].title
        == "a.py, b.py, c.py and 1 more"
    )
    assert Script().bash("ls").groups[0].title == "Bash"
    assert Script()("tool.finished").groups[0].title == "untitled"


def test_a_subagents_calls_are_the_sessions() -> None:
    """A subagent's calls belong to the current work, and its prompts begin none."""
    session = Script().ask("Cart").edit("cart.py")
    session("prompt.submitted", agent="x", text="Do the till")
    session("tool.finished", tool="Edit", agent="x", target="cart.py", changed=True)
    assert session.shape == [("Cart", "files", 2)]


_STEPS = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from(["Fix it", "/journal:get", "", "認証を直して"])),
    st.tuples(st.just("edit"), st.sampled_from(["a.py", "b.py", "test_a.py", ""])),
    st.tuples(st.just("read"), st.sampled_from(["a.py", "c.md"])),
    st.tuples(st.just("bash"), st.sampled_from(["ls", "journal view unit", ""])),
    st.tuples(st.just("pause"), st.sampled_from([1, GAP_MS])),
    st.tuples(st.just("unit.started"), st.fixed_dictionaries({"unit": st.sampled_from("uv")})),
    st.tuples(st.just("unit.finished"), st.fixed_dictionaries({"unit": st.sampled_from("uv")})),
    st.tuples(st.just("stage.started"), st.just({"cycle": "c", "stage": "ship"})),
    st.tuples(st.just("stage.stopped"), st.just({"cycle": "c", "stage": "ship"})),
    st.tuples(st.just("decision.recorded"), st.just({"text": "So be it"})),
    st.tuples(st.just("tool.failed"), st.just({"tool": "Bash", "target": "x", "error": "y"})),
    st.tuples(st.just("tool.finished"), st.fixed_dictionaries({
        "tool": st.sampled_from(["TodoWrite", "TaskUpdate"]),
        "items": st.lists(st.lists(st.sampled_from(["1", "2", "in_progress", "completed"]),
                                   max_size=4), max_size=2)})),
)  # fmt: skip


@given(st.lists(_STEPS, max_size=30))
def test_every_observation_is_in_one_group(steps: list[tuple[str, Any]]) -> None:
    """Each observation is in exactly one group; seqs rise, and groups are ordered by their start."""
    session = Script()
    for name, given_ in steps:
        if isinstance(given_, dict):
            session(name, **given_)
        else:
            getattr(session, name)(given_)
    groups = session.groups
    placed = [seq for group in groups for seq in group.seqs]
    assert len(placed) == len(set(placed))
    observed = {event.seq for kind, event in session.events if is_observation(kind, event)}
    assert observed <= set(placed)
    assert sum(group.observations for group in groups) == len(observed)
    assert [group.first for group in groups] == sorted(group.first for group in groups)
    for group in groups:
        assert group.seqs == sorted(group.seqs)
        assert (group.first, group.last) == (group.seqs[0], group.seqs[-1])
        assert group.observations
        assert group.title.strip()
        assert len(group.title) <= 80
    assert groups == group_events(session.events)
