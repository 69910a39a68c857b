"""Packs: texts made of past sessions, saved in the journal and sent to a session.

A pack that is sent waits in the journal itself until that session's lineage takes it at its next
prompt or recovery, once. Invariant: what can be refused is refused before anything is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cli.error import warn
from journal.codec import digest, dumps
from journal.errors import UsageError
from journal.redaction.redact import redact_value
from projections.messages.message import width
from projections.queue import MOST, PER_LINEAGE, TEXT, waiting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.scope import Scope

__all__ = ["LONGEST", "Pack", "check", "packs", "queue", "save", "save_and_queue"]

LONGEST = 200_000  # characters of a saved text
_PIECE = 9_000  # bytes of a text's JSON in one record
_EACH = 24  # sids or sources in one record
_TITLE = 200
_NAME = 200  # characters of a sid or a source


class Pack(NamedTuple):
    """A saved pack. seq, at: of the event that saved it; sources: "project#seq"."""

    id: str
    seq: int
    at: str
    title: str
    sids: list[str]
    text: str
    sources: list[str]


def save(scope: Scope, title: str, sids: Sequence[str], text: str, sources: Sequence[str]) -> str:
    """Save a pack; give its id. UsageError for a text that is empty or too long."""
    from cli.write import append

    name, events = _saved(scope, title, sids, text, sources)
    append(scope, *events)
    return name


def queue(
    scope: Scope, to: str, *, title: str, text: str, sources: Sequence[str] = (), pack: str = ""
) -> int:
    """Send a text to session `to`; give the seq it is traced by. UsageError as `check`."""
    from cli.write import append

    check(scope, to, text)
    return append(scope, *_queued(scope, to, title, text, sources, pack))[0]


def save_and_queue(
    scope: Scope, to: str, title: str, sids: Sequence[str], text: str, sources: Sequence[str]
) -> tuple[str, int]:
    """Save a pack and send it, both in one write or neither; give its id and the queued seq."""
    from cli.write import append

    check(scope, to, text)
    name, events = _saved(scope, title, sids, text, sources)
    seqs = append(scope, *events, *_queued(scope, to, title, text, sources, name))
    return name, seqs[len(events)]


def check(scope: Scope, to: str, text: str) -> None:
    """UsageError where a text cannot be sent to session `to`; nothing is written.

    The text is measured as it is sent, in JSON, where a line break or a quote takes two characters.
    """
    if not text.strip():
        raise UsageError("there is nothing to send: the text is empty")
    if (size := width(_clean(text))) > TEXT:
        raise UsageError(
            f"the text takes {size:,} characters as it is sent; {TEXT:,} is the most",
            "choose fewer sessions, or shorten it",
        )
    if not _is_known(scope, to):
        raise UsageError(
            f"there is no session {to or '(none)'} in this journal",
            "journal view sessions lists them",
        )
    from cli.read import fold

    states = fold(scope, ("queue", "lineage")).states
    state = states["queue"]
    if len(waiting(state, states["lineage"], to)) >= PER_LINEAGE:
        raise UsageError(
            f"{PER_LINEAGE} texts wait for session {to} already",
            "they go along with its next prompts; journal view queue shows them",
        )
    if len(state.waiting) >= MOST:
        oldest = state.waiting[0]
        warn(
            f"{MOST} texts wait in this project: the oldest, of {oldest.at[:10]} for session "
            f"{oldest.sids[0]}, falls out (journal #{oldest.seq} keeps it)"
        )


def packs(scope: Scope) -> list[Pack]:
    """All saved packs of the project, newest first, their parts put together."""
    from journal.events.registry import Unknown, decode, kind_of
    from journal.log.read import Reader

    found: dict[str, Pack] = {}
    if not scope.exists():
        return []
    for _, line in Reader(scope.directory):
        if kind_of(line) != "pack.saved":
            continue
        event: Any = decode(line, "pack.saved")
        if isinstance(event, Unknown):
            continue
        old = found.get(event.pack) if event.part > 1 else None
        begun = old or Pack(event.pack, event.seq, event.ts, event.title, [], "", [])
        found[event.pack] = begun._replace(
            sids=[*begun.sids, *event.sids],
            text=begun.text + event.text,
            sources=[*begun.sources, *event.sources],
        )
    return sorted(found.values(), key=lambda pack: pack.seq, reverse=True)


def _is_known(scope: Scope, sid: str) -> bool:
    """Whether the journal has an event of this session; the last 64 KiB are looked at first."""
    if not sid or not scope.exists():
        return False
    from cli.read import sessions_in
    from journal.log.dedupe import last_bytes

    # Inside a text its quotes would be escaped.
    if b'"sid":' + dumps(sid) + b"," in last_bytes(scope.directory):
        return True
    return sid in sessions_in(scope.directory)


def _saved(
    scope: Scope, title: str, sids: Sequence[str], text: str, sources: Sequence[str]
) -> tuple[str, list[dict[str, Any]]]:
    if not text.strip():
        raise UsageError("there is nothing to save: the text is empty")
    if len(text) > LONGEST:
        raise UsageError(f"the text has {len(text):,} characters; {LONGEST:,} is the most")
    name = digest(f"{scope.iso} {title} {text} {','.join(sids)}")[:12]
    rest = _rest(text, sources, sids)
    return name, [
        scope.event("pack.saved", scope.current, pack=name, title=_line(title), **part)
        for part in rest
    ]


def _queued(
    scope: Scope, to: str, title: str, text: str, sources: Sequence[str], pack: str
) -> list[dict[str, Any]]:
    return [
        scope.event("context.queued", scope.current, to=to, pack=pack, title=_line(title), **part)
        for part in _rest(text, sources)
    ]


def _rest(text: str, sources: Sequence[str], sids: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Spread a text and its lists over as many records as they need."""
    pieces = _pieces(_clean(text))
    lists = {
        "sources": [_line(item)[:_NAME] for item in sources],
        "sids": [_line(item)[:_NAME] for item in sids],
    }
    longest = max(map(len, lists.values()))
    parts = max(len(pieces), -(-longest // _EACH))
    return [
        {
            "text": pieces[at] if at < len(pieces) else "",
            **{name: items[at * _EACH : (at + 1) * _EACH] for name, items in lists.items()},
            "part": at + 1 if at else None,
            "parts": parts if parts > 1 else None,
        }
        for at in range(parts)
    ]


def _clean(text: str) -> str:
    """Redact the whole text, before it is cut: a secret may lie across a cut."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return str(redact_value(whole))


def _line(text: str) -> str:
    """One line of what a person or a program named something."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())[:_TITLE]


def _pieces(text: str) -> list[str]:
    """Cut a text into pieces whose JSON fits a record."""
    found = []
    while text:
        size = min(len(text), _PIECE)
        while len(dumps(text[:size])) > _PIECE:
            size = size * 3 // 4
        found.append(text[:size])
        text = text[size:]
    return found or [""]
