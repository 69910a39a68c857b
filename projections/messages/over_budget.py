"""Notice to the user, once per session, that its hooks have used up their budget.

From then on tool calls are recorded in short form. All other events stay complete.
"""

from __future__ import annotations

from projections.ledger import OVER
from projections.messages.message import Answer, Input, Reason, Response, advice

TEXTS = {
    "over": (
        "journal: this session's hooks have used {seconds} s of processor time; the budget is {budget} s (capture.budget). From now on tool calls are recorded in short form; prompts, compactions and changed files stay complete. Details: journal stats hooks",
        "journal：このセッションのフックは CPU 時間を {seconds} 秒使いました。予算は {budget} 秒です（capture.budget）。以後、ツール呼び出しは短い形で記録し、プロンプト、圧縮、変更ファイルはそのまま記録します。内訳：journal stats hooks",
        "journal: 이 세션의 훅이 프로세서 시간을 {seconds}초 사용했습니다. 예산은 {budget}초입니다(capture.budget). 이제부터 도구 호출은 짧은 형태로 기록하고 프롬프트, 압축, 변경된 파일은 그대로 기록합니다. 내역: journal stats hooks",
    ),
}


def respond(given: Input) -> Response:
    """Answer a prompt of a session whose hooks are over their budget."""
    budget = given.settings["capture.budget"]
    spent = given.views.ledger.sessions[given.event.sid]
    over = 0 < budget <= spent.seconds
    text = f"{spent.seconds} s spent, budget {budget or 'none'}"
    yield Reason("budget", text, passed=over, keys=("capture.budget",))
    said = "yes" if spent.said else "no"
    yield Reason("said", said, passed=not spent.said, record=f"advice.given {OVER}")
    text = given.phrase(TEXTS["over"], seconds=f"{spent.seconds:,}", budget=f"{budget:,}")
    record = advice(OVER, text, channel="message", reason=f"{spent.seconds} s of {budget} s")
    return Answer(message=text, events=[record])
