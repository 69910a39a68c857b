"""All operations of the API and the page on one journal home, callable from any thread.

Invariant: no function takes a path; sessions and projects are looked up among the existing ones.
Every error is a JournalError, and after an error nothing was written.
"""

# No `from __future__ import annotations`: FastAPI reads the annotations when it makes the routes.
import json
import time
from collections.abc import Collection, Mapping, Sequence
from types import SimpleNamespace

from cli.render.text import json_of
from cli.scope import JournalScope
from cli.serve import parameters as params
from cli.serve.data import observations
from cli.serve.data.background_import import PastImport
from cli.serve.data.cost import ContextCost, cost_of
from cli.serve.data.index import SharedIndex
from cli.serve.data.pressure import PressureHistory, pressure_since
from cli.serve.data.spent import Spending
from cli.serve.errors import ConflictError, MissingError
from cli.serve.schemas import (
    ConversationPage,
    NewObservation,
    NewPack,
    ObservationPage,
    QueuedPack,
    RecordedObservation,
    SavedPack,
    SearchHit,
    SearchResult,
    SessionDetail,
    SessionPage,
    SessionRow,
    ViewResponse,
)
from cli.show.command import as_data
from cli.view import NAMES
from cli.view.context import build_view
from journal.bound import parse_time
from journal.clock import now_ms
from journal.codec import text as valid_text
from journal.errors import JournalError, UsageError
from journal.history import packs
from journal.history.conversations.model import Conversation
from journal.history.conversations.resume import Transcripts
from journal.history.conversations.source import conversation_of
from journal.history.damage import states_of
from journal.history.find_session import find_session
from journal.history.logs import ProjectNames, journals
from journal.history.search.index import PastSession
from journal.history.search.ranking import Filter
from journal.history.session_text import block
from journal.home import UNFILED

_LIVE = 50  # sessions offered as targets of a pack
_FRESH = 2.0  # seconds until the damage of the logs is read again
_WEEKS = "90d"  # of the page's second tab


class Service:
    """home: the journal home; env: the server's environment."""

    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self.home = home
        self.env = env
        self.names = ProjectNames(home)
        self.index = SharedIndex(home, env)
        self.spending = Spending(home)
        self.past_import = PastImport()
        self._states: dict[str, tuple[float, tuple[list[str], list[str]]]] = {}

    # -- reading ---------------------------------------------------------------------------------

    def damage(self, project: str = "") -> tuple[list[str], list[str]]:
        """Return the damage of the logs, and what is known to be missing from them."""
        at, found = self._states.get(project, (0.0, ([], [])))
        if not at or time.monotonic() - at > _FRESH:
            states = [*states_of(self.home, [project] if project else [])]
            name = self.names
            found = (
                [f"{name(item.project)}: {item.damage}" for item in states if item.is_damaged],
                [f"{name(item.project)}: {item.losses}" for item in states if item.losses],
            )
            self._states[project] = (time.monotonic(), found)
        return found

    def sessions(
        self,
        *,
        project: params.Project = "",
        since: params.Since = "",
        until: params.Until = "",
        status: params.Status = None,
        text: params.Part = "",
        limit: params.Limit = 50,
        offset: params.Offset = 0,
    ) -> SessionPage:
        """List sessions, newest first."""
        self._journals(project)
        begin, end = self._time(since), self._time(until, end=True)
        wanted = Filter(project, begin, end, status or "", valid_text(text))
        with self.index.open() as index:
            # One more than asked for tells whether there are more.
            found = index.sessions(wanted, limit=offset + limit + 1)
            more = len(found) > offset + limit
            total = index.count(wanted) if more else len(found)
        return SessionPage(
            items=[SessionRow.model_validate(past) for past in found[offset : offset + limit]],
            total=total,
            next=offset + limit if more else None,
        )

    def session(
        self,
        id: params.Ref,  # noqa: A002 (the name in the address)
        project: params.Project = "",
    ) -> SessionDetail:
        """Return one session as a whole."""
        past = self.past(id, project)
        text = block([past], name_of=self.names)
        whole = {**past._asdict(), "block": text, "source": packs.source_of(past)}
        return SessionDetail.model_validate(SimpleNamespace(**whole))

    def conversation(
        self,
        id: params.Ref,  # noqa: A002 (the name in the address)
        project: params.Project = "",
        tools: params.Tools = False,
        limit: params.Limit = 100,
        offset: params.Offset = 0,
    ) -> ConversationPage:
        """Return a session as a conversation, as `journal show` reads it."""
        data = as_data(self.whole_conversation(id, tools, project))
        entries, end = data["entries"], offset + limit
        page = {"total": len(entries), "next": end if end < len(entries) else None}
        return ConversationPage.model_validate({**data, "entries": entries[offset:end], **page})

    def whole_conversation(
        self, ref: str, details: bool | Collection[str] = False, project: str = ""
    ) -> Conversation:
        """Return all of a session's conversation. details: as in `conversation_of`."""
        past = self.past(ref, project)
        directory = self._journals(past.project)[past.project]
        found = Transcripts(self.env)
        return conversation_of(past.digest, directory, found, project=past.project, details=details)

    def past(self, ref: str, project: str = "") -> PastSession:
        """Return the session that a reference names, in one project only if that is given."""
        self._journals(project)
        with self.index.open() as index:
            return find_session(index, f"{project}/{ref}" if project else ref)

    def live(self) -> list[SessionRow]:
        """Return the sessions recorded by hooks and not over, newest first: targets of a pack."""
        with self.index.open() as index:
            found = index.sessions(Filter(status="open"))
        rows = [SessionRow.model_validate(past) for past in found if not packs.no_target(past)]
        return sorted(rows, key=lambda row: row.last, reverse=True)[:_LIVE]

    def search(
        self,
        q: params.Words,
        project: params.Project = "",
        since: params.Since = "",
        status: params.Status = None,
        limit: params.TopLimit = 10,
    ) -> SearchResult:
        """Search past sessions, best first."""
        self._journals(project)
        if not q.strip():
            raise UsageError("the query is empty", "give words to look for")
        wanted = Filter(project, since=self._time(since), status=status or "")
        with self.index.open() as index:
            hits = index.search(q, wanted, limit=limit)
        items = [
            SearchHit(
                session=SessionRow.model_validate(hit),
                score=hit.score,
                snippet=hit.snippet,
                spans=hit.spans,
                ways=hit.ways,
            )
            for hit in hits
        ]
        return SearchResult(query=q, items=items)

    def observations(
        self,
        session: params.SessionId,
        project: params.Project = "",
        after: params.After = 0,
        limit: params.Limit = 100,
    ) -> ObservationPage:
        """List the tool calls of a session, oldest first."""
        past = self.past(session, project)
        return observations.read(past, self._journals(past.project)[past.project], after, limit)

    def view(
        self,
        name: params.ViewName,
        project: params.Project = "",
        session: params.OnlySession = "",
        until: params.SeqOrTime = "",
    ) -> ViewResponse:
        """Return one view of a journal; `project` may be left out if there is only one."""
        if name not in NAMES:
            raise MissingError("", f"there is no view {name[:80]}", f"one of: {', '.join(NAMES)}")
        names = [*self._journals(project)]
        if not project and len(names) != 1:
            raise UsageError("no project is named", f"project is one of: {', '.join(names[:20])}")
        scope = self._scope(project or names[0], session)
        if not until.strip().isdigit():
            self._time(until, end=True)
        try:
            shown = json.loads(json_of(build_view(scope, name, until)))
        except UsageError:
            raise
        except JournalError as error:
            raise MissingError("", error.what, error.remedy) from error
        return ViewResponse.model_validate(shown)

    def pressure(self, since: str = _WEEKS) -> PressureHistory:
        """Return the pressure curves of the newest sessions, and the compactions of all."""
        settings = JournalScope(self.env, self.home, UNFILED).settings
        levels = settings["pressure.info"], settings["pressure.urgent"]
        return pressure_since(self.home, self._time(since), levels)

    def cost(self, text: str, ref: str = "") -> ContextCost:
        """Compare a text with the context that a session has left; without one, measure it."""
        if not ref:
            return cost_of(text, None)
        past = self.past(ref)
        return cost_of(text, build_view(self._scope(past.project, past.digest.sid), "pressure"))

    # -- writing ---------------------------------------------------------------------------------

    def pack(self, refs: Sequence[str], title: str = "") -> packs.Draft:
        """Combine sessions, in the given order, into a pack that is not saved."""
        return packs.draft([self.past(ref) for ref in refs], title, name_of=self.names)

    def save(self, new: NewPack) -> SavedPack:
        """Save a pack of sessions; with send_to, also queue it for one injection into a session."""
        pasts = [self.past(ref) for ref in new.sessions]
        target = self._target(new.send_to) if new.send_to else None
        draft = packs.draft(pasts, new.title, new.note, new.text, name_of=self.names)
        scope = self._scope((target or pasts[0]).project)
        to = target.digest.sid if target else None
        name, seq = packs.save(scope, draft, to)
        return SavedPack(
            pack=name,
            project=scope.project.name,
            title=draft.title,
            characters=len(draft.text),
            tokens=draft.tokens,
            sources=[*draft.sources],
            queued=_queued(scope, target, seq, draft.text) if target else None,
        )

    def send(self, ref: str, draft: packs.Draft) -> QueuedPack:
        """Queue a pack, without saving it, for a session's next prompt or recovery."""
        target = self._target(ref)
        scope = self._scope(target.project)
        seq = packs.queue(scope, target.digest.sid, draft)
        return _queued(scope, target, seq, draft.text)

    def observe(self, new: NewObservation) -> RecordedObservation:
        """Record one observation of an existing session."""
        past = self._target(new.session, new.project)
        recorded = observations.record(self._scope(past.project), past.digest.sid, new)
        self.index.refresh()
        return recorded

    # -- shared ----------------------------------------------------------------------------------

    def _target(self, ref: str, project: str = "") -> PastSession:
        """Return a session that hooks recorded; only such a session can receive anything."""
        past = self.past(ref, project)
        if why := packs.no_target(past):
            raise ConflictError("", f"{ref[:80]} {why}", "name a session that hooks recorded")
        return past

    def _scope(self, project: str, session: str = "") -> JournalScope:
        self._journals(project)
        return JournalScope(self.env, self.home, project, session)

    def _journals(self, project: str = "") -> dict[str, str]:
        """Return all journals: name → directory.

        Raises:
            MissingError: `project` is given, and no journal has exactly that name.

        """
        found = dict(journals(self.home))
        if project and project not in found:
            what = f"there is no project {project[:80]}"
            raise MissingError("", what, "GET /api/sessions names them")
        return found

    def _time(self, text: str, *, end: bool = False) -> str:
        try:
            return parse_time(text, now_ms(self.env), end=end)
        except (ValueError, OverflowError, OSError) as error:  # a year no calendar has
            raise UsageError(f"{text[:80]!r} is not a time", "2026-11-21, 30d or 12w") from error


def _queued(scope: JournalScope, target: PastSession, seq: int, text: str) -> QueuedPack:
    to, project = target.digest.sid, scope.project.name
    return QueuedPack(to=to, project=project, seq=seq, characters=len(text))
