"""What the person chose and approved."""

from __future__ import annotations

from typing import Any

import pytest

from tests.journal.events.hook_input.made import event_of

QUESTIONS = [{"question": "Which database?", "options": [{"label": "SQLite"}, {"label": "DuckDB"}]}]


def asked(answers: Any, questions: Any = QUESTIONS, **more: Any) -> list[list[str]]:
    """Return the recorded choices of a question."""
    event = event_of("PostToolUse", tool_name="AskUserQuestion", tool_use_id="t",
                     tool_input={"questions": questions}, tool_response={"answers": answers},
                     **more)  # fmt: skip
    return event.get("choices", [])


@pytest.mark.parametrize(
    ("answers", "choices"),
    [
        ({"Which database?": "DuckDB"}, [["Which database?", "DuckDB", "SQLite", "DuckDB"]]),
        ({"Another?": "my own words"}, [["Another?", "my own words"]]),
        ({"Which database?": "  "}, []),
        ({"Which database?": ["DuckDB"]}, []),
        (None, []),
        ("DuckDB", []),
    ],
    ids=["an option", "not among the questions", "blank", "no text", "none", "no object"],
)
def test_a_choice_has_question_answer_and_options(answers: Any, choices: list[list[str]]) -> None:
    """The answer stands behind its question, then what else was offered."""
    assert asked(answers) == choices


def test_choices_are_bounded_and_optional() -> None:
    """Eight questions, 200 and 300 characters; the minimal level stores none."""
    answers = {f"{number} " + "q" * 400: "a" * 400 for number in range(12)}
    found = asked(answers)
    assert len(found) == 8
    assert {(len(question), len(answer)) for question, answer in found} == {(200, 300)}
    assert asked(answers, level="minimal") == []


PLANS: dict[str, tuple[str, list[str]]] = {
    "numbered": ("# Cart\n\n1. Codes\n2. **Tests**\n", ["Cart", "1. Codes", "2. Tests"]),
    "a section of steps": ("# Cart\n## Context\n- old code\n## Steps\n- codes\n- tests\n## Risks\n- x\n",
                           ["Cart", "codes", "tests"]),
    "headings": ("# Cart\n## Add codes\ntext\n## Add tests\ntext\n", ["Cart", "Add codes", "Add tests"]),
    "Japanese": ("# カート\n## 手順\n- コード\n- テスト\n", ["カート", "コード", "テスト"]),
    "no heading": ("Add codes.\n- one\n- two\n", ["Add codes.", "one", "two"]),
    "bullets before the steps": ("# Cart\n- why\n- who\n\n1. codes\n2. tests\n",
                                 ["Cart", "1. codes", "2. tests"]),
    "nested items": ("# Cart\n1. a\n   - detail\n2. b\n", ["Cart", "1. a", "2. b"]),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_its_title_and_steps(name: str) -> None:
    """What a plan does is kept, not what it says about itself."""
    text, steps = PLANS[name]
    event = event_of("PostToolUse", tool_name="ExitPlanMode", tool_use_id="t",
                     tool_input={"plan": text}, tool_response={"filePath": "/p/plan.md"})  # fmt: skip
    assert event["plan"] == steps
    assert event["target"] == "plan.md"
