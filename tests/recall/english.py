"""Two sessions in English: a Python shop, and a TypeScript client with a Rust service."""

from tests.recall.session import Session

SHOP = Session(
    "en",
    [
        ("prompt", ("Make the checkout round prices once per cart, not per line. Never touch the "
                   "tax tables, the accountant owns them. Ticket SHOP-412.")),
        ("read", "shop/cart/total.py"),
        ("read", "shop/tax/tables.py"),
        ("say", ("The totals drift because every line is rounded before the sum, so ten lines lose "
                "up to five cents.")),
        ("edit", "shop/cart/total.py"),
        ("fail", "pytest -q tests/cart/test_total.py",
         "=== test session starts ===\ncollected 14 items\n" + "." * 400 + "\n"
         "tests/cart/test_total.py:88: in test_mixed_rates\n"
         "E   AssertionError: expected Decimal('19.98') got Decimal('19.99')\n"
         "=== 1 failed, 13 passed in 2.31s ==="),
        ("edit", "shop/cart/rounding.py"),
        ("run", "pytest -q tests/cart/test_total.py", "14 passed in 2.2s"),
        ("prompt", "go on"),
        ("run", "make typecheck", "Success"),
        ("refuse", "no, do not add a new dependency for decimals, the standard library is enough"),
        ("say", ("I will use quantize from decimal instead of the money package, because the person "
                "wants no new dependency.")),
        ("ask", "Which rounding should gift cards use?", ["Half up", "Bankers", "Down"], "Half up"),
        ("prompt", "yes"),
        ("plan", ("# Gift cards after rounding\n\n## Store the unrounded balance\n\n"
                 "## Round when the card is spent\n\n## Backfill balances in one migration\n")),
        ("run", "git commit -am 'Round once per cart'", "[main 4be91c7] Round once per cart"),
        ("say", "Committed as 4be91c7; 14 tests pass and the checkout takes 38 ms."),
        ("prompt", ("Also log every rounding difference above one cent to the audit file, and keep "
                   "the log format the same as in audit v2.")),
        ("edit", "shop/audit/log.py"),
        ("fail", "alembic upgrade head",
         "INFO  [alembic.runtime.migration] Context impl SQLiteImpl.\n" + "INFO step\n" * 60 +
         "sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no such column: balance_raw"),
        ("run", "docker compose up -d db", "Started"),
        ("say", "See https://wiki.shop.test/audit-v2 for the columns."),
        ("prompt", "continue"),
    ],
    "1. Primary request: round prices once per cart.\n"
    "2. Files: shop/cart/total.py was changed.\n"
    "3. Current work: the audit log is being written; a migration is open.\n"
    "4. Pending: log rounding differences.",
    [
        ("constraint", "words", "Never touch the tax tables, the accountant owns them"),
        ("constraint", "words", "keep the log format the same as in audit v2"),
        ("request", "words", "log every rounding difference above one cent to the audit file"),
        ("refusal", "words", "do not add a new dependency for decimals, the standard library is enough"),
        ("decision", "words", "totals drift because every line is rounded before the sum"),
        ("decision", "words", "use quantize from decimal instead of the money package"),
        ("choice", "words", "Which rounding should gift cards use? Half up"),
        ("plan", "words", "Round when the card is spent"),
        ("file", "path", "shop/cart/rounding.py"),
        ("file", "path", "shop/audit/log.py"),
        ("error", "words", "AssertionError: expected Decimal('19.98') got Decimal('19.99')"),
        ("fix", "pair", ["AssertionError: expected Decimal('19.98') got Decimal('19.99')",
                         "rounding.py"]),
        ("error", "words", "sqlite3.OperationalError no such column: balance_raw"),
        ("command", "command", "pytest -q tests/cart/test_total.py"),
        ("command", "command", "make typecheck"),
        ("command", "command", "docker compose up -d db"),
        ("id", "token", "SHOP-412"),
        ("id", "token", "4be91c7"),
        ("id", "token", "https://wiki.shop.test/audit-v2"),
        ("read", "path", "shop/tax/tables.py"),
        ("number", "words", "38 ms"),
    ],
)  # fmt: skip

CLIENT = Session(
    "en",
    [
        ("prompt", ("The web client reconnects too often after a deploy. Find out why and fix it; "
                   "only change the client, the service is frozen until Monday.")),
        ("read", "web/src/socket.ts"),
        ("run", "npm run build", "done"),
        ("say", ("Root cause: the backoff is reset by every ping, so the client never waits longer "
                "than one second.")),
        ("edit", "web/src/backoff.ts"),
        ("fail", "npx vitest run src/backoff.test.ts",
         " RUN  v1.6.0\n" + " ✓ something else\n" * 40 +
         " FAIL  src/backoff.test.ts > waits longer each time\n"
         "AssertionError: expected 1000 to be 4000\n at src/backoff.test.ts:31:24\n"),
        ("edit", "web/src/socket.ts"),
        ("run", "npx vitest run src/backoff.test.ts", "1 passed"),
        ("fail", "cargo test -p gateway",
         "   Compiling gateway v0.3.1\n" + "   Compiling dep\n" * 50 +
         "error[E0308]: mismatched types\n  --> gateway/src/hub.rs:57:18\n"
         "error: could not compile `gateway` (lib) due to 1 previous error"),
        ("prompt", "stop, I said the service is frozen: revert what you did in gateway"),
        ("run", "git checkout -- gateway/src/hub.rs"),
        ("prompt", "ok"),
        ("prompt", "yes do it"),
        ("run", "npm run lint -- --max-warnings=0", "clean"),
        ("ask", "How long may the longest wait be?", ["30 s", "2 min"], "30 s"),
        ("say", ("We cap the wait at 30 s rather than 2 min, because support sees dead tabs after a "
                "minute.")),
        ("run", "gh pr create --fill --base release/4.2", "https://git.test/web/pull/981"),
        ("say", "Opened https://git.test/web/pull/981 for WEB-77."),
        ("prompt", "now write the release note, two sentences, no marketing words please"),
    ],
    "Summary: the client reconnects too often after a deploy. The backoff was fixed in "
    "web/src/backoff.ts. Next: the release note.",
    [
        ("constraint", "words", "only change the client, the service is frozen until Monday"),
        ("request", "words", "write the release note, two sentences, no marketing words please"),
        ("refusal", "words", "stop, I said the service is frozen: revert what you did in gateway"),
        ("decision", "words", "backoff is reset by every ping, so the client never waits longer"),
        ("decision", "words", "cap the wait at 30 s rather than 2 min, because support sees dead tabs"),
        ("file", "path", "web/src/socket.ts"),
        ("error", "words", "AssertionError: expected 1000 to be 4000"),
        ("fix", "pair", ["src/backoff.test.ts waits longer each time", "socket.ts"]),
        ("error", "words", "error[E0308]: mismatched types gateway/src/hub.rs"),
        ("command", "command", "npm run build"),
        ("command", "command", "npx vitest run src/backoff.test.ts"),
        ("command", "command", "npm run lint -- --max-warnings=0"),
        ("command", "command", "gh pr create --fill --base release/4.2"),
        ("id", "token", "https://git.test/web/pull/981"),
        ("id", "token", "WEB-77"),
    ],
)  # fmt: skip
