"""Digests of short histories, and the bodies of events that they are made of."""

from __future__ import annotations

from typing import Any

from journal.events.registry import decode
from journal.log.record import frame, type_of
from projections.digest import Digest
from projections.digests import PROJECTION, step
from projections.fold import Fold
from tests.projections.timeline import timeline


def folded(text: str) -> dict[str, Digest]:
    """Return the digests of a history."""
    return Fold([PROJECTION]).feed(timeline(text)).states["digests"].sessions


def one(text: str, sid: str = "a") -> Digest:
    """Return the digest of the only session of a history."""
    return folded(text)[sid]


def fed(*events: dict[str, Any]) -> Digest:
    """Return the digest after events given as fields, one per minute."""
    digest = Digest()
    for seq, fields in enumerate(events, 1):
        head = {"ts": f"2026-11-21T09:{seq % 60:02}:00.000Z", "v": 1, "sid": "a"}
        line = frame(seq, {**head, **fields})[:-1]
        kind = type_of(line)
        digest = step(digest, kind, decode(line, kind))
    return digest


COMPACT = """1. Primary Request and Intent:
   The user asked for rounding per line in the cart.

2. Key Technical Concepts:
   - Decimal

7. Pending Tasks:
   - Round the tax as well
   - Write the migration

8. Current Work:
   The rounding of cart lines moved into money.py. All callers of total() use it now.
   The tests of the cart were rewritten. Some names were changed.

9. Optional Next Step:
   Continue.
"""
"""A compaction summary as Claude writes one."""

SUMMED = {"type": "session.summarized", "of": "a", "upto": 1, "title": "Summed up", "sid": ""}


def prompt(text: str, **more: Any) -> dict[str, Any]:
    """Build the event of a prompt."""
    return {"type": "prompt.submitted", "origin": "human", "text": text, **more}


def tool(name: str, target: str = "", **more: Any) -> dict[str, Any]:
    """Build the event of a successful tool call."""
    return {"type": "tool.finished", "tool": name, "target": target, **more}


def failed(name: str, target: str = "", error: str = "boom", **more: Any) -> dict[str, Any]:
    """Build the event of a failed tool call."""
    return {"type": "tool.failed", "tool": name, "target": target, "error": error, **more}
