"""A session in Japanese: an order service in Go."""

from tests.recall.session import Session

ORDERS = Session(
    "ja",
    [
        ("prompt", "注文の重複登録を直してください。既存の API の形は絶対に変えないこと。チケットは ORD-88 です。"),
        ("read", "internal/order/handler.go"),
        ("say", "重複の原因は再送時に冪等キーを見ていないことです。キーはヘッダーにしか無いためです。"),
        ("edit", "internal/order/handler.go"),
        ("fail", "go test ./internal/order/...",
         "=== RUN   TestCreate\n" + "    log\n" * 80 +
         "--- FAIL: TestCreateTwice (0.02s)\n"
         "    handler_test.go:61: 注文が二件登録された: got 2, want 1\nFAIL"),
        ("edit", "internal/order/store.go"),
        ("run", "go test ./internal/order/...", "ok"),
        ("prompt", "続けて"),
        ("refuse", "いいえ、テーブルに列を追加しないでください。キャッシュで十分です"),
        ("say", "列を追加する代わりにキャッシュへ冪等キーを保存する方針を採用しました。"),
        ("ask", "キーの保存期間はどうしますか?", ["一日", "一週間"], "一日"),
        ("prompt", "はい"),
        ("plan", "# 冪等キーの保存\n\n## キャッシュ層を作る\n\n## 期限切れの掃除を加える\n\n## 監視を足す\n"),
        ("run", "make lint", "ok"),
        ("run", "git commit -am '重複登録を防ぐ'", "[main 9c3d1ab] 重複登録を防ぐ"),
        ("say", "コミット 9c3d1ab で 23 件のテストが通りました。"),
        ("prompt", "監視の警告は必ず日本語で書いてください。次は負荷試験をお願いします。"),
        ("run", "k6 run load/orders.js", "done"),
        ("edit", "internal/cache/idempotency.go"),
        ("prompt", "進めて"),
    ],
    "1. 依頼: 注文の重複登録を直す。\n2. 変更: internal/order/handler.go。\n3. 残り: 負荷試験。",
    [
        ("constraint", "words", "既存の API の形は絶対に変えないこと"),
        ("constraint", "words", "監視の警告は必ず日本語で書いてください"),
        ("refusal", "words", "テーブルに列を追加しないでください。キャッシュで十分です"),
        ("decision", "words", "重複の原因は再送時に冪等キーを見ていないことです"),
        ("decision", "words", "列を追加する代わりにキャッシュへ冪等キーを保存する方針を採用"),
        ("choice", "words", "キーの保存期間はどうしますか? 一日"),
        ("plan", "words", "期限切れの掃除を加える"),
        ("file", "path", "internal/order/store.go"),
        ("file", "path", "internal/cache/idempotency.go"),
        ("error", "words", "handler_test.go:61: 注文が二件登録された: got 2, want 1"),
        ("fix", "pair", ["注文が二件登録された", "store.go"]),
        ("command", "command", "go test ./internal/order/..."),
        ("command", "command", "make lint"),
        ("command", "command", "k6 run load/orders.js"),
        ("id", "token", "ORD-88"),
        ("id", "token", "9c3d1ab"),
    ],
)  # fmt: skip
