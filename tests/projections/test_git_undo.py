"""Which git commands discard changes or put them aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from projections.git_undo import undoes
from tests.projections.digested import fed, prompt, tool

if TYPE_CHECKING:
    from projections.repetition import Mark

Steps = list[dict[str, Any]]


def marks(events: Steps) -> list[tuple[str, int, int, int, str]]:
    """Return the marks of a session of these events."""
    found: list[Mark] = fed(prompt("x"), *events).marks
    return [(mark.kind, mark.seq, mark.last, mark.count, mark.what) for mark in found]


UNDOING = [
    "git checkout -- a.py", "git checkout HEAD -- a.py", "git checkout .", "git checkout src/a.py",
    "git checkout -f", "git stash -u -m wip", "git checkout main -- src", "git restore src/", "git restore --staged -W a",
    "git reset --hard", "git reset --hard origin/main", "git reset HEAD~1", "git reset 1a2b3c4d",
    "git reset HEAD^", "git reset main@{1}", "git reset ORIG_HEAD",
    "git revert HEAD --no-edit", "git stash", "git stash push -u -m wip", "git stash save wip",
    "git switch --discard-changes main", "git clean -fd", "git -C /a/b restore .",
    "git --no-pager -c x.y=z stash", "cd shop && git reset --hard", "true; git stash",
    "make || git checkout -- .", "FOO=1 git stash", "sudo -n git clean -f", "timeout 5 git stash",
    "bash -c 'git reset --hard'", "git diff --name-only | xargs -r git checkout --",
    "x=$(git stash)", "(git restore .)", "if false; then git stash; fi", "/usr/bin/git stash",
    "cat <<EOF\nx\nEOF\ngit stash", "git stash # put it aside", "git \\\n  stash",
    "git stash pop; git stash", "git stash && git reset --hard HEAD; git stash pop", "git stash; pop",
]  # fmt: skip
HARMLESS = [
    "git commit -m 'git revert this'", 'git commit -m "undo: git reset --hard"', "echo git stash",
    "grep -rn 'git checkout -- x' .", "git checkout main", "git checkout -b fix/x.py",
    "git checkout feature/cart", "git checkout release/v1.2", "git checkout -", "git switch main",
    "git restore --staged a.py", "git reset", "git reset a.py", "git reset HEAD a.py",
    "git reset --soft HEAD~1", "git stash pop", "git stash list", "git stash show -p",
    "git stash apply", "git revert --abort", "git clean -n", "git clean -nfd", "git status",
    "git log # git restore .", "cat <<EOF\ngit reset --hard\nEOF", "cat <<'E' > x\ngit stash\nE",
    "man git-stash", "git help reset", "ssh host git reset --hard", "git reset --help",
    "printf '%s' \"git restore .\"", "git diff -- git restore", "rg 'git stash' docs", "", "git",
    "echo 'x; git stash'", "python -c 'print(\"git stash\")'", "gitk stash", "git add stash",
    "git stash && git stash pop", "git stash -u && make lint | tail -5; git -C /a stash apply",
]  # fmt: skip


def test_what_undoes() -> None:
    """Commands that discard changes or put them aside are marked, however they are started."""
    for command in UNDOING:
        assert undoes(command), command
        assert marks([tool("Bash", command)]) == [("rollback", 2, 2, 1, " ".join(command.split()))]


def test_what_does_not() -> None:
    """Mentioning such a command, changing branches, restoring or listing is not marked."""
    for command in HARMLESS:
        assert not undoes(command), command
        assert marks([tool("Bash", command)]) == [], command


BROUGHT_BACK = {
    "git stash / git stash pop": [],
    "git stash / make / git -C /a stash apply": [],
    "git stash / git checkout . / git stash pop": ["git checkout ."],
    "git stash / git stash / git stash pop": ["git stash"],
    "git stash && git reset --hard / git stash pop": ["git stash && git reset --hard"],
    "git stash pop / git stash": ["git stash"],
    "git stash / git stash drop": ["git stash"],
    "git stash / git stash list / grep 'git stash pop' a": ["git stash"],
}


@pytest.mark.parametrize("calls", BROUGHT_BACK)
def test_a_stash_that_a_later_call_brings_back_discards_nothing(calls: str) -> None:
    """Each call that pops or applies takes back the last stash alone."""
    found = marks([tool("Bash", command) for command in calls.split(" / ")])
    assert [mark[-1] for mark in found] == BROUGHT_BACK[calls]
