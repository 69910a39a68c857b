"""Events of packs: texts made of past sessions, stored, and sent to a session.

A text that does not fit a record comes in parts, 1 to `parts`, in consecutive records.
"""

from journal.events.base import Event


class PackSaved(Event, frozen=True, kw_only=True, tag="pack.saved"):
    """The user saved a pack.

    pack: its ID; title: its title; sids: its sessions, in order; text: this part of the pack;
    sources: the events that the text comes from, as "project#seq"; part, parts: number of this
    part, number of all.
    """

    pack: str = ""
    title: str = ""
    sids: list[str] = []
    text: str = ""
    sources: list[str] = []
    part: int = 1
    parts: int = 1


class ContextQueued(Event, frozen=True, kw_only=True, tag="context.queued"):
    """A text waits for the next prompt or recovery of a session.

    to: the session, or a successor of it; pack: ID of the saved pack, "" for none; title: its
    title; text: this part of the text; sources: the events that it comes from; part, parts:
    number of this part, number of all. The `context.injected` that delivers it has the sequence
    number of part 1 as its reason.
    """

    to: str = ""
    pack: str = ""
    title: str = ""
    text: str = ""
    sources: list[str] = []
    part: int = 1
    parts: int = 1
