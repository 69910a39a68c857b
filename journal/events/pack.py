"""Events of packs: texts put together of past sessions, kept, and sent to a session.

A text longer than a record holds comes in parts, 1 to `parts`, one record each in a row.
"""

from journal.events.base import Event


class PackSaved(Event, frozen=True, kw_only=True, tag="pack.saved"):
    """A person put a pack together. pack: its id; sids: sessions it was made of, in their order.

    sources: the events the text was made from, as "project#seq".
    """

    pack: str = ""
    title: str = ""
    sids: list[str] = []
    text: str = ""
    sources: list[str] = []
    part: int = 1
    parts: int = 1


class ContextQueued(Event, frozen=True, kw_only=True, tag="context.queued"):
    """A text waits for the next prompt or recovery of session `to`'s lineage, to be injected once.

    pack: id of the saved pack, "" for none. What consumes it is `context.injected` of what "pack",
    with this event's seq (that of part 1) as its reason.
    """

    to: str = ""
    pack: str = ""
    title: str = ""
    text: str = ""
    sources: list[str] = []
    part: int = 1
    parts: int = 1
