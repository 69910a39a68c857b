"""Tell Claude about a decision that the user recorded in a terminal while this session runs.

Claude gets it once, with the next prompt, in quotes and word for word.
"""

from __future__ import annotations

from journal.text import quoted, utc_minute
from projections.facts.correction import without_corrected
from projections.messages.message import Answer, Input, Reason, Response, Texts, injection

_AT_ONCE = 5
TEXTS: dict[str, Texts] = {
    "decided": (
        "Journal (#{seq}): the user recorded a decision in a terminal, newest first: {decisions}.",
        "記録 (#{seq}): ユーザーがターミナルで決定を記録しました (新しい順): {decisions}。",
        "기록 (#{seq}): 사용자가 터미널에서 결정을 기록했습니다 (최신순): {decisions}.",
    ),
}


def respond(given: Input) -> Response:
    """Answer a prompt that follows such a decision."""
    event = given.event
    trail = given.views.recovery.sessions.get(event.sid)
    untold = trail.undelivered if trail is not None else []
    if not untold:
        return None
    text = f"{len(untold)} made in a terminal, not passed on yet"
    yield Reason("decisions", text, passed=True)
    current = without_corrected([decision.text for decision in untold])
    newest = [decision for decision in untold if decision.text in current][:_AT_ONCE]
    decisions = "; ".join(f"{quoted(one.text, 300)} ({utc_minute(one.at)})" for one in newest)
    text = given.phrase(TEXTS["decided"], seq=event.seq, decisions=decisions)
    return Answer(context=text, events=[injection("decision", text, reason="terminal")])
