"""The envelope that all events share, and `Unknown` for records of unknown type.

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


class Unknown:
    """A record whose type or version this build does not know; kept byte for byte, and counted."""

    __slots__ = ("line", "seq", "sid", "ts", "type", "v")

    def __init__(self, seq: int, ts: str, type_: str, v: int, sid: str, line: bytes) -> None:
        self.seq = seq
        self.ts = ts
        self.type = type_
        self.v = v
        self.sid = sid
        self.line = line
