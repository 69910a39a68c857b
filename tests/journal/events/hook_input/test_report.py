"""Which outputs show that their command failed, or report that tests failed."""

from __future__ import annotations

import pytest

from journal.events.hook_input.report import shows_error, shows_failure
from tests.journal.events.hook_input.made import event_of

FAILURES = [
    "== 2 failed, 1 passed in 0.3s ==", "FAILED tests/x.py::t", "=== 1 error in 0.2s ===",
    "E   AssertionError", "--- FAIL: TestX (0.00s)\nFAIL", "FAIL\tshop/cart\t0.01s",
    "Tests:       1 failed, 3 passed, 4 total", "Test Suites: 1 failed, 1 total",
    "test result: FAILED. 3 passed; 1 failed;", "error: test failed, to rerun pass `--lib`",
    " 2 failing", "1 example, 1 failure", "3 tests, 1 failure", "Failures: 1",
    "Tests run: 4, Failures: 1, Errors: 0, Skipped: 0", "[ERROR] Tests run: 1, Failures: 1",
    "FAILURES!\nTests: 4, Assertions: 9, Failures: 1.", "Failed!  - Failed:     1, Passed:     3",
    "ok 1\nnot ok 2 - cart", "# fail 1", "67% tests passed, 1 tests failed out of 3",
    "Result: FAIL", "BUILD FAILED in 3s", "** TEST FAILED **",
    "Executed 4 tests, with 1 failure (0 unexpected) in 0.1", "✗ cart total (2 ms)",
    "00:02 +3 -1: Some tests failed.",
    "ERROR tests/test_a.py - ImportError: x",
    "!!! Interrupted: 1 error during collection !!!",
    " FAIL  src/a.test.ts > cart > adds",
    "\N{INFORMATION SOURCE} pass 2\n\N{INFORMATION SOURCE} fail 1",
    "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 3 ]",
    "[  FAILED  ] 1 test, listed below:",
    "The following tests FAILED:",
    "CartTest > adds() FAILED",
    "[info] *** 1 TEST FAILED ***",
    "[info] Tests: succeeded 2, failed 1, canceled 0",
    "✘ Test run with 3 tests failed after 0.001 seconds",
    "00:01 +2 -1: cart adds [E]",
    "//cart:test FAILED in 1.2s",
    " 1 fail",
    "error: 'a.test.adds' failed: expected 2",
]  # fmt: skip
SUCCESSES = [
    "", "== 3 passed in 0.3s ==", "3 passed, 1 xfailed", "ok  \tshop/cart\t0.01s",
    "Tests: 3 passed, 3 total", "test result: ok. 3 passed; 0 failed;", "3 passing",
    "1 passed, 0 failing, 0 errors", "4 examples, 0 failures",
    "Tests run: 4, Failures: 0, Errors: 0", "OK (4 tests, 9 assertions)",
    "Passed!  - Failed:     0, Passed:     3", "# fail 0", "ok 1 - not failed",
    "100% tests passed, 0 tests failed out of 3", "Result: PASS", "BUILD SUCCESSFUL",
    "Executed 4 tests, with 0 failures (0 unexpected)", "All tests passed!",
    "test_failed_login PASSED\n1 passed", "10 failed attempts were logged as expected\n3 passed",
    "retries after 3 errors are refused: ok",
    "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 3 ]",
    "\N{INFORMATION SOURCE} pass 3\n\N{INFORMATION SOURCE} fail 0",
    "  ✓ rejects 3 errors (1ms)\n  12 passing (30ms)",
    "ERROR: simulated outage\n== 4 passed in 0.31s ==",
    "E   some log line\n3 passed in 0.1s",
    "gives up after 2 failed, then works\n Tests  3 passed (3)",
    "[info] Tests: succeeded 3, failed 0, canceled 0",
]  # fmt: skip


def test_outputs_with_a_failure() -> None:
    """A count above zero or a runner's own word for a failed test counts."""
    for output in FAILURES:
        assert shows_failure(output), output
        assert shows_failure("x\n" * 5_000 + output + "\nDone."), output


def test_outputs_without_one() -> None:
    """No failures, tests named after failures and ordinary text are no failure."""
    assert [output for output in SUCCESSES if shows_failure(output)] == []


def test_only_the_end_counts() -> None:
    """A failure that the end of the output no longer shows is over: the run was repeated."""
    assert not shows_failure("FAILED x\n" + "ok\n" * 2_000)


@pytest.mark.parametrize(
    ("command", "output", "fails"),
    [
        ("cargo build 2>&1 | tail -5", "error: could not compile `codec`", True),
        ("CI=1 npx tsc | head", "src/a.ts(3,5): error TS2322: Type", True),
        ("make all | tail", "make: *** [all] Error 2", True),
        ("./gradlew assemble | tail", "BUILD FAILED in 21s", True),
        ("cd x && cargo build | tail", "warning: unused import", False),
        ("cd x && grep error: log | head", "error: x", False),
        ("docker logs web 2>&1 | tail", "fatal: x", False),
        ("git log -p 2>&1 | head", "error: x", False),
        ("git push 2>&1 | tail -3", "fatal: unable to access", True),
        ("ninja -C out || true", "ninja: build stopped: subcommand failed.", True),
        ("cmake -B out; echo $?", "1", True),
        ("cd x; python run.py; true", "Traceback (most recent call last):", True),
        ("python run.py;true", "Traceback (most recent call last):", True),
        ("cat log; true", "Traceback (most recent call last):", False),
        ("make; echo $?", "made\n0", False),
        ("make; echo $?", "127", True),
        ("make; echo $?", "took 1200", False),
        ("ruff check . | tail -1", "Found 3 errors.", True),
        ("npx eslint . | tail", "✖ 3 problems (3 errors, 0 warnings)", True),
        ("dotnet build | tail", "    0 Error(s)", False),
        ("terraform plan | tail", "│ Error: Invalid reference", True),
        ("nosuch | tail", "bash: nosuch: command not found", True),
    ],
)
def test_a_pipe_hides_a_failure(command: str, output: str, *, fails: bool) -> None:
    """A command before a pipe failed if its output says so, unless it shows that of others."""
    assert shows_error(command, output) is fails


SHOWING = (
    "grep egrep rg ag cat bat ls find fd head tail sed awk jq yq less echo printf ps docker kubectl gh "
    "glab curl journalctl strings diff sort wc tee rm mv which true xxd od"
).split()
SHOWING_OF_GIT = "log show diff grep blame cat-file fsck ls-files ls-tree".split()


@pytest.mark.parametrize("command", [*SHOWING, *(f"git {name}" for name in SHOWING_OF_GIT)])
def test_an_error_that_is_shown_is_not_ones_own(command: str) -> None:
    """A program that shows what is there does not fail because that has an error in it."""
    assert not shows_error(f"{command} x | tail", "error: x")


@pytest.mark.parametrize(
    ("command", "error"), [("make | tail", "fatal: x"), ("make; true", "fatal: x"), ("make", "")]
)
def test_its_error_is_recorded(command: str, error: str) -> None:
    """The event has the error; without a pipe the client's own status counts."""
    event = event_of("PostToolUse", tool_name="Bash", tool_input={"command": command},
                     tool_response={"stdout": "fatal: x"}, tool_use_id="t1")  # fmt: skip
    assert event.get("error", "") == error
