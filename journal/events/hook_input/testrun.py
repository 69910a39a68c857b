"""Whether a shell command runs tests, and whether its output shows a failure. No `re`."""

from __future__ import annotations

__all__ = ["runs_tests", "shows_failure"]

# First words of a command that runs tests; each is matched as whole words.
_RUNNERS = (
    ("pytest",), ("py.test",), ("tox",), ("nox",), ("unittest",), ("jest",), ("vitest",),
    ("mocha",), ("rspec",), ("phpunit",), ("ctest",), ("prove",), ("go", "test"),
    ("cargo", "test"), ("cargo", "nextest"), ("npm", "test"), ("npm", "run", "test"),
    ("pnpm", "test"), ("yarn", "test"), ("make", "test"), ("make", "check"), ("just", "test"),
    ("mvn", "test"), ("gradle", "test"), ("./gradlew", "test"), ("dotnet", "test"),
    ("mix", "test"), ("rake", "test"), ("swift", "test"), ("bun", "test"), ("deno", "test"),
)  # fmt: skip
_BREAKS = str.maketrans(dict.fromkeys(";&|()\n`\"'", " ; "))


def runs_tests(command: str) -> bool:
    """Return whether one of the command's parts starts a test runner."""
    words = command[:2000].translate(_BREAKS).split()
    for at, word in enumerate(words):
        name = word.rpartition("/")[2] if word != "./gradlew" else word
        for runner in _RUNNERS:
            if name == runner[0] and tuple(words[at + 1 : at + len(runner)]) == runner[1:]:
                return _at_command(words, at)
    return False


def shows_failure(output: str) -> bool:
    """Return whether the last 4,000 characters of a test runner's output report a failure."""
    tail = output[-4000:]
    for line in tail.splitlines():
        text = line.strip(" =\t")
        if text.startswith(("FAILED", "FAIL:", "FAIL\t", "--- FAIL", "ERROR:", "Failed tests:")):
            return True
        lower = text.lower()
        for mark in (" failed", " failures", " failing", " errors"):
            at = lower.find(mark)
            if at > 0 and _count_before(lower, at) > 0:
                return True
        if "test result: failed" in lower or lower.startswith("failures:"):
            return True
    return False


def _at_command(words: list[str], at: int) -> bool:
    """Return whether the runner is run, not merely named, as in `grep pytest`."""
    start = at
    while start > 0 and words[start - 1] != ";":
        start -= 1
    lead = [word for word in words[start:at] if "=" not in word]
    plain = {
        "python",
        "python3",
        "-m",
        "uv",
        "run",
        "poetry",
        "npx",
        "pnpm",
        "exec",
        "bundle",
        "time",
        "timeout",
        "env",
        "sudo",
        "-q",
        "hatch",
        "pipenv",
        "coverage",
        "xvfb-run",
        "docker",
        "compose",
    }
    return all(
        word.rpartition("/")[2] in plain or word.startswith("python") or word.isdigit()
        for word in lead
    )


def _count_before(text: str, at: int) -> int:
    start = at
    while start > 0 and text[start - 1].isdigit():
        start -= 1
    return int(text[start:at]) if start < at else 0
