"""`journal events`: the records of the log.

Invariant: every whole record is shown once, in seq order, with the members it was written with,
even if its type is unknown.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from cli.error import OK
from cli.read import between, chosen, outcome, sessions_in, sid_of
from cli.render.event_text import summary_of
from cli.render.text import emit, json_of
from journal.bound import parse_bound
from journal.log.read import Reader
from journal.log.record import type_of, unframe
from journal.text import clip, one_line, padded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.scope import Scope

    Record = tuple[int, bytes]

__all__ = ["appended", "events", "line_of"]

_POLL = 0.25  # seconds between two checks with --follow


def events(
    scope: Scope,
    *,
    types: list[str] | None,
    since: str,
    until: str,
    limit: int | None,
    follow: bool,
) -> int:
    """Print events; the last `limit` of them."""
    scope.must_exist()
    reader = Reader(scope.directory)
    low = parse_bound(since, scope.now) if since else None
    high = parse_bound(until, scope.now, end=True) if until else None
    asked = chosen(scope.asked, sessions_in(scope.directory)) if scope.asked else ""
    found = _matching(between(reader.batches(), low, high), types or [], asked)
    if limit is not None:
        found = iter(deque(found, maxlen=limit))
    if follow:
        return _follow(scope, reader, found, types or [], asked)
    if scope.json:
        _print_array(found)
    else:
        emit(line_of(unframe(line), scope.columns) for _, line in found)
    return outcome(reader)


def line_of(fields: dict[str, Any], columns: int) -> str:
    """Return an event as one line: seq, time, session, type, what happened."""
    ts = str(fields.get("ts", ""))
    head = " ".join(
        (
            padded(str(fields.get("seq", "")), 5, right=True),
            padded(clip(one_line(ts[5:19].replace("T", " ")), 14), 14),
            padded(clip(one_line(str(fields.get("sid", "")))[:4], 4), 4),
            padded(clip(one_line(str(fields.get("type", ""))), 22), 18),
        )
    )
    return clip(f"{head} {one_line(summary_of(fields))}".rstrip(), columns)


def _matching(records: Iterable[Record], types: list[str], sid: str) -> Iterator[Record]:
    exact = {kind for kind in types if not kind.endswith(".")}
    prefixes = tuple(kind for kind in types if kind.endswith("."))
    for seq, line in records:
        if types:
            kind = type_of(line)
            if kind not in exact and not kind.startswith(prefixes or ("\0",)):
                continue
        if sid and sid_of(line) != sid:
            continue
        yield seq, line


def _print_array(records: Iterable[Record]) -> None:
    """Print a JSON array, one event a line, without holding it in memory."""
    lead = "[\n"
    for _, line in records:
        sys.stdout.write(lead + json_of(unframe(line)))
        lead = ",\n"
    sys.stdout.write("[]\n" if lead == "[\n" else "\n]\n")


def _follow(
    scope: Scope, reader: Reader, found: Iterable[Record], types: list[str], sid: str
) -> int:
    """Print the events so far and each new one: lines, or with --json one object per line."""
    _print_lines(scope, found)
    for fresh in appended(scope, reader):
        _print_lines(scope, _matching(fresh, types, sid))
    return OK


def _print_lines(scope: Scope, found: Iterable[Record]) -> None:
    for _, line in found:
        fields = unframe(line)
        emit([json_of(fields) if scope.json else line_of(fields, scope.columns)])
    sys.stdout.flush()


def appended(scope: Scope, reader: Reader) -> Iterator[list[Record]]:
    """Yield the records that follow those of `reader`, whenever some are appended, for ever."""
    while sys.stdout.writable():
        size = _size(scope)
        after = max(reader.last_seq, reader.after)
        reader = Reader(scope.directory, after, reader.position())
        fresh = list(reader)
        if fresh:
            yield fresh
        while _size(scope) == size and size:
            time.sleep(_POLL)


def _size(scope: Scope) -> tuple[int, int]:
    """Return inode and size of the active segment."""
    try:
        found = os.stat(os.path.join(scope.directory, "active.jsonl"))
    except OSError:
        return 0, 0
    return found.st_ino, found.st_size
