"""Detect that a piped command failed by its output, although the command after the pipe did not.

A wrong failure is worse than a missed one, so the marks are few, and commands that show the output
of others are left out.
"""

from __future__ import annotations

# How lines of a failed command's output begin, in lower case, and what they have in them.
_ERRORS = tuple(
    "error:|error[|fatal:|npm err!|npm error|make: ***|build failed|panic:|failure: build failed"
    "|traceback (most recent call last)".split("|")
)
_PLACED = (": error:", ": error ts", ": error cs")
_BEFORE = frozenset("time timeout env sudo".split())  # words before a command
_READERS = frozenset(
    "grep egrep rg ag cat bat ls find fd head tail sed awk jq yq less echo printf ps git docker "
    "kubectl gh glab curl journalctl strings xargs diff sort".split()
)
_SEPARATORS = str.maketrans(dict.fromkeys(";&(){}\n", " ; "))


def shows_error(command: str, output: str) -> bool:
    """Return whether the command before the first pipe failed, by the end of the output."""
    words = command[:2000].partition("|")[0].translate(_SEPARATORS).rpartition(" ; ")[2].split()
    name = next((word for word in words if "=" not in word and word not in _BEFORE), "")
    if not name or name.rpartition("/")[2] in _READERS:
        return False
    lines = [line.strip(" *\t").lower() for line in output[-4000:].splitlines()]
    return any(line.startswith(_ERRORS) or any(map(line.__contains__, _PLACED)) for line in lines)
