"""Redact what a command prints if it is one word and the command says that it is a secret.

Invariant: whatever stands apart from its command is judged as if the command stood above it.
"""

from __future__ import annotations

import re

from journal.redaction import found, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


def redact_results(line: Any, commands: dict[Any, object]) -> bool:
    """Redact the results in a line of a transcript in place; return whether any changed.

    commands: of earlier calls, by ID.
    """
    changed = False
    message = line.get("message") if isinstance(line, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if isinstance(block.get("input"), dict):
            commands[block.get("id")] = block["input"].get("command")
        elif command := commands.pop(block.get("tool_use_id"), None):
            parts = block.get("content")
            texts = [(block, "content"), (line.get("toolUseResult"), "stdout")]
            texts += [(part, "text") for part in (parts if isinstance(parts, list) else ())]
            for owner, name in texts:
                if isinstance(owner, dict) and isinstance(owner.get(name), str):
                    old, owner[name] = owner[name], redact_output(command, owner[name])
                    changed = changed or owner[name] is not old
    return changed
