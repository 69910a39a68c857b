"""Give Claude back, once, what the summary of a compaction left out.

If the summary is recorded before the recovery, this is a part of the recovery. Otherwise it comes
with the first prompt or tool call after the summary.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from journal.text import listed, plain_line, quoted
from projections.facts.correction import without_corrected
from projections.facts.session import KnownFacts, LastCompaction
from projections.messages.message import Answer, Input, Reason, Response, Texts, injection

TEXTS: dict[str, Texts] = {
    "head": (
        "Journal (#{seq}): the summary of the compaction does not mention {parts}.",
        "記録 (#{seq}): 圧縮の要約に書かれていないもの: {parts}。",
        "기록 (#{seq}): 압축 요약에 없는 것: {parts}.",
    ),
    "decisions": ("decisions: {what}", "決定: {what}", "결정: {what}"),
    "items": ("open items: {what}", "未完了の項目: {what}", "열린 항목: {what}"),
    "paths": ("files changed: {what}", "変更したファイル: {what}", "변경한 파일: {what}"),
}


def respond(given: Input) -> Response:
    """Answer the first prompt or tool call after a summary that was not compared in a recovery."""
    trail = given.views.recovery.sessions[given.event.sid]
    compaction = trail.compaction
    if compaction is None or not (compaction.done and compaction.told):
        return None
    lost = compaction.lost
    if lost is None or compaction.checked:
        return None  # the summary is unknown, or compared already
    current = without_corrected([decision.text for decision in trail.decisions])
    decisions = [text for text in lost.decisions if text in current]
    parts = _parts(given, replace(lost, decisions=decisions))
    if not parts:
        return None
    yield given.switch("recovery.enabled")
    yield Reason("summary", "leaves out recorded work", passed=True, seqs=(compaction.seq,))
    text = given.phrase(TEXTS["head"], seq=given.event.seq, parts="; ".join(parts))
    return Answer(context=text, events=[record(text, compaction)])


def _parts(given: Input, lost: KnownFacts) -> list[str]:
    """Return a text for each kind of work that the summary leaves out."""
    found = {
        "decisions": "; ".join(quoted(text, 200) for text in lost.decisions[:4]),
        "items": "; ".join(quoted(text, 120) for text in lost.items[:6]),
        "paths": listed([plain_line(path, 120) for path in lost.paths], 8),
    }
    return [given.phrase(TEXTS[kind], what=what) for kind, what in found.items() if what]


def record(text: str, compaction: LastCompaction) -> dict[str, Any]:
    """Build the event that records this message."""
    return injection("dropped", text, reason=f"compaction #{compaction.seq}")
