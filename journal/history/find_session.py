"""Find the session that a reference names: an ID, the beginning of one, PROJECT/ID, or `last`.

Invariant: commands, the model's tools and the API find the same session for a reference, or report
the same error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.errors import UsageError
from journal.history.logs import journals
from journal.text import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from journal.history.search.index import Index, PastSession

_SHOWN = 60  # characters of a reference that a message repeats
_NAMES = 3  # sessions that a message names
_REMEDY = "`journal sessions --all` lists them, `journal search` finds one by words"


class NoSessionError(UsageError):
    """No session matches a reference."""

    def __init__(self, ref: str, remedy: str = _REMEDY) -> None:
        super().__init__(f"no session matches {quoted(ref, _SHOWN)}", remedy)


class SeveralSessionsError(UsageError):
    """A reference matches several sessions. names: of the sessions, each a valid reference."""

    def __init__(self, ref: str, names: list[str]) -> None:
        some = ", ".join(names[:_NAMES]) + (" …" if len(names) > _NAMES else "")
        what = f"{quoted(ref, _SHOWN)} matches {len(names)} sessions"
        super().__init__(what, f"name one of them: {some}")


def is_last(ref: str) -> bool:
    """Return whether a reference means the newest completed session."""
    return ref.strip().casefold() == "last"


def matching_sids(ref: str, sids: Iterable[str]) -> list[str]:
    """Return the ID that equals a reference, else those that begin with it."""
    sids = list(dict.fromkeys(sids))
    return [ref] if ref in sids else [sid for sid in sids if ref and sid.startswith(ref)]


def find_session(index: Index, ref: str, project: str = "") -> PastSession:
    """Return the session that a reference names.

    `last` is the newest completed session of the project that did something of its own.

    Args:
        index: of the journal home; brought up to date if a project is given.
        ref: the reference.
        project: searched first; the other projects only if it has no match. "" searches all.

    Raises:
        NoSessionError: no session matches.
        SeveralSessionsError: more than one does.

    """
    if project:
        index.update((project,))
    owner, rest = _split(index, ref)
    if is_last(rest):
        from journal.history.search.ranking import Filter

        wanted = Filter(owner or project, status="completed", own=True)
        found = index.sessions(wanted, limit=1)
    else:
        found = matching_sessions(index, ref, project)
    if not found:
        raise NoSessionError(ref)
    if len(found) > 1:
        raise SeveralSessionsError(ref, names_of(found))
    return found[0]


def matching_sessions(
    index: Index, ref: str, project: str = "", *, update: bool = True
) -> list[PastSession]:
    """Return the sessions that match a reference other than `last`, newest first.

    project: as in `find_session`. update: whether to bring the index up to date before the other
    projects are searched.
    """
    owner, rest = _split(index, ref)
    found = index.find(rest, project=owner or project)
    if not found and project:
        if update:
            index.update((owner,) if owner else ())
        found = index.find(rest, project=owner)
    return found


def names_of(found: Sequence[PastSession]) -> list[str]:
    """Return a reference to each session: its ID, with its project where there are several."""
    several = len({past.project for past in found}) > 1
    return [f"{past.project}/" * several + past.digest.sid for past in found]


def _split(index: Index, ref: str) -> tuple[str, str]:
    """Return the project that a reference begins with, or "", and the rest of it."""
    owner, _, rest = ref.partition("/")
    is_owned = bool(rest) and owner in dict(journals(index.home))
    return (owner, rest) if is_owned else ("", ref)
