"""The right pane: the context area, its order, what it costs, and where it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from cli.serve.page import basket as baskets
from cli.serve.page.basket import keys, meter
from cli.serve.page.send import Sender
from cli.serve.page.times import ago
from cli.serve.page.visit import Notice
from cli.serve.page.widgets import Text, Tray, button
from journal.clock import now_ms
from projections.messages.answer import width
from projections.messages.wording import many
from projections.queue import TEXT

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from cli.serve.page.browse import Browser
    from cli.serve.page.visit import Visit
    from cli.serve.shapes import Live, Pack

__all__ = ["Context"]

_EMPTY = (
    "Drag sessions here, or add them with + or the Enter key, to put together what another session "
    "should know."
)
_NOBODY = (
    "No live session: start Claude Code with the plugin in a project, and it can be chosen here."
)
_LONG = (
    "Too long to be sent at once: it takes {:,} characters as it is sent, {:,} is the most. It can "
    "be saved and copied; to send it, choose fewer sessions."
)
_COPY = """async () => {
  const text = document.querySelector('.j-preview pre').textContent;
  let done = false;
  try { await navigator.clipboard.writeText(text); done = true; } catch {
    const area = Object.assign(document.createElement('textarea'), { value: text });
    const held = document.activeElement;
    document.body.append(area); area.select();
    try { done = document.execCommand('copy'); } catch {}
    area.remove(); held?.focus();
  }
  emit(done);
}"""  # in the browser: a page may copy only while it handles the person's own click


class Context:
    """The context area of a visit; browser: where dropped sessions come from."""

    def __init__(self, visit: Visit, browser: Browser) -> None:
        self.visit = visit
        self.browser = browser
        self.pack: Pack | None = None
        self.drawn = 0
        self.size = 0
        self.live: dict[str, str] | None = None
        with ui.element("section").classes("j-pane").props('aria-label="Context area"'):
            with ui.element("div").classes("j-bar"):
                Text("h2", "Context area")
                ui.element("div").classes("j-space")
                self.emptied = button("Clear", self.clear)
            self.target = (
                ui.select({}, label="Live session", on_change=self.weigh)
                .props("outlined dense options-dense clearable")
                .classes("j-wide")
            )
            self.nobody = ui.label(_NOBODY).classes("j-soft")
            self._gauge()
            self.tray = Tray("Chosen sessions, in order", self.place, self.shift, self.remove)
            self.said = ui.label().classes("j-hidden").props("aria-live=polite")
            with ui.element("details").classes("j-preview"):
                Text("summary", "Preview of the Markdown")
                # The source of the Markdown, as text: rendered it could fetch a picture from
                # anywhere, and what a session will read is this, not its looks.
                self.preview = Text("pre").props('tabindex=0 aria-label="Markdown"')
            self.title = (
                ui.input("Title of the pack")
                .props("outlined dense maxlength=200")
                .classes("j-wide")
            )
            with ui.element("div").classes("j-bar"):
                self.sent = button("Send to session", self.send, main=True)
                self.saved = button("Save as a pack", self.save)
                self.copied = button("Copy")
                self.copied.on("click", self.told_copied, js_handler=_COPY)
            self.notice = Notice()
        self.sender = Sender(visit, self.notice)
        visit.heard.append(self.show)

    def _gauge(self) -> None:
        with ui.element("div").classes("j-meter") as self.gauge:
            with ui.element("div").classes("j-track").props("role=meter aria-valuemin=0") as track:
                self.track = track.props('aria-valuemax=100 aria-label="Share of what is left"')
                self.fill = ui.element("div").classes("j-fill")
            self.words = ui.label().classes("j-soft").props("role=status")
            self.long = ui.label().classes("j-said j-bad").props("role=status")

    # -- what lies in it -------------------------------------------------------------------------

    def place(self, key: str, at: int) -> None:
        """Put a dropped session at a place."""
        known = self.browser.item(key)
        if known is not None and self.visit.keep(baskets.place(self.visit.basket, known, at)):
            self.say(key)

    def shift(self, key: str, by: int) -> None:
        """Move a session up or down."""
        if self.visit.keep(baskets.shift(self.visit.basket, key, by)):
            self.say(key)

    def remove(self, key: str) -> None:
        """Take a session out."""
        if self.visit.keep(baskets.remove(self.visit.basket, key)):
            self.said.set_text(f"removed; {many(len(self.visit.basket), 'session')} chosen")

    def clear(self) -> None:
        """Take everything out."""
        self.visit.keep(())

    def say(self, key: str) -> None:
        """Tell a screen reader where a session is now."""
        here = keys(self.visit.basket)
        title = self.visit.basket[here.index(key)].title
        self.said.set_text(f"{title}: {here.index(key) + 1} of {len(here)}")

    # -- what follows from it --------------------------------------------------------------------

    async def show(self) -> None:
        """Draw the list, then the block it makes and its weight."""
        self.tray.show(self.visit.basket, _EMPTY)
        self.pack = None  # what was made of other sessions is not to be saved, sent or copied
        self.enable()
        self.notice.tell("")
        self.drawn += 1
        mine, refs = self.drawn, keys(self.visit.basket)
        try:
            pack = await self.visit.ask(self.visit.model.pack, refs) if refs else None
        except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
            pack = None
            self.notice.fail(error)
        if mine != self.drawn:
            return
        self.pack = pack
        self.preview.set_text(pack.text if pack else "")
        self.size = width(pack.text) if pack else 0
        self.long.set_text(_LONG.format(self.size, TEXT) if self.size > TEXT else "")
        self.enable()
        await self.weigh()

    async def weigh(self) -> None:
        """Weigh the block against what remains in the chosen live session."""
        chosen, text = self.target.value or "", self.pack.text if self.pack else ""
        self.enable()
        try:
            got = await self.visit.ask(self.visit.model.meter, text, chosen)
        except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
            self.notice.fail(error)
            return
        if chosen != (self.target.value or ""):
            return
        shown = meter(got.tokens, got.remaining, got.unknown, chosen=bool(chosen))
        self.words.set_text(shown.words)
        self.gauge.classes(replace=f"j-meter is-{shown.level}")
        percent = min(100, round(100 * (shown.share or 0)))
        self.fill.style(f"width: {percent if shown.level != 'over' else 100}%")
        if shown.share is not None:
            self.track.props["aria-valuenow"] = str(percent)
        else:
            self.track.props.pop("aria-valuenow", None)
        self.track.props["aria-valuetext"] = shown.words
        self.track.update()

    def offer(self, live: list[Live]) -> bool:
        """Offer these live sessions as targets; the one that is chosen stays while it lives.

        Gives whether they are others, or have another title, than last time.
        """
        before = self.live
        now = now_ms(self.visit.model.env)
        names = self.browser.names
        options = {f"{one.project}/{one.id}": _named(one, names, now) for one in live}
        self.live = {
            f"{one.project}/{one.id}": f"“{one.title}” in {names.get(one.project, one.project)}"
            for one in live
        }
        self.nobody.set_visibility(not options)
        self.target.set_visibility(bool(options))
        if options != self.target.options:
            value = self.target.value if self.target.value in options else None
            self.target.set_options(options, value=value)
            self.enable()
        return before is not None and self.live != before

    def enable(self) -> None:
        """Let be done what can be done."""
        ready = self.pack is not None and bool(self.visit.basket)
        self.copied.set_enabled(ready)
        self.emptied.set_enabled(bool(self.visit.basket))
        self.saved.set_enabled(ready and self.visit.writes)
        fits = 0 < self.size <= TEXT
        self.sent.set_enabled(ready and self.visit.writes and fits and bool(self.target.value))

    async def save(self) -> None:
        """Save the block as a pack."""
        await self.sender.save(keys(self.visit.basket), self.title.value or "")

    async def send(self) -> None:
        """Ask, then queue the block for the chosen session."""
        to = self.target.value or ""
        name = (self.live or {}).get(to, "")
        if self.pack is not None and name:
            refs, title = keys(self.visit.basket), self.title.value or ""
            await self.sender.send(refs, title, to, name, self.pack)

    def told_copied(self, event: GenericEventArguments) -> None:
        """Tell whether the browser let the block be copied."""
        if event.args is True:
            count = many(len(self.visit.basket), "session")
            self.notice.tell(f"Copied the Markdown of {count}.")
        else:
            self.notice.warn("The browser did not allow copying: open the preview and copy there.")


def _named(live: Live, names: dict[str, str], now: int) -> str:
    branch = f" on {live.branch}" if live.branch else ""
    return f"{live.title} · {names.get(live.project, live.project)}{branch} · {ago(live.last, now)}"
