"""Whether a shell command throws changes of a working tree away, or puts them aside, by git.

Invariant: only a command that is run counts: not one that is quoted, printed, searched for, named
in a message or a comment, or that merely moves between branches.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["undoes"]

_LOOKED_AT = 2000  # characters
_BREAKS = ";&|()\n`{}"
# Words that may stand before the command proper.
_LEADS = frozenset((
    "sudo", "env", "time", "nohup", "command", "exec", "nice", "xargs", "then", "do", "else", "if",
    "while", "!", "stdbuf", "timeout",
))  # fmt: skip
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh"))
_OPTIONS_OF_GIT = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace"))
_NO_RUN = frozenset(
    ("-h", "--help", "-n", "--dry-run", "--abort", "--quit", "--continue", "--skip")
)
_REFUSED = frozenset(("-b", "-B", "--orphan", "-t", "--track", "--detach", "-d"))


def undoes(command: str) -> bool:
    """Return whether one of the command's parts undoes changes."""
    return "git" in command and _any(command[:_LOOKED_AT], 2)


def _any(command: str, depth: int) -> bool:
    return any(_undoing(words, depth) for words in _commands(command))


def _undoing(words: list[str], depth: int) -> bool:
    words = _proper(words)
    if not words:
        return False
    name = words[0].rpartition("/")[2]
    if name in _SHELLS and depth:
        flag = next((at for at, word in enumerate(words) if word in ("-c", "-lc", "-ec")), 0)
        return bool(flag) and len(words) > flag + 1 and _any(words[flag + 1], depth - 1)
    if name != "git":
        return False
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 1 + (words[at] in _OPTIONS_OF_GIT)
    rest = words[at + 1 :]
    rule = _RULES.get(words[at]) if at < len(words) else None
    return rule is not None and not _NO_RUN.intersection(rest) and rule(rest)


def _proper(words: list[str]) -> list[str]:
    """Command without what stands before it: assignments, `sudo`, `timeout 5`, and so on."""
    at, led = 0, False
    while at < len(words):
        word = words[at]
        assigned = "=" in word and word.partition("=")[0].replace("_", "a").isalnum()
        if word in _LEADS:
            led = True
        elif not assigned and not (led and (word.startswith("-") or word.rstrip("smh").isdigit())):
            break
        at += 1
    return words[at:]


def _checkout(rest: list[str]) -> bool:
    """Paths and force, not branches: `checkout main` and `checkout -b fix` undo nothing."""
    if "--" in rest:
        return True
    if _REFUSED.intersection(rest):
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
    """The working tree, not only what is staged."""
    staged = {"-S", "--staged"}.intersection(rest)
    return bool(rest) and (not staged or bool({"-W", "--worktree"}.intersection(rest)))


def _reset(rest: list[str]) -> bool:
    """Changes or commits; to unstage, or to squash softly, undoes nothing."""
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
    """Put aside; taking back, listing and showing undo nothing."""
    what = next((word for word in rest if not word.startswith("-")), "push")
    return what in ("push", "save")


def _clean(rest: list[str]) -> bool:
    """Files git does not know, removed for good."""
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


def _commands(text: str) -> list[list[str]]:
    """Cut into commands, and those into words, as a shell would; what is quoted stays one word."""
    found: list[list[str]] = [[]]
    word, open_ = "", False
    at, size = 0, len(text)
    while at < size:
        mark = text[at]
        at += 1
        if mark in "'\"":
            part, at = _quoted(text, at, mark)
            word, open_ = word + part, True
        elif mark == "\\" and at < size:
            if text[at] != "\n":  # that one only joins two lines
                word, open_ = word + text[at], True
            at += 1
        elif mark == "#" and not open_:
            at = _end_of_line(text, at)
        elif mark.isspace() or mark in _BREAKS:
            if open_:
                found[-1].append(word)
            at = _after_documents(text, at, found[-1]) if mark == "\n" else at
            if mark == "\n" or mark in _BREAKS:
                found.append([])
            word, open_ = "", False
        else:
            word, open_ = word + mark, True
    if open_:
        found[-1].append(word)
    return [words for words in found if words]


def _quoted(text: str, at: int, mark: str) -> tuple[str, int]:
    """Text up to the closing quote, and where it goes on after it."""
    parts = ""
    while at < len(text) and text[at] != mark:
        if text[at] == "\\" and mark == '"':
            at += 1
        parts += text[at : at + 1]
        at += 1
    return parts, at + 1


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _after_documents(text: str, at: int, words: list[str]) -> int:
    """Pass over the here-documents that a line's words announce: they are data."""
    for number, word in enumerate(words):
        start = word.find("<<")
        if start < 0 or word[start : start + 3] == "<<<":
            continue
        end = word[start + 2 :].lstrip("-") or "".join(words[number + 1 : number + 2])
        while at < len(text):
            stop = _end_of_line(text, at)
            row, at = text[at:stop].strip(), stop + 1
            if row == end:
                break
    return at
