"""Split shell text into its commands, as far as is needed to tell what they do.

Invariant: only what runs is a command. Text in quotes is one word, and comments and here-documents
are left out.
"""

from __future__ import annotations

PARSED = 2000  # characters of a command that are looked at
_BREAKS = ";&|()\n`{}"
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh"))
_FLAGS = ("-c", "-lc", "-ic", "-ec")
# Words that may precede the program of a command.
_LEADS = frozenset(
    "sudo env time nohup command exec nice xargs then do else if while ! stdbuf timeout".split()
)


def commands(text: str) -> list[list[str]]:
    """Split a shell text into commands, and each into words; a quoted text is one word."""
    found: list[list[str]] = [[]]
    word, in_word = "", False
    line = 0  # the first command of this line
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
        elif mark.isspace() or (mark in _BREAKS and _breaks(mark, in_word, text[at : at + 1])):
            if in_word:
                found[-1].append(word)
            at = _after_documents(text, at, found[line:]) if mark == "\n" else at
            line = len(found) if mark == "\n" else line
            if mark in _BREAKS:
                found.append([])
            word, in_word = "", False
        else:
            word, in_word = word + mark, True
    if in_word:
        found[-1].append(word)
    return [words for words in found if words]


def given_to_shell(words: list[str]) -> str:
    """Return the text that a command such as `bash -c TEXT` runs, "" for another command."""
    if words[0].rpartition("/")[2] not in _SHELLS:
        return ""
    flag = next((at for at, word in enumerate(words) if word in _FLAGS), len(words))
    return words[flag + 1] if flag + 1 < len(words) else ""


def without_lead(words: list[str]) -> list[str]:
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


def _quoted(text: str, at: int, mark: str) -> tuple[str, int]:
    """Return the text up to the closing quote, and the position after the quote."""
    parts = ""
    while at < len(text) and text[at] != mark:
        if text[at] == "\\" and mark == '"':
            at += 1
        parts += text[at : at + 1]
        at += 1
    return parts, at + 1


def _breaks(mark: str, in_word: bool, following: str) -> bool:
    """Return whether a mark ends a command: of braces only one that is a word of its own."""
    return mark not in "{}" or not (in_word or following.strip().strip(";&|)"))


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _after_documents(text: str, at: int, line: list[list[str]]) -> int:
    """Return the position after the here-documents that the commands of a line begin."""
    words = [word for command in line for word in command]
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
