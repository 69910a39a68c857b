"""The user's answers to questions, and the plan they approved. Bounded; does not import `re`."""

from __future__ import annotations

from journal.events.hook_input import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_QUESTIONS, _QUESTION, _ANSWER = 8, 200, 300
_OPTIONS, _OPTION = 6, 80
_STEPS, _STEP, _TITLE = 12, 120, 120
# Usual headings of a plan that name no step → what their sections hold.
_SECTIONS = {
    **dict.fromkeys(
        ("steps", "implementation steps", "implementation", "implementation plan", "plan", "tasks",
         "approach", "recommended approach", "changes", "手順", "計画", "実装", "実装手順", "方針",
         "変更", "変更内容", "단계", "계획", "구현", "구현 단계", "변경", "변경 사항"),
        "steps",
    ),
    **dict.fromkeys(
        ("context", "background", "overview", "summary", "goal", "goals", "why", "motivation",
         "files", "critical files", "key files", "files to change", "files to modify",
         "verification", "validation", "testing", "test plan", "scope", "out of scope",
         "not in scope", "non-goals", "risks", "notes", "alternatives", "open questions",
         "背景", "概要", "目的", "対象ファイル", "検証", "確認", "範囲", "対象外", "リスク", "備考",
         "배경", "개요", "목적", "대상 파일", "검증", "확인", "범위", "범위 외", "위험", "참고"),
        "aside",
    ),
}  # fmt: skip


def answers_of(tool: str, tool_input: dict[str, Any], response: dict[str, Any]) -> dict[str, Any]:
    """Return {"choices": …} or {"plan": …, "target": its file} of a call that the user answered."""
    if tool == "AskUserQuestion":
        return {"choices": _choices(tool_input, response)}
    plan = response.get("plan") or tool_input.get("plan")
    return {
        "plan": _outline(plan) if isinstance(plan, str) else [],
        "target": response.get("filePath"),
    }


def _choices(tool_input: dict[str, Any], response: dict[str, Any]) -> list[list[str]]:
    answers = response.get("answers") or tool_input.get("answers")
    if not isinstance(answers, dict):
        return []
    questions = tool_input.get("questions")
    options: dict[str, list[str]] = {}
    for question in questions if isinstance(questions, list) else []:
        if isinstance(question, dict) and isinstance(question.get("question"), str):
            offered = question.get("options")
            options[question["question"]] = [
                clip(option.get("label"), _OPTION)
                for option in (offered if isinstance(offered, list) else [])
                if isinstance(option, dict)
            ][:_OPTIONS]
    return [
        [clip(asked, _QUESTION), clip(answer, _ANSWER), *options.get(asked, [])]
        for asked, answer in list(answers.items())[:_QUESTIONS]
        if isinstance(asked, str) and isinstance(answer, str) and answer.strip()
    ]


def _outline(plan: str) -> list[str]:
    """Return a plan's title and its steps.

    The steps are the items of a section for steps, else the headings, else the numbered items, else
    the other items. A section about the plan, such as "Not in scope", has no steps.
    """
    headings: list[str] = []
    items: dict[str, list[str]] = {"steps": [], "numbered": [], "bullets": []}
    section, above = "", 0  # what a section holds, and the level of the heading that says so
    first = ""
    for line in _lines(plan[:40_000]):
        text = line.strip()
        first = first or text
        if text.startswith("#"):
            level = len(text) - len(text.lstrip("#"))
            heading = text.strip("#* ")
            name = heading.casefold().lstrip("0123456789.) ").rstrip(":")
            if not section or level <= above:
                section, above = _SECTIONS.get(name, ""), level
            if not section:
                headings.append(heading)
        elif section != "aside" and not line[0].isspace():
            number, _, rest = text.partition(". ")
            numbered = bool(rest) and number.isdigit()
            if numbered or text.startswith(("- ", "* ", "+ ")):
                kind = section or ("numbered" if numbered else "bullets")
                items[kind].append(text.lstrip("-*+ ").replace("**", ""))
    title = headings[0] if headings else first.lstrip("# ")
    ways = (items["steps"], headings[1:], items["numbered"])
    steps = next((way for way in ways if len(way) > 1), [])
    steps = steps or items["steps"] or items["bullets"] or headings[1:] or items["numbered"]
    return [clip(title, _TITLE), *(clip(step, _STEP) for step in steps if step)][: _STEPS + 1]


def _lines(plan: str) -> Iterator[str]:
    """Yield the lines of a plan that are neither blank nor code."""
    fenced = False
    for line in plan.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and line.strip():
            yield line
