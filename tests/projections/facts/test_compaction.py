"""The facts of a session at a compaction, and those that its summary left out."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from journal.events.compact import CompactGathered
from projections.facts.compaction import (
    commands_of,
    facts_of,
    facts_without,
    with_earlier,
    with_transcript,
)
from projections.facts.session import (
    Failure,
    Gathered,
    KnownFacts,
    RefusedCall,
    SessionFacts,
    UserChoice,
)


def test_requests_become_what_was_said_and_refused() -> None:
    """A request is known by its first sentence, a refusal by its beginning; repeats count once."""
    facts = facts_of(
        Gathered(),
        ["Make the totals right. Never use floats.", "No, not like that; use decimals.",
         "Make the totals right. Never use floats."],
    )  # fmt: skip
    assert facts.said[0] == "Make the totals right."
    assert any("Never use floats" in text for text in facts.said)
    assert facts.refused == ["No, not like that; use decimals."]


@pytest.mark.parametrize(
    ("ran", "kept"),
    [(["make test"], ["make test"]), (["ls -l"], []), (["journal status"], []), (["a"], []),
     (["python3 - <<'EOF'\nprint(1)\nEOF"], []),
     (["python step.py 1", "python step.py 2"], ["python step.py 2"]),
     (["make a-target", "make b-target"], ["make a-target", "make b-target"]),
     (["tool run --help", "tool --version", "tool --help me"], ["tool --help me"]),
     (["gh api a/comments --paginate", "gh api a -f body=x"], ["gh api a -f body=x"]),
     (["pr=$(gh pr view -q .id) && echo $pr", "export A=/tmp/b"], [])],
)  # fmt: skip
def test_commands_that_do_more_than_read(ran: list[str], kept: list[str]) -> None:
    """Reading commands and those of the journal are left out; of a loop's steps the newest stays."""
    assert commands_of(ran) == kept


def test_a_command_that_failed_the_last_time_did_not_run_without_an_error() -> None:
    """It is among the failures alone; once it passes again, among the commands."""
    failed = Failure(seq=2, tool="Bash", target="make test", error="Exit code 2\nline 7 is wrong")
    gathered = Gathered(ran=["make test", "make docs"], failures=[failed])
    assert facts_of(gathered, []).commands == ["make docs"]
    repaired = replace(gathered, failures=[replace(failed, repaired=3)])
    assert facts_of(repaired, []).commands == ["make test", "make docs"]


@pytest.mark.parametrize(
    ("failed", "kept"),
    [
        ("make test 2>&1 | grep FAIL", ["make docs && make wheel"]),
        ("cd api && make test", ["make docs && make wheel"]),
        ("make lint && make test", ["make docs && make wheel"]),
        ("make docs", ["make test"]),
        ("make docs && make lint", ["make test", "make docs && make wheel"]),
        ("make tests", ["make test", "make docs && make wheel"]),
    ],
)
def test_a_step_of_what_failed_the_last_time_is_no_success(failed: str, kept: list[str]) -> None:
    """Nor is a command with all of its steps; a variant of it is. Pipes do not matter."""
    failure = Failure(seq=3, tool="Bash", target=failed, error="Exit code 1\nerror: 7")
    gathered = Gathered(ran=["make test", "make docs && make wheel"], failures=[failure])
    assert facts_of(gathered, []).commands == kept


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("Exit code 1\n(eval):cd:1: no such file or directory: api", False),
        ("Exit code 1\nbash: line 1: cd: api: No such file or directory", False),
        ("Exit code 2\n/bin/sh: 1: cd: can't cd to api", False),
        ("Exit code 1\nsh: cd: api: No such file or directory\nmake: *** no rule", True),
        ("Exit code 1\napi: no such file or directory", True),
    ],
)
def test_a_command_that_never_began_is_no_failure(error: str, *, told: bool) -> None:
    """Where the shell could not change its directory, nothing ran."""
    failure = Failure(seq=1, tool="Bash", target="cd api && make", error=error)
    assert bool(facts_of(Gathered(failures=[failure]), []).failures) is told


def test_a_setting_that_git_does_not_have_is_no_failure() -> None:
    """A question without an answer is no news, whatever directory git is told."""
    failures = [
        Failure(seq=at, tool="Bash", target=target, error="Exit code 1")
        for at, target in enumerate(("git -C /w/a config gc.auto", "git -C /w/a push"), 1)
    ]
    assert [one.seq for one in facts_of(Gathered(failures=failures), []).failures] == [2]


def test_a_failure_counts_once() -> None:
    """Of failures with the same call and lines the last counts; an empty search is none."""
    failures = [
        Failure(seq=1, tool="Bash", target="make", error="Exit code 2\nerror: line 7 is wrong"),
        Failure(seq=2, tool="Bash", target="make", error="Exit code 2\nerror: line 9 is wrong"),
        Failure(seq=3, tool="Bash", target="grep -n x a.py", error="Exit code 1"),
        Failure(seq=5, tool="Bash", target="grep -n x b.py", error="Exit code 2\nno b.py"),
        Failure(seq=4, tool="Bash", target="journal status", error="Exit code 1\nno journal"),
    ]
    assert [one.seq for one in facts_of(Gathered(failures=failures), []).failures] == [2, 5]


@pytest.mark.parametrize(
    ("tool", "first", "second", "kept"),
    [
        ("Bash", "--- FAIL: TestTotal_Rounds (0.3s)\na_test.go:9: want 3", "--- FAIL: TestTotal_Rounds (0.2s)", [2]),
        ("Bash", "FAILED tests/test_a.py::test_x\nE   AssertionError", "FAILED tests/test_b.py::test_y\nE   AssertionError", [1, 2]),
        ("WebFetch", "Request failed with status code 404", "Request failed with status code 404", [1, 2]),
    ],
)  # fmt: skip
def test_one_cause_is_told_once(tool: str, first: str, second: str, kept: list[int]) -> None:
    """Runs of one failing test, whatever is shown of them, are one failure; pages are not."""
    failures = [
        Failure(seq=at, tool=tool, target=f"mise run test | grep {at}", error=error)
        for at, error in enumerate((first, second), 1)
    ]
    assert [one.seq for one in facts_of(Gathered(failures=failures), []).failures] == kept


def test_a_cut_sentence_gives_way_to_the_whole_one() -> None:
    """The event of a long prompt may cut a sentence that the transcript has whole."""
    facts = with_transcript(
        SessionFacts(said=["goal", "n the way out"]),
        CompactGathered(said=["render it on the way out"]),
    )
    assert facts.said == ["goal", "render it on the way out"]


def test_a_transcript_adds_what_no_hook_reports() -> None:
    """Each text comes once; a refused call that took place after all is left out."""
    facts = SessionFacts(said=["a", "b"], commands=["make test"])
    calls = ["Bash make test\nnot yet", "Edit a.py", "Edit b.py\nleave it"]
    found = with_transcript(facts, CompactGathered(said=["b", "c"], calls=calls), ["a.py"])
    assert found.said == ["a", "b", "c"]
    assert found.calls == [RefusedCall("Edit", "b.py", "leave it")]


@pytest.mark.parametrize(
    ("said", "others", "newest", "found"),
    [
        (["goal", "rule", "new"], ["goal", "rule"], ["new"], ["goal", "rule", "new"]),
        (["goal", "rule", "new"], ["middle", "rule", "later"], ["a new\none"],
         ["goal", "middle", "rule", "later", "new"]),
        (["goal", "new"], ["middle"], ["very new"], ["goal", "middle", "new"]),
        (["goal"], ["middle"], [], ["goal", "middle"]),
    ],
)  # fmt: skip
def test_the_users_words_stay_in_their_order(
    said: list[str], others: list[str], newest: list[str], found: list[str]
) -> None:
    """The goal stays first, although the transcript has it too; the newest requests stay last."""
    event = CompactGathered(said=others)
    assert with_transcript(SessionFacts(said=said), event, newest=newest).said == found


def test_a_short_question_is_told_once() -> None:
    """A question between other prompts comes whole, so its sentences do not come again."""
    question = "See, set -x prints it. Who put it there?"
    facts = facts_of(Gathered(), ["Find the leak of the token", question, "Remove it from CI"])
    assert [text for text in (*facts.said, *facts.more) if "set -x" in text] == [question]


def test_a_compaction_takes_over_refusals_of_the_one_before() -> None:
    """Only that one's transcript had them; a call that took place since is left out."""
    earlier = SessionFacts(
        calls=[RefusedCall("Bash", "git push"), RefusedCall("Bash", "make")], refused=["never push"]
    )
    facts = with_earlier(SessionFacts(commands=["make"], refused=["no tabs"]), earlier)
    assert facts.refused == ["never push", "no tabs"]
    assert with_transcript(facts, CompactGathered(calls=["Edit a.py"])).calls == [
        RefusedCall("Bash", "git push"),
        RefusedCall("Edit", "a.py"),
    ]


@pytest.mark.parametrize(
    ("choice", "summary", "has"),
    [(UserChoice("Which one?", "Postgres", ["Redis"]), "It uses Postgres.", True),
     (UserChoice("Drop the old audit table as well?", "yes"), "yes, all of it is done", False),
     (UserChoice("Drop the old audit table as well?", "yes"), "Drop the old audit table: yes", True)],
)  # fmt: skip
def test_an_answer_without_options_counts_with_its_question(
    choice: UserChoice, summary: str, has: bool
) -> None:
    """The word "yes" is in every summary."""
    _, left, _ = facts_without(summary, KnownFacts(), SessionFacts(choices=[choice]), "x")
    assert bool(left.choices) is not has


def test_what_a_summary_has_is_left_out() -> None:
    """Lists and facts are reduced to what the summary does not mention; the request is compared."""
    facts = SessionFacts(
        said=["Round the totals half up."], ids=["TICKET-481", "TICKET-9"], commands=["make wheel"]
    )
    summary = "We rounded the totals half up for TICKET-481 in src/cart.py."
    known = KnownFacts(["src/cart.py", "src/till.py"], ["Use decimals everywhere"])
    lost, left, has_request = facts_without(summary, known, facts, "Deploy the warehouse service")
    assert lost == KnownFacts(["src/till.py"], ["Use decimals everywhere"])
    assert (left.said, left.ids, left.commands) == ([], ["TICKET-9"], ["make wheel"])
    assert not has_request
    assert facts_without(
        "Deploy the warehouse service.", known, facts, "Deploy the warehouse service"
    )[2]


def test_a_summary_has_a_request_with_its_end() -> None:
    """A summary that has only the beginning of a long request does not have the request."""
    request = f"Add discount codes to the cart. {'Look at each file. ' * 20}Never delete a test."
    for summary, has_request in (("nothing", False), (request[:200], False), (request, True)):
        assert facts_without(summary, KnownFacts(), SessionFacts(), request)[2] is has_request
