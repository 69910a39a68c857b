"""Recognize shell commands with which git discards or stashes changes of a working tree.

Invariant: only a command that runs counts, not one that is quoted, printed, searched for or
mentioned in a comment. Switching branches does not count.
"""

from collections.abc import Callable

from journal.shell import PARSED, commands, given_to_shell, without_lead

_OPTIONS_OF_GIT = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace"))
_HARMLESS = frozenset(
    ("-h", "--help", "-n", "--dry-run", "--abort", "--quit", "--continue", "--skip")
)
_BACK = (["stash", "pop"], ["stash", "apply"])
_BRANCH_OPTIONS = frozenset(("-b", "-B", "--orphan", "-t", "--track", "--detach", "-d"))


def undoes(command: str, *, restored: bool = False) -> bool:
    """Return whether a part of a shell command discards or stashes changes.

    restored: whether a later command brings a stash back.
    """
    return "git" in command and _any_undoes(command[:PARSED], 2, restored)


def restores_stash(command: str) -> bool:
    """Return whether a part of a shell command brings stashed changes back."""
    parts = commands(command[:PARSED]) if "stash" in command else ()
    return any(_git(without_lead(words))[:2] in _BACK for words in parts)


def _any_undoes(command: str, depth: int, restored: bool = False) -> bool:
    """Return whether a part undoes; a stash that a later part brings back does not."""
    for words in map(without_lead, reversed(commands(command))):
        git = _git(words)
        restored = restored or git[:2] in _BACK
        if not (restored and git[:1] == ["stash"]) and _undoes_changes(words, git, depth):
            return True
    return False


def _undoes_changes(words: list[str], git: list[str], depth: int) -> bool:
    if depth and words and (text := given_to_shell(words)):
        return _any_undoes(text, depth - 1)
    rule = _RULES.get(git[0]) if git else None
    return rule is not None and not _HARMLESS.intersection(git[1:]) and rule(git[1:])


def _git(words: list[str]) -> list[str]:
    """Return git's command and its arguments, without git's own options; [] for other programs."""
    if not words or words[0].rpartition("/")[2] != "git":
        return []
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 1 + (words[at] in _OPTIONS_OF_GIT)
    return words[at:]


def _checkout(rest: list[str]) -> bool:
    """Return whether a checkout restores paths or is forced, unlike `checkout main`."""
    if "--" in rest:
        return True
    if _BRANCH_OPTIONS.intersection(rest):
        return False
    if {"-f", "--force", "-p", "--patch"}.intersection(rest):
        return True
    return any(_is_path(word) for word in rest if not word.startswith("-"))


def _is_path(word: str) -> bool:
    """Return whether a word is a path rather than a branch: `.`, `./x`, `src/`, `src/cart.py`."""
    if word in (".", "..", ":/") or word.startswith(("./", "../", "*", ":(")) or word[-1:] == "/":
        return True
    stem, dot, ending = word.rpartition("/")[2].rpartition(".")
    return bool(dot and stem) and ending.isalpha() and len(ending) <= 4 and ".." not in word


def _restore(rest: list[str]) -> bool:
    """Return whether a restore changes the working tree, not only the index."""
    staged = {"-S", "--staged"}.intersection(rest)
    return bool(rest) and (not staged or bool({"-W", "--worktree"}.intersection(rest)))


def _reset(rest: list[str]) -> bool:
    """Return whether a reset discards changes or commits; unstaging and --soft do not."""
    if {"--hard", "--merge", "--keep"}.intersection(rest):
        return True
    if "--soft" in rest or "--" in rest:
        return False
    return any(
        "~" in word or "^" in word or "@{" in word or word == "ORIG_HEAD" or _is_hash(word)
        for word in rest
    )


def _is_hash(word: str) -> bool:
    digits = word.lower()
    named = len(word) >= 7 and all(mark in "0123456789abcdef" for mark in digits)
    return named and any(map(str.isdigit, digits))


def _stash(rest: list[str]) -> bool:
    """Return whether a stash command stashes, rather than lists, shows or restores."""
    return not rest or rest[0][:1] == "-" or rest[0] in ("push", "save")


def _clean(rest: list[str]) -> bool:
    """Return whether a clean removes untracked files."""
    flags = "".join(word for word in rest if word[:1] == "-" and word[:2] != "--")
    return "--force" in rest or ("f" in flags and "n" not in flags)


_RULES: dict[str, Callable[[list[str]], bool]] = {
    "checkout": _checkout,
    "restore": _restore,
    "reset": _reset,
    "revert": bool,
    "stash": _stash,
    "switch": lambda rest: bool({"-f", "--force", "--discard-changes"}.intersection(rest)),
    "clean": _clean,
}
