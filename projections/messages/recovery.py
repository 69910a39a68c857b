"""What Claude gets back after a compaction, once: what the summary does not say.

Parts by value: the work under way, the person's words, decisions, failures with their repair,
commands that worked, names. Every part gets its first items before any gets its tail. What a
repository, a tool or a transcript chose stands in quotes. The size does not depend on the documents
behind it.
"""

from __future__ import annotations

from journal.error_lines import error_lines
from journal.text import quoted, utc_minute
from projections.facts.compose import TextPart, compose
from projections.facts.correction import without_corrected
from projections.facts.session import last_request
from projections.facts.text import gives_reason, is_check
from projections.messages import dropped_by_summary, unfinished
from projections.messages.message import TEXT_LIMIT, Answer, Reason, injection, switch, width
from projections.messages.person_words import CORRECTED, person_words
from projections.messages.unfinished import name_of
from projections.messages.work_log import work_files, work_log_line
from projections.prefilter import COMPACTING
from projections.prose import without_pasted_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.facts.session import Failure, LastCompaction, SessionFacts, Trail
    from projections.messages.message import Input, Response, Texts

_SENTENCES = 6  # sentences of Claude that have their place in most texts
_COUNTED = 1  # clauses with a number that are told before the rest has its place
_SHORT = 120  # characters of an error that is told whole
# Characters the text has as a rule, by language; work under way may take more.
_SOFT = {"en": 3_000, "ja": 1_500, "ko": 1_500}

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
    " The summary was asked to: {text}.", " 要約への指示: {text}。", " 요약 지시: {text}.",
)  # fmt: skip
_REQUEST: Texts = (
    "Last request ({at}): {text}",
    "最後の依頼 ({at}): {text}",
    "마지막 요청 ({at}): {text}",
)
_WANTED: Texts = (
    "; before that ({at}): {text}",
    "、その前 ({at}): {text}",
    "; 그 전 ({at}): {text}",
)
_NO_TEXT: Texts = (
    "Last request: {at} (the journal has no text of it)",
    "最後の依頼: {at} (本文は記録されていません)",
    "마지막 요청: {at} (본문은 기록되어 있지 않습니다)",
)
_SAVE_POINT: Texts = (
    "Last checkpoint: {text}",
    "最後のチェックポイント: {text}",
    "마지막 체크포인트: {text}",
)
_CHOSE: Texts = (
    "- {question} answered {answer}",
    "- {question} の答え {answer}",
    "- {question} 의 답 {answer}",
)
_NOT: Texts = (" (not {others})", " (不採用: {others})", " (선택 안 함: {others})")
_OPEN: Texts = ("not seen to pass since", "その後の成功は未確認", "이후 성공이 확인되지 않음")
_PASTED: Texts = (
    "in a log the person pasted: {text}", "本人が貼ったログ: {text}", "사용자가 붙여 넣은 로그: {text}",
)  # fmt: skip
_LATER: Texts = ("passed later", "後で成功", "나중에 성공")
_REPAIRED: Texts = (
    "passed after edits to {files}", "{files} の編集後に成功", "{files} 편집 후 성공",
)  # fmt: skip
_ANSWER: Texts = (
    "The last answer before it began: {text}",
    "直前の回答の冒頭: {text}",
    "직전 답변의 시작: {text}",
)
_FIRST: Texts = (
    "The summary is journal #{seq}.", "要約は journal #{seq}。", "요약은 journal #{seq}.",
)  # fmt: skip
_POINTER: Texts = (
    "The latest summary is journal #{seq}; all of them: "
    "`journal events --type compact.finished --type compact.summarized`.",
    "最新の要約は journal #{seq}、全要約: "
    "`journal events --type compact.finished --type compact.summarized`。",
    "최신 요약은 journal #{seq}, 전체 요약: "
    "`journal events --type compact.finished --type compact.summarized`.",
)
_TESTS: dict[str, Texts] = {
    "failed": (
        "The last test run failed.",
        "最後のテスト実行は失敗。",
        "마지막 테스트 실행은 실패.",
    ),
    "passed": (
        "The last test run passed.",
        "最後のテスト実行は成功。",
        "마지막 테스트 실행은 성공.",
    ),
}
_LEFT_OUT: Texts = (
    "[Left out: {what}. `journal view recovery` shows all of it.]",
    "[省略: {what}。`journal view recovery` で全部見られます。]",
    "[생략: {what}. `journal view recovery`에 모두 있습니다.]",
)

# Part → its name in the note about what was left out, and the line before its items.
_PARTS: dict[str, tuple[Texts, Texts]] = {
    "loop": (("loop", "ループ", "루프"), ("", "", "")),
    "request": (("last request", "最後の依頼", "마지막 요청"), ("", "", "")),
    "checkpoint": (("checkpoint", "チェックポイント", "체크포인트"), ("", "", "")),
    "work": (("work under way", "進行中の作業", "진행 중인 작업"), ("", "", "")),
    "decisions": (
        ("decisions", "決定", "결정"),
        ("Decisions recorded, newest first:", "記録された決定 (新しい順):",
         "기록된 결정 (최신순):"),
    ),
    "items": (
        ("open items", "未完了項目", "미완료 항목"),
        ("Open items of the unit of work:", "作業単位の未完了項目:", "작업 단위의 미완료 항목:"),
    ),
    "person": (
        ("words of the person", "本人の言葉", "사용자의 말"),
        ("The person said:", "本人の言葉:", "사용자의 말:"),
    ),
    "calls": (
        ("refused calls", "拒否された操作", "거부된 작업"),
        ("Calls the person refused:", "本人が拒否した操作:", "사용자가 거부한 작업:"),
    ),
    "choices": (
        ("answers of the person", "本人の選択", "사용자의 선택"),
        ("The person chose:", "本人の選択:", "사용자의 선택:"),
    ),
    "plan": (
        ("steps of the plan", "計画の手順", "계획 단계"),
        ("Plan the person approved: {title}", "承認された計画: {title}", "승인된 계획: {title}"),
    ),
    "failures": (
        ("failures", "失敗", "실패"),
        ("Failures, newest first:", "失敗 (新しい順):", "실패 (최신순):"),
    ),
    "commands": (
        ("commands", "コマンド", "명령"),
        ("Commands that ran without an error:", "エラーなく動いたコマンド:",
         "오류 없이 실행된 명령:"),
    ),
    "files": (
        ("files changed", "変更ファイル", "변경 파일"),
        ("Files changed: ", "変更したファイル: ", "변경한 파일: "),
    ),
    "gone": (
        ("files that are gone", "今はないファイル", "지금은 없는 파일"),
        ("Changed, not in the working tree now: ", "変更後、今の作業ツリーにない: ",
         "변경했으나 지금 작업 트리에 없음: "),
    ),
    "ids": (
        ("commits, tickets and links", "コミット・チケット・リンク", "커밋·티켓·링크"),
        ("Commits, tickets and links named: ", "言及されたコミット・チケット・リンク: ",
         "언급된 커밋·티켓·링크: "),
    ),
    "reasons": (
        ("reasons", "理由", "이유"),
        ("Found or decided, in the words of Claude or its subagents:",
         "判明・決定 (Claude とサブエージェントの言葉):", "확인·결정 (Claude와 하위 에이전트의 말):"),
    ),
    "flow": (("work log", "作業ログ", "작업 로그"), ("", "", "")),
    "answer": (("last answer", "直前の回答", "직전 답변"), ("", "", "")),
    "summary": (("summary", "要約", "요약"), ("", "", "")),
    "tests": (("test status", "テスト結果", "테스트 결과"), ("", "", "")),
    "numbers": (("numbers", "数値", "수치"), ("Numbers: ", "数値: ", "수치: ")),
    "unowned": (("progress of nobody", "所有者なしの進捗", "소유자 없는 진행"), ("", "", "")),
    "read": (
        ("files read", "読んだファイル", "읽은 파일"),
        ("Only read: ", "読んだだけ: ", "읽기만 함: "),
    ),
}  # fmt: skip

_ASIDE = ("commands", "read", "numbers", "tests", "summary")


def respond(given: Input) -> Response:
    """Answer SessionStart(compact), or a notification that the client compacted."""
    event, views = given.event, given.views
    if getattr(event, "kind", COMPACTING[0]) not in COMPACTING:
        return None
    yield switch(given.settings, "recovery.enabled")
    trail = views.recovery.sessions.get(event.sid) if event.sid else None
    if trail is None or trail.compaction is None:
        yield Reason("compaction", "none is recorded", passed=False)
        return None
    compaction = trail.compaction
    text = f"#{compaction.seq}, {'recovered already' if compaction.told else 'not recovered yet'}"
    yield Reason("compaction", text, passed=not compaction.told, seqs=(compaction.seq,))
    parts = list(_Parts(given, trail, compaction).all())
    aside = {given.phrase(_PARTS[name][0]) for name in _ASIDE}
    # The bare fact of a compaction helps nobody, nor do a few commands without any work, unless the
    # summary is known to lack them.
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
    if compaction.summary_size and any(compaction.lost):
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


class _Parts:
    """The parts of one recovery, most precious first."""

    def __init__(self, given: Input, trail: Trail, compaction: LastCompaction) -> None:
        self.given = given
        self.phrase = given.phrase
        self.trail = trail
        self.compaction = compaction
        self.compared = bool(compaction.summary_size)
        self.shown = ""  # of the parts yielded so far: heads and first items

    def all(self) -> Iterator[TextPart]:
        """Yield those that have something to say, in the order of the text."""
        for part in self._all():
            if part.items or part.is_bare:
                self.shown += "\n".join(("", part.head, *part.first_items))
                yield part

    def _new(self, names: Iterable[str]) -> list[str]:
        """Return the names that no part so far has, newest first."""
        found = []
        for name in names:
            at = self.shown.find(name)
            after = self.shown[at + len(name) : at + len(name) + 1]
            if at < 0 or after.isalnum():
                found.append(name)
        return found[::-1]

    def _all(self) -> Iterator[TextPart]:
        trail, compaction = self.trail, self.compaction
        facts = compaction.facts
        yield from (self._bare("loop", text) for text in unfinished.loop(self.given))
        yield from self._request()
        if text := trail.checkpoint_summary:
            yield self._bare("checkpoint", self.phrase(_SAVE_POINT, text=quoted(text, 400)))
        yield from (self._bare("work", text) for text in self._under_way())
        decisions, items, files = compaction.lost or ([], [], [])
        if not self.compared:
            decisions = [text for _, text in trail.decisions]
            files = [path for path in trail.files if path not in facts.gone]
        yield self._lines("decisions", self._decisions(decisions), urgent=True)
        # The unit above has named its first open items.
        items = [text for text in items if quoted(text, 80).strip('"…') not in self.shown]
        yield self._lines("items", (quoted(text, 120) for text in items), urgent=True)
        words, firm = person_words(self.given, trail, compaction)
        person = self._lines("person", words, first=5)
        person.firm = firm
        yield person
        yield self._lines("calls", (quoted(text, 120) for text in reversed(facts.calls)))
        yield self._lines("choices", map(self._choice, reversed(facts.choices)))
        yield from self._plan(facts)
        yield self._lines("failures", map(self._failure, reversed(facts.failures)), first=3)
        failing = any(
            is_check(failure.target) and not failure.repaired for failure in facts.failures
        )
        if facts.tests == "passed" or (facts.tests and not failing):
            yield self._bare("tests", self.phrase(_TESTS[facts.tests]))
        yield self._lines("commands", _by_value(facts.commands), first=6)
        elsewhere = {facts.plan_file, *work_files(self.given.views.compound)}
        for name, paths in (("files", files), ("gone", facts.gone)):
            told = [path for path in paths if path not in elsewhere]
            yield self._series(name, _short_paths(told, self.given.event.cwd), urgent=True)
        yield self._series("ids", self._new(facts.ids))
        reasons = self._reasons(facts.reasons)
        yield reasons
        if text := work_log_line(self.given, compaction):
            yield self._bare("flow", text)
        if trail.summary_seq:
            pointer = _POINTER if trail.compactions > 1 else _FIRST
            yield self._bare("summary", self.phrase(pointer, seq=trail.summary_seq))
        if trail.message and not self.compared:
            yield self._bare("answer", self.phrase(_ANSWER, text=quoted(trail.message, 400)))
        read = facts.read if self.compared else trail.read
        yield self._series("read", [path for path in read if path not in elsewhere])
        sentences = "\n".join(reasons.items[:_SENTENCES])
        clauses = self._new(clause for clause in facts.numbers if clause not in sentences)
        counted = self._series("numbers", clauses)
        counted.first = counted.firm = _COUNTED
        yield counted
        yield from (self._bare("unowned", text) for text in unfinished.unowned(self.given))

    def _bare(self, name: str, text: str) -> TextPart:
        return TextPart(self.phrase(_PARTS[name][0]), text, is_bare=True)

    def _lines(
        self, name: str, texts: Iterable[str], *, first: int = 2, urgent: bool = False
    ) -> TextPart:
        items = [text if text.startswith("- ") else f"- {text}" for text in texts]
        what, head = map(self.phrase, _PARTS[name])
        return TextPart(what, head, items, first=first, urgent=urgent)

    def _series(self, name: str, texts: Iterable[str], *, urgent: bool = False) -> TextPart:
        what, head = map(self.phrase, _PARTS[name])
        names = [name_of(text) for text in texts]
        return TextPart(what, head, names, first=6, joiner=", ", urgent=urgent)

    def _request(self) -> Iterator[TextPart]:
        if not self.trail.prompts or self.compaction.request:
            return
        ts, text = newest = self.trail.prompts[0]
        # An image alone has no text either.
        told = _REQUEST if text else _NO_TEXT
        shown = self.phrase(told, at=utc_minute(ts), text=_asked(text))
        if (wanted := last_request(self.trail.prompts)) is not newest:
            at, text = utc_minute(wanted[0]), _asked(wanted[1])
            shown += self.phrase(_WANTED, at=at, text=text)
        yield self._bare("request", shown)

    def _under_way(self) -> Iterator[str]:
        """Yield the structured state, before anything narrative: skill, unit, stage."""
        yield from unfinished.structured(self.given)
        if unit := unfinished.unit_lines(self.given):
            yield "\n".join(unit)
        yield from unfinished.open_cycle(self.given)
        yield from unfinished.stopped_cycle(self.given)

    def _decisions(self, decisions: list[str]) -> Iterator[str]:
        """Yield decisions, newest first; one that a newer one corrects says so."""
        current = without_corrected([text for _, text in self.trail.decisions])
        for text in decisions:
            mark = "" if text in current else f" {self.phrase(CORRECTED)}"
            yield quoted(text, 300) + mark

    def _reasons(self, sentences: list[str]) -> TextPart:
        """Return Claude's sentences: those that give a reason before the others."""
        newest = sentences[::-1]
        firm = [text for text in newest if gives_reason(text)]
        rest = [text for text in newest if text not in firm]
        part = self._lines("reasons", (quoted(text, 240) for text in (*firm, *rest)), first=3)
        part.firm = len(firm)
        return part

    def _choice(self, choice: list[str]) -> str:
        question, answer, *rest = choice
        text = self.phrase(_CHOSE, question=quoted(question, 160), answer=quoted(answer, 240))
        # Several chosen options and a text of the person's own are joined by ", ".
        others = [quoted(text, 60) for text in rest if f", {text}, " not in f", {answer}, "][:3]
        return text + (self.phrase(_NOT, others=", ".join(others)) if others else "")

    def _plan(self, facts: SessionFacts) -> Iterator[TextPart]:
        """Yield the approved plan; Claude Code itself gives back one that stands in a file."""
        if facts.plan:
            what, head = _PARTS["plan"]
            steps = [f"- {quoted(step, 120)}" for step in facts.plan[1:] if not facts.plan_file]
            head_text = self.phrase(head, title=quoted(facts.plan[0], 120))
            if facts.plan_file:
                head_text += f" ({name_of(facts.plan_file)})"
            yield TextPart(self.phrase(what), head_text, steps, first=3, is_bare=not steps)

    def _failure(self, failure: Failure) -> str:
        found = (
            _lines_of(failure.error)
            if len(failure.error) <= _SHORT
            else error_lines(failure.error, 2)
        )
        text = quoted(" / ".join(found or [failure.error]), 260)
        if not failure.tool:
            return self.phrase(_PASTED, text=text)
        if not failure.target:  # of such a call nobody knows whether a later one repeats it
            return f"{name_of(failure.tool)}: {text}"
        how = self.phrase(_OPEN)
        if failure.repaired:
            names = ", ".join(map(name_of, failure.files))
            how = self.phrase(_REPAIRED, files=names) if names else self.phrase(_LATER)
        return f"{name_of(failure.tool)} {quoted(failure.target, 90)}: {text}; {how}"


def _asked(text: str) -> str:
    """Return the request to show: the person's words, without the log they pasted."""
    return quoted(without_pasted_log(text), 720)


def _short_paths(paths: list[str], cwd: str) -> list[str]:
    """Return paths relative to the directory if it and all of them are outside the project.

    Paths of a linked worktree are; beside one that is relative to the project it would be unclear.
    """
    if not cwd.startswith("/") or not all(path.startswith("/") for path in paths):
        return paths
    return [path.removeprefix(f"{cwd}/") for path in paths]


def _lines_of(error: str) -> list[str]:
    """Return the lines of a short error; its exit code only where it says nothing more."""
    lines = [line.strip() for line in error.splitlines() if any(map(str.isalnum, line))]
    return lines[1:] if len(lines) > 1 and lines[0].startswith("Exit code ") else lines


def _by_value(commands: list[str]) -> list[str]:
    """Return commands in quotes: those that build, check, test and publish first."""
    newest = commands[::-1]
    checks = [command for command in newest if is_check(command)]
    rest = [command for command in newest if command not in checks]
    return [quoted(command, 120) for command in (*checks, *rest)]
