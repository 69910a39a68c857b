"""Notice at the end of a turn that a workflow with a check of its own ran without that check."""

from __future__ import annotations

from journal.text import quoted
from projections.compound import bare_name
from projections.messages.message import Answer, Input, Reason, Response, advice

TEXTS = {
    "missing": (
        "journal: this session used {workflow} but did not run its check, {check}.",
        "journal：このセッションは {workflow} を使いましたが、その確認 {check} を実行していません。",
        "journal: 이 세션은 {workflow}을(를) 사용했지만 그 점검 {check}을(를) 실행하지 않았습니다.",
    ),
}


def respond(given: Input) -> Response:
    """Answer a Stop of a session that used a skill or command."""
    settings = given.settings
    yield given.switch("compound.suggest")
    work = given.views.compound.sessions[given.event.sid]
    used = {bare_name(name) for name in work.used}
    missing = [
        (workflow, check)
        for workflow, _, check in (
            pair.partition(":") for pair in settings.get("compound.checks", ())
        )
        if workflow in used and check not in used
    ]
    text = ", ".join(f"{check} after {workflow}" for workflow, check in missing) or "none missing"
    yield Reason("checks", text, passed=bool(missing), keys=("compound.checks",))
    new = [pair for pair in missing if f"check {pair[0]}:{pair[1]}" not in work.suggested]
    yield Reason("noticed before", ", ".join(work.suggested) or "nothing", passed=bool(new))
    workflow, check = new[0]
    text = given.phrase(TEXTS["missing"], workflow=quoted(workflow, 60), check=quoted(check, 60))
    event = advice("check", text, channel="message", reason=f"check {workflow}:{check}")
    return Answer(message=text, events=[event])
