"""The events of replies: their usage, and the ends of the turns that they end."""

from typing import Any

from journal.events.hook_input import safe_id
from journal.events.hook_input.turn import ended
from journal.history.importer.owners import Destination
from journal.history.importer.records import TranscriptLine
from journal.history.importer.replies import NO_FIGURES, Replies, Reply
from journal.history.importer.state import key_of
from journal.history.importer.text import token_members


class ReplyEvents(Replies):
    """A file's replies as events of a builder."""

    def read(self, line: TranscriptLine, sid: str, offset: int) -> Reply:
        """Read a line of the open reply or of a new one; return that reply."""
        reply = super().read(line, sid, offset)
        blocks = line.blocks
        reply.text += [block.text for block in blocks if block.type == "text" and block.text]
        reply.calls |= any(block.type == "tool_use" for block in blocks)
        reply.ended = self._builder.ts
        return reply

    def close_main(self, sid: str, *, is_over: bool | None = None) -> None:
        """Close the main thread's reply: the line that follows is not part of it.

        is_over: whether the line shows that the turn is over; None if it shows neither. Many
        versions of Claude Code recorded no reason why a reply ended: then a reply with a text and
        without a tool call ended its turn.
        """
        reply = self._open.get(False)
        if reply is not None:
            # A line of another session shows nothing.
            may_be_over = is_over is None and sid == reply.sid
            if may_be_over and reply.has_text and not (reply.stop or reply.calls):
                is_over = True
            reply.is_last = bool(is_over)
        super().close_main(sid, is_over=is_over)

    def unfinished(self) -> list[int]:
        """Return the offsets of the replies that may go on, or may yet show to end their turn."""
        return [
            reply.offset
            for side, reply in self._open.items()
            if not (reply.stop if side else reply.ends_turn)
        ]

    def settled(self) -> list[tuple[Destination, dict[str, Any]]]:
        """Remove and return the events before the first reply that is still open."""
        events = self._builder.events
        waiting = [id(reply.event) for reply in self._open.values() if reply.event]
        end = next((at for at, item in enumerate(events) if id(item[1]) in waiting), len(events))
        settled, self._builder.events = events[:end], events[end:]
        return settled

    def _begin(self, reply: Reply, line: TranscriptLine) -> None:
        super()._begin(reply, line)
        assert line.message is not None
        destination = self._builder.destination(reply.sid)
        reply.event = {
            **self._builder.envelope(line, reply.sid, destination),
            "type": "usage.recorded",
            "key": key_of("usage", reply.name, reply.request),
            "message": safe_id(line.message.id),
            "request": safe_id(line.requestId),
            "model": safe_id(line.message.model),
        }
        self._builder.append(reply.sid, reply.event)

    def _close(self, *, side: bool) -> Reply:
        """Close a reply: its record stays in its position, unless it is recorded already."""
        reply = super()._close(side=side)
        builder, event = self._builder, reply.event
        if reply.figures is not NO_FIGURES:
            event.update(token_members(reply.figures), source="transcript")
            event["ts"] = reply.ts
        if event and not (event["ts"] >= builder.since and self._is_newer(event)):
            event.clear()
        if reply.ends_turn and not side and not builder.agent:
            self._end_turn(reply)
        return reply

    def _is_newer(self, event: dict[str, Any]) -> bool:
        if self._builder.recorded.add(event["key"], event["output_tokens"]):
            return True
        self._builder.repeated += 1
        return False

    def _end_turn(self, reply: Reply) -> None:
        builder = self._builder
        if builder.is_new(key := key_of("turn", reply.name, reply.request)):
            data = {"last_assistant_message": "\n".join(reply.text)}
            event = ended(builder.call(TranscriptLine(), reply.sid, data, key))
            builder.append(reply.sid, event)
            event["ts"] = reply.ended
