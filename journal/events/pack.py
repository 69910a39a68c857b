"""Events of packs: texts made of past sessions, stored, and sent to a session.

A text that does not fit a record comes in parts, 1 to `parts`, in consecutive records.
"""

from journal.events.base import Event


class PackSaved(Event, frozen=True, kw_only=True, tag="pack.saved"):
    """The user made a pack. pack: its id; sids: its sessions in order.

    sources: the events that the text comes from, as "project#seq".
    """

    pack: str = ""
    title: str = ""
    sids: list[str] = []
    text: str = ""
    sources: list[str] = []
    part: int = 1
    parts: int = 1


class ContextQueued(Event, frozen=True, kw_only=True, tag="context.queued"):
    """A text to inject once, at the next prompt or recovery of session `to` or its successors.

    pack: id of the saved pack, "" for none. A `context.injected` of what "pack", with this event's
    seq (that of part 1) as its reason, marks it as injected.
    """

    to: str = ""
    pack: str = ""
    title: str = ""
    text: str = ""
    sources: list[str] = []
    part: int = 1
    parts: int = 1
