"""Facts that PreCompact reads from the end of the transcript, back to the last compaction.

Invariant: it reads at most `CAP` bytes and no fact from before the last compaction; without a
readable transcript only these facts are missing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hooks.context import Context
    from journal.events.hook_input import Call
    from journal.history.importer.records import Block, TranscriptLine
    from projections.facts.transcript import TranscriptRow

CAP = 1024 * 1024  # bytes of the transcript's end
_NEEDLES = (b'"compact_boundary"', b'"text"', b'"user"', b'"tool_use"')
_RESULT = b'"tool_result"'
_PARENT = b'{"parentUuid":'
# A short result may announce a commit or a new page.
_SHORT, _MAKES = 4096, (b'"[', b"\\n[", b"://")
# A subagent's report stands in the result of its call.
_AGENT = b'"agentId"'
_REFUSED = "The user doesn't want to proceed with this tool use"
_REFUSED_RAW = _REFUSED.encode()


def read_facts(call: Call, context: Context) -> dict[str, Any] | None:
    """Return the `compact.gathered` event of a PreCompact; None if the transcript adds no facts."""
    path = call.path("transcript_path")
    if (
        call.hook != "PreCompact"
        or not call.full
        or not call.prompts
        or not context.settings["recovery.transcript"]
        or "agent_id" in call.data
        or not path
    ):
        return None
    from journal.redaction import redact_value
    from projections.facts.transcript import from_transcript, split_withdrawn

    rows, withdrawn = split_withdrawn(_rows(path, call))
    found = from_transcript(rows)
    if withdrawn:
        found["withdrawn"] = withdrawn
    if not found:
        return None
    # Redact before texts are cut: no rule recognizes half a secret.
    return call.event("compact.gathered", "", **{k: redact_value(v) for k, v in found.items()})


def _rows(path: str, call: Call) -> Iterator[TranscriptRow]:
    """Yield the texts of the main thread since the last boundary, newest first."""
    from journal.history.importer.records import BLOCKED, REWOUND, line_of
    from journal.redaction import redact
    from journal.transcript.usage import lines_with
    from projections.facts.transcript import TranscriptRow

    # ID of a refused call -> its result, which is read first, because lines come newest first.
    refused: dict[bytes, str] = {}
    for raw in lines_with(path, (*_NEEDLES, BLOCKED, REWOUND), CAP):
        if _RESULT in raw and not (_REFUSED_RAW in raw or _AGENT in raw or _may_announce(raw)):
            continue  # output of tools: most of a transcript
        if _is_call(raw) and not any(use in raw for use in refused):
            continue  # a call that nobody refused
        line = line_of(raw)
        if line is not None and line.begins_command:
            yield TranscriptRow("command", "", line.uuid or "")
        if line is None or line.isSidechain or line.isMeta or line.isCompactSummary:
            continue
        if line.type == "system" and line.subtype == "compact_boundary":
            yield TranscriptRow("boundary", "")
            return
        if line.type == "system" and (blocked := line.blocked):
            yield TranscriptRow("blocked", redact(blocked))
        if line.is_rewound:
            yield TranscriptRow("rewound", "")
        previous = _parent(raw) if line.type == "user" and _RESULT not in raw else ""
        for who, text in _texts(line, refused, call):
            is_hidden = who == "call" or "<private" in text.lower()
            shown = redact(text) if is_hidden else text
            yield TranscriptRow(who, shown, line.uuid or "", previous)


def _parent(raw: bytes) -> str:
    """Return the value of a line's first member `parentUuid`, "null" for none, "" without one."""
    if not raw.startswith(_PARENT):
        return ""
    return raw[len(_PARENT) : raw.find(b",")].decode("utf-8", "replace").strip('" ')


def _is_call(raw: bytes) -> bool:
    """Return whether a line has a tool call and nothing else."""
    return b'"tool_use"' in raw and not any(needle in raw for needle in _NEEDLES[:3])


def _may_announce(raw: bytes) -> bool:
    return len(raw) <= _SHORT and any(mark in raw for mark in _MAKES)


def _texts(
    line: TranscriptLine, refused: dict[bytes, str], call: Call
) -> Iterator[tuple[str, str]]:
    from journal.history.importer.records import text_of
    from journal.history.importer.text import tagged
    from projections.prose import NOTIFIED, reason_of

    content = line.content
    who = {"assistant": "claude", "user": "person"}.get(line.type or "", "")
    if not who or content is None or line.isApiErrorMessage:
        return
    if isinstance(content, str):
        # The report of a subagent that ran in the background.
        report = tagged(content, "result") if content.startswith(NOTIFIED) else ""
        yield ("agent", report) if report else (who, content)
        return
    for block in reversed(content):
        if block.type == "text" and block.text:
            yield who, block.text
        elif block.type == "tool_result" and block.is_error:
            text = text_of(block.content)
            if text.startswith(_REFUSED):
                refused[(block.tool_use_id or "-").encode()] = text
                yield "refusal", text
        elif block.type == "tool_result":
            report = _report(bytes(line.toolUseResult))
            yield ("agent", report) if report else ("result", text_of(block.content))
        elif (result := refused.get((block.id or "-").encode())) and (called := _call(block, call)):
            yield "call", f"{called}\n{reason_of(result)}"


def _report(result: bytes) -> str:
    """Return the report of a subagent without what Claude Code writes around it, "" for none."""
    if _AGENT not in result:
        return ""
    from journal.codec import loads

    fields = loads(result)
    if not isinstance(fields, dict):
        return ""
    content = fields.get("content")
    blocks = content if isinstance(content, list) else []
    # Claude Code counts its own notes before the report and after it.
    before, after = (fields.get(f"harness{what}Count") for what in ("Note", "Tail"))
    if isinstance(before, int) and isinstance(after, int):
        blocks = blocks[before : len(blocks) - after]
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _call(block: Block, call: Call) -> str:
    """Return the tool and the command or path of a call as one line; "" if it names neither."""
    from journal.codec import loads
    from journal.events.hook_input.tool import ABOUT

    fields = loads(bytes(block.input))
    name = ABOUT.get(block.name or "", ("", ""))[0]
    target = fields.get(name) if isinstance(fields, dict) else None
    if not isinstance(target, str) or not target.strip():
        return ""
    return " ".join(f"{block.name} {call.relative(target.strip(), 2_000)}".split())
