"""The state of a session: refused calls as events have them, and the last answer."""

from __future__ import annotations

from projections.facts.session import Gathered, RefusedCall, Trail, refused_call
from tests.support.rows import each


@each(("text", "parsed"), [
    ("Bash git push", RefusedCall("Bash", "git push")),
    ("Bash git push\nask Lena first", RefusedCall("Bash", "git push", "ask Lena first")),
    ("Write /shop/a b.py", RefusedCall("Write", "/shop/a b.py")),
    ("ExitPlanMode", RefusedCall("ExitPlanMode")),
])  # fmt: skip
def test_a_refused_call_is_tool_target_and_reason(text: str, parsed: RefusedCall) -> None:
    """The tool ends at the first space, its target at the end of the line, the reason is below."""
    assert refused_call(text) == parsed


def test_the_last_answer_is_the_newest() -> None:
    """A session without answers has none."""
    assert Trail(gathered=Gathered(messages=["Found it.", "Mended."])).message == "Mended."
    assert Trail().message == ""
