"""Find the prompts and answers in a transcript that a rewind removed or a hook blocked.

A rewind may go back to a prompt before a compaction.

Invariant: memory is bounded: only the beginnings of the newest texts are stored.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from journal.history.importer.lines import TranscriptLines
from journal.history.importer.records import TranscriptLine
from journal.history.importer.text import is_human_text, message_text
from journal.redaction import redact
from projections.facts.transcript import TranscriptRow, split_withdrawn
from projections.prose import SHELL_INPUT, beginning

_MOST = 2_000  # texts
_BEFORE = 512 * 1024  # bytes before the part that is read


class PromptThread:
    """The newest prompts and answers of the main thread."""

    def __init__(self) -> None:
        self._rows: deque[TranscriptRow] = deque(maxlen=_MOST)
        self._replacing = ""  # the newest prompt that took the place of another

    def read_before(self, file: Any, start: int) -> None:
        """Add the lines before a part of a file that begins at `start`."""
        for offset, records in TranscriptLines(file, max(0, start - _BEFORE)) if start else ():
            if offset >= start:
                break
            for line in records:
                self.add(line)

    def add(self, line: TranscriptLine) -> list[str]:
        """Add a line; return the beginnings of the prompts and answers that it takes back."""
        if line.begins_command:
            self._rows.append(TranscriptRow("command", "", line.uuid or ""))
        if line.isSidechain or line.isMeta or line.isCompactSummary:
            return []
        if line.type == "system":
            return self._system(line)
        if line.is_rewound:
            return self._rewound()
        who = {"assistant": "claude", "user": "person"}.get(line.type or "")
        if not who or line.isApiErrorMessage or (who == "person" and line.results):
            return []
        text = _beginning(message_text(line.content))
        if not text or (who == "person" and not is_human_text(text.removeprefix(SHELL_INPUT))):
            return []
        if who == "claude":
            self._rows.append(TranscriptRow(who, text, line.uuid or ""))
            return []
        return self._prompt(TranscriptRow(who, text, line.uuid or "", line.parentUuid or ""))

    def is_live(self, text: str) -> bool:
        """Return whether a text, given by its beginning, is in the conversation."""
        return any(row.text == text for row in self._rows)

    def _system(self, line: TranscriptLine) -> list[str]:
        if line.subtype == "compact_boundary":
            self._rows.append(TranscriptRow("boundary", ""))
        text = _beginning(line.blocked)
        return [text] if text and not self.is_live(text) else []

    def _rewound(self) -> list[str]:
        """Withdraw everything before the newest prompt, unless that replaced another one."""
        rows = [TranscriptRow("rewound", ""), *reversed(self._rows)]
        prompt = next((row for row in rows if row.who == "person"), None)
        if prompt is None or prompt.line == self._replacing:
            return []
        if withdrawn := split_withdrawn(rows)[1]:
            at = rows.index(prompt)
            self._rows.clear()
            self._rows.extend(rows[at:0:-1])
        return withdrawn

    def _prompt(self, row: TranscriptRow) -> list[str]:
        rows = list(self._rows)
        same = (at for at, old in enumerate(rows) if row.previous and old.previous == row.previous)
        at = next(same, None)
        self._rows.append(row)
        if at is None or rows[at].line == row.line:
            return []
        self._replacing = row.line
        self._rows.clear()
        self._rows.extend((*rows[:at], row))
        return split_withdrawn([row, *rows[::-1]])[1]


def _beginning(text: str) -> str:
    """Return the beginning of a text as the event of a prompt or answer has it."""
    return beginning(redact(text) if "<" in text and "<private" in text.lower() else text)
