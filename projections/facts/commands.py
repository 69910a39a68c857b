"""Compare shell commands: which one repeats, covers or completes another that failed. Pure."""

from __future__ import annotations

import re

# Words of a command that builds, checks, tests, runs or publishes.
_CHECK = re.compile(
    r"\b(?:tests?|lint|fmt|format|build|check|vet|make|mise|just|task|npm|pnpm|yarn|bun|cargo"
    r"|pytest|tox|nox|uv|poetry|mypy|ruff|go|gofmt|golangci|tsc|eslint|prettier|vitest|jest|mvn"
    r"|gradlew?|dotnet|mix|rake|bundle|rspec|swift|zig|cmake|ninja|bazel|ctest|phpunit|composer"
    r"|docker|kubectl|terraform|run|deploy|release|publish|migrate|up)\b"
)
_CUTS = re.compile(r"\s(?:-{1,2}\w+[ =])?[\"']?\$\(cat\b|\s2>&1|\s\|{1,2}\s|\s2?>\s?|\s<<")
_ALIKE, _TELLING = 40, 12  # characters of a command that make it the same one, longer or not
# Options with which a runner runs fewer tests.
_NARROWS = frozenset(
    "-k -m -p -t -run -pl --filter --grep --tests --test --lib --bin --package --only".split()
)
_GIT_OPTIONS = r"\bgit (?:-[cC] \S+ |-\S+ )*"
_GIT_STEP = re.compile(_GIT_OPTIONS + r"(rebase|merge|cherry-pick|revert|am|pull)\b")
_GOES_ON, _ABORTS = (
    re.compile(_GIT_OPTIONS + rf"(rebase|merge|cherry-pick|revert|am) .*--(?:{options})\b")
    for options in ("continue|skip", "abort|quit")
)
_RESETS = re.compile(_GIT_OPTIONS + r"reset .*--(?:hard|merge)\b")  # does not end a rebase
# What ends a conflict that git left for the user, besides `--continue`; not of a rebase.
_COMMITS = re.compile(_GIT_OPTIONS + r"commit\b(?!.* --amend\b)")
_VALUE = r"""(?:\$\((?:[^()]|\([^()]*\))*\)|"[^"]*"|'[^']*'|(?:(?!\$\()[^\s;&|])*)"""
_LEAD = re.compile(
    r"^(?:cd\s+(\S+)\s*(?:&&|;)\s*"
    rf"|(?:export\s+)?[A-Za-z_]\w*={_VALUE}(?:\s*(?:&&|;)|\s|$)\s*)+"
)


def command_core(command: str) -> str:
    """Return a shell command without `cd`, assignments, redirections, pipes and further lines."""
    text = _LEAD.sub("", command.replace("\\\n", " ").strip()).partition("\n")[0]
    if text.startswith("git -C "):
        text = "git " + text[7:].partition(" ")[2]
    return "; ".join(filter(None, map(_without_pipes, text.split("; "))))


def steps_of(core: str) -> frozenset[str]:
    """Return the steps of a command's core that are joined by `&&`."""
    return frozenset(core.split(" && "))


def _without_pipes(steps: str) -> str:
    """Return steps joined by `&&`, each up to its first pipe or redirection."""
    found = (" ".join(_CUTS.split(step, maxsplit=1)[0].split()) for step in steps.split(" && "))
    return " && ".join(filter(None, found))


def is_check(command: str) -> bool:
    """Return whether a command builds, checks, tests, runs or publishes."""
    return _CHECK.search(command) is not None


def makes_up_for(passed: str, failed: str, *, tests: bool, error: str = "") -> bool:
    """Return whether a command that ran without an error repeats or completes a failed one.

    tests: whether it ran tests, and they passed. error: that of the failed one.
    """
    moved, before = _LEAD.match(passed.strip()), _LEAD.match(failed.strip())
    if moved and before and moved[1] and before[1] and moved[1] != before[1]:
        return False
    first, again = command_core(failed), command_core(passed)
    # Only steps joined by `&&` are known to have run without an error; of others, the last.
    steps = steps_of(again.rpartition("; ")[2])
    if first == again or steps_of(first) <= steps:
        return True
    if _completes(passed, first, conflict="CONFLICT" in error):
        return True
    if not tests:
        return any(_extends(step, first) for step in (again, *steps))
    from journal.events.hook_input.report import shows_failure
    from journal.events.hook_input.testing import runs_of_tests, runs_tests

    *preceding, last = first.split(" && ")
    # A step before the tests may be what failed.
    if runs_tests(last) and not (set(preceding) <= steps or shows_failure(error)):
        return False
    runs = runs_of_tests(again) or [again.split()]
    parts = runs_of_tests(first) or [first.split()]
    return all(any(_covers(run, part) for run in runs) for part in parts)


def _covers(run: list[str], part: list[str]) -> bool:
    """Return whether a run of tests includes another one.

    Each test, file or directory that it names is one that the other names, or is above one.
    """
    if run[: len(part)] == part and run[len(part) :][:1] != ["--"]:
        more = run[len(part) :]
        return not more or (more[0][:1] == "-" and _NARROWS.isdisjoint(more))
    named = [word for word in part if not word.startswith("-")]

    def is_named(word: str) -> bool:
        above = word.removesuffix("...").rstrip("/") + "/"
        return any(word == one or one.startswith(above) for one in named)

    options = {word.partition("=")[0] for word in run if word.startswith("-")}.difference(part)
    return _NARROWS.isdisjoint(options) and all(
        is_named(word) for word in run if not word.startswith("-")
    )


def _extends(command: str, failed: str) -> bool:
    """Return whether a command is a failed one with more words that do not narrow it."""
    if not command.startswith(f"{failed} "):
        return len(failed) > _ALIKE and command.startswith(failed[:_ALIKE])
    more = command[len(failed) :].split()
    return len(failed) > _TELLING or (more[0][:1] == "-" and _NARROWS.isdisjoint(more))


def _completes(command: str, failed: str, *, conflict: bool) -> bool:
    """Return whether a command continues what a git command left at a conflict."""
    return _ends_step(command, failed, _GOES_ON, _COMMITS if conflict else None)


def gives_up(command: str, failed: str, error: str) -> bool:
    """Return whether a command aborts what a failed git command left, so that it is not open."""
    resets = _RESETS if "CONFLICT" in error else None
    return _ends_step(command, command_core(failed), _ABORTS, resets)


def _ends_step(
    command: str, failed: str, own: re.Pattern[str], other: re.Pattern[str] | None
) -> bool:
    """Return whether a command ends what a git command, one of the steps of `failed`, left.

    own: its form with the name of that git command; other: one without it, not of a rebase.
    """
    first = next(filter(None, map(_GIT_STEP.match, failed.split(" && "))), None)
    if not first:
        return False
    again = own.search(command)
    if again and first[1] in (again[1], "pull"):
        return True
    return other is not None and first[1] != "rebase" and other.search(command) is not None
