"""Build the events that hooks would have recorded, from the finished turns of a transcript.

It uses the import's parser and the hooks' builders, so a fact gets the key that its hook would have
given it, and readers of the log count both once. Invariant: events for which Claude Code may not
have called a hook are left out: its own commands, refused calls, subagents, synthetic lines, copies
of another session's history.
"""

import os
from typing import Any, NamedTuple

from journal.codec import digest
from journal.events.hook_input import Call
from journal.history.importer.builder import Builder
from journal.history.importer.lines import TranscriptLines, open_transcript
from journal.history.importer.owners import Destination
from journal.history.importer.parser import Parser
from journal.history.importer.records import SIDECHAIN, STEERING, TranscriptLine
from journal.history.importer.state import RecordedKeys, fingerprint, has_grown
from journal.history.importer.text import is_human_text, message_text
from journal.history.importer.withdrawn import PromptThread
from journal.history.reconcile.logged import RESTORED, VIA, SessionLog
from journal.log.record import with_time

# Errors that begin so prove that the call ran; others may be of a refused one.
_RAN = "Exit code "
_ENDS = ("end_turn", "stop_sequence", "refusal")


class TranscriptReplacedError(Exception):
    """A transcript was replaced by another file."""


class Turns(NamedTuple):
    """Finished turns. events: in order. offset: where they end. inode, fingerprint: of the file."""

    events: list[dict[str, Any]]
    offset: int
    inode: int
    fingerprint: str


def finished_turns(session: SessionLog, sid: str, destination: Destination) -> Turns | None:
    """Read the turns that ended since the offset; return None if there is nothing new.

    The transcript lags behind the hooks: of a session that goes on, only what precedes the end of
    its last complete turn counts. If nothing is captured, everything is skipped.

    Raises:
        TranscriptReplacedError: the file is not the one that was read up to the offset.
        OSError: the file cannot be read.

    """
    with open_transcript(session.path) as file:
        facts = os.fstat(file.fileno())
        start = session.offset
        if start and not has_grown(session, file.fileno()):
            raise TranscriptReplacedError
        if facts.st_size <= start:
            return None
        builder = _Builder(
            lambda _sid, _cwd: destination, RecordedKeys(), sid, path=session.path, session=session
        )
        parser = Parser(builder)
        parser.thread.read_before(file, start)
        lines = TranscriptLines(file, start)
        found: list[tuple[int, dict[str, Any]]] = []
        end = start
        for offset, records in lines:
            if offset == lines.offset:
                break  # the client is still writing this line
            for line in records:
                if _begins_turn(line):
                    end = offset
                parser.parse(line, offset)
                found += [(offset, event) for _, event in builder.events]
                builder.events.clear()
                if _ends_turn(line):
                    end = lines.offset
        if session.is_over or not destination.is_captured:
            end = lines.offset
        events = [event for offset, event in found if offset < end]
        events = [event for event in events if _still_applies(event, parser.thread)]
        return Turns(events, end, facts.st_ino, fingerprint(file.fileno(), end))


def _begins_turn(line: TranscriptLine) -> bool:
    if line.type != "user" or line.isMeta or line.isSidechain or line.isCompactSummary:
        return False
    if line.promptSource == STEERING:
        return False
    return not line.results and is_human_text(message_text(line.content))


def _ends_turn(line: TranscriptLine) -> bool:
    if line.type != "assistant" or line.isSidechain or not line.is_reply:
        return False
    return line.message is not None and line.message.stop_reason in _ENDS


def _still_applies(event: dict[str, Any], thread: PromptThread) -> bool:
    """Drop prompts that were sent again after they were taken back; return whether any remain."""
    if event["type"] != "prompts.withdrawn":
        return True
    event["withdrawn"] = [text for text in event["withdrawn"] if not thread.is_live(text)]
    return bool(event["withdrawn"])


class _Builder(Builder, kw_only=True, eq=False):
    """Builds events as the hooks of the session's own project do."""

    session: SessionLog
    _ran: bool = True

    def is_new(self, key: str) -> bool:
        """Return True: the log decides what is new."""
        return bool(key)

    def call(self, line: TranscriptLine, sid: str, data: dict[str, Any], key: str = "") -> Call:
        """Build the input with which the hook was, or would have been, called."""
        destination = self.destination(sid)
        error = data.get("error")
        self._ran = not isinstance(error, str) or error.startswith(_RAN)
        hook = "PostToolUse" if "tool_name" in data else "UserPromptSubmit"
        if isinstance(error, str):
            hook = "PostToolUseFailure"
        data = {"hook_event_name": hook, "session_id": sid, "cwd": self.cwd, **data}
        if line.promptId:
            data["prompt_id"] = line.promptId
        if line.isSidechain or line.agentId:
            data["agent_id"] = line.agentId or SIDECHAIN
        facts = {"branch": self.branch, "attended": line.promptSource != "sdk"}
        return Call(data, digest(key), destination.root, destination.settings, facts)

    def append(self, sid: str, event: dict[str, Any]) -> None:
        """Append an event if a hook would have recorded it."""
        kind, event["ts"] = event["type"], self.ts
        if kind not in RESTORED or sid != self.sid or "agent" in event:
            return
        if not self.session.ran(self.ts) or (kind == "tool.failed" and not self._ran):
            return
        if kind == "prompt.submitted" and (event["origin"] == "command" or "prompt" not in event):
            return
        if "key" in event:
            event["key"] = with_time(event["key"], self.ts)
        event["via"] = VIA
        self.events.append((self.destination(sid), event))
