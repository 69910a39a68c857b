"""The words on the screen, in English, Japanese and Korean."""

TEXTS = {
    "context": ("context {left}", "コンテキスト：{left}", "컨텍스트: {left}"),
    "left": (
        "{percent} ({used} of {limit})",
        "{percent}（{limit} 中 {used}）",
        "{percent}({limit} 중 {used})",
    ),
    "stage": ("stage {stage}", "ステージ {stage}", "{stage} 단계"),
    "done": ("stage {stage} done", "ステージ {stage} 完了", "{stage} 단계 완료"),
    "unsaved": ("{entries} not saved", "{entries}が未保存", "{entries} 미저장"),
    "save": (
        "/journal:compound saves {entries}; ",
        "/journal:compound で{entries}を保存、",
        "/journal:compound로 {entries} 저장, ",
    ),
    "compact": ("/compact compacts now", "/compact で今すぐ圧縮", "/compact로 지금 압축"),
    "clear": ("/clear makes room", "/clear で空きを確保", "/clear로 여유 확보"),
    "phase": ("phase {phase} of {skill}", "{skill} の {phase} フェーズ", "{skill}의 {phase} 단계"),
    "offer": (
        "{phase} has ended: a good moment to compact",
        "{phase}が終わりました：圧縮によいタイミングです",
        "{phase} 종료: 압축하기 좋은 시점입니다",
    ),
    "pressure": ("Pressure", "コンテキスト", "컨텍스트"),
    "unknown": ("unknown", "不明", "알 수 없음"),
    "readings": (
        "{count} since {since}",
        "{since} から測定{count}回",
        "{since}부터 측정 {count}회",
    ),
    "compactions": ("Compactions", "圧縮", "압축"),
    "auto": ("auto", "自動", "자동"),
    "manual": ("manual", "手動", "수동"),
    "compaction": ("compaction", "圧縮", "압축"),
    "size": (" at {tokens} tokens", "、{tokens} トークン", ", {tokens} 토큰"),
    "dropped": ("  dropped: ", "  失われたもの：", "  사라진 것: "),
    "more": ("and {count} more", "ほか{count}件", "외 {count}건"),
    "decisions": ("Decisions", "決定", "결정"),
    "items": ("Open items", "未完了の項目", "남은 항목"),
    "sessions": ("Past sessions", "過去のセッション", "지난 세션"),
    "none": ("none", "なし", "없음"),
}
