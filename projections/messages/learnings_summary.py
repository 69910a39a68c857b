"""Say how many learnings are verified: at a session's start, and once per compaction.

Claude gets counts and file names, not the learnings. A learning counts as verified once it was
confirmed.
"""

from __future__ import annotations

from journal.text import quoted
from projections.messages.message import Answer, Input, Reason, Response, injection

TEXTS = {
    "both": (
        "- Learnings: {safe} confirmed, safe to rely on; {unverified} never confirmed: check before relying on them. Files: {files}.",
        "- 学び：確認済み {safe} 件は信頼でき、未検証 {unverified} 件は使う前に確認が必要です。ファイル：{files}。",
        "- 학습: 확인된 {safe}개는 믿어도 되고, 미검증 {unverified}개는 쓰기 전에 확인이 필요합니다. 파일: {files}.",
    ),
    "safe": (
        "- Learnings: {safe} confirmed, safe to rely on. Files: {files}.",
        "- 学び：確認済み {safe} 件、信頼できます。ファイル：{files}。",
        "- 학습: 확인된 {safe}개, 믿어도 됩니다. 파일: {files}.",
    ),
    "unverified": (
        "- Learnings: {unverified} never confirmed: check before relying on them. Files: {files}.",
        "- 学び：未検証 {unverified} 件、使う前に確認が必要です。ファイル：{files}。",
        "- 학습: 미검증 {unverified}개, 쓰기 전에 확인이 필요합니다. 파일: {files}.",
    ),
}
_FILES = 3


def respond(given: Input) -> Response:
    """Answer SessionStart(compact): the learnings files are still there after a compaction."""
    yield given.switch("recovery.enabled")
    lines = confidence(given)
    yield Reason("learnings", "there are some" if lines else "none", passed=bool(lines))
    text = lines[0].removeprefix("- ")
    return Answer(context=text, events=[injection("learnings", text, reason="compaction")])


def confidence(given: Input) -> list[str]:
    """Return one line about the learnings, [] if there are none."""
    stock = given.event.stock
    if stock is None or not stock.total:
        return []
    safe = stock.total - stock.unverified
    names = [quoted(file.path, 100) for file in stock.files]
    more = f" +{len(names) - _FILES}" if len(names) > _FILES else ""
    kind = "both" if safe and stock.unverified else "safe" if safe else "unverified"
    files = ", ".join(names[:_FILES]) + more
    return [given.phrase(TEXTS[kind], safe=safe, unverified=stock.unverified, files=files)]
