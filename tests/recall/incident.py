"""An incident: the person pastes logs and stack traces, and subagents report."""

from tests.recall.session import Session

_TRACE = (
    "prod is throwing these since 14:02, around 3% of checkouts. find out why. don't restart "
    "anything, we need the heap.\n\n2026-11-20T14:02:11.482Z ERROR [checkout-7f9c] "
    "o.s.web.DispatcherServlet - Servlet.service() threw exception\n"
    "java.util.concurrent.CompletionException: java.lang.IllegalStateException: Pool not open: "
    "stock-ro\n"
    + "".join(f"\tat java.base/java.util.Pool.run{at}(Pool.java:{100 + at})\n" for at in range(60))
    + "Caused by: java.lang.IllegalStateException: Pool not open: stock-ro\n"
    "\tat com.acme.stock.PoolRegistry.require(PoolRegistry.java:91)\n\t... 42 more\n\nsame on "
    "checkout-8aa1. the deploy before that was build 20261120.4, I can roll it back any time if you "
    "say so"
)
_STAGING = (
    "here is what staging says with your build:\n\n"
    + "".join(f"2026-11-20T15:20:{at:02}.000Z INFO  [stg] heartbeat {at}\n" for at in range(40))
    + "2026-11-20T15:21:07.112Z ERROR [stg] com.zaxxer.hikari.pool.HikariPool - Exception during "
    "pool initialization.\norg.postgresql.util.PSQLException: FATAL: password authentication failed "
    'for user "stock_ro"\n'
)


INCIDENT = Session(
    "en",
    [
        ("prompt", _TRACE),
        ("agent", "Find usages of PoolRegistry", ("PoolRegistry.close is called from ConfigReloader.onChange "
          "(src/main/java/com/acme/config/ConfigReloader.java:77). The pool is "
          "reopened only if the url changed.")),
        ("agent", "Check deploys", ("Build 20261120.4 contains 3 commits; b7713fe turned on feature flag "
          "stock.readReplica for 3% of traffic at 14:00.")),
        ("agent", "Check metrics", ("hikari_active dropped to 0 at 14:01:58, right after a config push by the "
          "secrets rotation job rotate-stock-ro.")),
        ("say", ("The rotation job pushed a new password at 14:01:58; ConfigReloader closes "
          "the pool on every change but reopens it only if the URL changed. A "
          "password change leaves it closed. The flag sends only 3 % of the traffic "
          "there, hence the rate.")),
        ("prompt", "makes sense. turn the flag off first: who can do that?"),
        ("run", "flagctl get stock.readReplica", "owner: team-inventory; rollout 3%"),
        ("refuse", ("no, don't touch the flag yourself, team-inventory's on-call does it "
          "(Priya). you write the message to her")),
        ("say", ("Message for Priya: please set stock.readReplica to 0 %; the read pool "
          "stays closed after the rotation of 14:01:58.")),
        ("prompt", ("sent, she did it at 14:41. errors gone. now the real fix, with a test that "
          "rotates the password")),
        ("edit", "src/main/java/com/acme/config/ConfigReloader.java"),
        ("fail", "./gradlew test --tests '*ConfigReloaderTest*'", ("> Task :compileJava\n> Task :test FAILED\n\nConfigReloaderTest > "
          "reopensAfterPasswordChange() FAILED\n    "
          "org.opentest4j.AssertionFailedError: expected: <OPEN> but was: <CLOSED>\n   "
          "     at app//com.acme.config.ConfigReloaderTest.reopensAfterPasswordChange("
          "ConfigReloaderTest.java:64)\n\n3 tests completed, 1 failed\n\nFAILURE: Build "
          "failed with an exception.\n\n* What went wrong:\nExecution failed for task "
          "':test'.\n> There were failing tests. See the report at: "
          "file:///home/dev/shop/build/reports/tests/test/index.html\n\n* Try:\n> Run "
          "with --scan to get full insights.\n\nBUILD FAILED in 11s")),
        ("edit", "src/main/java/com/acme/stock/PoolRegistry.java"),
        ("run", "./gradlew test --tests '*ConfigReloaderTest*'", "BUILD SUCCESSFUL in 9s"),
        ("prompt", _STAGING),
        ("say", ("On staging the new password arrives 30 s before the database accepts it: "
          "the job writes the secret first and alters the role afterwards. So "
          "reopening must retry with a backoff instead of failing once.")),
        ("edit", "src/main/java/com/acme/stock/PoolRegistry.java"),
        ("edit", "src/test/java/com/acme/stock/PoolRetryTest.java"),
        ("run", "./gradlew check", "BUILD SUCCESSFUL in 1m 12s"),
        ("run",
         "git commit -am 'Reopen pools after a password change'",
         "[hotfix/pool-reopen 41ac9de] Reopen pools after a password change"),
        ("agent", "Review the fix", ("One finding: PoolRegistry.reopen holds the write lock while it sleeps in "
          "the backoff; readers of other pools block up to 30 s.")),
        ("say", ("The review found that reopen sleeps under the write lock. I moved the wait "
          "outside of the lock.")),
        ("edit", "src/main/java/com/acme/stock/PoolRegistry.java"),
        ("run", "./gradlew check", "BUILD SUCCESSFUL in 1m 10s"),
        ("prompt", ("good catch. the postmortem goes to "
          "docs/postmortems/2026-11-20-stock-ro.md, blameless, no names, timeline in "
          "UTC. incident number is INC-8841")),
        ("edit", "docs/postmortems/2026-11-20-stock-ro.md"),
        ("prompt", ("add: impact was 612 failed checkouts, 9 of them paid twice. support has "
          "the list")),
        ("edit", "docs/postmortems/2026-11-20-stock-ro.md"),
        ("prompt", "do we have other jobs that rotate like that?"),
        ("agent", "Find rotation jobs", ("rotate-ledger-rw and rotate-mailer have the same order (secret first, role "
          "second); rotate-search is correct.")),
        ("prompt", "open tickets for both, label them p2"),
    ],
    ("Analysis of the conversation:\n\n1. Primary Request and Intent: Find out why "
     'about 3% of production checkouts fail with "Pool not open: stock-ro" and fix '
     "it, with a test that rotates the password. Write a postmortem.\n\n2. Files:\n   - "
     "src/main/java/com/acme/config/ConfigReloader.java: reopens after any change\n   "
     "- src/main/java/com/acme/stock/PoolRegistry.java: retry with backoff\n   - "
     "docs/postmortems/2026-11-20-stock-ro.md\n\n3. Problem Solving: The pool was "
     "closed on a password change and not reopened. The feature flag was turned "
     "off.\n\n4. Pending Tasks: open tickets for other rotation jobs."),
    [
        ("constraint", "words", "don't restart anything, we need the heap"),
        ("request", "words", ("deploy before that was build 20261120.4, I can roll it back any time if "
          "you say so")),
        ("refusal", "words", "don't touch the flag yourself, team-inventory's on-call does it"),
        ("constraint", "words", "postmortem blameless, no names, timeline in UTC"),
        ("request", "words", "impact was 612 failed checkouts, 9 of them paid twice"),
        ("request", "words", "open tickets for both, label them p2"),
        ("decision", "words", "job writes the secret first and alters the role afterwards"),
        ("decision", "words", "closes the pool on every change but reopens it only if the URL changed"),
        ("result", "words", ("rotate-ledger-rw and rotate-mailer have the same order secret first, role "
          "second")),
        ("result", "words", "PoolRegistry.reopen holds the write lock while it sleeps in the backoff"),
        ("file", "path", "src/test/java/com/acme/stock/PoolRetryTest.java"),
        ("error", "words", "AssertionFailedError: expected: <OPEN> but was: <CLOSED>"),
        ("fix", "pair", ["AssertionFailedError: expected: <OPEN> but was: <CLOSED>", "PoolRegistry.java"]),
        ("error", "words", "FATAL: password authentication failed for user stock_ro"),
        ("command", "command", "./gradlew check"),
        ("command", "command", "./gradlew test --tests '*ConfigReloaderTest*'"),
        ("id", "token", "41ac9de"),
        ("id", "token", "INC-8841"),
        ("id", "token", "b7713fe"),
        ("number", "words", "hikari_active dropped to 0 at 14:01:58"),
    ],
)  # fmt: skip
