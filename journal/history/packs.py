"""Packs: texts made from past sessions, saved in the journal and sent to a session.

A sent pack waits in the journal until the target session's lineage receives it, once, at its next
prompt or recovery. Invariant: all checks run before anything is written.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from journal.codec import digest, dumps
from journal.codec import text as sound
from journal.errors import UsageError
from journal.history.progress import Progress, ignore_progress
from journal.history.replay.run import replay_all
from journal.history.scope import ProjectScope
from journal.history.search.index import PastSession
from journal.redaction import redact_value
from journal.text import estimate_tokens, pieces
from projections.digest import title_of
from projections.messages.message import width
from projections.queue import MOST, PER_LINEAGE, TEXT, waiting

WAITS = "the session's next prompt or recovery"
"""What a sent pack waits for, as a phrase for messages."""

LONGEST = 200_000  # characters of a saved text
_PIECE = 9_000  # bytes of a text's JSON in one record
_EACH = 24  # sids or sources in one record
_LINE = 200  # characters of a title, a sid or a source


class Draft(NamedTuple):
    """A pack that is not saved yet. sources: "project#seq" of the events it is based on."""

    title: str
    text: str = ""
    sids: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Return the estimated number of tokens of the text."""
        return estimate_tokens(self.text)


class Pack(NamedTuple):
    """A saved pack. seq, at: of the event that saved it."""

    id: str
    seq: int
    at: str
    draft: Draft


def draft(
    pasts: Sequence[PastSession],
    title: str = "",
    note: str = "",
    text: str = "",
    *,
    name_of: Callable[[str], str],
) -> Draft:
    """Combine sessions in the given order.

    text: replaces their own text; note: put before it; name_of: names a project for people.
    """
    from journal.history.session_text import block

    more = f" and {len(pasts) - 1} more" if len(pasts) > 1 else ""
    return Draft(
        _line(title) or f"{title_of(pasts[0].digest)}{more}",
        text.strip() or "\n\n".join(filter(None, (note.strip(), block(pasts, name_of=name_of)))),
        tuple(past.digest.sid for past in pasts),
        tuple(dict.fromkeys(map(source_of, pasts))),
    )


def source_of(past: PastSession) -> str:
    """Return the event that a session's text is based on, as PROJECT#SEQ."""
    from journal.history.session_text import content_of

    return f"{past.project}#{content_of(past.digest).seq}"


def no_target(past: PastSession) -> str:
    """Return why nothing can be sent to a session, or "" if it can: hooks must have recorded it."""
    if past.digest.of:
        return "is a part of another one"
    return "is from a transcript alone" if past.digest.imported else ""


def save(scope: ProjectScope, new: Draft, to: str | None = None) -> tuple[str, int]:
    """Save a pack and, if `to` is given, send it to that session: both in one write, or neither.

    Return the pack's ID and the seq that traces the sent text, 0 if nothing was sent. Raise
    UsageError if the text is empty or too long, or if `check` does.
    """
    if to is not None:
        check(scope, to, new.text)
    name, events = _saved(scope, new)
    sent = [] if to is None else _queued(scope, to, new, name)
    seqs = scope.append(*events, *sent)
    return name, seqs[len(events)] if sent else 0


def queue(scope: ProjectScope, to: str, new: Draft, progress: Progress = ignore_progress) -> int:
    """Send a text to session `to`; return the seq that traces it. Raise as `check` does."""
    check(scope, to, new.text, progress)
    return scope.append(*_queued(scope, to, new))[0]


def check(scope: ProjectScope, to: str, text: str, progress: Progress = ignore_progress) -> None:
    """Raise UsageError if a text cannot be sent to session `to`. Write nothing.

    The limit applies to the text's JSON, in which a line break or a quote takes two characters.
    progress: called if sending drops the oldest waiting text.
    """
    if not text.strip():
        raise UsageError("nothing to send: the text is empty")
    if (size := width(_clean(text))) > TEXT:
        raise UsageError(
            f"the text takes {size:,} characters; at most {TEXT:,} can be sent",
            "choose fewer sessions, or shorten it",
        )
    if not _has_session(scope, to):
        raise UsageError(
            f"this journal has no session {to or '(none)'}", "`journal sessions` lists them"
        )
    states = replay_all(scope.directory, ("queue", "lineage")).states
    state = states["queue"]
    if len(waiting(state, states["lineage"], to)) >= PER_LINEAGE:
        raise UsageError(
            f"{PER_LINEAGE} texts wait for session {to} already",
            "they go along with its next prompts; `journal view queue` shows them",
        )
    if len(state.waiting) >= MOST:
        oldest = state.waiting[0]
        progress(
            f"{MOST} texts wait in this project, so the oldest is dropped: that of "
            f"{oldest.at[:10]} for session {oldest.sids[0]} (journal #{oldest.seq} has it)"
        )


def packs(scope: ProjectScope) -> list[Pack]:
    """Return all saved packs of the project, newest first, each assembled from its parts."""
    from journal.history.replay.facts import events_in
    from journal.log.read import Reader

    found: dict[str, Pack] = {}
    if not scope.exists():
        return []
    for _, event in events_in(Reader(scope.directory), ("pack.saved",)):
        old = found.get(event.pack) if event.part > 1 else None
        pack = old or Pack(event.pack, event.seq, event.ts, Draft(event.title))
        title, text, sids, sources = pack.draft
        whole = Draft(title, text + event.text, (*sids, *event.sids), (*sources, *event.sources))
        found[event.pack] = pack._replace(draft=whole)
    return sorted(found.values(), key=lambda pack: pack.seq, reverse=True)


def _has_session(scope: ProjectScope, sid: str) -> bool:
    """Return whether the journal has an event of this session; check the last 64 KiB first."""
    if not sid or not scope.exists():
        return False
    from journal.log.record import last_bytes

    # A match is the event's own field: inside a text, the quotes would be escaped.
    if b'"sid":' + dumps(sid) + b"," in last_bytes(scope.directory):
        return True
    return sid in replay_all(scope.directory, ()).sessions


def _saved(scope: ProjectScope, new: Draft) -> tuple[str, list[dict[str, Any]]]:
    title, text, sids, _sources = new
    if not text.strip():
        raise UsageError("nothing to save: the text is empty")
    if len(text) > LONGEST:
        raise UsageError(f"the text has {len(text):,} characters, at most {LONGEST:,} are allowed")
    name = digest(f"{scope.iso} {title} {text} {','.join(sids)}")[:12]
    return name, [
        scope.event("pack.saved", scope.current, pack=name, title=_line(title), **part)
        for part in _rest(new)
    ]


def _queued(scope: ProjectScope, to: str, new: Draft, pack: str = "") -> list[dict[str, Any]]:
    title = _line(new.title)
    return [
        scope.event("context.queued", scope.current, to=to, pack=pack, title=title, **part)
        for part in _rest(new._replace(sids=()))
    ]


def _rest(new: Draft) -> list[dict[str, Any]]:
    """Split a text and its lists over as many records as they need."""
    texts = pieces(_clean(new.text), _PIECE)
    lists = {
        "sources": list(map(_line, new.sources)),
        "sids": list(map(_line, new.sids)),
    }
    longest = max(map(len, lists.values()))
    parts = max(len(texts), -(-longest // _EACH))
    return [
        {
            "text": texts[at] if at < len(texts) else "",
            **{name: items[at * _EACH : (at + 1) * _EACH] for name, items in lists.items()},
            "part": at + 1 if at else None,
            "parts": parts if parts > 1 else None,
        }
        for at in range(parts)
    ]


def _clean(text: str) -> str:
    """Redact the whole text before it is split: a secret may cross a boundary."""
    return str(redact_value(sound(text)))


def _line(text: str) -> str:
    """Return a title or name that a user or program gave, as one line."""
    return " ".join(sound(text).split())[:_LINE]
