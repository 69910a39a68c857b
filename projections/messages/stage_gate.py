"""The stage gate: ask at the end of a turn for the next stage of a dev cycle.

It asks; it does not verify. Invariant: only the session that has the open cycle is asked: once
about a stage that is still open, and at most `stage.max_continuations` times to begin the next one.
In a turn that a Stop hook continued, it asks only if a stage was finished since the last question.
If too little context is left for the next stage, it tells the user so, once. If it is unknown how
much is left, it says so and does not ask Claude to begin the next stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from journal.text import phrase
from projections.messages.message import Answer, Input, Reason, Response, advice
from projections.pressure import current_headroom
from projections.stage import STAGES, Cycle, after, skipped_from
from projections.views import Views

TEXTS = {
    "open": (
        "Dev cycle {cycle}: stage {stage} is still open. `journal stage finish {stage}` records "
        "that it is done; {next} comes next. If it is not done, the user needs to know what "
        "{stage} still lacks.",
        "開発サイクル {cycle}：ステージ {stage} はまだ終わっていません。完了は `journal stage finish "
        "{stage}` で記録され、次は {next} です。未完了なら、{stage} に何が足りないかをユーザーは知る必要があります。",
        "개발 사이클 {cycle}: {stage} 단계가 아직 열려 있습니다. 완료는 `journal stage finish {stage}`로 "
        "기록되며 다음은 {next}입니다. 완료되지 않았다면 {stage}에 무엇이 부족한지 사용자가 알아야 합니다.",
    ),
    "open_unknown": (
        " It is unknown how much context is left.",
        "残りの余裕は不明です。",
        " 남은 여유는 알 수 없습니다.",
    ),
    "short": (
        "journal: stage {stage} is still open, and {left}: less than the {needed} that {next} "
        "needs. When {stage} is done, run `journal stage finish {stage}`. `journal stage stop` "
        "ends the cycle here (skipped: {skipped}); `journal stage resume` continues it in a new "
        "session.",
        "journal：ステージ {stage} は途中ですが、{left}です。{next} に必要な {needed} に足りません。{stage} "
        "が終わったら `journal stage finish {stage}`。`journal stage stop` でここで止まり（省略：{skipped}）、"
        "新しいセッションの `journal stage resume` で続けられます。",
        "journal: {stage} 단계가 아직 열려 있는데 {left}. {next}에 필요한 {needed}보다 적습니다. {stage}이(가) "
        "끝나면 `journal stage finish {stage}`를 실행하세요. `journal stage stop`은 사이클을 여기서 멈추고(생략: "
        "{skipped}), 새 세션의 `journal stage resume`로 이어집니다.",
    ),
    "next": (
        "Dev cycle {cycle}: {stage} is finished and {next} is the next stage; {left}, {needed} is "
        "needed. `journal stage start {next}` begins it.",
        "開発サイクル {cycle}：{stage} が終わり、次のステージは {next} です。{left}、必要なのは {needed}。"
        "`journal stage start {next}` で始まります。",
        "개발 사이클 {cycle}: {stage}이(가) 끝났고 다음 단계는 {next}입니다. {left}, 필요한 것은 {needed}. "
        "`journal stage start {next}`로 시작합니다.",
    ),
    "unknown": (
        "journal: {stage} is finished and {next} is next. It is unknown how much context is left, "
        "so Claude is not asked to continue. To start it: `journal stage start {next}`. "
        "`journal status` shows why it is unknown.",
        "journal：{stage} が終わり、次は {next} です。残りの余裕が不明なため、Claude には続行を求めません。"
        "始めるには `journal stage start {next}`。不明な理由は `journal status` で分かります。",
        "journal: {stage}이(가) 끝났고 다음은 {next}입니다. 남은 여유를 알 수 없어 Claude에게 계속하라고 하지 "
        "않습니다. 시작: `journal stage start {next}`. 알 수 없는 이유: `journal status`.",
    ),
    "stopped": (
        "journal: the dev cycle stops after {stage}: {left}, and {next} needs {needed}. Skipped: "
        "{skipped}. To continue in a new session: journal stage resume",
        "journal：開発サイクルは {stage} の後で止まります。{left}、{next} には {needed} が必要です。省略："
        "{skipped}。新しいセッションで続けるには：journal stage resume",
        "journal: 개발 사이클이 {stage} 뒤에서 멈춥니다. {left}, {next}에는 {needed}이(가) 필요합니다. 생략: "
        "{skipped}. 새 세션에서 이어 가려면: journal stage resume",
    ),
    "complete": (
        "journal: the dev cycle is complete with this turn ({cycle}).",
        "journal：開発サイクルはこのターンで完了しました（{cycle}）。",
        "journal: 이번 턴으로 개발 사이클이 완료되었습니다({cycle}).",
    ),
}
_TOKENS = ("{count} tokens", "{count} トークン", "{count} 토큰")


def respond(given: Input) -> Response:
    """Answer a Stop of a session that has a dev cycle."""
    event, settings = given.event, given.settings
    cycle = given.views.stage.sessions[event.sid]
    text = f"{cycle.cycle} is {cycle.status}"
    yield Reason("dev cycle", text, passed=cycle.status == "open", seqs=(cycle.seq,))
    mode = settings["stage.gate"]
    yield Reason("setting", mode, passed=mode != "off", keys=("stage.gate",))
    state = "still open" if cycle.open else "finished"
    yield Reason("stage", f"{cycle.stage} is {state}")
    if cycle.stage == STAGES[-1]:
        return _close(given, cycle)
    context = _Context(given.views, event, settings, cycle)
    yield context.reason()
    question = _question(given, cycle, context)
    text = ", ".join(cycle.asked) or "nothing"
    new = cycle.asked.count(question.reason) < question.times
    yield Reason("asked before", text, passed=new, keys=("stage.max_continuations",))
    if event.continued and question.channel != "message":
        # The turn goes on because of a Stop hook, so only a stage that finished meanwhile counts.
        most = settings["stage.max_continuations"]
        text = f"{state}, asked {cycle.run} of {most} times since the last prompt"
        new = not cycle.open and not cycle.asked and cycle.run < most
        yield Reason("continued turn", text, passed=new, keys=("stage.max_continuations",))
    level = "" if context.left is None else f"{context.left}%"
    text, channel, reason = question.text, question.channel, question.reason
    record = advice("stage", text, channel=channel, reason=reason, level=level)
    return Answer(**{channel: text}, events=[*question.events, record])


class _Context:
    """The context that is left, and what the next stage needs.

    left: percent, None if unknown. needed: percent up to 100, else tokens.
    """

    def __init__(self, views: Views, event: Any, settings: Mapping[str, Any], cycle: Cycle) -> None:
        gauge = views.pressure.sessions.get(event.sid)
        self.seq = gauge.seq if gauge is not None else 0
        stale_after, busy = settings["pressure.stale_after"], getattr(event, "ms", None) or 0
        self.room = current_headroom(views.pressure, event.sid, event.ts, stale_after, busy)
        self.left = self.room.left if self.room is not None else None
        window = (gauge.limit or gauge.window) if gauge is not None else 0
        self.needed = threshold(cycle.stage, window, settings)
        self.stage = cycle.stage

    @property
    def short(self) -> bool:
        """Return whether too little is left for the next stage; False if that is unknown."""
        room = self.room
        return room is not None and not enough(room.left, self.needed, room.limit)

    def needed_text(self, language: str = "en") -> str:
        """Return what the next stage needs, as text."""
        if self.needed <= 100:
            return f"{self.needed}%"
        return phrase(language, _TOKENS, count=f"{self.needed:,}")

    def reason(self) -> Reason:
        """Return the computation as information, because the gate also asks if nothing is known."""
        keys = (f"stage.thresholds.{self.stage}", f"stage.thresholds_long.{self.stage}")
        needed = f"{after(self.stage)} needs {self.needed_text()}"
        room = self.room
        if room is None:
            return Reason("room", f"unknown; {needed}", keys=keys)
        text = (
            f"({room.limit:,} - {room.tokens:,}) / {room.limit:,}: {room.text()}; "
            f"{needed}: {'too little' if self.short else 'enough'}"
        )
        return Reason("room", text, keys=keys, seqs=(self.seq,))


class _Question(Struct):
    """A question of the gate. channel: context, block or message. times: how often it is asked."""

    reason: str
    text: str
    channel: str
    times: int = 1
    events: list[dict[str, Any]] = []


def threshold(stage: str, window: int, settings: Mapping[str, Any]) -> int:
    """Return how much must be left after a stage: percent up to 100, else tokens.

    Long windows have a setting of their own.
    """
    long = settings.get(f"stage.thresholds_long.{stage}", -1)
    if window > 200_000 and long >= 0:
        return int(long)
    return int(settings[f"stage.thresholds.{stage}"])


def enough(left: float, needed: int, limit: int) -> bool:
    """Return whether `left` percent of `limit` tokens are at least what is needed."""
    return left >= needed if needed <= 100 else left * limit / 100 >= needed


def _close(given: Input, cycle: Cycle) -> Answer:
    """Finish the cycle: its last stage ends with the turn."""
    finished = {"type": "stage.finished", "cycle": cycle.cycle, "stage": cycle.stage}
    text = given.phrase(TEXTS["complete"], cycle=cycle.cycle)
    record = advice("stage", text, channel="message", reason="complete")
    return Answer(message=text, events=[finished, record])


def _question(given: Input, cycle: Cycle, context: _Context) -> _Question:
    """Return the question for the state of the stage and the context that is left."""
    room, stage, following = context.room, cycle.stage, after(cycle.stage)
    channel = "block" if given.settings["stage.gate"] == "block" else "context"
    values = {
        "cycle": cycle.cycle,
        "stage": stage,
        "next": following,
        "needed": context.needed_text(given.language),
        "left": room.text(given.language) if room is not None else "",
        "skipped": ", ".join(skipped_from(cycle)),
    }
    if cycle.open and context.short:
        # Too little for the next stage: the user decides, and Claude is not asked.
        return _Question(f"short:{stage}", given.phrase(TEXTS["short"], **values), "message")
    if cycle.open:
        text = given.phrase(TEXTS["open"], **values)
        text += given.phrase(TEXTS["open_unknown"]) if room is None else ""
        return _Question(f"open:{stage}", text, channel)
    if room is None:
        return _Question(
            f"unknown:{following}", given.phrase(TEXTS["unknown"], **values), "message"
        )
    if context.short:
        stopped = {
            "type": "stage.stopped",
            "cycle": cycle.cycle,
            "stage": stage,
            "reason": "context_budget",
            "skipped": skipped_from(cycle),
            "remaining": context.left,
        }
        text = given.phrase(TEXTS["stopped"], **values)
        return _Question("stopped", text, "message", len(cycle.asked) + 1, [stopped])
    text = given.phrase(TEXTS["next"], **values)
    return _Question(f"next:{following}", text, channel, given.settings["stage.max_continuations"])
