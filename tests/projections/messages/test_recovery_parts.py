"""The parts of a recovery: what each shows, and in which order."""

from __future__ import annotations

import msgspec
import pytest

from journal.config.schema import DEFAULTS
from journal.events.session import SessionStarted
from projections.facts.session import (
    ApprovedPlan,
    Failure,
    KnownFacts,
    LastCompaction,
    SessionFacts,
    TimedText,
    Trail,
    UserChoice,
    refused_call,
)
from projections.messages import answer
from projections.recovery import Recovery
from projections.unit import ChecklistItem, Unit, Units, Work
from projections.views import Views

START = SessionStarted(seq=9, ts="2026-11-21T09:00:00.000Z", sid="a", source="compact")
CHANGED = [f"src/shop/part_{at}/module_{at}.py" for at in range(12)]
READ = [f"src/shop/look_{at}/module_{at}.py" for at in range(12)]
WORDS = [first + last for first in "abcdef" for last in ("round", "sum", "tax", "cart", "rate")]


def recovery(said: int) -> str:
    """Return the text after a compaction whose summary lacks `said` long requests."""
    long = [f"request: {word} " + f"{word} " * 40 for word in WORDS[:said]]
    facts = SessionFacts(said=long, refused=long[:6], reasons=long, commands=long, read=READ)
    last = LastCompaction(
        seq=8, summary="x", summary_size=1, done=True, lost=KnownFacts(CHANGED), facts=facts
    )
    views = Views(recovery=Recovery({"a": Trail(files=CHANGED, compaction=last)}))
    given = answer(views, START, DEFAULTS)
    assert given is not None
    return given.context


def test_changed_files_have_room_in_a_full_text() -> None:
    """Each changed file is named however much else the summary lacks; other lists give way."""
    short, full = recovery(0), recovery(30)
    assert all(path in short for path in (*CHANGED, *READ))
    assert all(path in full for path in CHANGED)
    assert not all(path in full for path in READ)
    assert len(full) < 4_000


def test_a_decision_that_a_newer_one_corrects_is_marked() -> None:
    """Both come back, the newest first, so that Claude sees which one holds."""
    first, newer = "Use Postgres for the cart store", "Use SQLite instead of Postgres for the cart"
    last = LastCompaction(
        seq=8, summary="x", summary_size=1, done=True, lost=KnownFacts(decisions=[newer, first])
    )
    trail = Trail(decisions=[TimedText("2", newer), TimedText("1", first)], compaction=last)
    given = answer(Views(recovery=Recovery({"a": trail})), START, DEFAULTS)
    assert given is not None
    rows = f'- "{newer}"\n- "{first}" (corrected or limited later)'
    assert given.context.endswith(rows)


def after(facts: SessionFacts, prompts: list[TimedText]) -> str:
    """Return the text after a compaction whose summary lacks these facts and requests."""
    last = LastCompaction(seq=8, summary="x", summary_size=1, done=True, facts=facts)
    views = Views(recovery=Recovery({"a": Trail(prompts=prompts, compaction=last)}))
    given = answer(views, START, DEFAULTS)
    assert given is not None
    return given.context


@pytest.mark.parametrize(
    ("cwd", "files", "shown"),
    [
        ("/w/fix", ["/w/fix/src/a.py", "/w/b.py"], "src/a.py, /w/b.py"),
        ("/w/fix", ["/w/fix/a.py", "b.py"], "/w/fix/a.py, b.py"),
        ("web", ["web/a.py", "/w/b.py"], "web/a.py, /w/b.py"),
        ("", ["/w/b.py"], "/w/b.py"),
    ],
)
def test_paths_of_a_worktree(cwd: str, files: list[str], shown: str) -> None:
    """In a linked worktree files are relative to it, unless one is relative to the project."""
    last = LastCompaction(seq=8, summary="x", summary_size=1, done=True, lost=KnownFacts(files))
    views = Views(recovery=Recovery({"a": Trail(files=files, compaction=last)}))
    given = answer(views, msgspec.structs.replace(START, cwd=cwd), DEFAULTS)
    assert given is not None
    assert f"Files changed: {shown}\n" in given.context + "\n"


def test_a_standing_instruction_comes_before_other_words() -> None:
    """A prohibition is told though many long requests compete with it, in whatever order."""
    long = [f"request {at}: " + f"word{at} " * 35 for at in range(30)]
    rule = "Never touch config/prod.yaml"
    for at in (0, 10, 30):
        said = [*long[:at], rule, *long[at:]]
        assert rule in after(SessionFacts(said=said, refused=long[:6]), [])


def test_a_short_last_request_stands_with_the_one_it_continues() -> None:
    """After "go on", the request that says what is wanted is told whole, and only once."""
    wanted = "Forget the rounding for now. First write the docs in docs/prices.md."
    prompts = [
        TimedText("2026-11-21T08:59:00Z", "go on"),
        TimedText("2026-11-21T08:50:00Z", wanted),
    ]
    text = after(SessionFacts(said=["Forget the rounding for now."]), prompts)
    assert f'"go on"; before that (2026-11-21 08:50 UTC): "{wanted}"' in text
    assert text.count("Forget the rounding") == 1


def test_a_refusal_that_is_the_last_request_is_told_once() -> None:
    """The last request is not repeated among the words of the person."""
    words = "No, that was wrong. Go back to decimals."
    text = after(SessionFacts(refused=[words]), [TimedText("2026-11-21T08:59:00Z", words)])
    assert text.count(words) == 1


def test_a_refused_call_is_told_by_its_head() -> None:
    """Of a long refused call the command stands, not the message it carries."""
    call = "Bash git commit -m 'Round at the till' -m '" + "and so on " * 40 + "'"
    text = after(SessionFacts(calls=[refused_call(call)]), [])
    line = text.partition("Calls the user refused or interrupted:\n")[2].splitlines()[0]
    assert line.startswith("- \"Bash git commit -m 'Round at the till'")
    assert len(line) <= 124


def test_a_refused_call_stands_with_its_reason() -> None:
    """The reason is not told again among the user's words; that of another call is."""
    calls = ["Bash git push\nthe tag is missing", "Bash git tag v2"]
    facts = SessionFacts([], ["the tag is missing", "ask Lena first"], [*map(refused_call, calls)])
    text = after(facts, [])
    assert '- "Bash git push"; the user said "the tag is missing"' in text.splitlines()
    assert '- "Bash git tag v2"' in text.splitlines()
    assert text.count("the tag is missing") == 1
    assert '- "ask Lena first" (a refusal or correction)' in text


def test_a_pasted_log_takes_no_room() -> None:
    """Of a request with a pasted log its words are shown, and where the log stood; also a cut one."""
    rows = "\n".join(f"2026-01-01 12:00:0{at} INFO row {at} done" for at in range(9))
    words = ("Fix the importer, it skips rows.", "Never touch legacy.py while you do that.")
    for log in (rows, f"{rows}\n2026-… 12:00:37 INFO row 99\n{rows}"):
        text = after(
            SessionFacts(), [TimedText("2026-11-21T08:59:00Z", f"{words[0]}\n{log}\n{words[1]}")]
        )
        assert f'"{words[0]} […] {words[1]}"' in text


@pytest.mark.parametrize(
    ("answer", "others"),
    [
        ("Lint, fuzz tests for an hour", '(not "Types", "an hour")'),
        ("Lint, Types", '(not "an hour")'),
        ("an hour", '(not "Lint", "Types")'),
    ],
)
def test_an_option_is_chosen_if_it_is_part_of_the_answer(answer: str, others: str) -> None:
    """An option whose words only occur in what the person typed was not chosen."""
    facts = SessionFacts(
        choices=[UserChoice("Which checks?", answer, ["Lint", "Types", "an hour"])]
    )
    assert f'"Which checks?" answered "{answer}" {others}' in after(facts, [])


@pytest.mark.parametrize(
    ("newest", "order"),
    [("no", ["And push?", "Which?", "Drop it?"]), ("Go", ["Which?", "And push?"])],
)
def test_answers_that_say_most_come_first(newest: str, order: list[str]) -> None:
    """Those to offered options, and what explains a last request such as "no"."""
    choices = [
        UserChoice("Drop it?", "yes"),
        UserChoice("Which?", "Lint", ["Lint", "Types"]),
        UserChoice("And push?", "no"),
    ]
    text = after(SessionFacts(choices=choices), [TimedText("2026-11-21T08:59:00Z", newest)])
    assert sorted(order, key=lambda question: text.index(f'- "{question}"')) == order


def test_an_answer_in_the_users_words_has_its_question() -> None:
    """It is told once, with what it answers; nobody refused or corrected anything."""
    said = "no, Lena does that on Thursday"
    choices = [UserChoice("Shall I align the wiki, too?", said), UserChoice("And push?", "yes")]
    facts = SessionFacts(said=["Fix the rounding"], refused=[said], choices=choices)
    text = after(facts, [TimedText("2026-11-21T08:59:00Z", "Write the notes now please")])
    assert f'- "{said}" (answer to "Shall I align the wiki, too?")' in text
    assert text.count(said) == 1
    assert '- "And push?" answered "yes"' in text
    facts = SessionFacts(refused=[said])
    assert f'- "{said}" (a refusal or correction)' in after(
        facts, [TimedText("2026-11-21T08:59:00Z", "Go")]
    )


def test_a_request_without_text_hides_no_other() -> None:
    """A pasted image has no text: the request before it is the last that says what is wanted."""
    wanted = TimedText("2026-11-21T08:50:00Z", "Make the page look like the mockup")
    image = TimedText("2026-11-21T08:59:00Z", "")
    text = after(SessionFacts(), [image, wanted])
    assert "08:59 UTC (the journal has no text of it); before that" in text
    assert wanted.text in text
    assert "; before that" not in after(SessionFacts(tests="passed"), [image, image])


def test_a_test_run_before_the_last_edits() -> None:
    """That tests passed says nothing of files that were edited since."""
    facts = SessionFacts(tests="passed", edited=["cart.py", "tax.py"], numbers=["all 3 pass"])
    assert "The last test run passed, before later edits to cart.py, tax.py." in after(facts, [])


def test_sentences_that_differ_in_digits() -> None:
    """Of Claude's sentences that repeat each other but for a number, two are told."""
    reasons = [f"Case {at} is left to the router, because tenants move." for at in range(9)]
    assert after(SessionFacts(reasons=reasons), []).count("left to the router") == 2


def test_an_error_without_a_telling_line() -> None:
    """Where no line of a long error tells more than others, its exit code is left out."""
    failure = Failure(
        seq=3, tool="Bash", target="./sync", error="Exit code 7\n" + "so it is\n" * 20
    )
    assert '"./sync": "so it is / so it is' in after(SessionFacts(failures=[failure]), [])


def test_a_plan_names_its_file_if_it_has_one() -> None:
    """A plan comes back with its steps, or with the name of the file that has them."""
    steps = after(SessionFacts(plan=ApprovedPlan("Move the prices", ["Write a test"])), [])
    assert '"Move the prices"\n- "Write a test"' in steps
    file = after(
        SessionFacts(plan=ApprovedPlan("Move the prices", ["Write a test"]), plan_file="p.md"), []
    )
    assert '"Move the prices" (p.md)' in file
    assert "Write a test" not in file


@pytest.mark.parametrize(("cwd", "shown"), [("api", ""), ("", " (api)"), ("web", " (api)")])
def test_a_failure_names_another_directory(cwd: str, shown: str) -> None:
    """Where Claude is now goes without saying."""
    failure = Failure(tool="Bash", target="npm test", error="FAIL limit.test.ts", cwd="api")
    last = LastCompaction(
        seq=8, summary="x", summary_size=1, done=True, facts=SessionFacts(failures=[failure])
    )
    views = Views(recovery=Recovery({"a": Trail(compaction=last)}))
    given = answer(views, msgspec.structs.replace(START, cwd=cwd), DEFAULTS)
    assert given is not None
    assert f'Bash "npm test"{shown}: "FAIL limit.test.ts"' in given.context


def test_a_checkpoint_has_its_time() -> None:
    """One of an earlier compaction may be out of date."""
    last = LastCompaction(seq=8, done=True)
    trail = Trail(
        compaction=last,
        checkpoint_summary="parser done",
        checkpoint_at="2026-11-20T08:00:00.000Z",
    )
    given = answer(Views(recovery=Recovery({"a": trail})), START, DEFAULTS)
    assert given is not None
    assert 'Last checkpoint (2026-11-20 08:00 UTC): "parser done"' in given.context


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ("Exit code 1\nFAIL a.test.ts", "FAIL a.test.ts"),
        (
            "Exit code 1\nTraceback (most recent call last):\n  a.py\nKeyError: 2",
            "a.py / KeyError: 2",
        ),
        ("Exit code 3", "Exit code 3"),
    ],
)
def test_a_short_error_without_headings(error: str, shown: str) -> None:
    """They stand only where there is nothing else."""
    failure = Failure(tool="Bash", target="npm test", error=error)
    assert f'Bash "npm test": "{shown}";' in after(SessionFacts(failures=[failure]), [])


def test_a_command_stands_within_the_longest_one() -> None:
    """Steps of another command are not repeated, nor the same steps in another order."""
    ran = ["make lint", "make fmt && make lint", "make lint && make fmt", "make lint && make docs"]
    text = after(SessionFacts(commands=ran), [])
    assert '- "make lint && make docs"\n- "make lint && make fmt"' in text
    assert '"make lint"' not in text
    assert '"make fmt && make lint"' not in text


def test_the_task_list_has_no_name() -> None:
    """The list that Claude Code keeps is called so; a unit of work comes with its name."""
    items = [ChecklistItem(text="Update the docs"), ChecklistItem(text="Run it", done=True)]
    named = Unit(unit="cart", title="Fix the cart", items=items)
    many = [ChecklistItem(text=f"Move part {at}") for at in range(13)]
    for work, line in (
        (Work(tasks=many), '- [ ] "Move part 9"\n- 3 more: `journal unit list`'),
        (Work(tasks=items), 'Claude Code\'s task list: 1/2 done (50%).\n- [ ] "Update the docs"'),
        (Work(units=[named]), 'Unit of work cart "Fix the cart"; 1/2 done (50%).'),
    ):
        last = LastCompaction(seq=8, summary="x", summary_size=1, done=True)
        trails = Recovery({"a": Trail(prompts=[TimedText("", "Go")], compaction=last)})
        given = answer(Views(recovery=trails, unit=Units({"a": work})), START, DEFAULTS)
        assert given is not None
        assert line in given.context
