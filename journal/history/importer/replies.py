"""The replies of the API and their cost: one record per reply, however many lines it takes.

Invariant: the last line of a reply counts; one that may be complete in another file is held back.
"""

from typing import Any

from msgspec import Struct

from journal.events.hook_input import safe_id
from journal.events.hook_input.turn import ended
from journal.history.importer.builder import Builder
from journal.history.importer.owners import Destination
from journal.history.importer.records import TranscriptLine
from journal.history.importer.state import key_of
from journal.history.importer.text import tokens

_TURN_ENDED = "end_turn"
_SYNTHETIC = "<synthetic>"  # model of a reply the client made up itself


def is_reply(line: TranscriptLine) -> bool:
    """Return whether a line of the assistant came from the API."""
    message = line.message
    return not (message is None or line.isApiErrorMessage or message.model == _SYNTHETIC)


class _Reply(Struct, eq=False):
    """One API response: the lines that share its id.

    event: the record, in its position among the others; stop: why it ended ("" if unknown so far);
    offset: of its first line; ts: time of its last one; calls: whether it calls a tool; is_last:
    whether a later line shows that its turn is over.
    """

    identity: tuple[str, str]
    sid: str
    offset: int
    event: dict[str, Any] = {}
    stop: str = ""
    ts: str = ""
    text: list[str] = []
    calls: bool = False
    is_last: bool = False

    @property
    def has_text(self) -> bool:
        """Return whether it has a visible text; Claude Code asks again for one without."""
        return any(map(str.strip, self.text))

    @property
    def ends_turn(self) -> bool:
        """Return whether its turn ends with it."""
        return self.is_last or (self.stop == _TURN_ENDED and self.has_text)


class Replies:
    """A file's replies. held: (destination, event) of those that may be cut off here."""

    def __init__(self, builder: Builder) -> None:
        self.held: list[tuple[Destination, dict[str, Any]]] = []
        self._builder = builder
        self._open: dict[bool, _Reply] = {}  # the main thread's and that of a sidechain

    def read(self, line: TranscriptLine, sid: str, offset: int) -> None:
        """Read a line of a reply: of a new one, or of the open one."""
        message = line.message
        assert message is not None
        side = line.isSidechain is True
        name, request = line.reply
        identity = (name or f"{self._builder.path}:{offset}", request)
        reply = self._open.get(side)
        if reply is None or reply.identity != identity:
            self._close(sid, side=side)
            reply = self._open[side] = _Reply(identity, sid, offset)
        figures = tokens(line)
        if figures is not None:
            self._count(reply, line, figures)
        reply.stop = message.stop_reason or reply.stop
        reply.ts = self._builder.ts
        reply.text += [block.text for block in line.blocks if block.type == "text" and block.text]
        reply.calls |= any(block.type == "tool_use" for block in line.blocks)

    def close_main(self, sid: str, *, is_over: bool | None = None) -> None:
        """Close the main thread's reply: the line that follows is not part of it.

        is_over: whether the line shows that the turn is over; None if it shows neither. Many
        versions of Claude Code recorded no reason why a reply ended: then a reply with a text and
        without a tool call ended its turn.
        """
        reply = self._open.get(False)
        if reply is None:
            return
        may_be_over = (
            is_over is None and sid == reply.sid
        )  # a line of another session shows nothing
        if is_over or (may_be_over and reply.has_text and not (reply.stop or reply.calls)):
            reply.stop, reply.is_last = _TURN_ENDED, True
        self._close(sid, side=False)

    def close_all(self) -> None:
        """Close all replies at the end of the file."""
        for side in list(self._open):
            self._close("", side=side)

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

    def _count(self, reply: _Reply, line: TranscriptLine, figures: dict[str, Any]) -> None:
        """Set the reply's figures to those of this line: the last one counts."""
        if reply.event:
            reply.event.update(figures)
            reply.event["ts"] = self._builder.ts
            return
        assert line.message is not None
        destination = self._builder.destination(reply.sid)
        reply.event = {
            **self._builder.envelope(line, reply.sid, destination),
            "type": "usage.recorded",
            "key": key_of("usage", *reply.identity),
            "message": safe_id(line.message.id),
            "request": safe_id(line.requestId),
            "model": safe_id(line.message.model),
            **figures,
            "source": "transcript",
        }
        self._builder.append(reply.sid, reply.event)

    def _close(self, sid: str, *, side: bool) -> None:
        """Close a reply: its record stays in its position, is dropped as recorded, or held back."""
        reply = self._open.pop(side, None)
        if reply is None:
            return
        builder, event = self._builder, reply.event
        if event and not reply.stop and sid != reply.sid:
            if event["ts"] >= builder.since:
                self.held.append((builder.destination(reply.sid), dict(event)))
            event.clear()
        elif event and not (event["ts"] >= builder.since and self._is_newer(event)):
            event.clear()
        if reply.ends_turn and not side and not builder.agent:
            self._end_turn(reply)

    def _is_newer(self, event: dict[str, Any]) -> bool:
        if self._builder.recorded.add(event["key"], event["output_tokens"]):
            return True
        self._builder.repeated += 1
        return False

    def _end_turn(self, reply: _Reply) -> None:
        builder = self._builder
        if builder.is_new(key := key_of("turn", *reply.identity)):
            data = {"last_assistant_message": "\n".join(reply.text)}
            event = ended(builder.call(TranscriptLine(), reply.sid, data, key))
            builder.append(reply.sid, event)
            event["ts"] = reply.ts
