"""Redact what a command prints if it is one word and the command says that it is a secret.

Invariant: whatever stands apart from its command is judged as if the command stood above it.
"""

from __future__ import annotations

import re

from journal.redaction import found, redact

_LONGEST = 400  # characters of a word that may be a secret
_COMMAND = 400  # characters of a command that are looked at, from its end
_DIGESTS = re.compile(r"\bgit\b|sum\b|uuid|hash|digest|sha\d")  # these print no secret


def redact_output(command: object, output: str) -> str:
    """Return the output of a command, redacted if it is a secret; the same object if it is none."""
    word = output.strip()
    if not isinstance(command, str) or not 5 < len(word) <= _LONGEST or len(word.split()) > 1:
        return output
    line = " ".join(command.split())[-_COMMAND:]
    if _DIGESTS.search(line):
        return output
    text = f"$ {line}\n{word}"
    clean = redact(text, found(text) | {"beside"}).rpartition("\n")[2]
    return output if clean == word else output.replace(word, clean)
