"""The left pane: all sessions as a tree, or the hits of a search."""

from collections.abc import Callable, Sequence

from nicegui import ui

from cli.render.local_time import local_time
from cli.render.text import split_at_matches
from cli.serve.page import session_rows
from cli.serve.page.session_rows import ListEntry
from cli.serve.page.state import PageState, StatusLine
from cli.serve.page.widgets import Tree, choice
from cli.serve.schemas import SessionRow
from journal.text import escaped, plural

_HITS = 100
_SESSIONS = 2000  # in the tree; older ones are found by a search
_STATUSES = {"": "All", "completed": "Completed", "open": "Open"}
_KINDS = {"imported": "imported", "exported": "part of another session"}
_NO_SESSION = "No session yet. Use Claude Code with the plugin, or run journal import."
_NO_TOKENS = "no tokens recorded"
_NO_HIT = "No session found. Try other words, or another status."


class SessionList:
    """Search, filter and the tree."""

    def __init__(self, state: PageState) -> None:
        self.state = state
        self.sessions: list[ListEntry] = []
        self.hits: list[ListEntry] | None = None  # None: no search
        self.searched: tuple[str, dict[str, str]] | None = None  # query and filter of the hits
        self.name_of = state.service.names
        self.projects: set[str] = set()  # those that can be chosen
        self.opened: set[str] | None = None  # of the tree
        self.closed: set[str] = set()  # of the hits
        self.pages: dict[str, int] = {}
        self.requests = 0
        self.shown: dict[str, str] | None = None
        self.total = 0
        self._build()
        state.selection_changed.subscribe(self.show)
        state.reading_changed.subscribe(self.show)
        state.spent_changed.subscribe(self.show)

    def _build(self) -> None:
        with ui.element("section").classes("j-pane j-list").props('aria-label="Past sessions"'):
            with ui.element("div").classes("j-bar"):
                self.query = (
                    ui.input("Search sessions", on_change=self.load)
                    .props("outlined dense clearable debounce=200 type=search autocomplete=off")
                    .props('aria-keyshortcuts="/"')
                    .classes("j-grow j-search")
                )
                self.project = choice("Project", {"": "All"}, self.load, "j-fixed")
                self.project.set_visibility(False)
                self.status = choice("Status", _STATUSES, self.load, "j-fixed")
            self.count = ui.label("Loading…").classes("j-soft").props("role=status")
            self.tree = Tree("Sessions by day", self.state.read, self.state.toggle, self.expand)
            self.empty = ui.label().classes("j-empty")
            self.line = StatusLine(self.state.service.env)
        self.empty.set_visibility(False)

    async def load(self) -> None:
        """Load the sessions for query and filter; drop the answer to an older request."""
        self.requests += 1
        request, query = self.requests, (self.query.value or "").strip()
        asked = {"status": self.status.value, "project": self.project.value or ""}
        self.tree.set(busy=True)
        if not query and asked == self.shown:  # show the tree until the answer arrives
            self.hits = None
            self.show()
        service = self.state.service
        if query:
            found = await self.line.run(service.search, query, limit=_HITS, **asked)
        else:
            found = await self.line.run(service.sessions, limit=_SESSIONS, **asked)
        if request != self.requests:
            return
        self.tree.set(busy=False)
        if found is None:
            if self.shown is None:
                self.count.set_text("")
            return
        self.line.show("")
        if query:
            if self.searched != (query, asked):  # else the groups stay as they are
                self.searched = query, asked
                self.closed.clear()
            self.hits = [
                entry_of(hit.session, self.name_of, split_at_matches(hit.snippet, hit.spans))
                for hit in found.items
            ]
            self._take(self.hits)
        else:
            self.shown, self.searched, self.hits, self.total = asked, None, None, found.total
            self.sessions = [entry_of(session, self.name_of) for session in found.items]
            if self.opened is None:
                self.opened = session_rows.initially_open(self.sessions)
            self._take(self.sessions)
        self.show()

    def update(self, live: Sequence[SessionRow]) -> None:
        """Show the changes of listed sessions that are live."""
        changed = {entry.key: entry for entry in (entry_of(row, self.name_of) for row in live)}
        updated = [changed.get(entry.key, entry) for entry in self.sessions]
        if updated != self.sessions:
            self.sessions = updated
            self.show()

    def _take(self, entries: list[ListEntry]) -> None:
        """Store new entries by key, and offer their projects."""
        self.state.entries |= {entry.key: entry for entry in entries}
        if new := {entry.project for entry in entries} - self.projects:
            self.projects |= new
            names = {project: self.name_of(project) for project in sorted(self.projects)}
            self.project.set_options({"": "All", **names}, value=self.project.value)
            self.project.set_visibility(len(names) > 1)

    async def load_spending(self) -> None:
        """Fetch tokens and costs, and show them in the list."""
        found = await self.line.run(self.state.service.spending.by_session)
        if found is not None:
            self.state.set_spent(found)

    def _weighed(self, entries: list[ListEntry]) -> list[ListEntry]:
        if (spent := self.state.spent) is None:
            return entries
        short = {key: figures.short for key, figures in spent.items()}
        return [entry._replace(weight=short.get(entry.key, _NO_TOKENS)) for entry in entries]

    def show(self) -> None:
        """Draw the rows again."""
        state = session_rows.ListState(self.state.selection, self.pages, self.state.reading)
        if self.hits is None:
            shown, count = self._weighed(self.sessions), plural(self.total, "session")
            if self.total > len(shown):
                count += f", the newest {len(shown):,} shown; a search finds the others"
            drawn = session_rows.browse_rows(shown, self.opened or (), state)
        else:
            shown, count = self._weighed(self.hits), f"{plural(len(self.hits), 'session')} found"
            if len(shown) == _HITS:
                count = f"the best {_HITS} sessions shown; rarer words find fewer"
            drawn = session_rows.hit_rows(shown, self.closed, state)
        self.tree.set(rows=drawn, of=str(self.shown if self.hits is None else self.searched))
        self.tree.set_visibility(bool(drawn))
        self.count.set_text(count)
        filtered = self.hits is not None or self.status.value or self.project.value
        self.empty.set_text(_NO_HIT if filtered else _NO_SESSION)
        self.empty.set_visibility(not shown)

    def expand(self, row: str) -> None:
        """Open or close a group, or show more of one."""
        if row.startswith("m:"):
            self.pages[row[2:]] = self.pages.get(row[2:], 0) + 1
        elif self.hits is not None:
            self.closed ^= {row}
        else:
            self.opened = (self.opened or set()) ^ {row}
        self.show()


def entry_of(
    session: SessionRow, name_of: Callable[[str], str], parts: tuple[tuple[str, bool], ...] = ()
) -> ListEntry:
    """Return a session as an entry of the tree. name_of: returns the name of a project."""
    day, _, clock = local_time(session.started or session.last).partition(" ")
    facts = [
        "" if session.status == session.outcome == "open" else session.outcome,
        session.branch,
        _count(session.files, "file"),
        _count(session.compactions, "compaction"),
        _KINDS.get(session.kind, ""),
    ]
    return ListEntry(
        key=f"{session.project}/{session.id}",
        project=session.project,
        name=name_of(session.project),
        label=escaped(session.title),
        day=day,
        time=clock,
        status=session.status,
        note=" · ".join(fact for fact in facts if fact),
        parts=parts,
    )


def _count(number: int, what: str) -> str:
    """Return a number with its noun, which a line does not divide; "" for 0."""
    return plural(number, what).replace(" ", "\N{NO-BREAK SPACE}") if number else ""
