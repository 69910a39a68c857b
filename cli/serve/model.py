"""What the API and the page do: one object for a home, its functions safe to call from any thread.

Invariant: nothing here is given a path; sessions and projects are looked up among those there are.
What goes wrong is a JournalError, and then nothing was written.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cli.render.text import json_of
from cli.scope import moment_of
from cli.serve.parts.cards import card_of, match_of, source_of, story_of, tree_of
from cli.serve.parts.curves import Curves
from cli.serve.parts.meter import Gauges, estimate, measured
from cli.serve.parts.shelf import Keeper
from cli.serve.place import (
    ConflictError,
    JournalScope,
    MissingError,
    UnavailableError,
    directory_of,
    scope_of,
)
from cli.serve.shapes import Hits, Live, Pack, Sessions
from journal.clock import now_ms
from journal.codec import text as sound
from journal.errors import JournalError, UsageError
from journal.history.timeline import journals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cli.serve.parts.shelf import Shelf
    from cli.serve.shapes import (
        Compactions,
        Meter,
        ObservationIn,
        Observations,
        PackOut,
        ProjectNode,
        Queued,
        Recorded,
        Story,
        Tooth,
    )
    from journal.history.search.index import Past

__all__ = ["Model"]

_LIVE = 50  # sessions offered to send something to
_TREE = 2000  # sessions shown in the tree
_FOUND = 100  # of them shown of a search
_NAMES = 3


class Model:
    """home: the journal home; env: the server's environment."""

    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self.home = home
        self.env = env
        self.index = Keeper(home, env)
        self.gauges = Gauges()
        self.curves = Curves(home)

    def close(self) -> bool:
        """Let the index go; False where it is being built still, which ends with the process."""
        return self.index.close()

    def warm(self) -> None:
        """Begin to read what there is, before somebody waits for it."""
        self.index.warm()

    def refresh(self) -> None:
        """Let the next question see what was recorded before it."""
        self.index.refresh()

    # -- reading ---------------------------------------------------------------------------------

    def projects(self) -> list[str]:
        """Names of the journals there are."""
        return [name for name, _ in journals(self.home)]

    def tree(
        self, query: str = "", *, project: str = "", status: str = "", limit: int = _TREE
    ) -> list[ProjectNode]:
        """Sessions by project and day, newest first; with a query, those it finds."""
        if not query.strip():
            return tree_of(self.sessions(project=project, status=status, limit=limit).items)
        hits = self.search(query, project=project, status=status, limit=min(limit, _FOUND))
        cards = [match.session for match in hits.items]
        return tree_of(sorted(cards, key=lambda card: card.started, reverse=True))

    def sessions(
        self,
        *,
        project: str = "",
        since: str = "",
        until: str = "",
        status: str = "",
        text: str = "",
        limit: int = 50,
        offset: int = 0,
    ) -> Sessions:
        """Give a page of sessions, newest first. since, until: a time or an age such as 3d."""
        self._known(project)
        asked = {
            "project": project,
            "since": self._moment(since),
            "status": status,
            "text": sound(text),
            "until": self._moment(until, end=True),
        }
        with self._indexed() as index:
            # One more than asked for tells whether there are more.
            found = index.sessions(**asked, limit=offset + limit + 1)
            more = len(found) > offset + limit
            total = index.count(**asked) if more else len(found)
        page = found[offset : offset + limit]
        return Sessions(
            items=[card_of(past) for past in page],
            total=total,
            next=offset + limit if more else None,
        )

    def session(self, ref: str, project: str = "") -> Story:
        """One session as a whole."""
        past = self.past(ref, project)
        return story_of(past, _block([past]))

    def past(self, ref: str, project: str = "") -> Past:
        """Session by its id, the beginning of it, or PROJECT/ID; MissingError, ConflictError."""
        self._known(project)
        with self._indexed() as index:
            found = index.find(ref, project=project) if ref.strip() else []
            name, slash, rest = ref.partition("/")
            if not found and slash and rest and not project and name in self.projects():
                found = index.find(rest, project=name)
                ref = rest
        exact = [past for past in found if past.digest.sid == ref]
        found = exact or found
        if not found:
            raise MissingError(
                "", f"there is no session {ref[:80]}", "GET /api/sessions lists them"
            )
        if len(found) > 1:
            some = ", ".join(f"{item.project}/{item.digest.sid}" for item in found[:_NAMES])
            raise ConflictError("", f"{ref[:80]} names {len(found)} sessions", f"such as {some}")
        return found[0]

    def search(
        self, query: str, *, project: str = "", since: str = "", status: str = "", limit: int = 10
    ) -> Hits:
        """Search, best first."""
        self._known(project)
        if not query.strip():
            raise UsageError("the query is empty", "give words to look for")
        with self._indexed() as index:
            found = index.search(
                query, project=project, since=self._moment(since), status=status, limit=limit
            )
        return Hits(query=query, items=[match_of(hit) for hit in found])

    def observations(
        self, ref: str, *, project: str = "", after: int = 0, limit: int = 100
    ) -> Observations:
        """Give a page of a session's observations, oldest first, after a seq."""
        from cli.serve.parts.observe import observations

        past = self.past(ref, project)
        return observations(past, directory_of(self.home, past.project), after, limit)

    def view(
        self, name: str, *, project: str, session: str = "", until: str = ""
    ) -> dict[str, Any]:
        """One view of a project's journal, as `journal view` prints it."""
        from cli.view import NAMES
        from cli.view.request import made

        if name not in NAMES:
            raise MissingError("", f"there is no view {name[:80]}", f"one of: {', '.join(NAMES)}")
        names = self.projects()
        if not project and len(names) != 1:
            raise UsageError("no project is named", f"project is one of: {', '.join(names[:20])}")
        scope = scope_of(self.env, self.home, project or names[0], session)
        if not until.strip().isdigit():
            self._moment(until, end=True)
        try:
            shown: dict[str, Any] = json.loads(json_of(made(scope, name, until)[0]))
        except UsageError:
            raise
        except JournalError as error:
            raise MissingError("", error.what, error.remedy) from error
        return shown

    # -- the page's second tab -------------------------------------------------------------------

    def pressure(self, *, project: str = "", since: str = "90d", limit: int = 20) -> list[Tooth]:
        """Pressure curves of the newest sessions."""
        self._known(project)
        return self.curves.teeth(project, self._moment(since), limit)

    def compactions(self, *, project: str = "", since: str = "90d") -> Compactions:
        """Compactions across projects."""
        self._known(project)
        return self.curves.compactions(project, self._moment(since))

    # -- packs -----------------------------------------------------------------------------------

    def meter(self, text: str, ref: str = "", project: str = "") -> Meter:
        """Weigh a text against what remains of a session's context; without one, alone."""
        if not ref:
            return measured("", text, None)
        past = self.past(ref, project)
        gauge = self.gauges.of(self._scope(past.project), past.digest.sid)
        return measured(past.digest.sid, text, gauge)

    def live(self) -> list[Live]:
        """Sessions something can be sent to: told by hooks and not over, newest first."""
        with self._indexed() as index:
            found = index.sessions(status="open")
        cards = [card_of(past) for past in found]
        live = [card for card in cards if card.kind == "live"]
        live.sort(key=lambda card: card.last, reverse=True)
        return [
            Live(
                id=card.id,
                project=card.project,
                title=card.title,
                branch=card.branch,
                last=card.last,
            )
            for card in live[:_LIVE]
        ]

    def pack(self, refs: Sequence[str], *, title: str = "", note: str = "", text: str = "") -> Pack:
        """Put a pack together of sessions, in their order, and keep it nowhere."""
        return self._pack([self.past(ref) for ref in refs], title, note, text)

    def save(
        self,
        refs: Sequence[str],
        *,
        title: str = "",
        note: str = "",
        text: str = "",
        send_to: str = "",
    ) -> PackOut:
        """Save a pack; with `send_to`, queue it for that session too. All of it or nothing."""
        from cli.serve.parts.packing import save

        pasts = [self.past(ref) for ref in refs]
        target = self._target(send_to) if send_to else None
        pack = self._pack(pasts, title, note, text)
        return save(self._scope((target or pasts[0]).project), pack, target)

    def send(self, ref: str, pack: Pack, project: str = "") -> Queued:
        """Queue a pack for one injection at a session's next prompt or recovery."""
        from cli.serve.parts.packing import send

        target = self._target(ref, project)
        return send(self._scope(target.project), target, pack)

    def observe(self, given: ObservationIn) -> Recorded:
        """Record one observation of a session that is known."""
        from cli.serve.parts.observe import record

        past = self._target(given.session, given.project)
        found = record(self._scope(past.project), past.digest.sid, given)
        self.refresh()
        return found

    def _target(self, ref: str, project: str = "") -> Past:
        """Session that something can be added to: one the hooks told of."""
        past = self.past(ref, project)
        if past.digest.imported or past.digest.of:
            what = "a part of another one" if past.digest.of else "known from a transcript alone"
            raise ConflictError("", f"{ref[:80]} is {what}", "name a session the hooks told of")
        return past

    def _pack(self, pasts: list[Past], title: str, note: str, text: str) -> Pack:
        body = text.strip() or "\n\n".join(filter(None, (note.strip(), _block(pasts))))
        names = [card_of(past).title for past in pasts]
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        return Pack(
            title=" ".join(title.split())[:200] or f"{names[0]}{more}",
            text=body,
            tokens=estimate(body),
            sessions=[past.digest.sid for past in pasts],
            sources=list(dict.fromkeys(source_of(past) for past in pasts)),
        )

    # -- behind all of it ------------------------------------------------------------------------

    def _scope(self, name: str) -> JournalScope:
        return scope_of(self.env, self.home, name)

    def _known(self, project: str) -> None:
        if project:
            directory_of(self.home, project)

    def _moment(self, text: str, *, end: bool = False) -> str:
        if not text:
            return ""
        try:
            moment = moment_of(text, now_ms(self.env), end=end)
        except (ValueError, OverflowError, OSError):  # a year no calendar has
            moment = 0
        if isinstance(moment, int):
            raise UsageError(f"{text[:80]!r} is no time", "2026-11-21, 30d or 12w")
        return moment

    @contextmanager
    def _indexed(self) -> Iterator[Shelf]:
        """Give the index; UnavailableError where it cannot be made or read."""
        try:
            with self.index.asked() as shelf:
                yield shelf
        except (UsageError, MissingError, ConflictError):
            raise
        except JournalError as error:
            raise UnavailableError(error.path, error.what, error.remedy) from error


def _block(pasts: Sequence[Past]) -> str:
    from cli.past.render import block

    return block(pasts)
