"""The reader: one session, its conversation, compactions, files and cost, beside the list."""

from collections.abc import Sequence
from typing import Any

from nicegui import ui

from cli.serve.page.reader_rows import compaction_rows, first_rows, reader_rows
from cli.serve.page.state import PageState, StatusLine
from cli.serve.page.widgets import ConversationView, Text, button, copy_button
from cli.serve.schemas import SessionRow
from cli.show.outline import about, source_of
from journal.history.conversations.model import Conversation
from journal.text import plural

_EMPTY = (
    "Choose a session to read it here: its conversation, what compactions dropped, its files and "
    "its cost. The / key searches, the arrow keys move, Enter opens."
)
_PAGE = 200  # rows shown before more are asked for


class ReadingPane:
    """The reading pane of a tab. panes: the element that shows which screen a phone is on."""

    def __init__(self, state: PageState, panes: ui.element) -> None:
        self.state = state
        self.panes = panes
        self.requests = 0
        self.found: Conversation | None = None
        self.rows: list[dict[str, Any]] = []
        self.shown = _PAGE
        self.loaded = 0  # request that loaded the rows
        self.goal = (-1, 0)  # row to scroll to, number of the jump
        self.live: SessionRow | None = None  # the open session if it is live, as the rows show it
        self.folded: tuple[Any, ...] = ()  # what the parts show
        with ui.element("section").classes("j-pane j-reader").props('aria-label="Session"'):
            self._build()
        state.reading_changed.subscribe(self.load)
        state.selection_changed.subscribe(self._label_add)
        state.spent_changed.subscribe(self._show_about)

    def _build(self) -> None:
        with ui.element("div").classes("j-bar"):
            button("← Sessions", lambda: self.state.read("")).classes("j-back")
            self.title = Text("h2")
            ui.element("div").classes("j-space")
            self.add = button("", lambda: self.state.toggle(self.state.reading))
        self.empty = ui.label(_EMPTY).classes("j-empty")
        with ui.element("div").classes("j-body") as self.body:
            self.about = ui.element("div").classes("j-soft")
            with ui.element("div").classes("j-resume") as self.resume:
                self.command = Text("code")
                copy_button(".j-resume code", self._show_copied)
            self.no_resume = ui.label().classes("j-soft")
            self.parts = ui.element("div").classes("j-parts")
            self.view = ConversationView(self._details, self._more)
        self.line = StatusLine(self.state.service.env)
        self._show_nothing()

    def _show_nothing(self) -> None:
        self.found = None
        self.title.set_text("Session")
        self._show_body(shown=False)
        self.line.show("")

    def _show_body(self, *, shown: bool) -> None:
        self.empty.set_visibility(not shown)
        self.body.set_visibility(shown)
        self.add.set_visibility(shown)

    def _label_add(self) -> None:
        """Name what the button does to the session that is open."""
        is_chosen = self.state.reading in self.state.selection
        self.add.set_text("Remove from context" if is_chosen else "Add to context")

    async def load(self) -> None:
        """Read the session that is open, and show it."""
        self.requests += 1
        request, key = self.requests, self.state.reading
        self.panes.classes(**{"add" if key else "remove": "is-reading"})
        self._label_add()
        if not key:
            self._show_nothing()
            return
        self.title.set_text(self.state.title_of(key) or "Session")
        self.live = None
        found = await self.line.run(self.state.service.whole_conversation, key)
        if request != self.requests:
            return
        if found is None:
            self.body.set_visibility(False)
            return
        self.line.show("")
        self.found, self.shown, self.loaded = found, _PAGE, request
        self.goal = (-1, self.goal[1])
        self.rows = reader_rows(found)
        self._show(found)

    async def follow(self, live: Sequence[SessionRow]) -> None:
        """Read the open session again if it has continued; keep position and unfolded parts."""
        before, request, key = self.live, self.requests, self.state.reading
        now = next((row for row in live if f"{row.project}/{row.id}" == key), None)
        if now == before or self.found is None:
            return
        found = await self.line.run(self.state.service.whole_conversation, key)
        if found is None or request != self.requests:
            return
        opened = {row["use"]: row["details"] for row in self._calls() if row.get("asked")}
        self.live, self.found, self.rows = now, found, reader_rows(found)
        for row in self._calls():
            if row["use"] in opened:
                row["details"], row["asked"] = opened[row["use"]], True
        self._show(found)

    def _show(self, found: Conversation) -> None:
        self.title.set_text(found.title)
        self._show_body(shown=True)
        self._show_about()
        self.resume.set_visibility(bool(found.resume.command))
        self.command.set_text(found.resume.command)
        why = "" if found.resume.command else f"Cannot be resumed: {found.resume.why}"
        self.no_resume.set_text(why)
        self.no_resume.set_visibility(bool(why))
        self._show_parts(found)
        self._show_rows()

    def _show_about(self) -> None:
        """Show time, place, counts, cost and source of the session."""
        if self.found is None:
            return
        spent = (self.state.spent or {}).get(self.state.reading)
        cost = [spent.sentence] if spent else []
        self.about.clear()
        with self.about:
            project = self.state.service.names(self.found.project)
            for line in (*about(self.found, project), *cost, *source_of(self.found)):
                Text("p", line.replace(" · ", "\N{NO-BREAK SPACE}· "))  # a dot begins no line

    def _show_parts(self, found: Conversation) -> None:
        """Show compactions, files and decisions, folded; do nothing if they have not changed."""
        compacted = compaction_rows(self.rows)
        folded = (compacted, found.files, found.decisions)
        if folded == self.folded:
            return
        self.folded = folded
        self.parts.clear()
        with self.parts:
            if compacted:
                with _folded(plural(len(compacted), "compaction")), ui.element("ul"):
                    for row in compacted:
                        with ui.element("li"):
                            ui.button(
                                f"{row['text']}, {row['at']}",
                                on_click=lambda _, at=row["id"]: self._go_to(at),
                                color=None,
                            ).props("flat no-caps dense").classes("j-link")
            for what, texts in (("changed file", found.files), ("decision", found.decisions)):
                if texts:
                    with _folded(plural(len(texts), what)), ui.element("ul"):
                        for text in texts:
                            Text("li", text)

    def _show_rows(self) -> None:
        rows = first_rows(self.rows, self.shown)
        left = len(self.rows) - len(rows)
        more = f"Show {min(left, _PAGE):,} more of {left:,}" if left else ""
        self.view.set(rows=rows, more=more, load=self.loaded, goal=self.goal)

    def _more(self) -> None:
        self.shown += _PAGE
        self._show_rows()

    def _go_to(self, at: int) -> None:
        """Show the conversation up to a row, and scroll to it."""
        self.shown = max(self.shown, at + _PAGE)
        self.goal = (at, self.goal[1] + 1)
        self._show_rows()

    async def _details(self, use: str) -> None:
        """Fetch input and output of a tool call that is opened."""
        request, key = self.requests, self.state.reading
        found = await self.line.run(self.state.service.whole_conversation, key, details=[use])
        if found is None or request != self.requests:
            return
        texts = {
            entry.tool.use: entry.tool.texts
            for entry in found.entries
            if entry.tool is not None and entry.tool.use == use
        }
        for row in self._calls():
            if row["use"] == use:
                row["details"], row["asked"] = texts.get(use, []), True
        self._show_rows()

    def _calls(self) -> list[dict[str, Any]]:
        """Return the rows of tool calls, including those of subagents."""
        inner = (shown for row in self.rows for shown in (row, *row.get("rows", ())))
        return [row for row in inner if row["kind"] == "tool"]

    def _show_copied(self, done: bool) -> None:
        text = "Copied." if done else "The browser did not allow copying: select the line instead."
        self.line.show(text, error=not done)


def _folded(summary: str) -> ui.element:
    found = ui.element("details").classes("j-part")
    with found:
        Text("summary", summary)
    return found
