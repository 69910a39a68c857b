"""Models of packs: to save, saved, and queued for a session."""

from typing import Annotated

from pydantic import Field

from cli.serve.schemas.base import ID, Id, Schema
from journal.history.packs import WAITS

PACK = 40  # sessions in a pack


class NewPack(Schema):
    """A pack to save: sessions in the order of the pack. send_to: session to queue it for.

    text: replaces the sessions' own blocks; note: put before them.
    """

    sessions: Annotated[list[Id], Field(min_length=1, max_length=PACK)]
    title: str = ""
    note: str = ""
    text: str = ""
    send_to: Annotated[str, Field(max_length=ID)] = ""


class QueuedPack(Schema):
    """A pack queued for one injection at the next prompt or recovery of a session's lineage.

    seq: event that queued it, which the injection names. waits: a phrase: what it waits for.
    """

    to: str
    project: str
    seq: int
    characters: int
    waits: str = WAITS


class SavedPack(Schema):
    """A saved pack. pack: its id; project: whose journal holds it.

    queued: null if it was not sent to a session.
    """

    pack: str
    project: str
    title: str
    characters: int
    tokens: int
    sources: list[str]
    queued: QueuedPack | None
