"""Save a pack, and send one to a live session after the person has confirmed it."""

from nicegui import ui

from cli.serve.page.state import READ_ONLY, PageState, StatusLine
from cli.serve.page.widgets import Text, button
from cli.serve.schemas.packs import NewPack
from journal.history.packs import Draft
from journal.text import plural

_WHEN = (
    "It is queued now and arrives with that session's next prompt, or when it recovers from a "
    "compaction, whichever comes first."
)


class Sender:
    """Everything of the page that writes. Each function checks that the tab may."""

    def __init__(self, state: PageState, line: StatusLine) -> None:
        self.state = state
        self.line = line
        with ui.dialog() as self.dialog, ui.element("div").classes("j-dialog"):
            Text("h2", "Send to session").props("id=j-question")
            self.question = Text("p")
            Text("p", _WHEN).classes("j-soft")
            with ui.element("div").classes("j-bar"):
                ui.element("div").classes("j-space")
                button("Cancel", lambda: self.dialog.submit(False))
                button("Send", lambda: self.dialog.submit(True), main=True).props("autofocus")
        self.dialog.props("aria-labelledby=j-question")

    async def save(self, refs: list[str], title: str) -> None:
        """Save a pack of these sessions."""
        if not self._can_write():
            return
        pack = NewPack(sessions=refs, title=title)
        saved = await self.line.run(self.state.service.save, pack)
        if saved is not None:
            count = plural(len(refs), "session")
            self.line.show(f"Saved the pack “{saved.title}” ({count}) as {saved.pack}.")

    async def send(self, refs: list[str], title: str, to: str, name: str, draft: Draft) -> None:
        """Ask, then queue a pack of these sessions. to: the live session; name: its words."""
        if not self._can_write():
            return
        cost = f"{plural(len(refs), 'session')}, about {draft.tokens:,} tokens"
        question = f"“{title or draft.title}” ({cost}) will be given once to the session {name}."
        self.question.set_text(question)
        if not await self.dialog:
            return
        titled = await self.line.run(self.state.service.pack, refs, title)
        queued = titled and await self.line.run(self.state.service.send, to, titled)
        if queued:
            waits = f"it waits for {queued.waits}"
            self.line.show(f"Queued “{titled.title}” for the session {name}: {waits}.")

    def _can_write(self) -> bool:
        if not self.state.can_write:  # the buttons are off, but a script can send their event
            self.line.show(READ_ONLY, error=True)
        return self.state.can_write
