"""Select the lines of an error output that show the cause. Pure, standard library, no `re`.

A long output begins with the command and ends with a count. The cause is in between: the place in a
file, the failed check, the message of an exception. Invariant: lines are selected, never reworded.
"""

from __future__ import annotations

_SCANNED = 200_000  # characters of an output that are read: its beginning and its end
_LINE = 200
_LINES = 4

# Beginnings of progress lines, which do not show the cause.
_NOISE = (
    "exit code", "ok ", "ok\t", "pass", "? ", "=== ", "--- pass", "--- skip", "> ", "$ ", "+ ",
    "npm err! code", "npm err! path", "npm err! a complete log", "npm error code",
    "npm error path", "npm error a complete log", "at ", "note: ", "help: ",
    "warning", "compiling ", "downloading ", "collecting ", "info", "debug", "traceback",
    "error trace:", "stack trace", "during handling of", "the above exception", "test result: ok",
    "tests: ", "test suites: ", "[error] found ",
)  # fmt: skip
# Beginnings that announce a failure.
_HEADS = (
    "--- fail", "fail:", "fail ", "fail\t", "failed", "panic", "fatal", "conflict", "error", "e   ",
    "caused by", "thread '", "assertion", "exception", "uncaught", "unhandled", "[error]", "✕", "×",  # noqa: RUF001
    "✗", "●", "not ok ", "undefined reference", "segmentation fault", "terminate called", "! ",
    "エラー", "失敗", "오류", "실패",
)  # fmt: skip
# Endings of a first word that names an exception: "ModuleNotFoundError: No module named 'x'".
_RAISED = ("error:", "exception:")
# Texts of lines that name the cause.
_CAUSES = (
    "error:", "error[", "exception:", "undefined", "cannot", "can't", "could not", "not found",
    "no such", "unknown", "invalid", "denied", "conflict", "expected", "mismatch", "refused",
    "timed out", "not defined", "not assignable", "missing", "unresolved", "assert", "panicked",
    "out of memory", "but was", "but got", "but returns", "should be", "should return",
    "エラー", "失敗", "見つかりません", "できません", "不正",
    "오류", "실패", "없습니다", "찾을 수",
)  # fmt: skip


def error_summary(text: str) -> str:
    """Return the most relevant lines of a long output, after its first line if that is short.

    The first line names the exit code. If no line shows a cause, return the end of the output.
    """
    lines = error_lines(text) or [text[-_LINE:].strip()]
    first = text.lstrip()[:80].partition("\n")[0].rstrip()
    if len(first) <= 40 and first not in lines:
        lines.insert(0, first)
    return "\n".join(lines)


def error_lines(text: str, count: int = _LINES) -> list[str]:
    """Return the `count` most relevant lines in their order, each clipped."""
    if len(text) > _SCANNED:
        text = text[: _SCANNED // 2] + "\n" + text[-_SCANNED // 2 :]
    found: list[tuple[int, int, str]] = []
    seen: set[str] = set()
    announced = 0  # weight of a line that ends in ":"; its cause is on the next line
    for number, raw in enumerate(text.splitlines()):
        line = " ".join(raw[: 4 * _LINE].split())
        if len(line) < 6 or line in seen:
            continue
        weight = max(announced, _weight(line))
        announced = weight if line.endswith(":") else 0
        if weight:
            seen.add(line)
            found.append((-weight, number, line))
    found.sort()
    chosen = sorted((number, line) for _, number, line in found[:count])
    return [line if len(line) <= _LINE else line[: _LINE - 1] + "…" for _, line in chosen]


def _weight(line: str) -> int:
    """Return the weight of a line; 0 if it shows no cause."""
    low = line.casefold()
    if low.startswith(_NOISE) or "task failed" in low or "] $ " in low:
        return 0
    weight = 0
    if _has_place(line):
        weight += 3
    if low.startswith(_HEADS) or low.partition(" ")[0].endswith(_RAISED):
        weight += 3
    if any(cause in low for cause in _CAUSES):
        weight += 2
    elif "fail" in low or "error" in low:
        weight += 1
    # "FAIL" alone weighs less than "FAIL" with a text.
    return weight - 2 if weight > 2 and line.count(" ") < 2 else weight


def _has_place(line: str) -> bool:
    """Return whether a line has a file and a line number: `a/b.go:12`, `x.py", line 3`."""
    at = line.find(":")
    while at > 0:
        if line[at + 1 : at + 2].isdigit() or line[at + 1 : at + 2] == "[":
            name = line[max(0, at - 80) : at].rpartition(" ")[2].rpartition("/")[2]
            stem, dot, ending = name.rpartition(".")
            if stem and dot and 1 <= len(ending) <= 5 and ending.isalnum() and ending[0].isalpha():
                return True
        at = line.find(":", at + 1)
    # TeX: "l.214 \\cite"
    return '", line ' in line or (line.startswith("l.") and line[2:5].rstrip().isdigit())
