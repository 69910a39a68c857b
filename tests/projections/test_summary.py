"""The extractive summary: its contents, its wording and its length."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.log.record import CAP, frame
from projections.digest import Digest
from projections.facts.session import Failure, Gathered
from projections.prose import PLANNED
from projections.repetition import Mark
from projections.session import FILES, TITLE, Session
from projections.summary import LIMIT, listed, summarize
from tests.projections.digested import COMPACT, failed, fed, prompt, tool
from tests.support.examples import examples

END = {"type": "session.ended", "reason": "other"}

ASKED = "Asked: Round each line of the cart on its own. It is off by a cent today. Now the tax."
DONE = (
    "Done: The rounding of cart lines moved into money.py. The tests of the cart were rewritten. "
    "The tax is rounded like the lines."
)
TROUBLE = "Trouble: pytest -q failed 3 times with the same error (repaired); repaired: ruff check"


def rows(*events: dict[str, Any]) -> dict[str, str]:
    """Return the lines of the summary of these events, by name."""
    text = summarize(fed(*events)).summary
    return dict(line.split(": ", 1) for line in text.splitlines())


def test_a_whole_session() -> None:
    """A summary has request, work, decisions, changes, failures, outcome and open items."""
    said = summarize(fed(
        {"type": "session.started", "source": "startup"},
        prompt("/journal:get last"),
        prompt("Hello! Round each line of the cart on its own.\nIt is off by a cent today."),
        failed("Bash", "pytest -q", "E assert 3 == 4", tests="failed"),
        failed("Bash", "pytest -q", "E assert 3 == 4", tests="failed"),
        tool("Edit", "shop/money.py", changed=True),
        failed("Bash", "pytest -q", "E assert 3 == 4", tests="failed"),
        {"type": "decision.recorded", "text": "Amounts are integers of cents."},
        prompt("Now the tax."),
        {"type": "compact.finished", "summary": COMPACT},
        failed("Bash", "ruff check", "F401"),
        tool("Bash", "ruff check"),
        tool("Edit", "shop/cart.py", changed=True),
        tool("Bash", "pytest -q", tests="passed"),
        {"type": "turn.ended", "message": "Done. The tax is rounded like the lines."},
        END,
    ))  # fmt: skip
    assert said.title == "Round each line of the cart on its own."
    assert said.summary.splitlines() == [
        ASKED,
        DONE,
        "Decided: Amounts are integers of cents.",
        "Changed: shop/cart.py, shop/money.py",
        TROUBLE,
        "Ended: tests passed, 15 min, 1 turn, 1 compaction",
        "Open: at the last compaction: Round the tax as well; Write the migration",
    ]
    assert said.decisions == ["Amounts are integers of cents."]
    assert said.files == ["shop/cart.py", "shop/money.py"]
    assert said.engine == "extractive"


@pytest.mark.parametrize(
    ("request_", "reply", "title", "asked", "done"),
    [
        pytest.param(
            "こんにちは。カートの端数処理を直してください。税も含めて。", "完了しました。端数は行ごとに丸めます。",
            "カートの端数処理を直してください。",
            "カートの端数処理を直してください。税も含めて。", "端数は行ごとに丸めます。",
            id="Japanese",
        ),
        pytest.param(
            "안녕하세요. 장바구니 합계를 고쳐 주세요. 세금도요.", "완료했습니다. 이제 합계를 정수로 계산합니다.",
            "장바구니 합계를 고쳐 주세요.",
            "장바구니 합계를 고쳐 주세요. 세금도요.", "이제 합계를 정수로 계산합니다.",
            id="Korean",
        ),
    ],
)  # fmt: skip
def test_other_languages(request_: str, reply: str, title: str, asked: str, done: str) -> None:
    """Sentences end where their script ends them; greetings and bare reports are left out."""
    events = (prompt(request_), {"type": "turn.ended", "message": reply}, END)
    found = rows(*events)
    assert (found["Asked"], found["Done"]) == (asked, done)
    assert summarize(fed(*events)).title == title


@pytest.mark.parametrize(
    ("events", "name", "text"),
    [
        pytest.param([prompt("/journal:progress save")], "Asked", None, id="own command"),
        pytest.param([prompt("   ")], "Asked", None, id="blank"),
        pytest.param([prompt("<task-notification>x</task-notification>")], "Asked", None,
                     id="task"),
        pytest.param([prompt("fix it")], "Asked", "fix it", id="said"),
        pytest.param([prompt("fix it"), prompt("fix it")], "Asked", "fix it", id="said twice"),
        pytest.param([prompt("hi"), prompt("/paint-it"), prompt("fix the red barn")], "Asked",
                     "fix the red barn", id="no single word before it"),
        pytest.param([prompt(f"{PLANNED}\n\n# Plan: Red barn\n\n## Context\n\nIt is **grey**.\n")],
                     "Asked", "Plan: Red barn; It is grey.", id="a plan without its marks"),
        pytest.param([prompt("fix it " * 40), *(prompt(f"{number} is red, paint {'it ' * 9}")
                                                for number in "23456")], "Asked",
                     ("fix it " * 35)[:239] + "… " + "; ".join(
                         f"{number} is red, paint {'it ' * 9}".strip() for number in "456"),
                     id="whole ones, the newest"),
        pytest.param([tool("Edit", "a/far/away/barn.py", changed=True)] * 6, "Trouble",
                     "away/barn.py was edited 6 times without a passing test", id="short paths"),
        pytest.param([{"type": "turn.ended", "message": "Which barn would you like to paint?"}],
                     "Done", None, id="a question is not done"),
        pytest.param([{"type": "tool.finished", "tool": "AskUserQuestion", "changed": False,
                       "choices": [["Which barn?", "The red one", "The blue one"]]}], "Decided",
                     "Which barn? → The red one", id="answered"),
        pytest.param([{"type": "decision.recorded", "text": "cents"}], "Decided", "cents",
                     id="decided"),
        pytest.param([tool("Read", "a.py")], "Changed", None, id="only read"),
        pytest.param([tool("Bash", "git stash")], "Trouble", "undone: git stash", id="undone"),
        pytest.param([failed("Bash", "make"), tool("Bash", "make")], "Trouble", "repaired: make",
                     id="repaired"),
        pytest.param([failed("Bash", "make")], "Trouble", None, id="failed once"),
        pytest.param([failed("Bash", "make")], "Open", "make failed and did not succeed later",
                     id="still fails"),
        pytest.param([failed("Bash", "make"), tool("Bash", "make")], "Open", None, id="works"),
        pytest.param([failed("Bash", "make"), END], "Open", None, id="failed, and it ended well"),
        pytest.param([tool("Bash", "pytest", tests="failed"), END], "Open",
                     "pytest failed and did not succeed later", id="ended red"),
        pytest.param([{"type": "unit.started", "unit": "u1", "title": "Tax",
                       "items": ["rates", "rounding"]},
                      {"type": "unit.item.checked", "unit": "u1", "item": "rates"}],
                     "Open", "rounding", id="items left"),
        pytest.param([{"type": "unit.started", "unit": "u1", "title": "Tax",
                       "items": ["rates", "rounding"]},
                      {"type": "unit.item.checked", "unit": "u1", "item": "rates"}],
                     "Done", "Tax (1 of 2)", id="items done"),
        pytest.param([{"type": "compact.finished", "summary": "7. Pending Tasks:\n   - None"}],
                     "Open", None, id="nothing pending"),
        pytest.param([{"type": "compact.finished", "summary":
                       "7. Pending Tasks:\n   - None at this time - the cart is complete"}],
                     "Open", None, id="nothing pending, with a word about it"),
        pytest.param([{"type": "compact.finished", "summary":
                       "7. Pending Tasks:\n   - No pending tasks. Both were done:\n     1. ✅ Round the tax"}],
                     "Open", None, id="nothing pending, and what was"),
        pytest.param([{"type": "compact.finished", "summary":
                       "7. Pending Tasks:\n   - None of the carts is rounded"}],
                     "Open", "at the last compaction: None of the carts is rounded", id="pending, with none"),
        pytest.param([{"type": "turn.ended", "message":
                       "Yes, for the cart. The list has three kinds of lines. Each has a price. All are whole."}],
                     "Done", None, id="an explanation is not done"),
        pytest.param([{"type": "compact.finished", "summary":
                       "2. Key Technical Concepts:\n   - The tax was moved\n3. Files:\n   - Added tax.py"}],
                     "Done", "Added tax.py", id="a concept is not done"),
        pytest.param([{"type": "turn.ended", "message":
                       "The cart is a list of lines. Rounded totals need a test. I moved the tax into money.py. "
                       "A line has a price and a tax."}],
                     "Done", "I moved the tax into money.py.", id="done, not described"),
        pytest.param([{"type": "turn.ended", "message": "La caisse arrondit. La taxe suit."}],
                     "Done", "La caisse arrondit. La taxe suit.", id="done, in other words"),
    ],
)  # fmt: skip
def test_lines(events: list[dict], name: str, text: str | None) -> None:
    """Each line states what there is, and is left out if there is nothing."""
    assert rows(*events).get(name) == text


@pytest.mark.parametrize(
    ("source", "title"),
    [
        pytest.param({"type": "session.titled", "title": "Mine", "source": "custom"}, "Mine",
                     id="custom"),
        pytest.param({"type": "session.titled", "title": "Its", "source": "ai"}, "Its", id="ai"),
        pytest.param({"type": "session.summarized", "of": "a", "sid": "", "upto": 0,
                      "title": "Of before", "engine": "extractive"}, "Fix the rounding.",
                     id="not of an extractive summary before"),
    ],
)  # fmt: skip
def test_titles(source: dict, title: str) -> None:
    """A title of the person or the client stays; one that was extracted gives way to a request."""
    assert summarize(fed(prompt("Fix the rounding. Please."), source)).title == title


TEXT = st.text(max_size=200) | st.sampled_from(["語" * 900, "x" * 5000, "a. b. c.\n" * 300, "\n\n"])
TEXTS = st.lists(TEXT, max_size=20)
DIGESTS = st.builds(
    Digest,
    sid=st.text(max_size=40),
    session=st.builds(Session, files=TEXTS, turns=st.integers(0, 9), ended=st.sampled_from(
        ["", "2026-11-21T09:00:00.000Z"]), prompt=TEXT),
    prompts=TEXTS, decisions=TEXTS, compacts=TEXTS, units=TEXTS,
    gathered=st.builds(
        Gathered, messages=TEXTS, tests=st.sampled_from(["", "failed"]),
        failures=st.lists(st.builds(Failure, target=TEXT, error=TEXT, repaired=st.integers(0, 1)),
                          max_size=9),
    ),
    marks=st.lists(st.builds(Mark, kind=st.sampled_from(["rollback", "edit-loop", "new"]),
                             what=TEXT), max_size=9),
    error=st.text(max_size=20),
)  # fmt: skip


@given(DIGESTS)
@examples(200)
def test_it_is_bounded_for_any_input(digest: Digest) -> None:
    """A summary has at most 2,000 characters and a one-line title, and its record is never cut."""
    said = summarize(digest)
    assert len(said.summary) <= LIMIT
    assert 0 < len(said.title) <= TITLE
    assert "\n" not in said.title
    assert len(said.files) <= FILES
    fields = {
        "ts": "2026-11-21T09:00:00.000Z", "type": "session.summarized", "v": 1, "sid": "",
        "key": "0" * 32, "of": "1" * 36, "upto": 10**9, "title": said.title,
        "summary": said.summary, "decisions": said.decisions, "files": said.files,
        "engine": said.engine,
    }  # fmt: skip
    assert len(frame(1, fields)) <= CAP
    assert summarize(digest) == said


def test_a_correction_outlives_short_prompts() -> None:
    """Of many later requests those that say nothing of their own are left out first."""
    asked = ["Add retries, at most 5.", "No, at most 3 tries.", *(f"and {at}?" for at in "abcde")]
    told = rows(*map(prompt, asked), END)["Asked"]
    assert told.startswith("Add retries, at most 5. No, at most 3 tries. and c?")


def test_what_is_listed_has_room_in_a_record() -> None:
    """Decisions and files both get room for their newest entries, however long they all are."""
    decisions = [f"{at} {'語' * 290}" for at in range(50)]
    files = [f"{'d' * 200}/{at}.py" for at in range(50)]
    kept, paths = listed(decisions, files)
    assert kept == decisions[-len(kept) :]
    assert paths == files[: len(paths)]
    assert len(kept) >= 3
    assert len(paths) >= 10
    assert listed(["a", "b"], ["x"]) == (["a", "b"], ["x"])


def test_decisions_of_a_compaction() -> None:
    """If no decision was recorded, those in the last compaction's summary are used."""
    text = "1. Request: codes. 2. Decisions: cents everywhere. No floats. 3. Pending: tests."
    summed = {"type": "compact.finished", "summary": text}
    assert summarize(fed(summed)).decisions == ["cents everywhere.", "No floats."]
    recorded = {"type": "decision.recorded", "text": "euros"}
    assert summarize(fed(summed, recorded)).decisions == ["euros"]
