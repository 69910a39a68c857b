"""Select the lines of an error output that show the cause. Pure, standard library, no `re`.

A long output begins with the command and ends with a count. The cause is in between: the place in a
file, the failed check, the message of an exception. Invariant: lines are selected, never reworded.
"""

from __future__ import annotations

_SCANNED = 200_000  # characters of an output that are read: its beginning and its end
_LINE = 200
_LINES = 4
_HEADING = 28  # characters of a line that may only introduce the next one: "Message:"

_FRAME = "│╷╵ "  # signs of the frame that Terraform draws around an error
_PLACES = (":", " line ", " on line ")  # what stands between a file's name and the number of a line

# Beginnings of progress lines, which do not show the cause.
_NOISE = (
    "exit code", "ok ", "ok\t", "pass", "? ", "=== ", "--- pass", "--- skip", "> ", "$ ", "+ ",
    "npm err! code", "npm err! path", "npm err! a complete log", "npm error code",
    "npm error path", "npm error a complete log", "npm error fix the upstream",
    "error: could not compile", "at ", "note: ", "help: ",
    "warning", "compiling ", "downloading ", "collecting ", "info", "debug", "traceback",
    "error trace:", "stack trace", "during handling of", "the above exception", "test result: ok",
    "tests: ", "test suites: ", "tests run:", "[error] tests run:", "failed!", "[error] found ",
)  # fmt: skip
# Beginnings that announce a failure.
_HEADS = (
    "--- fail", "fail:", "fail ", "fail\t", "failed", "panic", "fatal", "conflict", "error", "e   ",
    "caused by", "thread '", "assertion", "exception", "uncaught", "unhandled", "[error]", "✕", "×",  # noqa: RUF001
    "✗", "●", "not ok ", "undefined reference", "segmentation fault", "terminate called", "! ",
    "** (",
    "エラー", "失敗", "오류", "실패",
)  # fmt: skip
_HEADLINE = 2  # weight of "FAIL" with a name
# Parts of a line of a log or a task runner, which a failing program writes as well.
_LOGGED = ("task failed", "] $ ", " info ", " debug ", "[build failed]")
# Parts of paths to installed packages: a frame there does not show the cause.
_INSTALLED = (
    *("/lib/python", "site-packages/", "dist-packages/", "node_modules/", "/rustc/"),
    *("/registry/src/", "/pkg/mod/", "/gems/"),
)
# Endings of a first word that names an exception: "ModuleNotFoundError: No module named 'x'".
_RAISED = ("error:", "exception:")
# Texts of lines that name the cause.
_CAUSES = (
    "error:", "error[", "exception:", "undefined", "cannot", "can't", "could not", "unable to",
    "not found", "no such", "unknown", "invalid", "denied", "conflict", "expected", "mismatch",
    "refused", "timed out", "not defined", "not assignable", "missing", "unresolved", "assert",
    "panicked", "out of memory", "but was", "but got", "but returns", "should be", "should return",
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
    found: dict[str, tuple[int, int]] = {}  # line → weight, number
    announced = 0  # weight of a line that ends in ":"; its cause is on the next line
    for number, raw in enumerate(text.splitlines()):
        line = " ".join(raw[: 4 * _LINE].split()).lstrip(_FRAME)
        if len(line) < 6 or line in found or not any(map(str.isalnum, line)):
            continue
        weight = max(announced, _weight(line))
        announced = weight if line.endswith(":") else 0
        if weight and not (announced and len(line) < _HEADING):
            found[line] = weight, number
    chosen = sorted(_ranked(found)[:count], key=lambda line: found[line][1])
    return [line if len(line) <= _LINE else line[: _LINE - 1] + "…" for line in chosen]


def _ranked(found: dict[str, tuple[int, int]]) -> list[str]:
    """Return lines by their weight and, of the same weight, the first and the last before others.

    The name of a failed test and the place of its failure come before two lines of one kind.
    """
    by_weight: dict[int, list[str]] = {}
    for line, (weight, _) in found.items():
        by_weight.setdefault(weight, []).append(line)
    ranked = []
    for weight in sorted(by_weight, reverse=True):
        first, *rest = by_weight[weight]
        ranked += [first, *rest[-1:], *rest[:-1]]
    places = [_has_line_number(line) for line in ranked]
    other = next((at for at, has in enumerate(places) if has != places[0]), 0)
    if other > 1 and found[ranked[other]][0] >= _HEADLINE:
        ranked.insert(1, ranked.pop(other))
    return ranked


def _weight(line: str) -> int:
    """Return the weight of a line; 0 if it shows no cause."""
    low = line.casefold()
    if low.startswith(_NOISE) or any(part in low for part in _LOGGED):
        return 0
    weight = 0
    if _has_line_number(line):
        weight += 2 if line.startswith('File "') else 3  # Python names the exception below
    if low.startswith(_HEADS) or _is_exception(line.partition(" ")[0]):
        weight += 3
    if any(cause in low for cause in _CAUSES):
        weight += 2
    elif "fail" in low or "error" in low:
        weight += 1
    # "FAIL" with names alone weighs less than "FAIL" with a text.
    return weight - 2 if weight > 2 and not _has_text(line) else weight


def _is_exception(word: str) -> bool:
    """Return whether a first word names an exception: "KeyError:", "shop.errors.Declined:"."""
    package, _, name = word.rpartition(".")
    return word.casefold().endswith(_RAISED) or (
        word.endswith(":") and package.replace(".", "").isidentifier() and name[:1].isupper()
    )


def _has_text(line: str) -> bool:
    """Return whether a line has a word that is no name, number or mark."""
    words = (word.strip(".,:;!?()'\"") for word in line.split()[1:])
    return any(len(word) > 2 and word.isalpha() and word[1:].lower() == word[1:] for word in words)


def _has_line_number(line: str) -> bool:
    """Return whether a line has a file and a line number: `a/b.go:12`, `x.py", line 3`.

    Installed files do not count.
    """
    if any(part in line for part in _INSTALLED):
        return False
    for mark in _PLACES:
        before, *rest = line.split(mark)
        for after in rest:
            if after[:1].isdigit() or after[:1] == "[":
                name = before[-80:].rpartition(" ")[2].rpartition("/")[2]
                stem, dot, ending = name.rpartition(".")
                if stem and dot and len(ending) <= 5 and ending.isalnum() and ending[0].isalpha():
                    return True
            before = after
    # TeX: "l.214 \\cite"
    return '", line ' in line or (line.startswith("l.") and line[2:5].rstrip().isdigit())
