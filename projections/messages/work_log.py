"""A line about the work log at a compaction: what was not saved, or that all of it was."""

from __future__ import annotations

from journal.text import plural, quoted, utc_minute
from projections.compound import Compound, unpromoted
from projections.facts.session import LastCompaction
from projections.messages.message import Input, Texts
from projections.messages.unfinished import name_of

TEXTS: dict[str, Texts] = {
    "saved": (
        (
            "What was worth saving in the work log is saved: a compound ran before the compaction "
            "(#{seq}, {at})."
        ),
        "作業ログで残すべきものは保存済みです: 圧縮前に compound を実行 (#{seq}、{at})。",
        "작업 로그에서 남길 것은 저장되었습니다: 압축 전에 compound 실행 (#{seq}, {at}).",
    ),
    "to_read": (
        " The file to read: {file}.",
        " 読むファイル: {file}。",
        " 읽을 파일: {file}.",
    ),
    "ran": (
        "A compound ran before it (#{seq}); since then ",
        "その前に compound が実行され (#{seq})、以後 ",
        "그 전에 compound가 실행되었고 (#{seq}), 이후 ",
    ),
    "unsaved": (
        (
            "{ran}{count} not saved as learnings before the compaction{path}{latest}. "
            "/journal:compound reviews them with the user."
        ),
        (
            "{ran}圧縮前に学びとして保存されていない作業ログ: {count}件{path}{latest}。"
            "/journal:compound でユーザーと確認できます。"
        ),
        (
            "{ran}압축 전에 학습으로 저장되지 않은 작업 로그: {count}개{path}{latest}. "
            "/journal:compound로 사용자와 함께 검토합니다."
        ),
    ),
    "latest": ("; most recent: {headings}", "、最新: {headings}", ", 최근: {headings}"),
    "trimmed": (
        " {count} left the work log: `journal events --type flow.trimmed` has them whole.",
        " さらに{count}件が作業ログから移されました: `journal events --type flow.trimmed`。",
        " {count}개가 작업 로그에서 옮겨졌습니다: `journal events --type flow.trimmed`.",
    ),
}


def work_log_line(given: Input, compaction: LastCompaction) -> str:
    """Return the line; "" if nothing was unsaved and no compound ever ran."""
    state, phrase = given.views.compound, given.phrase
    count = compaction.unpromoted
    if count is None:
        count = unpromoted(state)
    if count:
        return _unsaved(given, compaction, count)
    if not state.ran:
        return ""
    text = phrase(TEXTS["saved"], seq=state.ran, at=utc_minute(state.ran_at))
    # The learnings summary, which follows, names the files of the learnings.
    if state.flow is None or not state.flow.entries:
        return text
    return text + phrase(TEXTS["to_read"], file=name_of(state.flow.path))


def work_files(state: Compound) -> set[str]:
    """Return the paths of the work log and the learnings, which other texts name."""
    stock = [file.path for file in state.stock.files] if state.stock else []
    return {*stock, state.flow.path} if state.flow else set(stock)


def _unsaved(given: Input, compaction: LastCompaction, count: int) -> str:
    state, phrase = given.views.compound, given.phrase
    headings = ", ".join(quoted(heading, 100) for heading in compaction.headings[:3])
    text = phrase(
        TEXTS["unsaved"],
        ran=phrase(TEXTS["ran"], seq=state.ran) if compaction.promoted else "",
        count=_count(given, count, "work-log entry was", "work-log entries were"),
        path=f" ({name_of(state.flow.path)})" if state.flow and state.flow.path else "",
        latest=phrase(TEXTS["latest"], headings=headings) if headings else "",
    )
    older = state.trimmed_unpromoted
    if not older:
        return text
    return text + phrase(
        TEXTS["trimmed"], count=_count(given, older, "older entry", "older entries")
    )


def _count(given: Input, count: int, one: str, many: str) -> str:
    return plural(count, one, many) if given.language == "en" else f"{count:,}"
