"""The left pane: all sessions as a tree, or what a search found in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from cli.serve.page import tree
from cli.serve.page.basket import Item, keys, toggle
from cli.serve.page.times import day_and_time
from cli.serve.page.tree import Entry
from cli.serve.page.visit import Notice
from cli.serve.page.widgets import Tree
from projections.messages.wording import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.serve.page.visit import Visit
    from cli.serve.shapes import Card

__all__ = ["Browser", "entry_of", "item_of", "short_names"]

_HITS = 100
_TREE = 2000  # sessions at hand in the tree; older ones are found by a search
_STATUS = {"": "All", "completed": "Completed", "open": "Open"}
_NOTHING = "No session is recorded yet: work with the plugin on, or run `journal import`."
_NOT_FOUND = "Nothing is found: fewer or other words may help, or another status."


class Browser:
    """Search, filter and the tree; knows every entry it has shown by its key."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.entries: list[Entry] = []
        self.hits: list[Entry] | None = None
        self.known: dict[str, Entry] = {}
        self.names: dict[str, str] = {}
        self.opened: set[str] | None = None
        self.closed: set[str] = set()
        self.more: dict[str, int] = {}
        self.asked = 0
        self.listed: str | None = None
        self.total = 0
        with ui.element("section").classes("j-pane").props('aria-label="Past sessions"'):
            with ui.element("div").classes("j-bar"):
                self.query = (
                    ui.input("Search sessions", on_change=self.changed)
                    .props("outlined dense clearable debounce=200 type=search autocomplete=off")
                    .classes("j-grow")
                )
                self.status = (
                    ui.select(_STATUS, value="", label="Status", on_change=self.changed)
                    .props("outlined dense options-dense")
                    .classes("j-fixed")
                )
            self.count = ui.label("Loading…").classes("j-soft").props("role=status")
            self.tree = Tree("Sessions by project and day", self.pick, self.flip)
            self.empty = ui.label().classes("j-empty")
            self.notice = Notice()
        self.empty.set_visibility(False)
        visit.heard.append(self.show)

    async def changed(self) -> None:
        """Fetch what is asked for now; an answer that comes late is dropped."""
        self.asked += 1
        mine, query, status = self.asked, (self.query.value or "").strip(), self.status.value
        self.tree.busy(on=True)
        if not query and status == self.listed:  # what is at hand is shown until the news come
            self.hits = None
            self.show()
        try:
            if query:
                found = await self.visit.ask(
                    self.visit.model.search, query, status=status, limit=_HITS
                )
            else:
                found = await self.visit.ask(self.visit.model.sessions, status=status, limit=_TREE)
        except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
            if mine == self.asked:
                self.notice.fail(error)
                self.tree.busy(on=False)
                if self.listed is None:
                    self.count.set_text("")
            return
        if mine != self.asked:
            return
        self.notice.tell("")
        if not query:
            self.listed = status
        self.take(found, query)
        self.tree.busy(on=False)

    def take(self, found: Any, query: str) -> None:
        """Show an answer of the model: a tree, or hits."""
        if query:
            self.learn([match.session for match in found.items])
            self.closed.clear()
            self.hits = [
                entry_of(match.session, self.names, tree.marked(match.snippet, match.spans))
                for match in found.items
            ]
        else:
            self.learn(found.items)
            self.hits = None
            self.total = found.total
            self.entries = [entry_of(card, self.names) for card in found.items]
            if self.opened is None:
                self.opened = tree.opened_first(self.entries)
        shown = self.entries if self.hits is None else self.hits
        self.known |= {entry.key: entry for entry in shown}
        self.visit.titles |= {entry.key: entry.title for entry in shown}
        self.show()

    def learn(self, cards: Sequence[Card]) -> None:
        """Give projects that are new a short name."""
        fresh = {card.project for card in cards} - set(self.names)
        if fresh:
            self.names = short_names([*self.names, *sorted(fresh)])

    def show(self) -> None:
        """Draw the rows again."""
        picked = set(keys(self.visit.basket))
        if self.hits is None:
            shown, count = self.entries, many(self.total, "session")
            if self.total > len(shown):
                count += f", the newest {len(shown):,} shown; a search finds the others"
            rows = tree.browse(self.entries, self.opened or (), picked, self.more)
        else:
            shown, count = self.hits, f"{many(len(self.hits), 'session')} found"
            rows = tree.found(self.hits, self.closed, picked, self.more)
        self.tree.show(rows)
        self.tree.set_visibility(bool(rows))
        self.count.set_text(count)
        filtered = self.hits is not None or self.status.value
        self.empty.set_text(_NOT_FOUND if filtered else _NOTHING)
        self.empty.set_visibility(not shown)

    def flip(self, row: str) -> None:
        """Open or close a group, or show more of one."""
        if row.startswith("m:"):
            self.more[row[2:]] = self.more.get(row[2:], 0) + 1
        else:
            if self.opened is None:
                self.opened = set()
            (self.closed if self.hits is not None else self.opened).symmetric_difference_update(
                {row}
            )
        self.show()

    def pick(self, key: str) -> None:
        """Put a session into the context area, or take it out."""
        if (item := self.item(key)) is not None:
            self.visit.keep(toggle(self.visit.basket, item))

    def item(self, key: str) -> Item | None:
        """What lies in the context area of a session that was shown; None for any other key."""
        entry = self.known.get(key)
        return None if entry is None else item_of(entry)


def entry_of(card: Card, names: dict[str, str], parts: tuple[tuple[str, bool], ...] = ()) -> Entry:
    """Make a row's facts of a card; times as this machine's clock says, which is the person's."""
    day, clock = day_and_time(card.started or card.last)
    facts = [
        _outcome(card),
        card.branch,
        many(card.files, "file") if card.files else "",
        f"{many(card.compactions, 'compaction')}" if card.compactions else "",
        {"imported": "imported", "exported": "part of another session"}.get(card.kind, ""),
    ]
    note = " · ".join(fact for fact in facts if fact)
    name = names.get(card.project, card.project)
    return Entry(
        f"{card.project}/{card.id}",
        card.project,
        name,
        card.title,
        day,
        clock,
        card.status,
        note,
        parts,
    )


def _outcome(card: Card) -> str:
    return "" if card.status == "open" and card.outcome == "open" else card.outcome


def item_of(entry: Entry) -> Item:
    """Make what lies in the context area of a row."""
    return Item(entry.key, entry.title, f"{entry.name} · {entry.day} {entry.time}".strip())


def short_names(projects: Sequence[str]) -> dict[str, str]:
    """Journals' names without the hash behind them, where that names one alone."""
    short = {name: name.rsplit("-", 1)[0] or name for name in projects}
    often = [*short.values()]
    return {name: base if often.count(base) == 1 else name for name, base in short.items()}
