"""`journal export-session`: parts of a session become sessions of their own.

Invariant: nothing is written but what was picked, and that all or not at all; the same part of a
session is exported once.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from cli.error import OK
from cli.past.plan import Entry, entries, spans
from cli.past.select import pick as picked
from cli.render.text import emit, emit_json, table
from cli.write import RefusedError, needed_session
from journal.codec import digest, dumps
from journal.errors import JournalError, UsageError
from journal.events.registry import Unknown, decode
from journal.history.summaries.groups import FRAMING, OBSERVED, Group, group_of, grouped
from journal.log.read import Reader
from journal.log.record import CAP, type_of
from journal.text import one_line
from projections.digest import Digest, step
from projections.fold import REPEAT_SPAN
from projections.summary import summarize

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.history.summaries.groups import Told

__all__ = ["Part", "export_session", "parts_of"]

_KINDS = FRAMING | OBSERVED
_PLAN = 1024 * 1024  # characters of a plan that are read
_ROOM = CAP - 512  # bytes of a record; the rest is for its envelope
_LIST = "journal export-session shows the groups of a session"


class _Source(NamedTuple):
    """The session. events: of the kinds that make up work; seqs: of all its events.

    exported: key → id of what was exported of it before.
    """

    sid: str
    events: list[Told]
    seqs: frozenset[int]
    exported: dict[str, str]
    reader: Reader


class Part(NamedTuple):
    """A part to be exported. body: of its event; key: what tells it from every other part."""

    key: str
    group: Group
    body: dict[str, Any]


def export_session(
    scope: Scope, *, pick: str, plan: str, title: list[str] | None, dry_run: bool
) -> int:
    """Show the groups of a session's observations, and export those that are picked."""
    if pick.strip() and plan:
        raise UsageError("--pick and --plan are two choices", "give one of them")
    scope.must_exist()
    source = _source(scope)
    groups = grouped(source.events)
    if not groups and (pick.strip() or plan):
        raise RefusedError(_nothing(source))
    asked = bool(pick.strip() or plan)
    if not asked and not scope.json and groups:
        emit(_lines(scope, source, groups))
        if sys.stdin.isatty() and not dry_run:
            pick, asked = _ask(), True
    if not asked:
        return _shown(scope, source, groups)
    if plan:
        chosen = entries(_read(scope, plan), groups, source.seqs)
    else:
        chosen = [Entry("", groups[place].seqs) for place in picked(pick, len(groups))]
    return _export(
        scope, source, parts_of(source.sid, source.events, _titled(chosen, title)), dry_run=dry_run
    )


def parts_of(sid: str, events: list[Told], chosen: list[Entry]) -> list[Part]:
    """Summarise parts of a session. UsageError for one in which nothing was observed."""
    parts: dict[str, Part] = {}
    for at, entry in enumerate(chosen, 1):
        seqs = set(entry.seqs)
        within = [told for told in events if told[1].seq in seqs]
        group = group_of(within, entry.title)
        if not group.observations:
            raise UsageError(f"entry {at}: nothing was observed in these events", _LIST)
        key = digest(dumps(["session.exported", sid, group.seqs]))
        parts.setdefault(key, Part(key, group, _body(sid, within, group, entry.summary)))
    return list(parts.values())


def _body(sid: str, within: list[Told], group: Group, summary: str) -> dict[str, Any]:
    """Body of the event, of which the list of seqs is what gives way where it is too long."""
    found = Digest()
    for kind, event in within:
        found = step(found, kind, event)
    # A part is over, whatever becomes of the session it is from.
    made = summarize(replace(found, session=replace(found.session, ended=found.session.last)))
    body: dict[str, Any] = {
        "of": sid,
        "title": group.title,
        "summary": summary or made.summary,
        "decisions": made.decisions,
        "files": made.files,
        "engine": "claude" if summary else made.engine,
    }
    room = _ROOM - len(dumps(body)) - len(dumps(sid))
    each = len(str(group.last)) + 1
    return {**body, "seqs": _some(group.seqs, max(2, room // each))}


def _some(seqs: list[int], most: int) -> list[int]:
    """At most so many of them, from first to last."""
    if len(seqs) <= most:
        return seqs
    return [seqs[at * (len(seqs) - 1) // (most - 1)] for at in range(most)]


def _titled(chosen: list[Entry], titles: list[str] | None) -> list[Entry]:
    given = [" ".join(text.split()) for text in titles or ()]
    if len(given) > len(chosen):
        raise UsageError(f"{len(given)} titles for {len(chosen)} groups", "one --title for each")
    named = [
        entry._replace(title=title or entry.title)
        for entry, title in zip(chosen, given, strict=False)
    ]
    return [*named, *chosen[len(named) :]]


def _export(scope: Scope, source: _Source, parts: list[Part], *, dry_run: bool) -> int:
    """Append what was not exported before, in one go, and tell of each part what became of it."""
    from cli.write import append

    fresh = [part for part in parts if part.key not in source.exported]
    seqs: list[int] = []
    if fresh and not dry_run:
        seqs = append(scope, *(_event(scope, part) for part in fresh))
    made = {part.key: f"{source.sid}.{seq}" for part, seq in zip(fresh, seqs, strict=False)}
    rows = [(part, source.exported.get(part.key) or made.get(part.key, "")) for part in parts]
    if scope.json:
        emit_json(
            {
                "session": source.sid,
                "dry_run": dry_run,
                "appended": seqs,
                "exported": [_told(part, sid, new=part.key in made) for part, sid in rows],
            }
        )
        return OK
    if not rows:
        emit(["nothing was chosen, nothing is exported"])
    emit(_row(part, sid, new=part.key in made) for part, sid in rows)
    return OK


def _event(scope: Scope, part: Part) -> dict[str, Any]:
    """Event of a part. It belongs to the session the command runs in, if to any."""
    event = scope.event("session.exported", scope.current, **part.body)
    return {
        "type": event.pop("type"),
        "v": event.pop("v"),
        "sid": event.pop("sid"),
        "key": part.key,
        **event,
    }


def _row(part: Part, sid: str, *, new: bool) -> str:
    what = f"{one_line(part.group.title)} ({_counted(part.group.observations)})"
    if new:
        return f"exported as {sid}: {what}"
    return f"exported before as {sid}: {what}" if sid else f"would be exported: {what}"


def _told(part: Part, sid: str, *, new: bool) -> dict[str, Any]:
    return {
        "session": sid or None,
        "new": new,
        "observations": part.group.observations,
        "events": len(part.group.seqs),
        **part.body,
        "seqs": ",".join(spans(part.group.seqs)),
    }


def _source(scope: Scope) -> _Source:
    """Read the session the command is about. UsageError where none is named."""
    from cli.read import chosen, sessions_in, sid_of

    if scope.asked:
        sid = chosen(scope.asked, sessions_in(scope.directory))
    else:
        sid = str(scope.event("", needed_session(scope, "an export"))["sid"])
    reader = Reader(scope.directory)
    events: list[Told] = []
    seqs: set[int] = set()
    exported: dict[str, str] = {}
    known: dict[tuple[str, str], int] = {}
    for batch in reader.batches():
        for seq, line in batch:
            kind = type_of(line)
            mine = sid_of(line) == sid
            if mine:
                seqs.add(seq)
            if kind != "session.exported" and not (mine and kind in _KINDS):
                continue
            event = decode(line, kind)
            if isinstance(event, Unknown) or _again(known, kind, event.key, seq):
                continue
            if kind != "session.exported":
                events.append((kind, event))
            elif getattr(event, "of", "") == sid:
                exported[event.key] = f"{sid}.{seq}"
    return _Source(sid, events, frozenset(seqs), exported, reader)


def _again(known: dict[tuple[str, str], int], kind: str, key: str, seq: int) -> bool:
    """Whether this is the same hook call once more, as a fold tells it."""
    before = known.get((kind, key), -REPEAT_SPAN - 1) if key else None
    if before is None:
        return False
    if seq - before <= REPEAT_SPAN:
        return True
    known[kind, key] = seq
    return False


def _shown(scope: Scope, source: _Source, groups: list[Group]) -> int:
    """Show the groups, and that nothing was written."""
    from cli.read import outcome

    if scope.json:
        emit_json(
            {
                "session": source.sid,
                "groups": [_facts(source, at, group) for at, group in enumerate(groups, 1)],
            }
        )
    elif not groups:
        emit([_nothing(source)])
    else:
        emit(["", "--pick 1,3 exports those; nothing is written without"])
    return outcome(source.reader)


def _facts(source: _Source, number: int, group: Group) -> dict[str, Any]:
    facts = group._asdict()
    facts |= {"seqs": ",".join(spans(group.seqs)), "prompts": [p[:200] for p in group.prompts[:5]]}
    return {"number": number, **facts, "exported": _before(source, group) or None}


def _before(source: _Source, group: Group) -> str:
    return source.exported.get(digest(dumps(["session.exported", source.sid, group.seqs])), "")


def _lines(scope: Scope, source: _Source, groups: list[Group]) -> list[str]:
    """Lay out the groups as a table."""
    rows = [
        (
            f"{at}.",
            group.title,
            group.why,
            group.observations,
            group.failures or "",
            len(group.files) or "",
            group.started[5:16].replace("T", " "),
            "yes" if _before(source, group) else "",
        )
        for at, group in enumerate(groups, 1)
    ]
    heads = ("", "group", "by", "calls", "failed", "files", "from", "exported")
    if not any(row[-1] for row in rows):
        rows, heads = [row[:-1] for row in rows], heads[:-1]  # type: ignore[misc,assignment]
    return table(rows, scope.columns, heads=heads, flexible=1, right=(0, 3, 4, 5))


def _ask() -> str:
    sys.stderr.write("Export which (1,3 or 1-3 or all; nothing: none)? ")
    sys.stderr.flush()
    return sys.stdin.readline()


def _read(scope: Scope, plan: str) -> str:
    """Text of a plan: a file, or stdin."""
    if plan == "-":
        text = sys.stdin.read(_PLAN + 1)
    else:
        path = os.path.join(scope.cwd, os.path.expanduser(plan))
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(_PLAN + 1)
        except UnicodeDecodeError:
            raise JournalError(plan, "is no text file") from None
    if len(text) > _PLAN:
        raise UsageError(f"the plan is longer than {_PLAN:,} characters", _LIST)
    return text


def _nothing(source: _Source) -> str:
    return f"session {source.sid} has no observation that could be exported"


def _counted(number: int) -> str:
    return "1 observation" if number == 1 else f"{number:,} observations"
