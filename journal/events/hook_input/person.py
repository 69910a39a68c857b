"""The user's answers to questions, and the plan they approved. Bounded; does not import `re`."""

from __future__ import annotations

from journal.events.hook_input import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["answers_of"]

_QUESTIONS, _QUESTION, _ANSWER = 8, 200, 300
_OPTIONS, _OPTION = 6, 80
_STEPS, _STEP, _TITLE = 12, 120, 120


def answers_of(tool: str, tool_input: object, response: object) -> dict[str, Any]:
    """Return {"choices": …} or {"plan": …} of a tool call that the user answered."""
    tool_input = tool_input if isinstance(tool_input, dict) else {}
    response = response if isinstance(response, dict) else {}
    if tool == "AskUserQuestion":
        return {"choices": _choices(tool_input, response)}
    plan = response.get("plan") or tool_input.get("plan")
    return {"plan": _outline(plan) if isinstance(plan, str) else []}


def _choices(tool_input: dict[str, Any], response: dict[str, Any]) -> list[list[str]]:
    answers = response.get("answers") or tool_input.get("answers")
    if not isinstance(answers, dict):
        return []
    questions = tool_input.get("questions")
    options: dict[str, list[str]] = {}
    for one in questions if isinstance(questions, list) else []:
        if isinstance(one, dict) and isinstance(one.get("question"), str):
            offered = one.get("options")
            options[one["question"]] = [
                clip(option.get("label"), _OPTION)
                for option in (offered if isinstance(offered, list) else [])
                if isinstance(option, dict)
            ][:_OPTIONS]
    return [
        [clip(question, _QUESTION), clip(answer, _ANSWER), *options.get(question, [])]
        for question, answer in list(answers.items())[:_QUESTIONS]
        if isinstance(question, str) and isinstance(answer, str) and answer.strip()
    ]


def _outline(plan: str) -> list[str]:
    """Return a plan's title and its steps: its headings, or else its list items."""
    headings: list[str] = []
    items: list[str] = []
    fenced = False
    for raw in plan[:40_000].splitlines():
        line = raw.strip()
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        elif fenced or not line:
            continue
        elif line.startswith("#"):
            headings.append(line.lstrip("# ").strip("* "))
        elif line.startswith(("- ", "* ", "+ ")) or _is_numbered(line):
            items.append(line.lstrip("-*+ ").replace("**", ""))
    first = next((line.strip() for line in plan.splitlines() if line.strip()), "")
    title = headings[0] if headings else first.lstrip("# ")
    steps = headings[1:] if len(headings) > 2 else items
    return [clip(title, _TITLE), *(clip(step, _STEP) for step in steps if step)][: _STEPS + 1]


def _is_numbered(line: str) -> bool:
    number, dot, rest = line.partition(". ")
    return bool(dot and rest) and number.isdigit()
