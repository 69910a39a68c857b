"""The second tab: how full a session's context was, and how often projects were compacted."""

from typing import Any

from nicegui import ui

from cli.render.local_time import local_time
from cli.render.text import short_id
from cli.serve.data.pressure import PressureHistory
from cli.serve.page import charts
from cli.serve.page.charts import DARK, LIGHT
from cli.serve.page.state import PageState, StatusLine
from cli.serve.page.widgets import Text, choice
from journal.clock import now_ms
from journal.text import escaped, plural

_ROWS = 100
_NO_CURVE = "No reading of a session's context yet. Hooks take one with each reply."
_NO_WEEK = "No compaction in the last twelve weeks."


class PressureTab:
    """The second tab, loaded each time it is opened, and built the first time.

    Most tabs do without the chart library.
    """

    def __init__(self, state: PageState) -> None:
        self.state = state
        self.histories: dict[str, PressureHistory] = {}
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
        self.state.theme_changed.subscribe(self.draw)

    async def load(self) -> None:
        """Read the histories and compactions, and draw them."""
        if not self.is_built:
            with self.container:
                self._build()
        service = self.state.service
        found = await self.line.run(service.pressure)
        if found is None:
            return
        histories, compactions = found
        self.line.show("")
        rows = [(service.names(row["project"]), row["at"]) for row in compactions]
        self.mondays, self.projects = charts.count_by_week(rows, now_ms(service.env))
        self.histories = {f"{each.project}/{each.session}": each for each in histories}
        options = {
            key: " · ".join(
                (self._title(key), service.names(each.project), local_time(each.points[-1][0]))
            )
            for key, each in self.histories.items()
        }
        value = self.chosen.value
        if value not in options:
            value = max(options, key=lambda key: _interest(self.histories[key]), default=None)
        self.chosen.set_options(options, value=value)
        self.chosen.set_visibility(bool(options))
        self.draw()

    def _title(self, key: str) -> str:
        history = self.histories[key]
        title = escaped(history.title) or self.state.titles.get(key)
        return title or f"Session {short_id(history.session)}"

    def draw(self) -> None:
        """Draw both charts, and the table of what the first one marks."""
        colours = DARK if self.state.dark else LIGHT
        history = self.histories.get(self.chosen.value or "")
        self.curve.set_visibility(history is not None)
        self.table.clear()
        if history is None:
            self.summary.set_text(_NO_CURVE)
        else:
            self.summary.set_text(_summary(history))
            _set_options(self.curve, charts.sawtooth(history, colours))
            with self.table:
                _build_table(charts.events_of(history))
        self.bars.set_visibility(bool(self.projects))
        count = sum(map(sum, self.projects.values()))
        weeks = f"{count} in the last {len(self.mondays)} weeks"
        self.total.set_text(weeks if self.projects else _NO_WEEK)
        if self.projects:
            _set_options(self.bars, charts.weekly_bars(self.mondays, self.projects, colours))


def _interest(history: PressureHistory) -> tuple[int, int, float]:
    """Return the sort key of the curve to show first: compactions, warnings, highest percent."""
    highest = max((percent for _, percent in history.points), default=0.0)
    return len(history.compactions), len(history.warnings), highest


def _summary(history: PressureHistory) -> str:
    compacted = {item.at for item in history.compactions}
    highest = max(percent for _, percent in history.points)
    counts = f"{plural(len(compacted), 'compaction')}, {plural(len(history.warnings), 'warning')}"
    level = f"at most {highest:.0f}% of the compaction threshold"
    return f"{plural(history.readings, 'reading')}, {level}; {counts}"


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
