"""Warn that the context is filling up: once per level, until the pressure falls below it again."""

from __future__ import annotations

from journal.clock import millis
from journal.text import utc_minute
from projections.compound import unpromoted
from projections.messages.message import Answer, Input, Reason, Response, advice, counted
from projections.prefilter import level, warned_level, warning_due
from projections.pressure import Gauge, headroom_of, is_current, limit_of

TEXTS = {
    "claude": (
        "Context at the {level} level: {left} ({used} of {limit} tokens; journal #{seq}, {at}). "
        "`journal checkpoint TEXT` records where the work stands, `journal decide TEXT` a decision; "
        "Claude gets both back after a compaction.",
        "コンテキストは {level} レベル：{left}（{limit} トークン中 {used}、journal #{seq}、{at}）。`journal "
        "checkpoint TEXT` は作業の現状を、`journal decide TEXT` は決定を記録し、どちらも圧縮後に Claude "
        "に戻ります。",
        "컨텍스트 {level} 수준: {left}({limit} 토큰 중 {used}, journal #{seq}, {at}). `journal checkpoint "
        "TEXT`는 작업 상태를, `journal decide TEXT`는 결정을 기록하며 둘 다 압축 후 Claude에게 돌아옵니다.",
    ),
    "claude clear": (
        "Context at the {level} level: {left} ({used} of {limit} tokens; journal #{seq}, {at}). "
        "Compaction is switched off, so only a new session makes room. `journal checkpoint TEXT` "
        "records where the work stands, `journal decide TEXT` a decision; in the new session "
        "`journal view recovery --session {sid}` shows both.",
        "コンテキストは {level} レベル：{left}（{limit} トークン中 {used}、journal #{seq}、{at}）。圧縮は無効"
        "なので、空きを作れるのは新しいセッションだけです。`journal checkpoint TEXT` は作業の現状を、`journal "
        "decide TEXT` は決定を記録し、新しいセッションでは `journal view recovery --session {sid}` "
        "で両方を見られます。",
        "컨텍스트 {level} 수준: {left}({limit} 토큰 중 {used}, journal #{seq}, {at}). 압축이 꺼져 있어 새 "
        "세션에서만 여유가 생깁니다. `journal checkpoint TEXT`는 작업 상태를, `journal decide TEXT`는 결정을 "
        "기록하며 새 세션에서 `journal view recovery --session {sid}`로 둘 다 볼 수 있습니다.",
    ),
    "unsaved": (
        " {entries} not saved as learnings yet; /journal:compound reviews them with the user.",
        "{entries}がまだ学びとして保存されていません。/journal:compound でユーザーと確認できます。",
        " {entries}가 아직 학습으로 저장되지 않았습니다. /journal:compound로 사용자와 함께 살펴봅니다.",
    ),
    "entries": (
        "journal: {left}. {entries} not saved as learnings: run /journal:compound before that.",
        "journal：{left}。{entries}が学びとして未保存です。その前に /journal:compound を実行してください。",
        "journal: {left}. {entries}가 학습으로 저장되지 않았습니다. 그 전에 /journal:compound를 실행하세요.",
    ),
    "compact": (
        "journal: {left}. To choose the moment yourself, run /compact after this step.",
        "journal：{left}。タイミングを選ぶなら、この作業の後に /compact を実行してください。",
        "journal: {left}. 시점을 직접 고르려면 이 단계가 끝난 뒤 /compact를 실행하세요.",
    ),
    "now": (
        "journal: the compaction threshold is reached; Claude Code may compact before its next answer.",
        "journal：圧縮のしきい値に達しました。Claude Code は次の回答の前に圧縮することがあります。",
        "journal: 압축 기준에 도달했습니다. Claude Code가 다음 답변 전에 압축할 수 있습니다.",
    ),
    "full": (
        "journal: {left}. To make room, run /compact after this step.",
        "journal：{left}。余裕を作るには、この作業の後に /compact を実行してください。",
        "journal: {left}. 여유를 만들려면 이 단계가 끝난 뒤 /compact를 실행하세요.",
    ),
    "over": (
        "journal: {left}. The next prompt would be refused: run /compact now.",
        "journal：{left}。次のプロンプトは拒否されます。今すぐ /compact を実行してください。",
        "journal: {left}. 다음 프롬프트는 거부됩니다. 지금 /compact를 실행하세요.",
    ),
    "full clear": (
        "journal: {left}. To make room, run /clear after this step; /journal:get {sid} then gives "
        "Claude this session's summary.",
        "journal：{left}。余裕を作るには、この作業の後に /clear を実行してください。その後 /journal:get {sid} で "
        "Claude にこのセッションの要約を渡せます。",
        "journal: {left}. 여유를 만들려면 이 단계가 끝난 뒤 /clear를 실행하세요. 그다음 /journal:get {sid}로 "
        "Claude에게 이 세션의 요약을 줄 수 있습니다.",
    ),
    "over clear": (
        "journal: {left}. The next prompt would be refused: run /clear now; /journal:get {sid} then "
        "gives Claude this session's summary.",
        "journal：{left}。次のプロンプトは拒否されます。今すぐ /clear を実行してください。その後 /journal:get "
        "{sid} で Claude にこのセッションの要約を渡せます。",
        "journal: {left}. 다음 프롬프트는 거부됩니다. 지금 /clear를 실행하세요. 그다음 /journal:get {sid}로 "
        "Claude에게 이 세션의 요약을 줄 수 있습니다.",
    ),
}
"""claude: for Claude, with `unsaved` if there are such entries. Others: for the user.

Those whose name ends in `clear` are for sessions in which `/compact` does not work either.
"""


def respond(given: Input) -> Response:
    """Answer a prompt or a tool call."""
    settings, event = given.settings, given.event
    yield given.switch("pressure.advice")
    gauge = given.views.pressure.sessions.get(event.sid)
    if gauge is None or gauge.tokens is None:
        why = gauge.unknown if gauge is not None else "no reading of this session yet"
        yield Reason("reading", f"unknown: {why}", passed=False)
        return None
    text = f"{gauge.tokens:,} tokens, from {gauge.source or 'unknown'}, {_age(gauge.at, event.ts)}"
    yield Reason("reading", text, seqs=(gauge.seq,))
    threshold, source = limit_of(given.views.pressure, gauge)
    yield _threshold(gauge, threshold, source)
    stale_after = settings["pressure.stale_after"]
    young = is_current(gauge, event.ts, stale_after, getattr(event, "ms", None) or 0)
    text = f"{'at most' if young else 'more than'} {stale_after} s of activity old"
    yield Reason("age", text, passed=young, keys=("pressure.stale_after",))
    info, urgent = settings["pressure.info"], settings["pressure.urgent"]
    reached = level(gauge.tokens, threshold, info, urgent)
    yield Reason(
        "level",
        f"{gauge.tokens:,} / {threshold:,} = {100 * gauge.tokens / threshold:.1f}% of the threshold; info from "
        f"{100 * info:g}% ({info * threshold:,.0f}), urgent from {100 * urgent:g}% "
        f"({urgent * threshold:,.0f}): {reached or 'below both'}",
        passed=bool(reached),
        keys=("pressure.info", "pressure.urgent"),
    )
    if reached == "urgent":
        text = "ran since this reading" if gauge.quiet else "has not run since this reading"
        ran = (given.views.compound.ran,) if gauge.quiet else ()
        yield Reason("compound", text, passed=not gauge.quiet, seqs=ran)
    yield _warned(gauge, reached, info, urgent)
    return _warning(given, gauge, reached)


def _threshold(gauge: Gauge, threshold: int, source: str) -> Reason:
    """Return the compaction threshold with the terms of its computation."""
    name, keys = "threshold", ("pressure.compaction_point",)
    if not threshold:
        return Reason(name, "unknown: no model, no window", passed=False)
    terms = ", ".join(f"{what} {_number(value)} ({origin})" for what, value, origin in gauge.terms)
    how = f"{source}{': ' + terms if terms and not source.startswith('observed') else ''}"
    return Reason(name, f"{threshold:,} tokens, {how}", keys=keys)


def _warned(gauge: Gauge, reached: str, info: float, urgent: float) -> Reason:
    """Return whether this level was warned of since the pressure was last below it."""
    warned = warned_level(gauge.told, gauge.lowest, info, urgent)
    if not gauge.told:
        text = "no warning since the pressure last began to rise"
    elif not warned:
        text = f"{gauge.told}, but the pressure fell to {100 * gauge.lowest:.1f}% since"
    else:
        text = f"{warned} already, and the pressure has not fallen below that level since"
    record = "advice.given pressure" if gauge.told else ""
    return Reason("warned before", text, passed=warning_due(reached, warned), record=record)


def _warning(given: Input, gauge: Gauge, reached: str) -> Answer:
    room = headroom_of(given.views.pressure, gauge)
    assert room is not None  # a level was reached
    count = unpromoted(given.views.compound)
    values = {
        "seq": given.event.seq,
        "at": utc_minute(given.event.ts),
        "level": reached,
        "left": room.text(given.language),
        "used": f"{room.tokens:,}",
        "limit": f"{room.limit:,}",
        "entries": counted(given.language, count, "work-log entry"),
    }
    clear = ""
    if not room.by_hand:
        from projections.messages.unfinished import argument  # imported here: seldom needed

        clear, values["sid"] = " clear", argument(given.event.sid[:8], 24)
    text = given.phrase(TEXTS[f"claude{clear}"], **values)
    if room.left <= 0:  # too late for another step
        what = "now" if room.compacts else f"over{clear}"
    elif count:
        what = "entries"
    else:
        what = "compact" if room.compacts else f"full{clear}"
    if count:
        text += given.phrase(TEXTS["unsaved"], **values)
    message = given.phrase(TEXTS[what], **values)
    warning = advice(
        "pressure",
        text,
        channel="context",
        reason=f"{reached}: {room.tokens} of {room.limit}",
        level=reached,
        tokens=room.tokens,
        point=room.limit,
    )
    save_point = {"type": "checkpoint.saved", "cause": "pressure", "summary": reached}
    return Answer(context=text, message=message, events=[warning, save_point])


def _number(text: str) -> str:
    return f"{int(text):,}" if text.isdigit() else text


def _age(at: str, ts: str) -> str:
    then, now = millis(at), millis(ts)
    if then is None or now is None:
        return "of unknown age"
    return f"{max(0, now - then) // 1000} s old"
