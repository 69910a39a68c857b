"""The phrases of a recovery's parts: in English, Japanese and Korean."""

from __future__ import annotations

from projections.messages.message import Texts

TEXTS: dict[str, Texts] = {
    "request": (
        "Last request ({at}): {text}",
        "最後の依頼 ({at}): {text}",
        "마지막 요청 ({at}): {text}",
    ),
    "wanted": (
        "; before that ({at}): {text}",
        "、その前 ({at}): {text}",
        "; 그 전 ({at}): {text}",
    ),
    "no text": (
        "Last request: {at} (the journal has no text of it)",
        "最後の依頼: {at} (本文は記録されていません)",
        "마지막 요청: {at} (본문은 기록되어 있지 않습니다)",
    ),
    "save point": (
        "Last checkpoint ({at}): {text}",
        "最後のチェックポイント ({at}): {text}",
        "마지막 체크포인트 ({at}): {text}",
    ),
    "chose": (
        "- {question} answered {answer}",
        "- {question} の答え {answer}",
        "- {question} 의 답 {answer}",
    ),
    "not": (" (not {others})", " (不採用: {others})", " (선택 안 함: {others})"),
    "refused": (
        "{call}; the user said {reason}",
        "{call}、ユーザーの言葉 {reason}",
        "{call}; 사용자의 말 {reason}",
    ),
    "open": ("not seen to pass since", "その後の成功は未確認", "이후 성공이 확인되지 않음"),
    "pasted": (
        "in a log the user pasted: {text}",
        "ユーザーが貼ったログ: {text}",
        "사용자가 붙여 넣은 로그: {text}",
    ),
    "later": ("passed later", "後で成功", "나중에 성공"),
    "repaired": (
        "passed after edits to {files}",
        "{files} の編集後に成功",
        "{files} 편집 후 성공",
    ),
    "answer": (
        "The last answer began: {text}",
        "直前の回答の冒頭: {text}",
        "직전 답변의 시작: {text}",
    ),
    "first": (
        "The summary is journal #{seq}.",
        "要約は journal #{seq}。",
        "요약은 journal #{seq}.",
    ),
    "pointer": (
        "The latest summary is journal #{seq}; all of them: "
        "`journal events --type compact.finished --type compact.summarized`.",
        "最新の要約は journal #{seq}、全要約: "
        "`journal events --type compact.finished --type compact.summarized`。",
        "최신 요약은 journal #{seq}, 전체 요약: "
        "`journal events --type compact.finished --type compact.summarized`.",
    ),
    "tests failed": (
        "The last test run failed.",
        "最後のテスト実行は失敗。",
        "마지막 테스트 실행은 실패.",
    ),
    "tests passed": (
        "The last test run passed.",
        "最後のテスト実行は成功。",
        "마지막 테스트 실행은 성공.",
    ),
    "tests before": (
        "The last test run passed, before later edits to {files}.",
        "最後のテスト実行は成功、その後 {files} を編集。",
        "마지막 테스트 실행은 성공, 그 뒤 {files} 편집.",
    ),
}

# Part → its name in the note about what was left out, and the line before its items.
PARTS: dict[str, tuple[Texts, Texts]] = {
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
        ("the user's words", "ユーザーの言葉", "사용자의 말"),
        ("The user said:", "ユーザーの言葉:", "사용자의 말:"),
    ),
    "calls": (
        ("refused calls", "拒否された操作", "거부된 작업"),
        ("Calls the user refused or interrupted:", "ユーザーが拒否・中断した操作:", "사용자가 거부·중단한 작업:"),
    ),
    "choices": (
        ("the user's answers", "ユーザーの選択", "사용자의 선택"),
        ("The user chose:", "ユーザーの選択:", "사용자의 선택:"),
    ),
    "plan": (
        ("steps of the plan", "計画の手順", "계획 단계"),
        ("Plan the user approved: {title}", "承認された計画: {title}", "승인된 계획: {title}"),
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
    "unowned": (("progress without a session", "所有者なしの進捗", "소유자 없는 진행"), ("", "", "")),
    "read": (
        ("files read", "読んだファイル", "읽은 파일"),
        ("Only read: ", "読んだだけ: ", "읽기만 함: "),
    ),
}  # fmt: skip
