"""Export parts of a session as sessions of their own: its groups, and the events of each part.

Invariant: the same part of a session always has the same key, so it is exported only once.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from journal.codec import digest, dumps
from journal.errors import UsageError
from journal.history.replay.facts import events_in, sid_of
from journal.history.summaries.groups import FRAMING, OBSERVATIONS, Group, KindEvent, build_group
from journal.log.read import Reader
from journal.log.record import CAP, type_of
from projections.digest import Digest
from projections.digests import step
from projections.summary import summarize

_KINDS = FRAMING | OBSERVATIONS
_EXPORTED = "session.exported"
_BODY = CAP - 512  # maximum bytes of a body; the rest of the record is for the envelope


class PartSource(NamedTuple):
    """A session to export from. events: those that can be in a group; seqs: of all its events.

    exported: key → ID of each part that has already been exported.
    """

    sid: str
    events: list[KindEvent]
    seqs: frozenset[int]
    exported: dict[str, str]


class PartChoice(NamedTuple):
    """One part to export. title, summary: "" to have them generated; seqs: ascending."""

    title: str
    seqs: list[int]
    summary: str = ""


class SessionPart(NamedTuple):
    """A part to export. body: of its event; key: unique to this part."""

    key: str
    group: Group
    body: dict[str, Any]


def read_source(directory: str, sid: str) -> PartSource:
    """Read one session of a journal; a repeated hook call counts once, as in every fold."""
    seqs: set[int] = set()

    def records() -> Iterator[tuple[int, bytes]]:
        for seq, line in Reader(directory):
            own = sid_of(line) == sid
            if own:
                seqs.add(seq)
            if own or type_of(line) == _EXPORTED:
                yield seq, line

    events = list(events_in(records(), _KINDS | {_EXPORTED}))
    return PartSource(
        sid,
        [(kind, event) for kind, event in events if kind != _EXPORTED],
        frozenset(seqs),
        {
            event.key: f"{sid}.{event.seq}"
            for kind, event in events
            if kind == _EXPORTED and event.of == sid
        },
    )


def parts_of(sid: str, events: list[KindEvent], chosen: list[PartChoice]) -> list[SessionPart]:
    """Build the chosen parts of a session. Raise UsageError for one without observations."""
    parts: dict[str, SessionPart] = {}
    for at, choice in enumerate(chosen, 1):
        seqs = set(choice.seqs)
        within = [pair for pair in events if pair[1].seq in seqs]
        group = build_group(within, choice.title)
        if not group.observations:
            raise UsageError(
                f"entry {at}: these events hold no observation",
                "`journal export-session` shows the groups of a session",
            )
        key = key_of(sid, group)
        parts.setdefault(key, SessionPart(key, group, _body(sid, within, group, choice.summary)))
    return list(parts.values())


def key_of(sid: str, group: Group) -> str:
    """Return the key of a group of a session, which no other part has."""
    return digest(dumps([_EXPORTED, sid, group.seqs]))


def _body(sid: str, within: list[KindEvent], group: Group, summary: str) -> dict[str, Any]:
    """Return the body of the event; if it is too long, leave out some of its seqs."""
    found = Digest()
    for kind, event in within:
        found = step(found, kind, event)
    # A part is over, even if its session is still open.
    made = summarize(replace(found, session=replace(found.session, ended=found.session.last)))
    body: dict[str, Any] = {
        "of": sid,
        "title": group.title,
        "summary": summary or made.summary,
        "decisions": made.decisions,
        "files": made.files,
        "engine": "claude" if summary else made.engine,
    }
    free = _BODY - len(dumps(body)) - len(dumps(sid))
    each = len(str(group.last)) + 1
    return {**body, "seqs": _sample(group.seqs, max(2, free // each))}


def _sample(seqs: list[int], most: int) -> list[int]:
    """Return at most `most` of them, evenly spaced, including the first and the last."""
    if len(seqs) <= most:
        return seqs
    return [seqs[at * (len(seqs) - 1) // (most - 1)] for at in range(most)]
