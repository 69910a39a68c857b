"""Shell commands compared: their core, and which of them check something."""

import pytest

from projections.facts.commands import command_core, is_check, makes_up_for


@pytest.mark.parametrize(
    ("typed", "core"),
    [
        ("cd /src/app && pytest -q 2>&1 | tail -5", "pytest -q"),
        ("CI=1 LANG=C make test > out.txt", "make test"),
        ("git -C /src/app push origin main", "git push origin main"),
        ("git commit -m \"$(cat <<'EOF'\nFix\nEOF\n)\"", "git commit"),
        ("go test ./... || true", "go test ./..."),
        ("make > out.txt && git add out.txt", "make && git add out.txt"),
        ("git add \\\n  a.py \\\n  b.py", "git add a.py b.py"),
        ("git stash && make 2>&1 | tail; git stash pop", "git stash && make; git stash pop"),
        ("NAME='a b' make test", "make test"),
        ("export DIR=/tmp/a && make", "make"),
        ("\\\nDIR=/tmp/a\nmake all", "make all"),
        ("id=$(gh pr view -q '(.id)')\ngh pr merge $id", "gh pr merge $id"),
        ("id=$(f $(g $(h)))", "id=$(f $(g $(h)))"),
    ],
)
def test_the_core_of_a_command(typed: str, core: str) -> None:
    """Directory, pipes and redirections are not part of a command's core."""
    assert command_core(typed) == core


def test_checks_come_from_any_tool() -> None:
    """Builds, tests and releases are recognised in many ecosystems; a copy is not a check."""
    for command in ("cargo build", "npx vitest run", "./gradlew check", "uv run mypy", "make lint"):
        assert is_check(command), command
    assert not is_check("cp a b")


@pytest.mark.parametrize(
    ("failed", "repeats"), [("make", True), ("cd /a && make", True), ("cd /b && make", False)]
)
def test_a_command_is_repeated_in_its_directory(failed: str, *, repeats: bool) -> None:
    """A command repeats a failed one unless both name a directory, and not the same one."""
    assert makes_up_for("cd /a && make", failed, tests=False) is repeats


@pytest.mark.parametrize("options", ["", "-C shop ", "-c user.name=T --no-pager "])
def test_a_conflict_is_resolved_by_going_on(options: str) -> None:
    """What goes on with a rebase makes up for it, whichever options git is called with."""
    step = f"git {options}rebase"
    assert makes_up_for(f"git add . && {step} --continue", f"{step} main", tests=False)
    assert not makes_up_for(f"{step} --abort", f"{step} main", tests=False)
