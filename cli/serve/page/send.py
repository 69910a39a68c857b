"""Saving a pack and sending one to a live session: asked first, then told what will happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from cli.serve.page.visit import READ_ONLY
from cli.serve.page.widgets import Text, button
from projections.messages.wording import many

if TYPE_CHECKING:
    from cli.serve.page.visit import Notice, Visit
    from cli.serve.shapes import Pack

__all__ = ["Sender"]

_WHEN = (
    "It is queued now and arrives with that session's next prompt, or when it recovers from a "
    "compaction, whichever comes first."
)


class Sender:
    """Does what writes, for a visit that may."""

    def __init__(self, visit: Visit, notice: Notice) -> None:
        self.visit = visit
        self.notice = notice
        with ui.dialog() as self.dialog, ui.element("div").classes("j-card"):
            Text("h2", "Send to session").props("id=j-asked")
            self.what = Text("p")
            Text("p", _WHEN).classes("j-soft")
            with ui.element("div").classes("j-bar"):
                ui.element("div").classes("j-space")
                button("Cancel", lambda: self.dialog.submit(False))
                button("Send", lambda: self.dialog.submit(True), main=True).props("autofocus")
        self.dialog.props("aria-labelledby=j-asked")

    async def save(self, refs: list[str], title: str) -> None:
        """Save a pack of these sessions."""
        if not self._may():
            return
        try:
            saved = await self.visit.ask(self.visit.model.save, refs, title=title)
        except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
            self.notice.fail(error)
            return
        count = many(len(refs), "session")
        self.notice.tell(f"Saved the pack “{saved.title}” ({count}) as {saved.pack}.")

    async def send(self, refs: list[str], title: str, to: str, name: str, pack: Pack) -> None:
        """Ask, then queue a pack of these sessions for a live one."""
        if not self._may() or not await self._agreed(len(refs), title or pack.title, name, pack):
            return
        try:
            made = await self.visit.ask(self.visit.model.pack, refs, title=title)
            queued = await self.visit.ask(self.visit.model.send, to, made)
        except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
            self.notice.fail(error)
            return
        self.notice.tell(
            f"Queued “{made.title}” for the session {name}: it waits for {queued.waits}."
        )

    def _may(self) -> bool:
        if not self.visit.writes:  # the buttons are off, but an event can be made up
            self.notice.warn(READ_ONLY)
        return self.visit.writes

    async def _agreed(self, count: int, title: str, name: str, pack: Pack) -> bool:
        cost = f"{many(count, 'session')}, about {pack.tokens:,} tokens"
        self.what.set_text(f"“{title}” ({cost}) will be given once to the session {name}.")
        return bool(await self.dialog)
