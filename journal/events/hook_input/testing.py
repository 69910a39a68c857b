"""Detect whether a shell command runs tests, and from its output whether some failed.

A test run is recognized by the program and its words, also behind wrappers (`uv run pytest`),
inside containers and in scripts with such a name. Invariant: only what runs counts, not what a
command prints, searches for or writes (see `journal.shell`).
"""

from __future__ import annotations

from journal.shell import PARSED, commands, given_to_shell

# Programs that do nothing but run tests.
_RUNNERS = frozenset(
    "pytest py.test tox nox unittest nose2 stestr jest vitest mocha ava karma rspec minitest "
    "phpunit pest ctest prove bats busted gotestsum nextest trial ward testthat".split()
)
# Programs that run tests if a later word says so.
_TOOLS = frozenset(
    "npm pnpm yarn bun deno node go cargo make gmake ninja just task mvn mvnw gradle gradlew "
    "dotnet mix rake rails swift xcodebuild flutter dart bazel bazelisk buck2 sbt lein stack cabal "
    "zig hatch rye composer meson nx turbo ng playwright cypress artisan manage.py setup.py mage "
    "invoke inv hardhat forge anchor moon".split()
)
# Words that name a tool's test task beside "test" itself.
_TASKS = {
    "npm": ("t", "tst"),
    "node": ("--test",),
    "cypress": ("run",),
    "cargo": ("nextest",),
    **dict.fromkeys(("make", "gmake", "ninja", "gradle", "gradlew"), ("check",)),
    **dict.fromkeys(("mvn", "mvnw"), ("verify",)),
}
# Programs that run another one.
_CARRIERS = frozenset(
    "time timeout env sudo nice nohup exec command stdbuf xvfb-run uv uvx poetry pdm hatch rye "
    "pipenv pixi conda mamba bundle npx bunx pnpm yarn npm bun coverage docker docker-compose "
    "podman kubectl ssh vagrant nix direnv dotenv watch if then else do while until !".split()
)
_INTERPRETERS = frozenset("sh bash zsh python python3 ruby perl php node julia Rscript".split())
# With one of these words a package is installed, and nothing is tested.
_INSTALL = frozenset("add install i remove uninstall init new create".split())
# With one of these a carrier builds, copies or shows something instead of running it.
_ASIDE = _INSTALL | frozenset("pip build cp logs lock sync pull".split())
_FAR = 40  # words that a carrier may have before the program it runs
_ASKS = frozenset("--version --help -h -V --collect-only --co --list".split())
_SCRIPTS = frozenset("test tests run_test run_tests runtests runtest test_all all_tests".split())


def runs_tests(command: str) -> bool:
    """Return whether a part of a shell command runs tests."""
    for words in commands(command[:PARSED]):
        while words and "=" in words[0] and not words[0].startswith(("-", "=")):
            del words[0]
        if words and _runs(words):
            return True
    return False


def _runs(words: list[str]) -> bool:
    """Return whether a simple command, without assignments before it, runs tests."""
    if _name(words[0]) not in _CARRIERS or _ASIDE.intersection(words):
        return _starts_tests(words)
    return any(_starts_tests(words[at:]) for at in range(min(len(words), _FAR)))


def _starts_tests(words: list[str]) -> bool:
    """Return whether the first word is a program that runs tests with these words."""
    first, rest = words[0], words[1:]
    name = _name(first)
    if name in _RUNNERS:
        return not _ASKS.intersection(rest)
    if name in _TOOLS and _has_task(name, rest):
        return True
    if name in _INTERPRETERS or name.startswith("python"):
        return _interprets_tests(rest) or runs_tests(given_to_shell(words))
    return "/" in first and _is_script(first)


def _name(word: str) -> str:
    """Return a program's name without its folder."""
    return word.rpartition("/")[2]


def _has_task(tool: str, words: list[str]) -> bool:
    """Return whether a tool's words name a test task, and nothing before them another work."""
    for word in words:
        if word in _INSTALL or word in _ASKS:
            return False
        if word in _TASKS.get(tool, ()):
            return True
        task = word.rpartition(":")[2] if not word.startswith("test:") else "test"
        if task in ("test", "tests") or task.startswith(("test-", "test_", "test.")):
            return True
        if task.startswith("test") and task[4:5].isupper():  # Gradle, sbt
            return True
    return False


def _interprets_tests(words: list[str]) -> bool:
    """Return whether an interpreter runs a test module, a test file or a test command."""
    if "--test" in words:
        return True
    at = next((at for at, word in enumerate(words) if not word.startswith("-")), len(words))
    if at == len(words):
        return False
    program, rest = words[at], words[at + 1 :]
    if words[at - 1 : at] == ["-m"]:
        is_runner = program in _RUNNERS
        return is_runner or (program in _CARRIERS and not _RUNNERS.isdisjoint(rest))
    if _is_script(program) or _is_test_file(program):
        return True
    return _name(program) in _TOOLS and _has_task(_name(program), rest)


def _is_script(path: str) -> bool:
    """Return whether a file's name says that it runs the tests: `run_tests.sh`."""
    stem, _, ending = _name(path).partition(".")
    return ending in ("", "sh", "py", "js", "mjs", "rb") and stem.replace("-", "_") in _SCRIPTS


def _is_test_file(path: str) -> bool:
    """Return whether a file is named as tests are: `test_cart.py`, `cart_test.rb`, `cart.t`."""
    stem, _, ending = _name(path).rpartition(".")
    return ending == "t" or stem.startswith("test_") or stem.endswith(("_test", "_spec", ".test"))


# Beginnings of lines, without "=" and blanks around them, that report a failure.
_FAILED = (
    "FAILED", "FAIL:", "FAIL\t", "--- FAIL", "ERROR:", "Failed tests:", "not ok ", "FAILURES!",
    "BUILD FAILED", "** TEST FAILED", "Result: FAIL", "error: test failed", "✗ ", "✕ ", "✖ ",
    "E   ",
)  # fmt: skip
_COUNTED = "failed,failures,failure,failing,errors,error,tests failed,test failed".split(",")
_LABELS = ("failures:", "failed:", "errors:", "# fail ", "fail:")
# What may follow the word of a count: "3 failed, …", but not "3 failed attempts were logged".
_AFTER = (" in ", " (", " out ", " and ", " |", " =")
_ENDS = ",;.:)]=|"


def shows_failure(output: str) -> bool:
    """Return whether the last 4,000 characters of a test run's output report a failure."""
    for line in output[-4000:].splitlines():
        text = line.strip(" =\t")
        if not text:
            continue
        if text == "FAIL" or text.startswith(_FAILED):
            return True
        lower = text.lower()
        if "fail" not in lower and "error" not in lower:
            continue
        if "test result: failed" in lower or "some tests failed" in lower:
            return True
        if lower == "failures:" or _counts(lower) or _labels(lower):
            return True
    return False


def _counts(text: str) -> bool:
    """Return whether a number above zero precedes a word for failures."""
    for word in _COUNTED:
        at = text.find(f" {word}")
        number = text[len(text[: max(0, at)].rstrip("0123456789")) : max(0, at)]
        if number.strip("0"):
            rest = text[at + 1 + len(word) :]
            if not rest or rest[0] in _ENDS or rest.startswith(_AFTER):
                return True
    return False


def _labels(text: str) -> bool:
    """Return whether a number above zero follows a label for failures."""
    for label in _LABELS:
        at = text.find(label)
        if at >= 0:
            number = text[at + len(label) :].strip().partition(" ")[0].rstrip(",;.")
            if number.isdigit() and int(number):
                return True
    return False
