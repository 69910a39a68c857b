"""Remind at the end of a turn that entries of the work log are not saved as learnings yet.

A session chain gets it at most once per condition: a phase has ended, or there are entries since
the last compound. It is not given after a session's first turn, in a session that changed nothing,
or after a turn that ran `/journal:compound`.
"""

from __future__ import annotations

from journal.text import plural, quoted
from projections.compound import Compound, CompoundWork, bare_name, unpromoted
from projections.messages.message import Answer, Input, Reason, Response, advice, counted

TEXTS = {
    "phase": (
        "The {phase} phase has ended. {entries} not saved as learnings{recent}. /journal:compound reviews them with the user, who decides.",
        "{phase} フェーズが終わりました。{entries}が学びとして未保存です{recent}。/journal:compound でユーザーと確認し、保存するかはユーザーが決めます。",
        "{phase} 단계가 끝났습니다. {entries}가 학습으로 저장되지 않았습니다{recent}. /journal:compound로 함께 살펴보고 사용자가 정합니다.",
    ),
    "entries": (
        "journal: {entries} not saved as learnings{recent}. /journal:compound reviews them.",
        "journal：{entries}が学びとして未保存です{recent}。/journal:compound で確認できます。",
        "journal: {entries}가 학습으로 저장되지 않았습니다{recent}. /journal:compound로 살펴봅니다.",
    ),
    "unverified": (
        " Of {total} learnings, {unverified} are not verified yet.",
        "学び {total} 件のうち {unverified} 件は未検証です。",
        " 학습 {total}개 중 {unverified}개는 미검증입니다.",
    ),
}
_COMPOUND = "compound"


def respond(given: Input) -> Response:
    """Answer a Stop."""
    settings, state = given.settings, given.views.compound
    yield given.switch("compound.suggest")
    work = state.sessions.get(given.event.sid) or CompoundWork()
    count = unpromoted(state)
    yield _work_log(state, count)
    ended = [bare_name(name) for name in work.ended]
    phases = {bare_name(phase) for phase in settings["compound.phases"]}
    phase = next((name for name in ended if name in phases), "")
    text = f"{phase} has ended" if phase else "none has ended"
    yield Reason("phase", text, keys=("compound.phases",))
    text = "ran compound" if _COMPOUND in ended else f"number {work.turns} of this session"
    due = _COMPOUND not in ended and (bool(phase) or work.turns > 1)
    yield Reason("turn", text, passed=due)
    text = "something was changed" if work.changed else "this session changed nothing so far"
    yield Reason("changes", text, passed=work.changed or bool(phase))
    # After a later compound the same condition counts again.
    reason = f"{f'phase {phase}' if phase else 'unpromoted'}, compound #{state.ran}"
    text = ", ".join(work.suggested) or "nothing"
    yield Reason("reminded before", text, passed=reason not in work.suggested)
    values = {
        "phase": quoted(phase, 60),
        "entries": counted(given.language, count, "work-log entry"),
        "recent": _recent(state),
    }
    text = given.phrase(TEXTS["phase" if phase else "entries"], **values)
    stock = state.stock
    if stock is not None and stock.unverified >= settings["compound.many_unverified"]:
        text += given.phrase(TEXTS["unverified"], total=stock.total, unverified=stock.unverified)
    what, channel = ("phase", "context") if phase else ("compound", "message")
    event = advice(what, text, channel=channel, reason=reason)
    return Answer(context=text if phase else "", message="" if phase else text, events=[event])


def _work_log(state: Compound, count: int) -> Reason:
    entries = state.flow.entries if state.flow is not None else 0
    ran = f"last compound #{state.ran}" if state.ran else "no compound has run"
    text = f"{plural(entries, 'entry', 'entries')}, {plural(state.noted, 'note')}, "
    text += f"{count} not saved as learnings; {ran}"
    return Reason("work log", text, passed=bool(count), seqs=(state.ran,))


def _recent(state: Compound) -> str:
    """Return the newest heading in brackets."""
    headings = state.flow.headings if state.flow else []
    return f" ({quoted(headings[0], 80)})" if headings else ""
