"""Whether an output shows that its command failed, or has a report that tests failed.

A pipe or `;` hides the status of a command. A wrong failure is worse than a missed one, so the
signs are few, and commands that show the output of others are left out.
"""

from __future__ import annotations

from journal.shell import PARSED, commands, without_lead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_END = 4000  # characters of an output that count
# Texts that only a line of a test runner's report has (`tool` looks for the first of each pair).
_REPORTS = (
    (" passed in ", "s"), ("test result: ", "passed"), ("Tests run: ", "Failures:"),
    (" passing (", "s)"), (" examples, ", " failure"), (" tests passed", " failed out of "),
    ("--- FAIL: ", "s)"), ("Ran ", " in "), ("OK (", " assertion"), ("Tests: ", " total"),
    ("ok  \t", "s"), ("[  PASSED  ] ", " test"), (" Tests  ", " passed ("),
)  # fmt: skip
# Beginnings of lines, without signs and blanks around them, that report a failure.
_FAILED = (
    "FAILED", "FAIL:", "FAIL\t", "FAIL!", "FAIL.", "(fail) ", "--- FAIL", "Failed tests",
    "Failing ", "not ok ", "FAILURES!", "BUILD FAIL", "TEST FAILED", "Result: FAIL", "✗ ", "✕ ",
    "✖ ", "✘ ", "Testing failed", "Test Run Failed",
)  # fmt: skip
_WITHIN = (" FAILED in ", " FAILED [", ": FAIL code", "tests FAILED:", "result: FAILED")
_PHRASES = ("some tests failed", "test result: failed", "error: test", "' failed: ", "(s) failed")
_ENDED = (" FAILED", ": FAIL", "[E]")
_WEAK = ("ERROR:", "ERROR ", "E   ")  # a test that passes may log such a line
_PASSED = ("✓", "✔", "√", "ok ", "ok\t", "PASS", "--- PASS")
_COUNTED = "failed,failures,failure,failing,fail,errors,error,tests failed,test failed".split(",")
_LABELS = ("fail ", "failures:", "failed:", "errors:", "fail:", ", failed ")
_OKAY = ("passed", "passing", "pass", "tests passed", "succeeded")
_SUCCEEDED = tuple(
    "ok (|ok\t|ok  \t|ok |test result: ok|pass|all tests passed|✓|✔|build success|test succeeded"
    "|congratulations|result: pass".split("|")
)
_NONE = (" 0 failures", " 0 failed", " 0 tests failed")
# What may stand before and behind the word of a count: "3 failed, …", but not "3 failed attempts".
_STARTS = ",|(:;=["
_BEFORE = ("with", "tests", "files", "of", "was", "were")
_ENDS = ",;.:)]=|"
_AFTER = (" in ", " (", " out ", " and ", " |", " =", " test", " during ")
_LEVELS = ("[error] ", "[ERROR] ", "[info] ", "[INFO] ")
STATUS = "$?"
"""A command with this prints the status of the one before."""
# Beginnings of lines in a failed command's output, in lower case, and texts within such lines.
_ERRORS = tuple(
    "error:|error[|fatal:|npm err!|npm error|make: ***|build failed|panic:|failure: build failed"
    "|traceback (most recent call last)|ninja: build stopped|segmentation fault|elifecycle"
    "|error command failed|code style issues found".split("|")
)
_PLACED = (
    ": error:|: error ts|: error cs|: undefined: |: command not found|: no module named "
    "| would be reformatted".split("|")
)
READERS = frozenset(
    "grep egrep rg ag cat bat ls find fd head tail sed awk jq yq less echo printf ps docker "
    "kubectl gh glab curl journalctl strings xargs diff sort wc tee rm mv which true xxd od".split()
)
"""Programs that show what is there: an error in their output is not their own."""
_SHOWING = frozenset("log show diff grep blame cat-file fsck ls-files ls-tree".split())  # of git
_SIGNS = " *\t│✖×["  # noqa: RUF001 (what linters put before a line)
_SHOWN = 20  # characters before a printed status: "exit code: 1"


def shows_error(command: str, output: str) -> bool:
    """Return whether the command before the first pipe failed, by the end of the output."""
    if last_status(command, output):
        return True
    first = command[:PARSED].replace("2>&1", "").partition("|")[0]
    ran = [words for words in map(without_lead, commands(first)) if words not in ([], ["true"])]
    if not ran or ran[-1][0].rpartition("/")[2] in READERS:
        return False
    return not (ran[-1][0] == "git" and _SHOWING.issuperset(ran[-1][1:2])) and has_error(output)


def has_error(output: str) -> bool:
    """Return whether the end of an output has a line that only a failed command prints."""
    for line in output[-4000:].splitlines():
        text = line.strip(_SIGNS).lower().removeprefix("warn] ")
        if text.startswith(_ERRORS) or any(map(text.__contains__, _PLACED)):
            return True
        # "Found 3 errors.", "2 error(s)", "3 problems (3 errors, 0 warnings)"
        number, _, rest = text.removeprefix("found ").partition(" ")
        if number.strip("0").isdigit() and rest.startswith(("error", "problem")):
            return True
    return False


def last_status(command: str, output: str) -> int:
    """Return the status that a command printed in its last line, 0 for none."""
    line = output[-80:].rstrip().rpartition("\n")[2] if STATUS in command else ""
    before = line.rstrip("0123456789")
    number = line[len(before) :]
    return int(number) if 0 < len(number) <= 3 and len(before) <= _SHOWN else 0


def has_report(output: str) -> bool:
    """Return whether the end of an output has the report of a test runner."""
    return any(
        mark in line and more in line.partition(mark)[2]
        for line in output[-_END:].splitlines()
        for mark, more in _REPORTS
    )


def shows_failure(output: str) -> bool:
    """Return whether the last 4,000 characters of a test run's output report a failure."""
    is_weak = False
    for line in output[-_END:].splitlines():
        text = _bare(line)
        if text.startswith(_PASSED):
            continue
        if text in ("FAIL", "Failures:") or text.startswith(_FAILED) or text.endswith(_ENDED):
            return True
        if text.startswith("FAIL ") and not text[5:].lstrip()[:1].isdigit():  # the file of a test
            return True
        is_weak = is_weak or text.startswith(_WEAK)
        lower = text.lower()
        if "fail" in lower or "error" in lower:
            if any(map(text.__contains__, _WITHIN)) or any(map(lower.__contains__, _PHRASES)):
                return True
            if _counts(lower, _COUNTED) or _labels(lower):
                return True
    return is_weak and not shows_success(output)


def shows_success(output: str) -> bool:
    """Return whether the end of an output says that tests passed."""
    lines = (_bare(line).lower() for line in output[-_END:].splitlines())
    return any(
        line == "ok"
        or line.startswith(_SUCCEEDED)
        or _counts(line, _OKAY)
        or any(map(f" {line}".__contains__, _NONE))
        for line in lines
    )


def _bare(line: str) -> str:
    """Return a line without the signs around it and the level that a build tool adds."""
    text = line.strip(" =\t*═#ℹ!")  # noqa: RUF001 (the sign of node:test)
    return text.partition("] ")[2] if text.startswith(_LEVELS) else text.lstrip("[ ")


def _counts(text: str, words: Sequence[str]) -> bool:
    """Return whether a number above zero precedes one of the words, as in the line of a report."""
    for word in words:
        at = text.find(f" {word}")
        before = text[: max(0, at)].rstrip("0123456789")
        rest = text[at + 1 + len(word) :]
        if text[len(before) : max(0, at)].strip("0") and (
            not rest or rest[0] in _ENDS or rest.startswith(_AFTER)
        ):
            before = before.rstrip()
            if not before or before[-1] in _STARTS or before.endswith(_BEFORE):
                return True
    return False


def _labels(text: str) -> bool:
    """Return whether a number above zero follows a label for failures."""
    for label in _LABELS:
        at = text.find(label)
        if at == 0 or (at > 0 and label != _LABELS[0]):
            number = text[at + len(label) :].strip().partition(" ")[0].rstrip(",;.")
            if number.isdigit() and int(number):
                return True
    return False
