"""Which lines of an output tell what went wrong, in many languages and build tools."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from journal.error_lines import error_lines, error_summary
from tests.support.rows import each

NOISE = "\n".join(f"  step {number} done" for number in range(200))
OUTPUTS = {
    "go": ("=== RUN TestA\n{n}\n--- FAIL: TestA (0.01s)\n    a_test.go:12: got 2, want 1\nFAIL",
           "a_test.go:12: got 2, want 1"),
    "pytest": ("{n}\n>   assert a == b\nE   AssertionError: expected 3 got 4\n1 failed, 9 passed",
               "AssertionError: expected 3 got 4"),
    "python": ("Traceback (most recent call last):\n{n}\nModuleNotFoundError: No module named 'cart'",
               "ModuleNotFoundError: No module named 'cart'"),
    "rust": ("   Compiling x v0.1.0\n{n}\nerror[E0308]: mismatched types\n --> src/hub.rs:57:18",
             "error[E0308]: mismatched types"),
    "typescript": ("> tsc\n{n}\nsrc/a.ts(3,5): error TS2322: Type 'x' is not assignable to 'y'",
                   "error TS2322"),
    "c": ("{n}\nmain.c:14:9: error: expected ';' before 'return'\nmake: *** [main.o] Error 1",
          "main.c:14:9: error: expected ';'"),
    "java": ("[INFO] Scanning\n{n}\n[ERROR] /src/A.java:[12,5] cannot find symbol\n[INFO] done",
             "/src/A.java:[12,5] cannot find symbol"),
    "git": ("Auto-merging a.py\n{n}\nCONFLICT (content): Merge conflict in a.py\n",
            "CONFLICT (content): Merge conflict in a.py"),
    "r": ("Loading\n{n}\nError in `join()`:\n! Columns of y differ.\nExecution halted",
          "! Columns of y differ."),
    "ruby": ("{n}\na.rb:3:in `f': wrong number of arguments (ArgumentError)\n",
             "a.rb:3:in `f': wrong number of arguments"),
    "c++": ("[INFO] load\n{n}\nterminate called after throwing an instance of 'std::bad_alloc'\n",
            "terminate called after throwing an instance of 'std::bad_alloc'"),
    "tex": ("(size10.clo)\n{n}\n! Undefined control sequence.\nl.214 \\citetext\nNo pages of output.",
            "! Undefined control sequence.\nl.214 \\citetext"),
    "phpstan": ("{n}\n41  Method Cart::add() should return int but returns float.\n[ERROR] Found 1 error",
                "should return int but returns float"),
    "terraform": ("{n}\n│ Error: Reference to undeclared resource\n│\n│   on main.tf line 12, in resource:",
                  "Error: Reference to undeclared resource\non main.tf line 12"),
    "docker": ("{n}\n1.2 E: Unable to locate package libfoo\nERROR: failed to solve: exit code: 100",
               "E: Unable to locate package libfoo"),
    "npm": ("{n}\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error Fix the upstream conflict",
            "ERESOLVE unable to resolve"),
    "php": ("{n}\nFatal: Uncaught TypeError in /shop/Cart.php on line 14\n", "Cart.php on line 14"),
    "japanese": ("{n}\nエラー: 設定ファイルが見つかりません\n", "設定ファイルが見つかりません"),
    "korean": ("{n}\n오류: 파일을 찾을 수 없습니다\n", "파일을 찾을 수 없습니다"),
}  # fmt: skip


@each("name", OUTPUTS)
def test_the_cause_is_in_the_summary(name: str) -> None:
    """Of a long output, the line that names the cause and the exit code are summary."""
    output, line = OUTPUTS[name]
    summary = error_summary("Exit code 1\n" + output.format(n=NOISE))
    assert line in summary
    assert summary.startswith("Exit code 1\n")
    assert len(summary) < 600


def test_an_exception_tells_more_than_where_it_passed() -> None:
    """Of a trace the line that names the exception is selected before the places in files."""
    trace = 'File "/lib/loader.py", line 162, in load\n    __import__(name)\n'
    error = "ModuleNotFoundError: No module named 'cart'"
    assert error_lines(f"Traceback:\n{trace}{error}\nRan 1 test", 1) == [error]
    error = "shop.errors.Declined: card 4000 declined, code 51"
    assert error_lines(f"Traceback:\n{trace}{error}\nRan 1 test", 1) == [error]


def test_a_place_in_installed_code_is_no_cause() -> None:
    """A frame of a library comes after the messages of exceptions."""
    frame = 'File "/usr/lib/python3.11/unittest/loader.py", line 162, in loadTestsFromName'
    told = ["ImportError: Failed to import test module: test_a", "ModuleNotFoundError: no test_a"]
    assert error_lines("\n".join([told[0], frame, told[1]]), 2) == told


def test_the_name_of_a_test_and_its_message_are_both_selected() -> None:
    """A second headline with names alone does not displace the place and text of the failure."""
    failed = "--- FAIL: TestLines (0.00s)"
    message = "lines_test.go:75: extract() keeps the package line"
    output = f"{failed}\n  --- FAIL: TestLines/go (0.00s)\n{message}\nFAIL\tcli/x\t0.5s"
    assert error_lines(output, 2) == [failed, message]


def test_a_name_is_not_displaced_by_two_places() -> None:
    """The name of a failed test and one place tell more than two places."""
    name, *places = (
        "FAIL cart adds the tax",
        "cart_test.go:12: expected 3 but got 4",
        "src/cart.ts:9:3: error: cannot find total",
    )
    assert error_lines("\n".join([name, *places]), 2) == [name, places[0]]


def test_a_heading_hands_its_weight_to_the_next_line() -> None:
    """Neither "Error Message:" nor a count of failures displaces what failed and how."""
    test, message = "Failed Shop.CartTests.Empty [12 ms]", "Assert.Equal() Failure: Values differ"
    output = (
        f"  {test}\n  Error Message:\n   {message}\nExpected: 0\nFailed! - Failed: 1, Passed: 11"
    )
    assert error_lines(output, 2) == [test, message]
    output = (
        "The following tests FAILED:\n  4 - ring_overflow (SEGFAULT)\nErrors while running CTest"
    )
    assert error_lines(output, 2) == ["4 - ring_overflow (SEGFAULT)", "Errors while running CTest"]


def test_of_lines_alike_the_first_and_the_last_come_first() -> None:
    """Where it began and what came of it tell more than what is between."""
    lines = [f"app.exc.Error: part {part} cannot be merged" for part in "abcd"]
    assert error_lines("\n".join(lines), 2) == [lines[0], lines[3]]


def test_a_line_that_only_sums_up_displaces_no_cause() -> None:
    """What Cargo and npm add to every error says less than the lines about this one."""
    told = ["error[E0308]: mismatched types", "5 | ^^^ expected `u32`, found `&str`"]
    ends = "error: could not compile `shop` (lib)\nnpm error Fix the upstream dependency conflict"
    assert error_lines("\n".join([*told, ends]), 2) == told


def test_lines_of_a_log_are_no_cause() -> None:
    """What a failing program logs does not displace its error, though it names a place."""
    log = "hooks.go:155: output 2026/01/12 15:19:49 INFO missing id"
    error = "a_test.go:9: cannot open the file"
    assert error_lines(f"{log}\n{error}", 1) == [error]


def test_without_a_telling_line_the_end_stays() -> None:
    """If no line names a cause, the end is summary: a run usually sums up there."""
    assert error_summary(NOISE + "\nthat is all").endswith("that is all")


@given(st.text(max_size=400), st.integers(1, 5))
def test_lines_stand_in_the_text(text: str, count: int) -> None:
    """At most `count` lines are returned, each a line of the text or shortened from one."""
    found = error_lines(text, count)
    flat = {" ".join(line.split()).lstrip("│╷╵ ") for line in text.splitlines()}
    assert len(found) <= count
    assert all(line in flat or line.endswith("…") for line in found)
