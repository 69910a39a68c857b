"""Recognize shell commands with which git discards or stashes changes of a working tree.

Invariant: only a command that runs counts, not one that is quoted, printed, searched for or
mentioned in a comment. Switching branches does not count.
"""

from collections.abc import Callable

_PARSED = 2000  # characters of a command
_BREAKS = ";&|()\n`{}"
# Words that may precede the actual command.
_LEADS = frozenset(
    "sudo env time nohup command exec nice xargs then do else if while ! stdbuf timeout".split()
)
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh"))
_OPTIONS_OF_GIT = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace"))
_HARMLESS = frozenset(
    ("-h", "--help", "-n", "--dry-run", "--abort", "--quit", "--continue", "--skip")
)
_BRANCH_OPTIONS = frozenset(("-b", "-B", "--orphan", "-t", "--track", "--detach", "-d"))


def undoes(command: str) -> bool:
    """Return whether a part of a shell command discards or stashes changes."""
    return "git" in command and _any_undoes(command[:_PARSED], 2)


def _any_undoes(command: str, depth: int) -> bool:
    return any(_undoes_changes(words, depth) for words in _commands(command))


def _undoes_changes(words: list[str], depth: int) -> bool:
    words = _without_prefix(words)
    if not words:
        return False
    name = words[0].rpartition("/")[2]
    if name in _SHELLS and depth:
        flag = next((at for at, word in enumerate(words) if word in ("-c", "-lc", "-ec")), 0)
        return bool(flag) and len(words) > flag + 1 and _any_undoes(words[flag + 1], depth - 1)
    if name != "git":
        return False
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 1 + (words[at] in _OPTIONS_OF_GIT)
    rest = words[at + 1 :]
    rule = _RULES.get(words[at]) if at < len(words) else None
    return rule is not None and not _HARMLESS.intersection(rest) and rule(rest)


def _without_prefix(words: list[str]) -> list[str]:
    """Return a command without assignments, `sudo`, `timeout 5` and the like before it."""
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
    what = next((word for word in rest if not word.startswith("-")), "push")
    return what in ("push", "save")


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


def _commands(text: str) -> list[list[str]]:
    """Split a shell text into commands, and each into words; a quoted text is one word."""
    found: list[list[str]] = [[]]
    word, in_word = "", False
    at, size = 0, len(text)
    while at < size:
        mark = text[at]
        at += 1
        if mark in "'\"":
            part, at = _quoted(text, at, mark)
            word, in_word = word + part, True
        elif mark == "\\" and at < size:
            if text[at] != "\n":  # an escaped line break only joins two lines
                word, in_word = word + text[at], True
            at += 1
        elif mark == "#" and not in_word:
            at = _end_of_line(text, at)
        elif mark.isspace() or mark in _BREAKS:
            if in_word:
                found[-1].append(word)
            at = _after_documents(text, at, found[-1]) if mark == "\n" else at
            if mark == "\n" or mark in _BREAKS:
                found.append([])
            word, in_word = "", False
        else:
            word, in_word = word + mark, True
    if in_word:
        found[-1].append(word)
    return [words for words in found if words]


def _quoted(text: str, at: int, mark: str) -> tuple[str, int]:
    """Return the text up to the closing quote, and the position after the quote."""
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
    """Return the position after the here-documents that the words of a line begin."""
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
