"""Facts that PreCompact reads from the end of the transcript, back to the last compaction.

Invariant: it reads at most `CAP` bytes and no fact from before the last compaction; without a
readable transcript only these facts are missing.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooks.context import Context
    from journal.events.hook_input import Call
    from journal.history.importer.records import TranscriptLine

__all__ = ["CAP", "read_facts"]

CAP = 1024 * 1024  # bytes of the transcript's end
_NEEDLES = (b'"compact_boundary"', b'"text"', b'"user"')
_RESULT, _SAID = b'"tool_result"', b"the user said:"
# A short result may announce a commit or a new page.
_SHORT, _MAKES = 4096, (b'"[', b"\\n[", b"://")
_REFUSED = "The user doesn't want to proceed with this tool use"


def read_facts(call: Call, context: Context) -> dict[str, Any] | None:
    """Return the `compact.gathered` event of a PreCompact; None if the transcript adds no facts."""
    path = call.data.get("transcript_path")
    if (
        call.hook != "PreCompact"
        or not call.full
        or not call.prompts
        or not context.settings["recovery.transcript"]
        or "agent_id" in call.data
        or not isinstance(path, str)
        or not os.path.isabs(path)
    ):
        return None
    from journal.redaction import redact_value
    from projections.facts.transcript import from_transcript

    found = from_transcript(_rows(path))
    if not found:
        return None
    # Redact before texts are cut: no rule recognises half a secret.
    return call.event("compact.gathered", "", **{k: redact_value(v) for k, v in found.items()})


def _rows(path: str) -> Iterator[tuple[str, str]]:
    """Yield (who, text) of the main thread since the last boundary, newest first."""
    from journal.history.importer.records import line_of
    from journal.redaction import redact
    from journal.transcript.usage import lines_with

    for raw in lines_with(path, _NEEDLES, CAP):
        if _RESULT in raw and _SAID not in raw and not _may_announce(raw):
            continue  # output of tools: most of a transcript
        line = line_of(raw)
        if line is None or line.isSidechain or line.isMeta or line.isCompactSummary:
            continue
        if line.type == "system" and line.subtype == "compact_boundary":
            return
        for who, text in _texts(line):
            yield who, redact(text) if "<private" in text.lower() else text


def _may_announce(raw: bytes) -> bool:
    return len(raw) <= _SHORT and any(mark in raw for mark in _MAKES)


def _texts(line: TranscriptLine) -> Iterator[tuple[str, str]]:
    from journal.history.importer.records import text_of

    content = line.message.content if line.message is not None else None
    who = {"assistant": "claude", "user": "person"}.get(line.type or "", "")
    if not who or content is None or line.isApiErrorMessage:
        return
    if isinstance(content, str):
        yield who, content
        return
    for block in reversed(content):
        if block.type == "text" and block.text:
            yield who, block.text
        elif block.type == "tool_result" and block.is_error:
            text = text_of(block.content)
            if text.startswith(_REFUSED):
                yield "refusal", text
        elif block.type == "tool_result":
            yield "result", text_of(block.content)
