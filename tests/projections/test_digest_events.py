"""Which facts each type of event adds to a digest."""

from __future__ import annotations

import pytest

from projections.digest import has_no_work
from projections.summary import summarize
from tests.projections.digested import failed, fed, one, prompt, tool

# -- prompts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("fix it", True, id="said"),
        pytest.param("  \n ", False, id="blank"),
        pytest.param("/journal:get last", False, id="own command"),
        pytest.param("/journal:discover cart", False, id="own skill"),
        pytest.param("/compact keep the plan", False, id="client's command"),
        pytest.param("/shop:review cart.py", True, id="another plugin's command"),
        pytest.param("/home/dev/shop is broken", True, id="a path"),
        pytest.param("<task-notification>done</task-notification>", False, id="task"),
        pytest.param("<system-reminder>x</system-reminder>", False, id="system"),
        pytest.param("[Request interrupted by user]", False, id="interrupted"),
        pytest.param("journal the decision", True, id="the word alone"),
    ],
)
def test_which_prompts_are_kept(text: str, kept: bool) -> None:
    """CN16: the plugin's own commands, blanks and the client's texts are not requests."""
    found = fed(prompt(text))
    assert found.prompts == ([text.strip()] if kept else [])
    assert bool(found.session.title) == kept


@pytest.mark.parametrize("more", [{"agent": "x"}, {"origin": "task-notification"}])
def test_prompts_of_machines(more: dict) -> None:
    """A prompt given to a subagent or a task is not a request of the person."""
    assert fed(prompt("do it", **more)).prompts == []


def test_the_first_prompt_and_the_newest() -> None:
    """Of many prompts the first and the latest are kept, each bounded."""
    found = fed(*(prompt(f"number {at}. {'x' * 600}") for at in range(30)))
    assert len(found.prompts) == 20
    assert found.prompts[0].startswith("number 0.")
    assert [text.split(".")[0] for text in found.prompts[1:]] == [
        f"number {at}" for at in range(11, 30)
    ]
    assert max(map(len, found.prompts)) == 500


def test_a_command_reported_twice_is_one() -> None:
    """A command reported as prompt and as expansion counts once, by its short or long name."""
    expanded = {"type": "command.expanded", "name": "shop:review", "args": "cart.py"}
    assert fed(prompt("/shop:review cart.py"), expanded).prompts == ["/shop:review cart.py"]
    assert fed(prompt("/review cart.py"), expanded).prompts == ["/shop:review cart.py"]
    own = {"type": "command.expanded", "name": "journal:get", "args": "last"}
    found = fed(prompt("/get last"), own, prompt("Now fix it."))
    assert (found.prompts, found.session.title) == (["Now fix it."], "Now fix it.")


# -- failures and repairs --------------------------------------------------------------------------


def test_a_failure_is_repaired_by_the_same_call() -> None:
    """A later success of the same tool on the same target repairs a failure; another does not."""
    found = fed(
        failed("Bash", "make"), failed("Bash", "ls x"), tool("Bash", "make all"),
        tool("Bash", "make"), failed("Bash", "make"),
    )  # fmt: skip
    assert [(one.seq, one.target, one.repaired) for one in found.gathered.failures] == [
        (1, "make", 4), (2, "ls x", 0), (5, "make", 0),
    ]  # fmt: skip


def test_red_tests_are_failures_until_they_pass() -> None:
    """A failing test run is a failure even if the command succeeded; a green run repairs it."""
    red = tool("Bash", "pytest | tail", tests="failed")
    green = tool("Bash", "pytest | tail", tests="passed")
    assert fed(red).gathered.failures[0].error == "tests failed"
    assert fed(red).gathered.tests == "failed"
    found = fed(red, red, green)
    assert ([one.repaired for one in found.gathered.failures], found.gathered.tests) == (
        [3, 3],
        "passed",
    )


def test_what_the_person_stopped_is_no_failure() -> None:
    """A call the person interrupted is not a failure; the same call that failed is."""
    assert fed(failed("Bash", "make", interrupted=True)).gathered.failures == []
    assert len(fed(failed("Bash", "make")).gathered.failures) == 1


def test_failures_are_bounded() -> None:
    """The newest twenty failures are kept, with bounded target and error."""
    found = fed(*(failed("Bash", f"{at} {'y' * 400}", "z" * 900) for at in range(30)))
    assert [one.seq for one in found.gathered.failures] == list(range(11, 31))
    assert {(len(one.target), len(one.error)) for one in found.gathered.failures} == {(200, 400)}


# -- the rest --------------------------------------------------------------------------------------


def test_decisions_messages_units() -> None:
    """Decisions are kept once each, with the last three replies and the names of units."""
    found = one(
        "09:00 decide cents / 09:01 decide cents / 09:02 decide integers / 09:03 unit started / "
        "09:04 progress saved 2 / 09:05 stage started audit / 09:06 unit checked a"
    )
    assert found.decisions == ["cents", "integers"]
    assert found.units == ["U", "s: phase 2", "stage audit"]
    assert [item.done for item in found.work.units[0].items] == [True, False, False]
    found = fed(*({"type": "turn.ended", "message": f"said {at}"} for at in range(5)))
    assert found.messages == ["said 2", "said 3", "said 4"]


def test_entries_of_the_work_log() -> None:
    """Entries that only the journal has are work of their session; its summary has the newest."""
    texts = [f"the tax of line {at} is rounded twice" for at in range(60)]
    found = fed(*({"type": "flow.noted", "text": text} for text in [*texts, texts[-1]]))
    assert found.notes == texts[-50:]
    assert not has_no_work(found)
    assert f"Found: {texts[-1]}" in summarize(found).summary


@pytest.mark.parametrize(
    ("events", "kept"),
    [
        pytest.param([("compact.summarized", "S", 1), ("compact.finished", "S", 1)], ["S"],
                     id="the same twice"),
        pytest.param([("compact.finished", "S", 1)], ["S"], id="without the first"),
        pytest.param([("compact.summarized", "S", 1)], ["S"], id="without the second"),
        pytest.param([("compact.finished", "S", 1), ("compact.finished", "T", 1)], ["S", "T"],
                     id="two compactions"),
        pytest.param([("compact.summarized", "S", 1), ("compact.finished", "S", 1),
                      ("compact.summarized", "T", 1), ("compact.finished", "T", 1)], ["S", "T"],
                     id="two compactions twice"),
        pytest.param([("compact.finished", "a", 1), ("compact.finished", "b", 2)], ["ab"],
                     id="parts"),
        pytest.param([("compact.summarized", "a", 1), ("compact.summarized", "b", 2),
                      ("compact.finished", "a", 1), ("compact.finished", "b", 2)], ["ab"],
                     id="parts twice"),
        pytest.param([("compact.finished", "  ", 1)], [], id="blank"),
    ],
)  # fmt: skip
def test_summaries_of_compactions(events: list[tuple[str, str, int]], kept: list[str]) -> None:
    """Each compaction's summary is kept once, with its parts joined."""
    found = fed(*({"type": kind, "summary": text, "part": part} for kind, text, part in events))
    assert found.compacts == kept


def test_summaries_of_compactions_are_bounded() -> None:
    """The newest five summaries are kept, with up to 4,000 characters each."""
    found = fed(*({"type": "compact.finished", "summary": f"{at} {'s' * 9000}"} for at in range(7)))
    assert [text[0] for text in found.compacts] == ["2", "3", "4", "5", "6"]
    assert {len(text) for text in found.compacts} == {4000}


def test_what_was_taken_back_is_in_no_digest() -> None:
    """Neither the prompt, nor the answer, nor what the answer found out remain."""
    answer = "The root cause is that `cart.py` rounds each line before the sum of 12 lines."
    events = (
        prompt("Why does the cart round so badly?"),
        {"type": "turn.ended", "message": answer},
        prompt("Write the tests of the parser."),
    )
    assert fed(*events).findings
    gone = {"type": "prompts.withdrawn", "withdrawn": [events[0]["text"], answer]}
    digest = fed(*events, gone)
    assert digest.prompts == [events[2]["text"]]
    assert digest.messages == []
    assert digest.findings == []
