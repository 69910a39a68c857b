"""Messages to the person when the journal, or its answers, are off. No typed library here."""

from __future__ import annotations

import os
import sys

from journal.codec import digest, dumps
from projections.messages import answers_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.errors import JournalOffError
    from journal.events.hook_input import Call
    from journal.log.append import Writer

__all__ = ["is_announced", "journal_off", "without_packages"]

_ANNOUNCED = b'"what":"answers-off"'
_BLOCK = 4 * 1024 * 1024
_LINE = 4096  # bytes that the line of such an event stays below


def journal_off(error: JournalOffError) -> str:
    """Output of a SessionStart when nothing can be appended."""
    return _message(answers_off.journal_off(error.path, error.what, error.remedy))


def without_packages(call: Call, why: str) -> tuple[str, dict[str, Any]]:
    """Output and event for an interpreter that cannot answer; `why` goes on from its path."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    command = os.path.join(root, "bin", "journal")
    text = answers_off.answers_off(sys.executable, why, command)
    event = call.event(
        "advice.given",
        "",
        what=answers_off.WHAT,
        channel="message",
        hook=call.hook,
        characters=len(text),
        digest="b2:" + digest(text),
    )
    return _message(text), event


def is_announced(writer: Writer, sid: str) -> bool:
    """Return whether the active segment has the message for this session already.

    It is read only without msgspec. A `sid` of "" asks for the message of any session.
    """
    wanted = (_ANNOUNCED, b'"sid":%b' % dumps(sid)) if sid else (_ANNOUNCED,)
    at = 0
    while at < writer.size:
        block = writer.read(at, _BLOCK + _LINE)
        if _ANNOUNCED in block and any(
            all(w in line for w in wanted) for line in block.split(b"\n")
        ):
            return True
        at += _BLOCK
    return False


def _message(text: str) -> str:
    return dumps({"systemMessage": text}).decode()
