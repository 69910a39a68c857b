"""The second tab: how full a session's context was, and how often projects were compacted."""

from typing import Any

from nicegui import ui

from cli.render.local_time import local_time
from cli.serve.page import charts
from cli.serve.page.state import PageState, StatusLine
from cli.serve.page.widgets import Text, choice
from journal.clock import now_ms
from journal.history.timeline import SessionTimeline
from journal.text import escaped, plural

_ROWS = 100
_NO_CURVE = "No reading of a session's context yet. Hooks take one with each reply."
_NO_WEEK = "No compaction in the last twelve weeks."


class PressureTab:
    """The second tab: built when it is first opened, and loaded each time.

    So a browser loads the chart library only if it is needed.
    """

    def __init__(self, state: PageState) -> None:
        self.state = state
        self.sessions: dict[str, SessionTimeline] = {}
        self.levels = (0.0, 0.0)
        self.mondays: list[str] = []
        self.projects: dict[str, list[int]] = {}
        self.container = ui.element("div").classes("j-panes")
        self.is_built = False

    def _build(self) -> None:
        self.is_built = True
        with ui.element("section").classes("j-pane").props('aria-label="Pressure of a session"'):
            Text("h2", "How full one session's context was")
            self.chosen = choice("Session", {}, self.draw, "j-wide")
            self.summary = ui.label("Loading…").classes("j-soft").props("role=status")
            self.curve = ui.echart({}, renderer="svg").classes("j-chart")
            self.table = ui.element("div").classes("j-scroll")
            self.line = StatusLine(self.state.service.env)
        with ui.element("section").classes("j-pane").props('aria-label="Compactions"'):
            Text("h2", "Compactions across projects, by week")
            self.total = ui.label().classes("j-soft").props("role=status")
            self.bars = ui.echart({}, renderer="svg").classes("j-chart")

    async def load(self) -> None:
        """Read the sessions and compactions, and draw them."""
        if not self.is_built:
            with self.container:
                self._build()
        service = self.state.service
        found = await self.line.run(service.pressure)
        if found is None:
            return
        self.line.show("")
        rows = [(service.names(row["project"]), row["at"]) for row in found.compactions]
        self.mondays, self.projects = charts.count_by_week(rows, now_ms(service.env))
        self.sessions = {f"{each.project}/{each.sid}": each for each in found.sessions}
        self.levels = found.levels
        options = {
            key: f"{escaped(it.title)} · {service.names(it.project)} · {local_time(it.last)}"
            for key, it in self.sessions.items()
        }
        value = self.chosen.value
        if value not in options:
            value = max(options, key=lambda key: _interest(self.sessions[key]), default=None)
        self.chosen.set_options(options, value=value)
        self.chosen.set_visibility(bool(options))
        self.draw()

    def draw(self) -> None:
        """Draw both charts, and a table of the marks of the first one."""
        session = self.sessions.get(self.chosen.value or "")
        self.curve.set_visibility(session is not None)
        self.table.clear()
        if session is None:
            self.summary.set_text(_NO_CURVE)
        else:
            self.summary.set_text(_summary(session))
            _set_options(self.curve, charts.sawtooth(session, *self.levels))
            with self.table:
                _build_table(charts.events_of(session))
        self.bars.set_visibility(bool(self.projects))
        count = sum(map(sum, self.projects.values()))
        weeks = f"{count} in the last {len(self.mondays)} weeks"
        self.total.set_text(weeks if self.projects else _NO_WEEK)
        if self.projects:
            _set_options(self.bars, charts.weekly_bars(self.mondays, self.projects))


def _interest(session: SessionTimeline) -> tuple[int, int, float]:
    """Return the sort key of the curve to show first: compactions, warnings, highest pressure."""
    return len(session.compactions), session.count("told"), session.highest or 0.0


def _summary(session: SessionTimeline) -> str:
    compacted, warned = len(session.compactions), session.count("told")
    counts = f"{plural(compacted, 'compaction')}, {plural(warned, 'warning')}"
    level = f"at most {100 * (session.highest or 0):.0f}% of the compaction threshold"
    return f"{plural(session.count('reading'), 'reading')}, {level}; {counts}"


def _set_options(chart: ui.echart, options: dict[str, Any]) -> None:
    chart.options.clear()
    chart.options.update(options)
    chart.update()


def _build_table(rows: list[tuple[int, str, int]]) -> None:
    """Build a table of the marks, for people who cannot see the chart."""
    if not rows:
        return
    with ui.element("table").classes("j-table"):
        with ui.element("thead"), ui.element("tr"):
            for head in ("When", "What", "Tokens"):
                Text("th", head).props("scope=col")
        with ui.element("tbody"):
            for at, what, tokens in rows[-_ROWS:]:
                with ui.element("tr"):
                    Text("td", local_time(at))
                    Text("td", what)
                    Text("td", f"{tokens:,}" if tokens else "unknown")
