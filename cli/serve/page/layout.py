"""The frame of the page: heading, tabs, theme, timers, and the address."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nicegui import ui

from cli.serve.data.service import Service
from cli.serve.guard import USER_KNOWN
from cli.serve.page.pack_editor import PackEditor
from cli.serve.page.pressure import PressureTab
from cli.serve.page.reader import ReadingPane
from cli.serve.page.session_list import SessionList
from cli.serve.page.state import IMPORTING, READ_ONLY, UNKNOWN_USER, PageState
from cli.serve.page.text import describe_damage
from cli.serve.page.widgets import Text
from cli.serve.token import TAB_SCRIPT, Token

_INTERVAL = 3.0  # seconds between updates of the live sessions
_SLOW_INTERVAL = 60.0  # seconds between updates of damage, tokens and costs
_PATIENCE = 20.0  # seconds for a browser to run a line
_STYLE = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
_THEMES = {  # name: icon, label of the button, dark
    "auto": ("brightness_auto", "Theme: system", None),
    "light": ("light_mode", "Theme: light", False),
    "dark": ("dark_mode", "Theme: dark", True),
}
_READ_ADDRESS = """(() => {
  const session = () => new URLSearchParams(location.search).get('session') || '';
  addEventListener('popstate', () => emitEvent('address', session()));
  return session();
})()"""
_WRITE_ADDRESS = "history.pushState(null, '', location.pathname + {})"
_READ_THEME = "localStorage.getItem('journal-theme')"


async def build_page(service: Service, token: Token) -> None:
    """Build the page for one browser tab, and fill it once the browser is connected."""
    ui.add_head_html(f"<style>{_STYLE}</style>")
    client = ui.context.client
    if not client.request.scope.get(USER_KNOWN):
        # Nothing that reads is built before the token has come.
        await client.connected()
        if not token.matches(await _run_script(TAB_SCRIPT)):
            ui.label(UNKNOWN_USER).classes("j-banner").props("role=note")
            return
    state = PageState(service)
    theme = _Theme()
    tabs = _build_head(theme)
    read_only, importing, damage = (
        _banner(*each) for each in ((READ_ONLY, "note"), (IMPORTING, "status"), ("", "alert"))
    )
    with ui.tab_panels(tabs, value="sessions", animated=False).props("keep-alive") as main:
        with ui.tab_panel("sessions"), ui.element("div").classes("j-panes j-three") as panes:
            sessions = SessionList(state)
            reader = ReadingPane(state, panes)
            editor = PackEditor(state)
        with ui.tab_panel("pressure"):
            pressure = PressureTab(state)
    main.props("role=main")
    ui.skip_link("Skip to the sessions", target=main)
    tabs.on_value_change(lambda event: pressure.load() if event.value == "pressure" else None)
    await client.connected()
    if client.is_deleted:
        return
    state.can_write = token.matches(await _run_script(TAB_SCRIPT))
    read_only.set_visibility(not state.can_write)
    await theme.load()
    # First the live sessions, so that one that begins meanwhile is listed or seen as a change.
    await _update_live(sessions, reader, editor)
    await sessions.load()
    await editor.show()
    await _Address(state).load()
    _start_timers(sessions, reader, editor, importing, damage)


def _build_head(theme: "_Theme") -> ui.tabs:
    """Build the heading with the tabs and the theme's button; return the tabs."""
    with ui.element("header").classes("j-head"):
        Text("h1", "Journal")
        with ui.tabs().props("dense no-caps inline-label aria-label=Views") as tabs:
            ui.tab("sessions", "Sessions")
            ui.tab("pressure", "Pressure")
        ui.element("div").classes("j-space")
        theme.build_button()
    return tabs


def _banner(text: str, role: str) -> ui.label:
    """Build a bar above the page that is hidden at first."""
    found = ui.label(text).classes("j-banner").props(f"role={role}")
    found.set_visibility(False)
    return found


async def _run_script(script: str) -> Any:
    """Return the result of a script in the browser; None if it does not answer in time."""
    try:
        return await ui.run_javascript(script, timeout=_PATIENCE)
    except TimeoutError:
        return None


def _start_timers(
    sessions: SessionList,
    reader: ReadingPane,
    editor: PackEditor,
    importing: ui.label,
    damage: ui.label,
) -> None:
    """Start the timers that update the page. importing, damage: bars above it."""
    service = sessions.state.service

    async def update() -> None:
        """Update the live sessions, and list those that a running import has added."""
        await _update_live(sessions, reader, editor)
        was, running = importing.visible, service.past_import.is_running
        if was and not running:
            service.index.refresh()
        if was or running:
            importing.set_visibility(running)
            await sessions.load()

    async def update_slowly() -> None:
        """Show what is damaged or known to be missing, and what to do; then tokens and costs."""
        found = await editor.line.run(service.damage)
        if found is not None:
            damage.set_text(describe_damage(*found))
            damage.set_visibility(any(found))
        await sessions.load_spending()

    ui.timer(_INTERVAL, update)
    ui.timer(_SLOW_INTERVAL, update_slowly)


async def _update_live(sessions: SessionList, reader: ReadingPane, editor: PackEditor) -> None:
    """Update the live sessions wherever they are shown; list all again if other ones are live."""
    live = await editor.line.run(sessions.state.service.live)
    if live is None:
        return
    if await editor.show_live(live):
        await sessions.load()
    else:
        sessions.update(live)
    await reader.follow(live)


class _Address:
    """Keeps the open session in the URL, so that Back closes it and a reload opens it."""

    def __init__(self, state: PageState) -> None:
        self.state = state
        self.session = ""

    async def load(self) -> None:
        """Open the session that the address names."""
        ui.on("address", lambda event: self._open(str(event.args)))
        self.state.reading_changed.subscribe(self._write)
        self._open(await _run_script(_READ_ADDRESS) or self.state.reading)

    def _open(self, session: str) -> None:
        self.session = session
        if session != self.state.reading:
            self.state.read(session)

    def _write(self) -> None:
        if self.state.reading != self.session:
            self.session = self.state.reading
            query = f"?session={quote(self.session, safe='')}" if self.session else ""
            ui.run_javascript(_WRITE_ADDRESS.format(json.dumps(query)))


class _Theme:
    """The theme: light, dark, or that of the system. The browser stores it."""

    def __init__(self) -> None:
        self.name = "auto"
        self.is_chosen = False  # in this tab; then the theme that the browser stored does not count
        self.mode = ui.dark_mode(value=None)

    def build_button(self) -> None:
        """Build the button that changes the theme."""
        self.button = ui.button(on_click=self.next, color=None).props("flat").classes("j-icon")
        self._label_button()

    async def load(self) -> None:
        """Apply the theme the browser has stored."""
        stored = await _run_script(_READ_THEME)
        if not self.is_chosen and stored in _THEMES:
            self.name = stored
        self._apply()

    def next(self) -> None:
        """Change to the next theme."""
        names = list(_THEMES)
        self.is_chosen = True
        self.name = names[(names.index(self.name) + 1) % len(names)]
        ui.run_javascript(f"localStorage.setItem('journal-theme', '{self.name}')")
        self._apply()

    def _apply(self) -> None:
        self.mode.set_value(_THEMES[self.name][2])
        self._label_button()

    def _label_button(self) -> None:
        icon, label, _ = _THEMES[self.name]
        self.button.set_icon(icon)
        self.button.props["aria-label"] = self.button.props["title"] = label
        self.button.update()
