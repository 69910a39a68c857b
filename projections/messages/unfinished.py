"""Unfinished work as lines of text: that of the session, and that of ended sessions.

Files and commands are named, contents are not quoted. A list that is cut says so. The user decides
what to continue or discard. Names that a repository or a tool chose are in quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

from journal.clock import millis
from journal.text import phrase, plain_line, quoted, utc_minute
from projections.leftover import Leftover, leftovers
from projections.messages.message import Input, counted
from projections.progress import State, age_class, live
from projections.unit import Unit, current, task_list

TEXTS = {
    "loop": (
        "Another plugin's loop is active here ({name}), {limits}. Its Stop hook can keep a turn of this session going.",
        "別のプラグインのループが動作中です（{name}、{limits}）。その Stop フックがこのセッションのターンを続けさせることがあります。",
        "다른 플러그인의 루프가 실행 중입니다({name}, {limits}). 그 Stop 훅이 이 세션의 턴을 계속하게 할 수 있습니다.",
    ),
    "limits": (
        "iteration {iteration} of {most}, until it reads {promise}",
        "{iteration}/{most} 回目、{promise} を読むまで",
        "{iteration}/{most}회째, {promise}을(를) 읽을 때까지",
    ),
    "own": (
        "Unfinished here (CURRENT): {row}. The user may continue it or give it up (`journal progress discard`).",
        "このセッションの未完了スキル（CURRENT）：{row}。続けるか、やめるか（`journal progress discard`）はユーザーが決めます。",
        "이 세션의 미완료 스킬(CURRENT): {row}. 계속할지 그만둘지(`journal progress discard`)는 사용자가 정합니다.",
    ),
    "parent": (
        "Unfinished in the session that this one continues: {row}. The user may continue it here (`journal progress adopt {sid}`) or give it up (`journal progress discard {sid}`).",
        "前のセッションの未完了スキル：{row}。ここで続けるか（`journal progress adopt {sid}`）、やめるか（`journal progress discard {sid}`）はユーザーが決めます。",
        "이전 세션의 미완료 스킬: {row}. 여기서 계속할지(`journal progress adopt {sid}`) 그만둘지(`journal progress discard {sid}`)는 사용자가 정합니다.",
    ),
    "others": (
        "Unfinished work of ended sessions; the user decides about each, continue or discard:",
        "終わったセッションの未完了の作業。続けるか破棄するか、それぞれユーザーが決めます：",
        "끝난 세션의 미완료 작업. 계속할지 버릴지 각각 사용자가 정합니다:",
    ),
    "cycle": (
        "- dev cycle {cycle}, stage {stage} ({state}, {age} old): continue `journal stage resume {cycle}`, discard `journal stage abandon {cycle}`",
        "- 開発サイクル {cycle}、ステージ {stage}（{state}、{age}前）：続行 `journal stage resume {cycle}`、破棄 `journal stage abandon {cycle}`",
        "- 개발 사이클 {cycle}, 단계 {stage}({state}, {age} 전): 계속 `journal stage resume {cycle}`, 버리기 `journal stage abandon {cycle}`",
    ),
    "unit": (
        "- unit {unit}, {progress} ({age} old): continue `journal unit adopt {name}`, discard `journal unit discard {name}`",
        "- 作業単位 {unit}、{progress}（{age}前）：続行 `journal unit adopt {name}`、破棄 `journal unit discard {name}`",
        "- 작업 단위 {unit}, {progress}({age} 전): 계속 `journal unit adopt {name}`, 버리기 `journal unit discard {name}`",
    ),
    "skill": (
        "- skill {row} ({state}, {age} old): continue `journal progress adopt {sid}`, discard `journal progress discard {sid}`",
        "- スキル {row}（{state}、{age}前）：続行 `journal progress adopt {sid}`、破棄 `journal progress discard {sid}`",
        "- 스킬 {row}({state}, {age} 전): 계속 `journal progress adopt {sid}`, 버리기 `journal progress discard {sid}`",
    ),
    "more": (
        "- {count} more: `journal stage status`, `journal unit list`, `journal progress list`",
        "- ほか {count} 件：`journal stage status`、`journal unit list`、`journal progress list`",
        "- {count}개 더: `journal stage status`, `journal unit list`, `journal progress list`",
    ),
    "more items": (
        "- {count} more: `journal unit list`",
        "- ほか {count} 件：`journal unit list`",
        "- {count}개 더: `journal unit list`",
    ),
    "unowned": (
        "A progress file here names no session, so it is not this session's own: {path}{what}. The user knows whose it is; to continue it here, read it and save its state (`journal progress save`).",
        "セッション名のない進捗ファイルがあり、このセッションのものではありません：{path}{what}。誰のものかはユーザーが知っています。ここで続けるには、読んで状態を保存します（`journal progress save`）。",
        "세션 이름이 없는 진행 파일이 있어 이 세션의 것이 아닙니다: {path}{what}. 누구의 것인지는 사용자가 압니다. 여기서 계속하려면 읽고 상태를 저장합니다(`journal progress save`).",
    ),
    "stopped": (
        "Dev cycle {cycle} of this session was stopped at {stage} ({reason}, {at}); left to do: {rest}. If the user wants to continue: `journal stage resume`",
        "このセッションの開発サイクル {cycle} は {stage} で停止しました（{reason}、{at}）。残り：{rest}。ユーザーが続行を望む場合：`journal stage resume`",
        "이 세션의 개발 사이클 {cycle}: {stage}에서 멈춤({reason}, {at}). 남은 단계: {rest}. 사용자가 계속을 원하면: `journal stage resume`",
    ),
    "cycle_line": (
        "Dev cycle {cycle}: stage {stage}, {how}, since {at}.",
        "開発サイクル {cycle}：ステージ {stage}、{how}（{at} から）。",
        "개발 사이클 {cycle}: 단계 {stage}, {how}({at}부터).",
    ),
    "unit_line": (
        "Unit of work {unit}; {progress}.",
        "作業単位 {unit}：{progress}。",
        "작업 단위 {unit}: {progress}.",
    ),
    "tasks_line": (
        "Claude Code's task list: {progress}.",
        "Claude Code のタスク一覧：{progress}。",
        "Claude Code 작업 목록: {progress}.",
    ),
    "under_way": ("Skill under way: {row}.", "実行中のスキル：{row}。", "진행 중인 스킬: {row}."),
    "next": ("Next action: {next}", "次の作業：{next}", "다음 작업: {next}"),
    "row": ("{skill}, phase {phase}", "{skill}、フェーズ {phase}", "{skill}, 단계 {phase}"),
    "a_skill": ("a skill", "スキル", "스킬"),
    "output": (", output {path}", "、出力 {path}", ", 출력 {path}"),
    "state": (", state in {path}", "、状態ファイル {path}", ", 상태 파일 {path}"),
    "phase": (
        "- Phase {phase}{name}: {summary}",
        "- フェーズ {phase}{name}：{summary}",
        "- 단계 {phase}{name}: {summary}",
    ),
}

_STATES = {
    "open": ("open", "実行中", "열림"),
    "finished": ("finished", "完了", "완료"),
    "stopped": ("stopped", "停止", "멈춤"),
}
_NO_ROOM = ("too little context was left", "コンテキストの残りが不足", "남은 컨텍스트 부족")
_LISTED = 3  # of each kind
_OPEN_ITEMS = 10
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")
_NAME = _SAFE.union("/@+~%#=?&")  # of a path or link
_INERT = str.maketrans({sign: f"\\{sign}" for sign in "\\$`"})  # a shell expands these in quotes


def argument(text: str, most: int = 60) -> str:
    """Return a name as a command's argument: bare if it is one plain word, else in quotes."""
    is_plain = 0 < len(text) <= most and _SAFE.issuperset(text)
    return text if is_plain else quoted(text, most).translate(_INERT)


def name_of(text: str) -> str:
    """Return a name that others chose: bare if it cannot be a sentence, else in quotes."""
    line = plain_line(text, 160)
    return line if _NAME.issuperset(line) else quoted(line, 160)


def loop(given: Input) -> Iterator[str]:
    """Yield a warning about another plugin's loop, whose Stop hook may continue any turn here."""
    found = getattr(given.event, "loop", None)  # only a start looks for one
    if not found:
        return
    name, iteration, most, promise = (*found, "", "", "", "")[:4]
    limits = given.phrase(
        TEXTS["limits"],
        iteration=_number(iteration) or "?",
        most=_number(most) or "∞",
        promise=quoted(promise, 100) if promise else "-",
    )
    yield given.phrase(TEXTS["loop"], name=quoted(name, 100), limits=limits)


def own_progress(given: Input) -> Iterator[str]:
    """Yield the session's own unfinished skill, or that of the session it continues."""
    progress, sid = given.views.progress, given.event.sid
    parent = progress.parents.get(sid, "")
    if own := live(progress, sid):
        yield given.phrase(TEXTS["own"], row=_row(given, own))
    elif parent and (left := live(progress, parent)):
        yield given.phrase(TEXTS["parent"], row=_row(given, left), sid=argument(parent))


def others(given: Input) -> list[str]:
    """Return the unfinished work of ended sessions, with the commands to continue or discard it."""
    now = millis(given.event.ts) or 0
    found = leftovers(given.views, given.event.sid, now)
    values_of = {"cycle": _cycle, "unit": _unit, "skill": _skill}
    lines = [
        given.phrase(
            TEXTS[kind],
            age=age(now - item.at, given.language),
            **values_of[kind](given, item, now),
        )
        for kind, rows in found.items()
        for item in rows[:_LISTED]
    ]
    more = sum(len(rows[_LISTED:]) for rows in found.values())
    if more:
        lines.append(given.phrase(TEXTS["more"], count=more))
    return [given.phrase(TEXTS["others"]), *lines] if lines else []


def _cycle(given: Input, item: Leftover, _now: int) -> dict[str, str]:
    cycle = item.work
    state = "stopped" if cycle.status == "stopped" else "open" if cycle.open else "finished"
    name, state = argument(cycle.cycle), given.phrase(_STATES[state])
    return {"cycle": name, "stage": cycle.stage, "state": state}


def _unit(given: Input, item: Leftover, _now: int) -> dict[str, str]:
    unit, progress = item.work, progress_of(item.work, given.language)
    return {"unit": _named(unit), "name": argument(unit.unit), "progress": progress}


def _skill(given: Input, item: Leftover, now: int) -> dict[str, str]:
    state = age_class(now, item.at, own=False)
    return {"row": _row(given, item.work), "sid": argument(item.sid), "state": state}


def unowned(given: Input) -> Iterator[str]:
    """Yield a line about a progress file that names no session."""
    if found := getattr(given.event, "unowned", None):
        path, skill, phase = (*found, "", "", "")[:3]
        what = f" ({_row(given, State(skill, phase.strip()))})" if skill else ""
        yield given.phrase(TEXTS["unowned"], path=quoted(path, 160), what=what)


def stopped_cycle(given: Input) -> Iterator[str]:
    """Yield the session's own cycle if it was stopped."""
    cycle = given.views.stage.sessions.get(given.event.sid)
    if cycle is not None and cycle.status == "stopped":
        out_of_room = cycle.reason == "context_budget"
        yield given.phrase(
            TEXTS["stopped"],
            cycle=argument(cycle.cycle),
            reason=given.phrase(_NO_ROOM) if out_of_room else argument(cycle.reason, 100),
            at=utc_minute(cycle.at),
            stage=cycle.stage,
            rest=", ".join(plain_line(name, 20) for name in cycle.skipped) or "-",
        )


def open_cycle(given: Input) -> Iterator[str]:
    """Yield the session's own cycle if it is open."""
    cycle = given.views.stage.sessions.get(given.event.sid)
    if cycle is not None and cycle.status == "open":
        name, at = argument(cycle.cycle), utc_minute(cycle.at)
        how = given.phrase(_STATES["open" if cycle.open else "finished"])
        yield given.phrase(TEXTS["cycle_line"], cycle=name, stage=cycle.stage, how=how, at=at)


def structured(given: Input) -> Iterator[str]:
    """Yield one text about the session's own skill: phase, next action, summaries of phases."""
    state = live(given.views.progress, given.event.sid)
    if state is None:
        return
    lines = [given.phrase(TEXTS["under_way"], row=_row(given, state))]
    if state.next:
        lines.append(given.phrase(TEXTS["next"], next=quoted(state.next, 400)))
    for phase in state.phases[-12:]:
        number, name = _short(phase.phase), f" ({quoted(phase.name, 60)})" if phase.name else ""
        summary = quoted(phase.summary, 300)
        lines.append(given.phrase(TEXTS["phase"], phase=number, name=name, summary=summary))
    yield "\n".join(lines)


def unit_lines(given: Input) -> Iterator[str]:
    """Yield the unit under way with its progress, then its open items."""
    work = given.views.unit.sessions.get(given.event.sid)
    unit = current(work)
    if work is None or unit is None:
        return
    open_items = [item for item in unit.items if not item.done]
    progress = progress_of(unit, given.language)
    line = "tasks_line" if unit == task_list(work) else "unit_line"
    yield given.phrase(TEXTS[line], unit=_named(unit), progress=progress)
    yield from (f"- [ ] {quoted(item.text, 160)}" for item in open_items[:_OPEN_ITEMS])
    if len(open_items) > _OPEN_ITEMS:
        yield given.phrase(TEXTS["more items"], count=len(open_items) - _OPEN_ITEMS)


def progress_of(unit: Unit, language: str = "en") -> str:
    """Return `3/5 done (60%)`."""
    done, total = sum(item.done for item in unit.items), len(unit.items)
    if not total:
        return phrase(language, ("no items", "項目なし", "항목 없음"))
    texts = (
        "{done}/{total} done ({share}%)",
        "{done}/{total} 完了（{share}%）",
        "{done}/{total} 완료({share}%)",
    )
    return phrase(language, texts, done=done, total=total, share=round(100 * done / total))


def _named(unit: Unit) -> str:
    """Return a unit's name and its title, if it has one."""
    title = f" {quoted(unit.title, 120)}" if unit.title else ""
    return argument(unit.unit) + title


def _row(given: Input, state: State) -> str:
    """Return a skill, its phase, and the files that it named."""
    skill = quoted(state.skill, 60) if state.skill else given.phrase(TEXTS["a_skill"])
    text = given.phrase(TEXTS["row"], skill=skill, phase=_short(state.phase) or "?")
    text += f" ({quoted(state.name, 80)})" if state.name else ""
    for kind, path in (("output", state.output), ("state", state.path)):
        text += given.phrase(TEXTS[kind], path=quoted(path, 160)) if path else ""
    return text


def _short(phase: str) -> str:
    """Return a phase's number, or its name in quotes."""
    return argument(phase, 12) if phase else ""


def _number(text: str) -> str:
    digits = text.strip()
    return digits if digits.isascii() and digits.isdigit() and digits != "0" else ""


def age(ms: int, language: str) -> str:
    """Return an age in days, hours or minutes, at least one of them."""
    minutes = max(1, ms // 60_000)
    if minutes >= 48 * 60:
        return counted(language, minutes // (24 * 60), "day")
    if minutes >= 60:
        return counted(language, minutes // 60, "hour")
    return counted(language, minutes, "minute")
