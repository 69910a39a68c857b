"""The replies of the API and their tokens: one per reply, however many lines it takes.

Invariant: the last line of a reply counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from journal.history.importer.text import Figures, figures_of

if TYPE_CHECKING:
    from journal.history.importer.builder import Builder
    from journal.history.importer.records import TranscriptLine

BEGUN = 10
"""A tool call or a sentence has at least so many output tokens. Older clients (seen up to 2.1.42)
wrote in most lines only the count with which a reply begins, 1 to 9."""

_FEW = 8  # fewer such replies may be answers of a word
TURN_ENDED = "end_turn"
NO_FIGURES = Figures(0, 0, 0, 0, 0, is_fast=False)
_SYNTHETIC = "<synthetic>"  # model of a reply the client made up itself


def is_reply(line: TranscriptLine) -> bool:
    """Return whether a line of the assistant came from the API."""
    message = line.message
    return not (message is None or line.isApiErrorMessage or message.model == _SYNTHETIC)


def lacks_output(begun: int, replies: int) -> bool:
    """Return whether the output of replies is unknown: too many have only their first count.

    begun: number of the replies with fewer output tokens than BEGUN.
    """
    return _FEW <= begun > replies // 4


class Reply(Struct, eq=False, gc=False, omit_defaults=True):
    """One API response: the lines that share its id.

    name, request: its id, and that of its request; sid, offset: of its first line; figures, ts:
    those that count so far, NO_FIGURES without any; stop: why it ended ("" if unknown so far).
    agent, branch, model: of the first line with figures. The rest is for `ReplyEvents` alone:
    event, in its position among the others; text: of the reply; calls: whether it calls a tool;
    ended: time of its last line; is_last: whether a later line shows that its turn is over.
    """

    name: str
    request: str
    sid: str
    offset: int
    figures: Figures = NO_FIGURES
    ts: str = ""
    stop: str = ""
    agent: str = ""
    branch: str = ""
    model: str | None = None
    event: dict[str, Any] = {}
    text: list[str] = []
    calls: bool = False
    ended: str = ""
    is_last: bool = False

    @property
    def has_text(self) -> bool:
        """Return whether it has a visible text; Claude Code asks again for one without."""
        return any(map(str.strip, self.text))

    @property
    def ends_turn(self) -> bool:
        """Return whether its turn ends with it."""
        return self.is_last or (self.stop == TURN_ENDED and self.has_text)


class Replies:
    """The replies of a file. found: the closed ones, in order."""

    def __init__(self, builder: Builder) -> None:
        self.found: list[Reply] = []
        self._builder = builder
        self._open: dict[bool, Reply] = {}  # the main thread's and that of a sidechain

    def read(self, line: TranscriptLine, sid: str, offset: int) -> Reply:
        """Read a line of the open reply or of a new one; return that reply."""
        message = line.message
        assert message is not None
        side = line.isSidechain is True
        # A line without a message ID is a reply of its own.
        name = message.id or line.uuid or f"{self._builder.path}:{offset}"
        request = line.requestId or line.requestRef or ""
        reply = self._open.get(side)
        if reply is None or reply.name != name or reply.request != request:
            if reply is not None:
                self._close(side=side)
            reply = self._open[side] = Reply(name, request, sid, offset)
        figures = figures_of(message.usage)
        if figures is not None:
            if reply.figures is NO_FIGURES:
                self._begin(reply, line)
            reply.figures, reply.ts = figures, self._builder.ts
        if message.stop_reason:
            reply.stop = message.stop_reason
        return reply

    def close_main(self, sid: str, *, is_over: bool | None = None) -> None:  # noqa: ARG002 (for events)
        """Close the main thread's reply: the line that follows is not part of it.

        sid: of the line. is_over: whether it shows that the turn is over; None if it shows neither.
        """
        reply = self._open.get(False)
        if reply is not None:
            if is_over:
                reply.stop = TURN_ENDED
            self._close(side=False)

    def close_all(self) -> None:
        """Close all replies at the end of the file."""
        for side in list(self._open):
            self._close(side=side)

    def _begin(self, reply: Reply, line: TranscriptLine) -> None:
        """Read agent, branch and model from the first line with figures."""
        builder = self._builder
        assert line.message is not None
        reply.agent = builder.agent or line.subagent
        reply.branch, reply.model = builder.branch, line.message.model

    def _close(self, *, side: bool) -> Reply:
        """Close a reply."""
        reply = self._open.pop(side)
        if reply.figures is not NO_FIGURES:
            self.found.append(reply)
        return reply
