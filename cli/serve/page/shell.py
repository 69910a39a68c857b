"""The frame of the page: heading, tabs, theme, and what is known of the browser when it opens."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from nicegui import ui

from cli.serve.page.browse import Browser
from cli.serve.page.context import Context
from cli.serve.page.pressure import Pressure
from cli.serve.page.visit import READ_ONLY, Visit
from cli.serve.page.widgets import Text
from cli.serve.token import TAKE

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from cli.serve.model import Model
    from cli.serve.token import Token

__all__ = ["open_page"]

_EVERY = 3.0  # seconds between looks at the live sessions and at what remains in the chosen one
_PATIENCE = 20.0  # seconds for a browser to run a line
_THEMES = ("auto", "light", "dark")
_ICONS = {"auto": "brightness_auto", "light": "light_mode", "dark": "dark_mode"}
_SAID = {"auto": "Theme: as the system", "light": "Theme: light", "dark": "Theme: dark"}
_LOOK = """(() => {
  const media = matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', (event) => emitEvent('system', event.matches));
  return { theme: localStorage.getItem('journal-theme') || 'auto', dark: media.matches };
})()"""


@cache
def _style() -> str:
    path = os.path.join(os.path.dirname(__file__), "style.css")
    with open(path, encoding="utf-8") as file:
        return file.read()


async def open_page(model: Model, token: Token) -> None:
    """Build the page of one visit, then fill it when the browser is there."""
    ui.add_head_html(f"<style>{_style()}</style>")
    visit = Visit(model)
    theme = _Theme(visit)
    with ui.element("header").classes("j-head"):
        Text("h1", "Journal")
        with ui.tabs().props("dense no-caps inline-label aria-label=Views") as tabs:
            ui.tab("sessions", "Sessions")
            ui.tab("pressure", "Pressure")
        ui.element("div").classes("j-space")
        theme.button()
    banner = ui.label(READ_ONLY).classes("j-banner").props("role=note")
    banner.set_visibility(False)
    with ui.tab_panels(tabs, value="sessions", animated=False).props("keep-alive") as main:
        with ui.tab_panel("sessions"), ui.element("div").classes("j-panes"):
            browser = Browser(visit)
            context = Context(visit, browser)
        with ui.tab_panel("pressure"):
            second = _Later(visit)
    main.props("role=main")
    ui.skip_link("Skip to the sessions", target=main)
    tabs.on_value_change(lambda event: second.load() if event.value == "pressure" else None)
    await ui.context.client.connected()
    visit.writes = token.fits(await _told(TAKE))
    banner.set_visibility(not visit.writes)
    await theme.begin()
    await browser.changed()
    await context.show()
    await _look(visit, browser, context)
    ui.timer(_EVERY, lambda: _look(visit, browser, context))


async def _told(script: str) -> Any:
    """Give what a script says in the browser; None where it says nothing in time."""
    try:
        return await ui.run_javascript(script, timeout=_PATIENCE)
    except TimeoutError:
        return None


async def _look(visit: Visit, browser: Browser, context: Context) -> None:
    """Look who lives, and what is left there; where that changed, at all sessions."""
    try:
        others = context.offer(await visit.ask(visit.model.live))
    except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
        context.notice.fail(error)
        others = False
    if others:
        await browser.changed()
    if context.target.value:
        await context.weigh()


class _Later:
    """The second tab, made when it is first opened: most visits do without the chart library."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.room = ui.element("div").classes("j-panes")
        self.made: Pressure | None = None

    async def load(self) -> None:
        """Make it, where it is not there yet, and read what there is to draw."""
        if self.made is None:
            with self.room:
                self.made = Pressure(self.visit)
        await self.made.load()


class _Theme:
    """Light, dark, or as the system is; kept by the browser."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.name = "auto"
        self.system = False
        self.mode = ui.dark_mode(value=None)

    def button(self) -> None:
        """Make the switch."""
        self.switch = ui.button(on_click=self.turn, color=None).props("flat")
        self.switch.classes("j-icon")
        self._name()

    async def begin(self) -> None:
        """Take over what the browser kept."""
        ui.on("system", self._changed)
        known = await _told(_LOOK) or {}
        self.system = bool(known.get("dark"))
        self.name = known["theme"] if known.get("theme") in _THEMES else "auto"
        self._apply()

    def turn(self) -> None:
        """Go on to the next theme."""
        self.name = _THEMES[(_THEMES.index(self.name) + 1) % len(_THEMES)]
        ui.run_javascript(f"localStorage.setItem('journal-theme', '{self.name}')")
        self._apply()

    def _changed(self, event: GenericEventArguments) -> None:
        self.system = bool(event.args)
        self._apply()

    def _apply(self) -> None:
        self.mode.set_value({"auto": None, "light": False, "dark": True}[self.name])
        self._name()
        self.visit.paint(dark=self.system if self.name == "auto" else self.name == "dark")

    def _name(self) -> None:
        self.switch.set_icon(_ICONS[self.name])
        self.switch.props["aria-label"] = self.switch.props["title"] = _SAID[self.name]
        self.switch.update()
