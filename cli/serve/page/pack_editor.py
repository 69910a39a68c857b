"""The right pane: the selected sessions, their order, their cost, and where they go.

Invariant: each write checks that the tab may write, and a pack is sent only after the user has
confirmed it.
"""

from nicegui import ui

from cli.serve.page import selection
from cli.serve.page.state import READ_ONLY, PageState, StatusLine
from cli.serve.page.widgets import SelectionList, Text, button, choice, copy_button
from cli.serve.schemas import NewPack, SessionRow
from journal.clock import millis, now_ms
from journal.history.packs import Draft
from journal.text import ago, plural
from projections.messages.message import width
from projections.queue import TEXT

_EMPTY = (
    "Drag sessions here, or add them with + or the space bar, to collect what another session "
    "should know."
)
_NO_TARGET = "No live session. Start Claude Code with the plugin in a project to choose it here."
_TOO_LONG = (
    "Too long to be sent at once: {:,} characters, at most {:,} are allowed. You can save or "
    "copy it; to send it, choose fewer sessions."
)
_WHEN = (
    "It is queued now and arrives with that session's next prompt, or when it recovers from a "
    "compaction, whichever comes first."
)


class PackEditor:
    """The context area of a tab."""

    def __init__(self, state: PageState) -> None:
        self.state = state
        self.draft: Draft | None = None
        self.requests = 0
        self.cost_requests = 0
        self.size = 0  # characters of the draft as it is sent
        self.live: dict[str, SessionRow] | None = None
        with ui.element("section").classes("j-pane j-pack").props('aria-label="Context area"'):
            with ui.element("div").classes("j-bar"):
                Text("h2", "Context area")
                ui.element("div").classes("j-space")
                self.clear_button = button("Clear", lambda: self.state.select(()))
            self.target = choice("Live session", {}, self.show_cost, "j-wide").props("clearable")
            self.no_target = ui.label(_NO_TARGET).classes("j-soft")
            self._build_cost()
            self.items = SelectionList(
                "Chosen sessions, in order", _EMPTY, self.insert, self.move, self.remove
            )
            self.announcement = ui.label().classes("j-hidden").props("aria-live=polite")
            self._build_pack()
        self._build_question()
        self._enable_buttons()  # nothing is chosen while the page loads
        state.selection_changed.subscribe(self.show)

    def _build_cost(self) -> None:
        with ui.element("div").classes("j-cost") as self.cost:
            with ui.element("div").classes("j-track").props("role=meter aria-valuemin=0") as track:
                self.track = track.props('aria-valuemax=100 aria-label="Share of what is left"')
                self.fill = ui.element("div").classes("j-fill")
            self.cost_text = ui.label().classes("j-soft").props("role=status")
            self.too_long = ui.label().classes("j-status j-bad").props("role=status")

    def _build_pack(self) -> None:
        with ui.element("details").classes("j-preview"):
            Text("summary", "Preview of the Markdown")
            # The Markdown's source, as text: rendered it could fetch a picture from anywhere, and
            # the source is what the other session reads.
            self.preview = Text("pre").props('tabindex=0 aria-label="Markdown"')
        self.title = (
            ui.input("Title of the pack").props("outlined dense maxlength=200").classes("j-wide")
        )
        with ui.element("div").classes("j-bar"):
            self.send_button = button("Send to session", self.send, main=True)
            self.save_button = button("Save as a pack", self.save)
            self.copy_button = copy_button(".j-preview pre", self.show_copied)
        self.line = StatusLine(self.state.service.env)

    def _build_question(self) -> None:
        with ui.dialog() as self.dialog, ui.element("div").classes("j-dialog"):
            Text("h2", "Send to session").props("id=j-question")
            self.question = Text("p")
            Text("p", _WHEN).classes("j-soft")
            with ui.element("div").classes("j-bar"):
                ui.element("div").classes("j-space")
                button("Cancel", lambda: self.dialog.submit(False))
                button("Send", lambda: self.dialog.submit(True), main=True).props("autofocus")
        self.dialog.props("aria-labelledby=j-question")

    # -- the selection ---------------------------------------------------------------------------

    def insert(self, key: str, at: int) -> None:
        """Insert a dropped session."""
        if key in self.state.entries and self.state.select(
            selection.insert(self.state.selection, key, at)
        ):
            self._announce(key)

    def move(self, key: str, by: int) -> None:
        """Move a session up or down."""
        if self.state.select(selection.move(self.state.selection, key, by)):
            self._announce(key)

    def remove(self, key: str) -> None:
        """Remove a session."""
        if self.state.select(selection.remove(self.state.selection, key)):
            count = plural(len(self.state.selection), "session")
            self.announcement.set_text(f"removed; {count} chosen")

    def _announce(self, key: str) -> None:
        """Name a session's new position to a screen reader."""
        at, count = self.state.selection.index(key), len(self.state.selection)
        self.announcement.set_text(f"{self.state.entries[key].label}: {at + 1} of {count}")

    # -- the pack --------------------------------------------------------------------------------

    async def show(self) -> None:
        """Draw the list of chosen sessions, then their pack and its cost."""
        chosen = [self.state.entries[key] for key in self.state.selection]
        self.items.set(
            items=[{"key": each.key, "title": each.label, "note": each.place} for each in chosen]
        )
        self.draft = None  # a draft of other sessions must not be saved, sent or copied
        self._enable_buttons()
        self.line.show("")
        self.requests += 1
        request, refs = self.requests, self.state.selection
        draft = await self.line.run(self.state.service.pack, refs) if refs else None
        if request != self.requests:
            return
        self.draft = draft
        self.preview.set_text(draft.text if draft else "")
        self.size = width(draft.text) if draft else 0
        self.too_long.set_text(_TOO_LONG.format(self.size, TEXT) if self.size > TEXT else "")
        await self.show_cost()

    async def show_cost(self) -> None:
        """Compare the pack with what remains of the chosen live session's context."""
        self.cost_requests += 1
        request, text = self.cost_requests, self.draft.text if self.draft else ""
        self._enable_buttons()
        cost = await self.line.run(self.state.service.cost, text, self.target.value or "")
        if cost is None or request != self.cost_requests:
            return
        self.cost_text.set_text(cost.sentence)
        self.cost.classes(replace=f"j-cost is-{cost.level}")
        percent = min(100, round(100 * (cost.share or 0)))
        self.fill.style(f"width: {percent if cost.level != 'over' else 100}%")
        if cost.share is not None:
            self.track.props["aria-valuenow"] = str(percent)
        else:
            self.track.props.pop("aria-valuenow", None)
        self.track.props["aria-valuetext"] = cost.sentence
        self.track.update()

    async def show_live(self, live: list[SessionRow]) -> bool:
        """Offer these live sessions as targets and update the cost if the chosen one was active.

        Returns whether one has come, gone or got another title since last time.
        """
        old, self.live = self.live, {f"{row.project}/{row.id}": row for row in live}
        now = now_ms(self.state.service.env)
        options = {key: self._option(row, now) for key, row in self.live.items()}
        self.no_target.set_visibility(not options)
        self.target.set_visibility(bool(options))
        target = self.target.value
        if options != self.target.options:
            target = target if target in options else None
            self.target.set_options(options, value=target)
            self._enable_buttons()
        if target and old is not None and old.get(target) != self.live[target]:
            await self.show_cost()
        return old is not None and _titles(old) != _titles(self.live)

    def _option(self, live: SessionRow, now: int) -> str:
        branch = f" on {live.branch}" if live.branch else ""
        project = self.state.service.names(live.project)
        return f"{live.title} · {project}{branch} · {ago(millis(live.last), now)}"

    def _enable_buttons(self) -> None:
        ready = self.draft is not None and bool(self.state.selection)
        self.copy_button.set_enabled(ready)
        self.clear_button.set_enabled(bool(self.state.selection))
        self.save_button.set_enabled(ready and self.state.can_write)
        sendable = 0 < self.size <= TEXT and bool(self.target.value)
        self.send_button.set_enabled(ready and self.state.can_write and sendable)

    async def save(self) -> None:
        """Save the pack."""
        if not self._can_write():
            return
        refs = self.state.selection
        pack = NewPack(sessions=[*refs], title=self.title.value or "")
        saved = await self.line.run(self.state.service.save, pack)
        if saved is not None:
            count = plural(len(refs), "session")
            self.line.show(f"Saved the pack “{saved.title}” ({count}) as {saved.pack}.")

    async def send(self) -> None:
        """Ask, then queue the pack for the chosen session."""
        to, draft, service = self.target.value or "", self.draft, self.state.service
        target = (self.live or {}).get(to)
        if draft is None or target is None or not self._can_write():
            return
        name = f"“{target.title}” in {self.state.service.names(target.project)}"
        refs, title = self.state.selection, self.title.value or ""
        cost = f"{plural(len(refs), 'session')}, about {draft.tokens:,} tokens"
        question = f"“{title or draft.title}” ({cost}) is given once to the session {name}."
        self.question.set_text(question)
        if not await self.dialog:
            return
        titled = await self.line.run(service.pack, refs, title)
        queued = titled and await self.line.run(service.send, to, titled)
        if queued:
            waits = f"it waits for {queued.waits}"
            self.line.show(f"Queued “{titled.title}” for the session {name}: {waits}.")

    def _can_write(self) -> bool:
        if not self.state.can_write:  # the buttons are off, but a script can send their event
            self.line.show(READ_ONLY, error=True)
        return self.state.can_write

    def show_copied(self, done: bool) -> None:
        """Show whether the browser allowed the copy."""
        if done:
            count = plural(len(self.state.selection), "session")
            self.line.show(f"Copied the Markdown of {count}.")
        else:
            text = "The browser did not allow copying: open the preview and copy there."
            self.line.show(text, error=True)


def _titles(live: dict[str, SessionRow]) -> dict[str, str]:
    return {key: row.title for key, row in live.items()}
