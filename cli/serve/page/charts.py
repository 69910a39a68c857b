"""Build the charts of the pressure tab as ECharts options, and the same facts as rows of text.

Invariant: pure; nothing unknown is drawn, and every text of a journal is plain text in a chart
(tooltips are drawn on the canvas, not as markup).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cli.serve.data.pressure import PressureHistory
from journal.clock import DAY_MS, millis
from journal.history.usage.periods import period_of

_WEEKS = 12
_PROJECTS = 7  # with a colour of their own; the others share one


class Palette(NamedTuple):
    """Colours of a chart on a light or a dark page."""

    text: str
    line: str
    grid: str
    accent: str
    warn: str
    bad: str
    projects: tuple[str, ...]


LIGHT = Palette(
    "#47505c",
    "#9aa3ad",
    "#e3e6ea",
    "#1f6feb",
    "#9a6700",
    "#b3261e",
    ("#1f6feb", "#b35900", "#2b7a3d", "#8250df", "#a8336a", "#1b7c83", "#6b5b1f", "#7b828c"),
)
DARK = Palette(
    "#b6bec9",
    "#5b6470",
    "#2b323b",
    "#6cb0ff",
    "#e3b341",
    "#ff8a80",
    ("#6cb0ff", "#f0a35e", "#6fce84", "#c4a1ff", "#f58fb8", "#5fd0d8", "#d6c26a", "#98a1ac"),
)


def sawtooth(history: PressureHistory, colours: Palette) -> dict[str, Any]:
    """Return the chart of a session's readings in percent of its compaction threshold.

    Compactions and warnings are marked; one at an unknown height is a line from top to bottom.
    """
    top = max([100.0, *(height for _, height in history.points)])
    heights = dict(history.points)
    compacted = [(item.at, heights.get(item.at)) for item in history.compactions]
    warned = [
        (item.at, round(100 * item.tokens / item.point, 1) if item.tokens and item.point else None)
        for item in history.warnings
    ]
    return _frame(colours, legend=["pressure", "compaction", "warning"]) | {
        "xAxis": {"type": "time", **_axis(colours)},
        "yAxis": {
            "type": "value",
            "min": 0,
            "max": -(-int(top + 5) // 20) * 20,
            "interval": 20,
            "axisLabel": {"formatter": "{value} %", "color": colours.text},
            "splitLine": {"lineStyle": {"color": colours.grid}},
        },
        "series": [
            {
                "name": "pressure",
                "type": "line",
                "data": [list(point) for point in history.points],
                "symbol": "circle",
                "symbolSize": 4,
                "color": colours.accent,
                "lineStyle": {"width": 2},
                "areaStyle": {"opacity": 0.08},
                "markLine": _levels(history, colours),
            },
            _symbols("compaction", compacted, "triangle", colours.bad),
            _symbols("warning", warned, "diamond", colours.warn),
        ],
    }


def _levels(history: PressureHistory, colours: Palette) -> dict[str, Any]:
    levels = [
        (100.0, "compaction threshold", colours.bad),
        (100 * history.urgent, "urgent", colours.warn),
        (100 * history.info, "info", colours.line),
    ]
    label = {"color": colours.text, "position": "insideStartTop"}
    lines = [
        {
            "yAxis": round(at, 1),
            "lineStyle": {"color": colour, "type": "dashed"},
            "label": {"formatter": name, **label},
        }
        for at, name, colour in levels
    ]
    return {"silent": True, "symbol": "none", "data": lines}


def events_of(history: PressureHistory) -> list[tuple[int, str, int]]:
    """Return a session's warnings and compactions in order: (ms, what, tokens), 0 unknown."""
    kinds = {"auto": "automatic compaction", "manual": "compaction by hand"}
    rows = [(item.at, kinds[item.kind], item.tokens) for item in history.compactions]
    rows += [
        (item.at, f"warning: {item.detail}" if item.detail else "warning", item.tokens)
        for item in history.warnings
    ]
    return sorted(rows)


def count_by_week(
    found: Iterable[tuple[str, str]], now: int
) -> tuple[list[str], dict[str, list[int]]]:
    """Return the local Mondays of the last weeks, and each project's compactions, most first.

    found: (project, time) of compactions. Projects beyond the colours there are become one,
    "other projects". now: ms.
    """
    mondays = [period_of("week", now - back * 7 * DAY_MS) for back in range(_WEEKS - 1, -1, -1)]
    counted: dict[str, Counter[str]] = {}
    for project, at in found:
        ms = millis(at)
        if ms is not None and (monday := period_of("week", ms)) in mondays:
            counted.setdefault(project, Counter())[monday] += 1
    order = sorted(counted, key=lambda name: (-counted[name].total(), name))
    shown = {name: [counted[name][day] for day in mondays] for name in order[:_PROJECTS]}
    if rest := order[_PROJECTS:]:
        others = [sum(counted[name][day] for name in rest) for day in mondays]
        shown["other projects"] = others
    return mondays, shown


def weekly_bars(
    mondays: Sequence[str], projects: Mapping[str, Sequence[int]], colours: Palette
) -> dict[str, Any]:
    """Return the chart of compactions: a bar for each week, its projects stacked."""
    return _frame(colours, legend=list(projects)) | {
        "xAxis": {"type": "category", "data": [day[5:] for day in mondays], **_axis(colours)},
        "yAxis": {
            "type": "value",
            "minInterval": 1,
            "axisLabel": {"color": colours.text},
            "splitLine": {"lineStyle": {"color": colours.grid}},
        },
        "series": [
            {
                "name": name,
                "type": "bar",
                "stack": "all",
                "data": list(counts),
                "color": colours.projects[at % len(colours.projects)],
                "barMaxWidth": 36,
            }
            for at, (name, counts) in enumerate(projects.items())
        ],
    }


def _frame(colours: Palette, legend: list[str]) -> dict[str, Any]:
    return {
        "animation": False,
        "backgroundColor": "transparent",
        "aria": {"enabled": True},
        "textStyle": {"color": colours.text},
        "grid": {"left": 8, "right": 28, "top": 40, "bottom": 8, "containLabel": True},
        "legend": {
            "top": 0,
            "left": 0,
            "type": "scroll",
            "data": legend,
            "textStyle": {"color": colours.text},
            "pageTextStyle": {"color": colours.text},
            "pageIconColor": colours.text,
            "pageIconInactiveColor": colours.grid,
        },
        "tooltip": {"trigger": "axis", "renderMode": "richText", "confine": True},
    }


def _axis(colours: Palette) -> dict[str, Any]:
    return {
        "axisLabel": {"color": colours.text, "hideOverlap": True},
        "axisLine": {"lineStyle": {"color": colours.line}},
    }


def _symbols(
    name: str, found: Sequence[tuple[int, float | None]], symbol: str, colour: str
) -> dict[str, Any]:
    data = [[at, height] for at, height in found if height is not None]
    lines = [{"xAxis": at} for at, height in found if height is None]
    return {
        "name": name,
        "type": "scatter",
        "data": data,
        "symbol": symbol,
        "symbolSize": 12,
        "color": colour,
        "z": 5,
        "markLine": {
            "silent": True,
            "symbol": "none",
            "data": lines,
            "label": {"show": False},
            "lineStyle": {"color": colour, "type": "dotted"},
        },
    }
