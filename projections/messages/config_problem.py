"""Notice to the user at startup that a configuration file has mistakes."""

from __future__ import annotations

from journal.text import plural
from projections.messages.message import Answer, Input, Reason, Response, advice, counted

TEXTS = {
    "problem": (
        "journal: {count} in the configuration. Run: journal config",
        "journal：設定に{count}があります。確認：journal config",
        "journal: 설정에 {count}가 있습니다. 확인: journal config",
    ),
}


def respond(given: Input) -> Response:
    """Answer SessionStart(startup)."""
    count = given.settings.get("config.problems", 0)
    if not count:
        return None
    yield given.switch("start.announce")
    yield Reason("settings", plural(count, "problem"), passed=True)
    problems = counted(given.language, count, "problem")
    text = given.phrase(TEXTS["problem"], count=problems)
    record = advice("config", text, channel="message", reason=plural(count, "problem"))
    return Answer(message=text, events=[record])
