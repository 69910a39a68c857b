"""`journal events`: the records of the project, recorded by hooks and imported.

Invariant: every fact is shown once, in the order of the timeline, with the members its record was
written with and how it is cited, even if its type is unknown.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from cli.error import OK
from cli.import_.automatic import need_history
from cli.read import asked_session, bound_of
from cli.render.event_text import summary_of
from cli.render.local_time import local_second, zone_note
from cli.render.text import emit, emit_array, json_of
from cli.scope import Scope
from journal.bound import check_order
from journal.events.registry import KINDS
from journal.history.logs import LIVE
from journal.history.merged import Timeline, TimelineRecord, between
from journal.history.replay.facts import sid_of, ts_of
from journal.log.read import Reader
from journal.log.record import ACTIVE, type_of
from journal.text import clip, one_line, padded, suggestion, wrapped

Record = tuple[int, bytes]

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
    """Print events, or only the last `limit` ones."""
    need_history(scope)
    timeline = Timeline(scope.directory)
    low, high = bound_of(since, scope), bound_of(until, scope, end=True)
    check_order(low, high)
    asked = asked_session(scope)
    found = _matching(between(timeline.entries(), low, high), types or [], asked)
    if limit is not None:
        found = iter(deque(found, maxlen=limit))
    if follow:
        _print_lines(scope, found)
        for records in appended(scope, timeline.live):
            new = (TimelineRecord(ts_of(line), LIVE, seq, line) for seq, line in records)
            _print_lines(scope, _matching(new, types or [], asked))
    elif scope.json:
        emit_array(entry.fields for entry in found)
    else:
        is_first = True
        for entry in found:
            emit([zone_note(scope.now)] if is_first else [])
            emit([line_of(scope, entry.fields)])
            is_first = False
        if is_first:
            emit(wrapped(_nothing(types or []), scope.columns))
    return OK


def _nothing(types: list[str]) -> str:
    """Return that no event matches, and which asked types no version of the journal records."""
    for kind in types:
        if not any(
            name == kind or (name.startswith(kind) and kind.endswith(".")) for name in KINDS
        ):
            maybe = suggestion(kind, KINDS) or "docs/events.md lists the types."
            return f"No event matches: the journal knows no type {one_line(kind)}; {maybe}"
    return "No event matches; journal events without options shows all."


def line_of(scope: Scope, fields: dict[str, Any]) -> str:
    """Return an event as one line: seq, time, session, type, what happened."""
    ts = str(fields.get("ts", ""))
    head = " ".join(
        (
            padded(str(fields.get("cite") or fields.get("seq", "")), 5, right=True),
            padded(clip(one_line(local_second(ts, scope.now)), 19), 14),
            padded(clip(one_line(str(fields.get("sid", "")))[:4], 4), 4),
            padded(clip(one_line(str(fields.get("type", ""))), 22), 18),
        )
    )
    return clip(f"{head} {one_line(summary_of(fields))}".rstrip(), scope.columns)


def _matching(
    entries: Iterable[TimelineRecord], types: list[str], sid: str
) -> Iterator[TimelineRecord]:
    exact = {kind for kind in types if not kind.endswith(".")}
    prefixes = tuple(kind for kind in types if kind.endswith("."))
    for entry in entries:
        if types:
            kind = type_of(entry.line)
            if kind not in exact and not kind.startswith(prefixes or ("\0",)):
                continue
        if sid and sid_of(entry.line) != sid:
            continue
        yield entry


def _print_lines(scope: Scope, found: Iterable[TimelineRecord]) -> None:
    """Print events that `--follow` has found: lines, or with --json one object per line."""
    for entry in found:
        fields = entry.fields
        emit([json_of(fields) if scope.json else line_of(scope, fields)])
    sys.stdout.flush()


def appended(scope: Scope, reader: Reader) -> Iterator[list[Record]]:
    """Yield the records after those of `reader` as they are appended, without end."""
    while sys.stdout.writable():
        size = _size(scope)
        after = max(reader.last_seq, reader.after)
        reader = Reader(scope.directory, after, reader.position())
        if records := list(reader):
            yield records
        while _size(scope) == size and size:
            time.sleep(_POLL)


def _size(scope: Scope) -> tuple[int, int]:
    """Return inode and size of the active segment."""
    try:
        found = os.stat(os.path.join(scope.directory, ACTIVE))
    except OSError:
        return 0, 0
    return found.st_ino, found.st_size
