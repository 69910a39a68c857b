"""One session known from its hooks and from its transcript: one digest of both.

Invariant: what the hooks recorded stands; a transcript fills in only what they did not see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

if TYPE_CHECKING:
    from typing import TypeVar

    from projections.digest import Digest
    from projections.sessions import Session

    Known = TypeVar("Known", Digest, Session)

__all__ = ["merged"]

_FILES = 20
# Empty members of these say something: that it is open, or that all is well.
_TOLD = frozenset(("ended", "inferred", "reason", "awaits"))
_KEPT = frozenset(("session", "imported", "error", "of", "seqs", "trace", "away"))


def merged(live: Digest | None, imported: Digest | None) -> Digest | None:
    """Give the digest of a session; None where neither log knows of it."""
    if live is None or imported is None:
        return live or imported
    if not live.first:  # the hooks saw nothing of it but a summary that was made later
        told = {name: value for name, value in asdict(live).items() if value and name in _SUMMARY}
        title = {"title": live.title, "title_source": live.title_source}
        return replace(imported, **told, **(title if live.title else {}))
    session = _filled(live.session, imported.session, _TOLD)
    started = min(filter(None, (live.session.started, imported.session.started)), default="")
    files = list(dict.fromkeys((*live.session.files, *imported.session.files)))[:_FILES]
    session = replace(session, started=started, files=files)
    return replace(_filled(live, imported, _KEPT), session=session)


_SUMMARY = frozenset(
    ("summary", "summary_seq", "summary_upto", "summary_decisions", "summary_files", "engine")
)


def _filled(one: Known, other: Known, kept: frozenset[str]) -> Known:
    have, more = asdict(one), asdict(other)
    missing = {
        name: value for name, value in more.items() if value and not have[name] and name not in kept
    }
    return replace(one, **missing) if missing else one
