"""Detect by its output that a command failed, although a pipe or `;` hid its status.

A wrong failure is worse than a missed one, so the signs are few, and commands that show the output
of others are left out.
"""

from __future__ import annotations

from journal.shell import PARSED, commands, without_lead

STATUS = "$?"
"""A command with this prints the status of the one before."""
# Beginnings of lines in a failed command's output, in lower case, and texts within such lines.
_ERRORS = tuple(
    "error:|error[|fatal:|npm err!|npm error|make: ***|build failed|panic:|failure: build failed"
    "|traceback (most recent call last)|ninja: build stopped|segmentation fault|elifecycle"
    "|error command failed|code style issues found".split("|")
)
_PLACED = (
    ": error:|: error ts|: error cs|: undefined: |: command not found|: no module named "
    "| would be reformatted".split("|")
)
READERS = frozenset(
    "grep egrep rg ag cat bat ls find fd head tail sed awk jq yq less echo printf ps docker "
    "kubectl gh glab curl journalctl strings xargs diff sort wc tee rm mv which true xxd od".split()
)
"""Programs that show what is there: an error in their output is not their own."""
_SHOWING = frozenset("log show diff grep blame cat-file fsck ls-files ls-tree".split())  # of git
_SIGNS = " *\t│✖×["  # noqa: RUF001 (what linters put before a line)
_SHOWN = 20  # characters before a printed status: "exit code: 1"


def shows_error(command: str, output: str) -> bool:
    """Return whether the command before the first pipe failed, by the end of the output."""
    if last_status(command, output):
        return True
    first = command[:PARSED].replace("2>&1", "").partition("|")[0]
    ran = [words for words in map(without_lead, commands(first)) if words not in ([], ["true"])]
    if not ran or ran[-1][0].rpartition("/")[2] in READERS:
        return False
    return not (ran[-1][0] == "git" and _SHOWING.issuperset(ran[-1][1:2])) and has_error(output)


def has_error(output: str) -> bool:
    """Return whether the end of an output has a line that only a failed command prints."""
    for line in output[-4000:].splitlines():
        text = line.strip(_SIGNS).lower().removeprefix("warn] ")
        if text.startswith(_ERRORS) or any(map(text.__contains__, _PLACED)):
            return True
        # "Found 3 errors.", "2 error(s)", "3 problems (3 errors, 0 warnings)"
        number, _, rest = text.removeprefix("found ").partition(" ")
        if number.strip("0").isdigit() and rest.startswith(("error", "problem")):
            return True
    return False


def last_status(command: str, output: str) -> int:
    """Return the status that a command printed in its last line, 0 for none."""
    line = output[-80:].rstrip().rpartition("\n")[2] if STATUS in command else ""
    before = line.rstrip("0123456789")
    number = line[len(before) :]
    return int(number) if 0 < len(number) <= 3 and len(before) <= _SHOWN else 0
