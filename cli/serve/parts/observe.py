"""Observations of a session: its tool calls, read from the log, and one added to it.

Invariant: an observation is recorded whole, with its long texts cut and its secrets replaced, or
not at all; what is read is what the log says, whoever wrote it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.read import sid_of
from cli.serve.place import ConflictError
from cli.serve.shapes import TITLE, ObservationIn, ObservationOut, Observations, Recorded
from cli.write import append
from journal.codec import digest
from journal.events.hook_input.call import clip
from journal.events.registry import decode
from journal.log.read import Reader
from journal.log.record import type_of
from journal.redaction.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.serve.place import JournalScope
    from journal.history.search.index import Past

__all__ = ["observations", "record"]

_KINDS = frozenset(("tool.finished", "tool.failed"))
_TOOL = 120
_ERROR = 300
_LOOKED_AT = 8 * TITLE  # characters looked at for secrets, so that none is cut in two and missed


def observations(past: Past, directory: str, after: int, limit: int) -> Observations:
    """Read a page of a session's tool calls. directory: journal of its project."""
    found: list[ObservationOut] = []
    more = False
    keys: set[str] = set()
    for kind, line in _lines(past, directory, after):
        event: Any = decode(line, kind)
        if not hasattr(event, "tool") or (event.key and event.key in keys):
            continue
        if len(found) == limit:
            more = True
            break
        keys.add(event.key)
        found.append(_shown(event))
    return Observations(
        session=past.digest.sid,
        project=past.project,
        items=found,
        next=found[-1].seq if more else None,
    )


def _lines(past: Past, directory: str, after: int) -> Iterator[tuple[str, bytes]]:
    """Give the lines of tool calls of a session, or of the part of one that was exported."""
    one = past.digest
    sid, only = one.of or one.sid, frozenset(one.seqs)
    first = min(one.seqs, default=one.first) if one.of else one.first
    last = max(one.seqs, default=0) if one.of else one.seq if one.session.ended else 0
    if one.imported:
        directory = os.path.join(directory, "imported")
    for batch in Reader(directory, max(after, first - 1, 0)).batches():
        for seq, line in batch:
            if last and seq > last:
                return
            kind = type_of(line)
            if kind in _KINDS and sid_of(line) == sid and (not one.of or seq in only):
                yield kind, line


def _shown(event: Any) -> ObservationOut:
    error = str(getattr(event, "error", ""))
    return ObservationOut(
        seq=event.seq,
        at=event.ts,
        tool=event.tool,
        title=event.target,
        text=event.subject,
        ok=not hasattr(event, "error"),
        error=error,
        ms=event.ms,
        changed=bool(getattr(event, "changed", False)),
        tests=event.tests,
        size=event.output_size,
        agent=event.agent,
    )


def record(scope: JournalScope, sid: str, given: ObservationIn) -> Recorded:
    """Append an observation to a session that is known; ConflictError where nothing is captured."""
    level = scope.settings["capture.level"]
    if level == "off":
        raise ConflictError(
            "", "capture is off", "capture.level rules it: journal config shows where"
        )
    full = level == "full"
    texts = {
        "tool": (given.tool, _TOOL),
        "title": (given.title, TITLE),
        "text": (given.text, TITLE),
        "error": (given.error, _ERROR),
    }
    cut = [name for name, (text, most) in texts.items() if len(text) > most]
    kept = {name: clip(redact(text[:_LOOKED_AT]), most) for name, (text, most) in texts.items()}
    failed = not given.ok or bool(given.error)
    output = given.error if failed and given.error else given.text
    body: dict[str, Any] = {
        "tool": kept["tool"],
        "target": kept["title"] if full else "",
        "subject": kept["text"] if full else "",
        "ms": given.ms,
        "output_size": len(output),
        "digest": "b2:" + digest(output) if output else "",
    }
    if failed:
        body["error"] = (kept["error"] or "failed") if full else ""
    else:
        body["changed"] = given.changed
    event = scope.event("tool.failed" if failed else "tool.finished", sid, **body)
    (seq,) = append(scope, event)
    return Recorded(session=sid, project=scope.project.name, seq=seq, truncated=cut)
