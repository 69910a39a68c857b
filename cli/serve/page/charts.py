"""Build the charts of the pressure tab as ECharts options, and the same facts as rows of text.

Invariant: pure; unknown values are not drawn, and a text of a journal is never markup (tooltips are
drawn as rich text, not as HTML). Colours are the variables of style.css, which follow the theme.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cli.serve.data.pressure import curve_of
from journal.clock import DAY_MS, millis
from journal.history.timeline import COMPACTIONS, SessionTimeline
from journal.history.usage.periods import period_of

_WEEKS = 12
_PROJECTS = 7  # with a colour of their own; the others share one
_TEXT = {"color": "var(--j-soft)"}
_LINE = {"color": "var(--j-line)"}
_KINDS = {
    "auto": "automatic compaction",
    "manual": "compaction by hand",
    "compaction": "compaction",
}


def sawtooth(session: SessionTimeline, info: float, urgent: float) -> dict[str, Any]:
    """Return the chart of a session's readings in percent of its compaction threshold.

    Compactions and warnings are marked; one at an unknown height is a line from top to bottom.
    info, urgent: the warning levels, as shares of the threshold.
    """
    curve = curve_of(session)
    top = max([100.0, *(height for _, height in curve)])
    return _frame(["pressure", "compaction", "warning"]) | {
        "xAxis": {"type": "time", **_axis()},
        "yAxis": {
            "type": "value",
            "min": 0,
            "max": -(-int(top + 5) // 20) * 20,
            "interval": 20,
            "axisLabel": {"formatter": "{value} %", **_TEXT},
            "splitLine": {"lineStyle": _LINE},
        },
        "series": [
            {
                "name": "pressure",
                "type": "line",
                "data": [list(point) for point in curve],
                "sampling": "minmax",  # a screen has fewer columns than a long session readings
                "symbol": "circle",
                "symbolSize": 4,
                "color": "var(--j-accent)",
                "lineStyle": {"width": 2},
                "areaStyle": {"opacity": 0.08},
                "emphasis": {"disabled": True},
                "markLine": _levels(info, urgent),
            },
            _symbols("compaction", session, COMPACTIONS, "triangle", "var(--j-bad)"),
            _symbols("warning", session, ("told",), "diamond", "var(--j-warn)"),
        ],
    }


def _levels(info: float, urgent: float) -> dict[str, Any]:
    levels = [
        (1.0, "compaction threshold", "var(--j-bad)"),
        (urgent, "urgent", "var(--j-warn)"),
        (info, "info", "var(--j-soft)"),
    ]
    lines = [
        {
            "yAxis": round(100 * at, 1),
            "lineStyle": {"color": colour, "type": "dashed"},
            "label": {"formatter": name, "position": "insideStartTop", **_TEXT},
        }
        for at, name, colour in levels
    ]
    return {"silent": True, "symbol": "none", "data": lines}


def events_of(session: SessionTimeline) -> list[tuple[int, str, int]]:
    """Return a session's warnings and compactions in order: (ms, what, tokens), 0 unknown."""
    return [
        (item.at, _KINDS.get(item.kind) or f"warning: {item.detail}".rstrip(": "), item.tokens)
        for item in session.of("told", *COMPACTIONS)
    ]


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


def weekly_bars(mondays: Sequence[str], projects: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Return the chart of compactions: a bar for each week, its projects stacked.

    Patterns tell the projects apart without colour.
    """
    return _frame(list(projects)) | {
        "aria": {"enabled": True, "decal": {"show": len(projects) > 1}},
        "xAxis": {"type": "category", "data": [day[5:] for day in mondays], **_axis()},
        "yAxis": {
            "type": "value",
            "minInterval": 1,
            "axisLabel": _TEXT,
            "splitLine": {"lineStyle": _LINE},
        },
        "series": [
            {
                "name": name,
                "type": "bar",
                "stack": "all",
                "data": list(counts),
                "color": f"var(--j-project-{at})",
                "barMaxWidth": 36,
                "emphasis": {"disabled": True},
            }
            for at, (name, counts) in enumerate(projects.items(), 1)
        ],
    }


def _frame(legend: list[str]) -> dict[str, Any]:
    return {
        "animation": False,
        "backgroundColor": "transparent",
        "aria": {"enabled": True},
        "textStyle": _TEXT,
        "grid": {"left": 8, "right": 28, "top": 40, "bottom": 8, "containLabel": True},
        "legend": {
            "top": 0,
            "left": 0,
            "type": "scroll",
            "data": legend,
            "textStyle": _TEXT,
            "pageTextStyle": _TEXT,
            "pageIconColor": _TEXT["color"],
            "pageIconInactiveColor": _LINE["color"],
        },
        "tooltip": {"trigger": "axis", "renderMode": "richText", "confine": True},
    }


def _axis() -> dict[str, Any]:
    return {"axisLabel": {"hideOverlap": True, **_TEXT}, "axisLine": {"lineStyle": _TEXT}}


def _symbols(
    name: str, session: SessionTimeline, kinds: Sequence[str], symbol: str, colour: str
) -> dict[str, Any]:
    """Return a series of marks, at the height of its tokens each, or a line if that is unknown."""
    found = session.of(*kinds)
    known = [item for item in found if item.tokens and item.point]
    return {
        "name": name,
        "type": "scatter",
        "data": [[item.at, round(100 * item.tokens / item.point, 1)] for item in known],
        "symbol": symbol,
        "symbolSize": 12,
        "color": colour,
        "z": 5,
        "emphasis": {"disabled": True},
        "markLine": {
            "silent": True,
            "symbol": "none",
            "data": [{"xAxis": item.at} for item in found if item not in known],
            "label": {"show": False},
            "lineStyle": {"color": colour, "type": "dotted"},
        },
    }
