"""The replies of the API and their cost: one record per reply, however many lines tell it.

Invariant: the last line of a reply counts; a reply that may be whole in another file is held back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.events.hook_input.turn import ended
from journal.history.importer.seen import key_of
from journal.history.importer.transcript.builder import Maker
from journal.history.importer.transcript.records import Line
from journal.history.importer.transcript.text import identity, tokens

if TYPE_CHECKING:
    from journal.history.importer.offsets import Place

__all__ = ["SYNTHETIC", "Replies", "Reply"]

SYNTHETIC = "<synthetic>"
"""Model of a reply the client made up itself."""


class Reply:
    """One API response under way: lines that share its id.

    event: the record, in its place among the others; stop: why it ended ("" not told yet);
    offset: where its first line is.
    """

    __slots__ = ("event", "identity", "key", "offset", "place", "sid", "stop", "text")

    def __init__(self, about: tuple[str, str], sid: str, offset: int, place: Place) -> None:
        self.identity = about
        self.key = key_of("usage", *about)
        self.sid = sid
        self.offset = offset
        self.place = place
        self.event: dict[str, Any] = {}
        self.stop = ""
        self.text: list[str] = []


class Replies(Maker):
    """A file's replies. held: (place, event) of those that may be cut off here, whole elsewhere."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.held: list[tuple[Place, dict[str, Any]]] = []
        self._replies: dict[bool, Reply] = {}
        self._uses: dict[str, tuple[str, bytes, int]] = {}

    def settled(self) -> list[tuple[Place, dict[str, Any]]]:
        """Take the events before the first reply that is still under way."""
        waiting = [id(reply.event) for reply in self._replies.values() if reply.event]
        end = next(
            (at for at, item in enumerate(self.events) if id(item[1]) in waiting), len(self.events)
        )
        taken, self.events = self.events[:end], self.events[end:]
        return taken

    def _assistant(self, line: Line, sid: str, offset: int) -> None:
        message = line.message
        if message is None or line.isApiErrorMessage or message.model == SYNTHETIC:
            return
        side = line.isSidechain is True
        about = (
            message.id or line.uuid or f"{self.path}:{offset}",
            line.requestId or line.requestRef or "",
        )
        reply = self._replies.get(side)
        if reply is None or reply.identity != about:
            self._flush(side, sid)
            place = self.places.of(sid, self.cwd)
            reply = self._replies[side] = Reply(about, sid, offset, place)
        figures = tokens(line)
        if figures is not None:
            self._counted(reply, line, figures)
        reply.stop = message.stop_reason or reply.stop
        if isinstance(message.content, list):
            for block in message.content:
                if block.type == "tool_use" and block.id:
                    self._uses[block.id] = (block.name or "", bytes(block.input), offset)
                elif block.type == "text" and block.text:
                    reply.text.append(block.text)

    def _counted(self, reply: Reply, line: Line, figures: dict[str, int]) -> None:
        """Set the reply's figures to those of this line: the last one counts."""
        if not reply.event:
            assert line.message is not None
            reply.event = {
                **self.envelope(line, reply.sid, reply.place),
                "type": "usage.recorded",
                "key": reply.key,
                "message": identity(line.message.id),
                "request": identity(line.requestId),
                "model": identity(line.message.model),
                **figures,
                "source": "transcript",
            }
            self.keep(reply.place, reply.event)
        else:
            reply.event.update(figures)
            reply.event["ts"] = self.ts

    def _flush(self, side: bool, sid: str) -> None:
        """Settle a reply: keep its record in place, drop it as known, or hold it back."""
        reply = self._replies.pop(side, None)
        if reply is None:
            return
        if reply.event:
            if not reply.stop and sid != reply.sid:
                if reply.event["ts"] >= self.since:
                    self.held.append((reply.place, dict(reply.event)))
                reply.event.clear()
            elif not self._newer(reply):
                reply.event.clear()
        if reply.stop == "end_turn" and not side and not self.agent:
            self._turn(reply)

    def _newer(self, reply: Reply) -> bool:
        if self.since and reply.event["ts"] < self.since:
            return False
        if self.known.grown(reply.key, reply.event["output_tokens"]):
            return True
        self.repeated += 1
        return False

    def _turn(self, reply: Reply) -> None:
        if not self.new(key := key_of("turn", *reply.identity)):
            return
        data = {"last_assistant_message": "\n".join(reply.text)}
        self.keep(reply.place, ended(self.call(Line(), reply.sid, data, reply.place, key))[0])

    def _close(self, sid: str) -> None:
        """Whatever follows is no part of the main thread's reply."""
        if False in self._replies:
            self._flush(False, sid)
