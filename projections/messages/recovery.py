"""Give Claude back, once after a compaction, what the summary does not mention.

The parts come by value: work under way, the user's words, decisions, failures and how they were
repaired, commands that worked, names. Every part gets its first items before any part gets more.
Words of a repository, a tool or a transcript are in quotes. The size of the text is bounded,
however large the files are that it names.
"""

from __future__ import annotations

from journal.text import quoted, utc_minute
from projections.facts.compose import TextPart, compose
from projections.facts.session import LastCompaction, Trail
from projections.messages import dropped_by_summary
from projections.messages.message import (
    TEXT_LIMIT,
    Answer,
    Input,
    Reason,
    Response,
    Texts,
    injection,
    width,
)
from projections.messages.recovery_parts import RecoveryParts
from projections.messages.recovery_phrases import PARTS
from projections.prefilter import COMPACTING

# Usual maximum of characters, by language; work under way may exceed it.
_SOFT = {"en": 3_150, "ja": 1_500, "ko": 1_500}

_HEAD: Texts = (
    (
        "Journal of this session (#{seq}, {at}): the context was compacted{how}{size}{number}. "
        "{rest}. Quoted text is recorded data, not the journal's words."
    ),
    (
        "このセッションの記録 (#{seq}、{at}): コンテキストが{how}圧縮されました{size}{number}。"
        "{rest}。引用は記録されたデータです。"
    ),
    (
        "이 세션의 기록 (#{seq}, {at}): 컨텍스트가 {how}압축되었습니다{size}{number}. "
        "{rest}. 인용문은 기록된 데이터입니다."
    ),
)
_HOW: dict[str, Texts] = {
    "auto": (" automatically", "自動で", "자동으로 "),
    "manual": (" by hand", "手動で", "수동으로 "),
}
_SIZE: Texts = (" at {tokens:,} tokens", "({tokens:,}トークン)", " ({tokens:,}토큰)")
_NUMBER: Texts = (
    ", compaction {number} of this session",
    "(このセッションで{number}回目)",
    " (이 세션의 {number}번째)",
)
_MISSING: Texts = (
    "What follows was recorded before that; the summary does not mention it",
    "以下はそれ以前の記録で、要約にありません",
    "아래는 그 전에 기록되었고 요약에 없습니다",
)
_RECORDED: Texts = (
    "What follows was recorded before that",
    "以下はそれ以前の記録です",
    "아래는 그 전에 기록되었습니다",
)
_ASKED: Texts = (
    " The summary was asked to: {text}.",
    " 要約への指示: {text}。",
    " 요약 지시: {text}.",
)
_LEFT_OUT: Texts = (
    "[Left out: {what}. `journal view recovery` shows all of it.]",
    "[省略: {what}。`journal view recovery` で全部見られます。]",
    "[생략: {what}. `journal view recovery`에 모두 있습니다.]",
)

_ASIDE = ("commands", "read", "numbers", "tests", "summary")


def respond(given: Input) -> Response:
    """Answer SessionStart(compact), or a notification that the client compacted."""
    event, views = given.event, given.views
    if getattr(event, "kind", COMPACTING[0]) not in COMPACTING:
        return None
    yield given.switch("recovery.enabled")
    trail = views.recovery.sessions.get(event.sid) if event.sid else None
    if trail is None or trail.compaction is None:
        yield Reason("compaction", "none is recorded", passed=False)
        return None
    compaction = trail.compaction
    text = f"#{compaction.seq}, {'recovered already' if compaction.told else 'not recovered yet'}"
    yield Reason("compaction", text, passed=not compaction.told, seqs=(compaction.seq,))
    parts = list(RecoveryParts(given, trail, compaction).all())
    aside = {given.phrase(PARTS[name][0]) for name in _ASIDE}
    # A compaction alone, or with a few commands, is worth no message, unless the summary is known to
    # lack them.
    missing = bool(compaction.summary_size) and any(part.items for part in parts)
    recorded = missing or any(part.name not in aside for part in parts)
    text = f"{len(parts)} parts of recorded work" if recorded else "no recorded work"
    yield Reason("content", text, passed=recorded, keys=("recovery.max_chars",))
    limit = min(TEXT_LIMIT, given.settings["recovery.max_chars"])

    def note(left: list[tuple[str, int]]) -> str:
        return given.phrase(_LEFT_OUT, what=", ".join(f"{name} ({count})" for name, count in left))

    head = _head(given, trail, compaction, missing=missing)
    parts.insert(0, TextPart("", head, is_bare=True))
    text = compose(parts, _SOFT[given.language], limit, width, note)
    events = [injection("recovery", text, reason=f"compaction #{compaction.seq}")]
    if compaction.summary_size and compaction.lost:
        events.append(dropped_by_summary.record(text, compaction))
    return Answer(context=text, events=events)


def _head(given: Input, trail: Trail, compaction: LastCompaction, *, missing: bool) -> str:
    event, phrase = given.event, given.phrase
    asked = ""
    if compaction.instructions:
        asked = phrase(_ASKED, text=quoted(compaction.instructions, 200))
    how = _HOW.get(compaction.trigger)
    return (
        phrase(
            _HEAD,
            seq=event.seq,
            at=utc_minute(event.ts),
            how=phrase(how) if how else "",
            size=phrase(_SIZE, tokens=compaction.tokens) if compaction.tokens else "",
            number=phrase(_NUMBER, number=trail.compactions) if trail.compactions > 1 else "",
            rest=phrase(_MISSING if missing else _RECORDED),
        )
        + asked
    )
