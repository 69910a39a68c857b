"""Detect whether a shell command ran tests, and how they ended.

A test run is recognized by the program and its words, also behind wrappers (`uv run pytest`),
inside containers and in scripts with such a name, or by the report that a runner printed.
Invariant: only what runs counts, not what a command prints, searches for or writes (see
`journal.shell`).
"""

from __future__ import annotations

from journal.events.hook_input.report import (
    READERS,
    STATUS,
    has_error,
    has_report,
    last_status,
    shows_failure,
    shows_success,
)
from journal.shell import PARSED, commands, given_to_shell

# Programs that do nothing but run tests.
_RUNNERS = frozenset(
    "pytest py.test pytest-3 tox nox unittest doctest nose nose2 nosetests stestr jest vitest "
    "mocha ava karma tap wdio nightwatch elm-test rspec minitest cucumber behave behat codecept "
    "robot phpunit pest ctest prove bats busted gotestsum ginkgo nextest trial ward green ptw "
    "pytest_watch testthat inspec".split()
)
# Programs that run tests if a later word says so. For these, every word may be a target …
_TARGETS = frozenset(
    "make gmake cmake ninja just task go-task mvn mvnw gradle gradlew rake sbt mill xcodebuild "
    "bazel bazelisk earthly turbo invoke inv fab doit mage zig".split()
)
# … and for these, no word after one for other work.
_TOOLS = _TARGETS | frozenset(
    "npm pnpm yarn bun deno node go richgo cargo dotnet mix rails swift fastlane flutter dart "
    "buck2 pants scala-cli lein clojure clj rebar3 gleam dune stack cabal spago nimble crystal "
    "hatch rye pdm pixi mise devbox composer meson nx lerna storybook ng playwright cypress "
    "artisan manage.py setup.py django django-admin hardhat truffle brownie forge anchor moon "
    "wasm-pack luarocks terraform opa molecule kitchen helm dagger".split()
)
_BUILDS = frozenset(
    "build install clippy doc fmt bench publish vet generate codegen lint dev start serve".split()
)
# After one of these, no tool tests anything.
_LOOKS = frozenset(
    "add i remove uninstall init new create view info ls list outdated why config pkg show get "
    "dependencies deps.get g".split()
)
# Words that name a tool's test task beside "test" itself.
_TASKS: dict[str, tuple[str, ...]] = {
    "npm": ("t", "tst"),
    "node": ("--test",),
    "cypress": ("run",),
    "cargo": ("nextest", "t"),
    "bazel": ("coverage",),
    "rebar3": ("eunit", "ct"),
    "crystal": ("spec",),
    "dune": ("runtest",),
    **dict.fromkeys(("clojure", "clj"), ("-M:test", "-X:test")),
    **dict.fromkeys(("make", "gmake", "ninja"), ("check",)),
    **dict.fromkeys(("gradle", "gradlew"), ("check", "connectedCheck")),
    **dict.fromkeys(("mvn", "mvnw"), ("verify",)),
}
# Parts of a task's name that say what it does.
_TESTS = frozenset("test tests unittest unittests e2e".split())
_NO_TESTS = frozenset(
    "build lint compile classes deps prepare make gen generate format fmt types clean setup image "
    "fixtures server db data docker utils".split()
)
# Programs that run another one: a container or another machine, or what they are given next.
_CONTAINERS = frozenset("docker docker-compose podman kubectl ssh vagrant".split())
_CARRIERS = _CONTAINERS | frozenset(
    "time timeout gtimeout env cross-env sudo nice nohup exec command eval xargs parallel retry "
    "strace stdbuf xvfb-run uv uvx pipx poetry pdm hatch rye pipenv pixi conda mamba mise asdf "
    "devbox op doppler opam bundle npx bunx pnpm yarn npm bun nyc c8 coverage slipcover symfony "
    "nix nix-shell wsl direnv dotenv watch if then else do while until !".split()
)
_CARRY = frozenset("run exec -- develop shell dlx x compose workspace".split())
_INTERPRETERS = frozenset("sh bash zsh python py ruby perl php node tsx julia".split())
# With one of these a carrier builds, copies or shows something instead of running it.
_ASIDE = _BUILDS | _LOOKS | READERS.difference(_CARRIERS) | frozenset("pip cp logs pull".split())
_FAR = 40  # words that a carrier may have before the program it runs
# Options with which a runner or a tool lists, builds or explains tests.
_ASKS = frozenset(
    "--version --help -h --collect-only --collectonly --co --list --listTests --no-run "
    "--showConfig --clearCache --init --fixtures --markers --setup-plan --show-only --listenvs "
    "--dry-run --show -DskipTests -Dmaven.test.skip=true".split()
)
_ASKS_OF: dict[str, tuple[str, ...]] = {
    "go": ("-c", "-list"),
    "ctest": ("-N",),
    **dict.fromkeys(("tox", "nox"), ("-l",)),
    **dict.fromkeys(("make", "gmake"), ("-n",)),
}
# Programs that are hardly ever the step that failed.
_HARMLESS = READERS | frozenset("cd export source . set mkdir pushd sleep true".split())
_SCRIPTS = frozenset("test tests runtests runtest test_all all_tests".split())


def outcome(command: str, output: str, *, failed: bool = False) -> str:
    """Return how the tests of a command ended: "passed", "failed", "" if it ran none or is silent.

    failed: whether the command failed. Where a pipe or a later command hides that, the output has
    to say that they passed.
    """
    ran = _commands(command)
    is_run = any(map(_runs, ran))
    if not is_run and (not has_report(output) or all(_name(words[0]) in READERS for words in ran)):
        return ""
    if shows_failure(output):
        return "failed"
    if failed and is_run and all(_runs(words) or _name(words[0]) in _HARMLESS for words in ran):
        return "failed"
    if shows_success(output):
        return "passed"
    if failed:  # perhaps at a step before the tests
        return ""
    last = _commands(command.replace("2>&1", "").replace("&&", ";"))[-1:]
    if STATUS not in command and (any(map(_runs, last)) or not {"|", ";", "\n"} & {*command}):
        return "passed"
    return "failed" if has_error(output) or last_status(command, output) else ""


def runs_tests(command: str) -> bool:
    """Return whether a part of a shell command runs tests."""
    return any(map(_runs, _commands(command)))


def runs_of_tests(command: str) -> list[list[str]]:
    """Return the parts of a shell command that run tests, as words; the runner is the first."""
    found = [words for words in _commands(command) if _runs(words)]
    return [words[_runner(words) :] for words in found]


def _runner(words: list[str]) -> int:
    """Return the position of the runner in a command, 0 if it is none of `_RUNNERS`."""
    return next((at for at, word in enumerate(words) if _name(word) in _RUNNERS), 0)


def _commands(text: str) -> list[list[str]]:
    """Split a shell text into commands, without assignments before them."""
    found = commands(text[:PARSED])
    for words in found:
        while words and "=" in words[0] and not words[0].startswith(("-", "=")):
            del words[0]
    return [words for words in found if words]


def _runs(words: list[str]) -> bool:
    """Return whether a simple command runs tests."""
    name = _name(words[0])
    if name not in _CARRIERS:
        return _starts_tests(words)
    if name == "command" and words[1:2] in (["-v"], ["-V"]):
        return False
    is_value = True  # of an option, or the carrier itself
    for at, word in enumerate(words[:_FAR]):
        if word in _ASIDE:
            return False
        if _starts_tests(words[at:]) or (" " in word and runs_tests(word)):
            return True
        is_way = word.startswith("-") or word in _CARRY
        if not (is_way or is_value or name in _CONTAINERS or _is_argument(word)):
            return False  # it runs this program
        is_value = is_way and word not in ("run", "exec", "--")
    return False


def _is_argument(word: str) -> bool:
    """Return whether a word before a program is none itself: a time, an assignment, a carrier."""
    return word[:1].isdigit() or word == "." or "=" in word or _name(word) in _CARRIERS


def _starts_tests(words: list[str]) -> bool:
    """Return whether the first word is a program that runs tests with these words."""
    first, rest = words[0], words[1:]
    name = _name(first)
    if not _ASKS.isdisjoint(rest) or not set(_ASKS_OF.get(name, ())).isdisjoint(rest):
        return False
    if name in _RUNNERS or (name in _TOOLS and _has_task(name, rest)):
        return True
    if name in _INTERPRETERS or name.startswith("python"):
        return _interprets_tests(rest) or runs_tests(given_to_shell(words))
    return "/" in first and (_is_script(first) or _is_test_file(first))


def _name(word: str) -> str:
    """Return a program's name without its folder."""
    return word.rpartition("/")[2].removesuffix(".exe")


def _has_task(tool: str, words: list[str]) -> bool:
    """Return whether a tool's words name a test task, and nothing before them other work."""
    for before, word in zip(["", *words], words, strict=False):
        if word in _LOOKS or (word in _BUILDS and tool not in _TARGETS):
            return False
        if word == "run" and tool in ("cargo", "go"):
            return False
        name = word.rpartition(":")[2] if "/" in word or word[:1] == ":" else word
        if name in _TASKS.get(tool, ()):
            return True
        parts = _parts(name)
        if before != "-x" and not _TESTS.isdisjoint(parts):
            return _NO_TESTS.isdisjoint(parts)
    return False


def _parts(name: str) -> set[str]:
    """Return the words in the name of a task: of `test:unit`, `testDebug`; none of an option."""
    found, part = set(), ""
    for mark in "" if name[:1] == "-" or "=" in name else f"{name}.":
        if not mark.isalnum() or (mark.isupper() and not part.isupper()):
            found.add(part)
            part = ""
        part += mark.lower() if mark.isalnum() else ""
    return found


def _interprets_tests(words: list[str]) -> bool:
    """Return whether an interpreter runs a test module, a test file or a test command."""
    if "--test" in words:
        return True
    plain = [word for word in words if not word.startswith("-") and "=" not in word]
    if "-m" in words:
        plain = words[words.index("-m") + 1 :]
    if not plain:
        return False
    program, rest = plain[0], plain[1:]
    name = _name(program)
    if name in _CARRIERS:  # python -m coverage run -m pytest
        return not _RUNNERS.isdisjoint(rest)
    if name in _TOOLS:
        return _has_task(name, rest)
    is_runner = name.partition(".")[0] in _RUNNERS and ("/" in program or "-m" in words)
    return is_runner or _is_script(program) or _is_test_file(program)


def _is_script(path: str) -> bool:
    """Return whether a file's name says that it runs the tests: `run_tests.sh`."""
    stem, _, ending = _name(path).partition(".")
    is_program = ending in ("", "sh", "bash", "zsh", "py", "js", "mjs", "rb", "jl")
    is_run = stem.startswith("run") and not _TESTS.isdisjoint(_parts(stem))
    return is_program and (is_run or stem.replace("-", "_") in _SCRIPTS)


def _is_test_file(path: str) -> bool:
    """Return whether a file is named as tests are: `test_cart.py`, `cart_test.rb`, `cart.t`."""
    stem, _, ending = _name(path).partition(".")
    return ending == "t" or stem.startswith("test_") or stem.endswith(("_test", "_spec"))
