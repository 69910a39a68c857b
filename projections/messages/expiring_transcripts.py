"""Notice to the user at a start: Claude Code will soon delete text that is stored nowhere else.

It is given at most once a day. Invariant: it reports what the background handler found last.
"""

from __future__ import annotations

from journal.text import plural
from projections.messages.message import Answer, Input, Reason, Response, advice, counted
from projections.past import LOSSES

TEXTS = {
    "expiring": (
        "journal: on {day} Claude Code starts to delete the transcripts of {sessions} of this project (cleanupPeriodDays is {days}). Their text is stored nowhere else. To store it, run: journal import",
        "journal：{day} に Claude Code がこのプロジェクトの{sessions}のトランスクリプトを削除し始めます（{days} 日後、設定 cleanupPeriodDays）。本文はほかに保存されていません。保存するには：journal import",
        "journal: {day}에 Claude Code가 이 프로젝트의 {sessions} 트랜스크립트를 삭제하기 시작합니다({days}일 후, 설정 cleanupPeriodDays). 본문은 다른 곳에 없습니다. 저장하려면: journal import",
    ),
}


def respond(given: Input) -> Response:
    """Answer a SessionStart that follows no compaction."""
    event, found = given.event, given.views.past.losses
    yield given.switch("start.announce")
    sessions = plural(found.sessions, "session")
    yield Reason("found", f"{sessions} would lose text", passed=True, seqs=(found.seq,))
    is_new = found.told < event.ts[:10]
    when = f"on {found.told}" if found.told else "never"
    yield Reason("told last", when, passed=is_new, record=f"advice.given {LOSSES}")
    text = given.phrase(
        TEXTS["expiring"],
        day=found.first[:10],
        sessions=counted(given.language, found.sessions, "session"),
        days=found.days,
    )
    record = advice(LOSSES, text, channel="message", reason=f"#{found.seq}")
    return Answer(message=text, events=[record])
