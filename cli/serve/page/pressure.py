"""The second tab: how full a session's context was, and how often projects were compacted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from cli.read import sid_of, ts_of
from cli.serve.page import charts
from cli.serve.page.browse import short_names
from cli.serve.page.charts import DARK, LIGHT, Warned
from cli.serve.page.times import stamp
from cli.serve.page.visit import Notice
from cli.serve.page.widgets import Text
from cli.serve.place import scope_of
from journal.clock import millis, now_ms
from journal.events.registry import decode, kind_of
from journal.log.read import Reader
from projections.messages.wording import many

if TYPE_CHECKING:
    from cli.serve.page.visit import Visit
    from cli.serve.shapes import Compactions, Tooth

__all__ = ["Pressure", "warnings_of"]

_CURVES = 100
_NO_CURVE = (
    "No reading of a session's context yet: one is taken with each reply while hooks are on."
)
_NO_WEEK = "No compaction in the last twelve weeks."


class Pressure:
    """The charts of a visit; read when the tab is opened, and again each time it is."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.teeth: dict[str, Tooth] = {}
        self.warned: list[Warned] = []
        self.weekly: tuple[list[str], dict[str, list[int]]] = ([], {})
        self.levels = (0.6, 0.75)
        with ui.element("section").classes("j-pane").props('aria-label="Pressure of a session"'):
            Text("h2", "How full one session's context was")
            self.chosen = (
                ui.select({}, label="Session", on_change=self.choose)
                .props("outlined dense options-dense")
                .classes("j-wide")
            )
            self.summary = ui.label("Loading…").classes("j-soft").props("role=status")
            self.curve = ui.echart({}, renderer="svg").classes("j-chart")
            self.listed = ui.element("div").classes("j-scroll")
            self.notice = Notice()
        with ui.element("section").classes("j-pane").props('aria-label="Compactions"'):
            Text("h2", "Compactions across projects, by week")
            self.total = ui.label().classes("j-soft").props("role=status")
            self.bars = ui.echart({}, renderer="svg").classes("j-chart")
        visit.painted.append(self.recolour)

    async def load(self) -> None:
        """Read what there is to draw."""
        try:
            teeth = await self.visit.ask(self.visit.model.pressure, limit=_CURVES)
            compactions = await self.visit.ask(self.visit.model.compactions)
        except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
            self.notice.fail(error)
            return
        self.notice.tell("")
        self._take_weeks(compactions)
        names = short_names([tooth.project for tooth in teeth])
        self.teeth = {f"{tooth.project}/{tooth.session}": tooth for tooth in teeth}
        options = {
            key: " · ".join((self._title(key), names[tooth.project], stamp(tooth.points[-1][0])))
            for key, tooth in self.teeth.items()
        }
        value = self.chosen.value if self.chosen.value in options else next(iter(options), None)
        self.chosen.set_options(options, value=value)
        self.chosen.set_visibility(bool(options))
        await self.choose()

    def _title(self, key: str) -> str:
        tooth = self.teeth[key]
        return tooth.title or self.visit.titles.get(key) or f"Session {tooth.session[:8]}"

    def _take_weeks(self, compactions: Compactions) -> None:
        projects = short_names(sorted({row["project"] for row in compactions.items}))
        rows = [(projects[row["project"]], row["at"]) for row in compactions.items]
        self.weekly = charts.weeks_of(rows, now_ms(self.visit.model.env))

    async def choose(self) -> None:
        """Show the chosen session's curve."""
        tooth = self.teeth.get(self.chosen.value or "")
        self.warned = []
        if tooth is not None:
            try:
                self.warned, self.levels = await self.visit.ask(self._told, tooth)
            except Exception as error:  # noqa: BLE001 - told to the person, whatever it is
                self.notice.fail(error)
        self.draw()

    def _told(self, tooth: Tooth) -> tuple[list[Warned], tuple[float, float]]:
        """Warnings given in a session, and the levels in effect."""
        model = self.visit.model
        scope = scope_of(model.env, model.home, tooth.project)
        levels = scope.settings["pressure.info"], scope.settings["pressure.urgent"]
        return warnings_of(scope.directory, tooth.session, tooth.points[0][0]), levels

    def recolour(self) -> None:
        """Draw again in the colours of now."""
        if self.teeth or self.weekly[0]:
            self.draw()

    def draw(self) -> None:
        """Draw both charts and the list beneath the first."""
        colours = DARK if self.visit.dark else LIGHT
        tooth = self.teeth.get(self.chosen.value or "")
        self.curve.set_visibility(tooth is not None)
        self.listed.clear()
        if tooth is None:
            self.summary.set_text(_NO_CURVE)
        else:
            rows = charts.happened(tooth, self.warned)
            most = max(height for _, height in tooth.points)
            done = {at for at, _, _ in tooth.compactions}
            read = sum(at not in done for at, _ in tooth.points)
            self.summary.set_text(
                f"{many(read, 'reading')}, at most {most:.0f}% of the point where the session is "
                f"compacted; {many(len(done), 'compaction')}, {many(len(self.warned), 'warning')}"
            )
            _put(self.curve, charts.sawtooth(tooth, self.warned, *self.levels, colours))
            with self.listed:
                _table(rows)
        mondays, projects = self.weekly
        self.bars.set_visibility(bool(projects))
        count = sum(map(sum, projects.values()))
        self.total.set_text(f"{count} in the last {len(mondays)} weeks" if projects else _NO_WEEK)
        if projects:
            _put(self.bars, charts.weeks(mondays, projects, colours))


def _put(chart: ui.echart, options: dict[str, Any]) -> None:
    chart.options.clear()
    chart.options.update(options)
    chart.update()


def _table(rows: list[tuple[int, str, int]]) -> None:
    """List what is marked, for whoever does not see the chart."""
    if not rows:
        return
    with ui.element("table").classes("j-table"):
        with ui.element("thead"), ui.element("tr"):
            for head in ("When", "What", "Tokens"):
                Text("th", head).props("scope=col")
        with ui.element("tbody"):
            for at, what, tokens in rows[-_CURVES:]:
                with ui.element("tr"):
                    Text("td", stamp(at))
                    Text("td", what)
                    Text("td", f"{tokens:,}" if tokens else "unknown")


def warnings_of(directory: str, sid: str, since: int) -> list[Warned]:
    """Warnings of pressure given in a session from a time (ms) on; only their lines are decoded."""
    found = []
    for batch in Reader(directory).batches():
        for _, line in batch:
            if kind_of(line) != "advice.given" or sid_of(line) != sid:
                continue
            event: Any = decode(line, "advice.given")
            at = millis(ts_of(line)) or 0
            if getattr(event, "what", "") == "pressure" and not event.agent and at >= since:
                found.append(Warned(at, event.level, event.tokens, event.point))
    return found
