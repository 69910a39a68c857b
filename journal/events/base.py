"""The envelope of all events, the facts that several carry, and records of unknown type.

Envelope: seq (dense, 1.., the only order), ts (ISO 8601 UTC, a claim), type (the tag), v (version
of the type), sid (session id, "" for none), agent (subagent id), prompt (prompt_id), key
(idempotency key), cwd (directory if not the project's root), branch, imported (backfilled from a
transcript: never answers a hook), via ("reconciled": no hook recorded it, so it was added from the
transcript later, with the transcript's `ts`), us (processor time of the hook until the append, in
microseconds).
"""

from msgspec import Struct


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of all typed events; its members are the envelope."""

    seq: int = 0
    ts: str = ""
    v: int = 1
    sid: str = ""
    agent: str = ""
    prompt: str = ""
    key: str = ""
    cwd: str = ""
    branch: str = ""
    imported: bool = False
    via: str = ""
    us: int = 0


class Unknown(Struct):
    """A record whose type or version this build does not know; kept byte for byte, and counted."""

    seq: int
    ts: str
    type: str
    v: int
    sid: str
    line: bytes


class Flow(Struct, frozen=True, omit_defaults=True):
    """The work log (`.claude/context/progress.md`) when the event happened.

    entries: number of h2 sections; dated: number of those with a date; headings: the 3 newest;
    digests: of the headings, newest first, at most 64; path: of the file.
    """

    entries: int = 0
    dated: int = 0
    headings: list[str] = []
    digests: list[str] = []
    path: str = ""


class StockFile(Struct, frozen=True, omit_defaults=True):
    """One learnings file.

    path: of the file; total: number of learnings; unverified: number of those never confirmed;
    average: confirmations per confirmed learning.
    """

    path: str = ""
    total: int = 0
    unverified: int = 0
    average: float | None = None


class Stock(Struct, frozen=True, omit_defaults=True):
    """The learnings files together.

    total: number of learnings; unverified: number of those never confirmed; average:
    confirmations per confirmed learning; last: date of the latest confirmation (ISO); files:
    each file.
    """

    total: int = 0
    unverified: int = 0
    average: float | None = None
    last: str | None = None
    files: list[StockFile] = []
