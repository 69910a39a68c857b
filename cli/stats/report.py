"""The parts of a report as data: tables, bars and lines; and how a terminal shows them.

Invariant: no line is wider than requested; colour is used only if it is on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from cli.render.text import Style, table
from cli.stats.draw import bars, line_plot
from journal.text import clip, one_line, plural, wrapped

MOST_ROWS = 20  # of a table; --json has all
_NEWEST = {"week": 12, "day": 14}  # bars of a chart


class ReportTable(NamedTuple):
    """A table; its first `MOST_ROWS` rows are shown.

    numbers: indexes of right-aligned columns. A value None is shown as unknown. total: number of
    all rows, if `rows` has only the shown ones.
    """

    heads: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    numbers: tuple[int, ...] = ()
    total: int = 0

    @property
    def more(self) -> int:
        """Return how many rows are not shown."""
        return max(0, (self.total or len(self.rows)) - MOST_ROWS)


class Bars(NamedTuple):
    """A bar chart from zero. rows: (label, value, note)."""

    title: str
    rows: Sequence[tuple[str, float, str]]


def newest_bars(what: str, period: str, rows: Sequence[tuple[str, float, str]]) -> Bars:
    """Return the bars of the newest periods; the title says how many more there are.

    what: before "per week" or "per day", with a space, or "". period: week or day.
    """
    most = _NEWEST[period]
    left_out = f", the newest {most} of {len(rows):,}" if len(rows) > most else ""
    return Bars(f"{what}per {period}{left_out}", list(rows[-most:]))


class ReportLine(NamedTuple):
    """A line over time.

    points: (ms, share of the threshold). marks: (ms, character). levels: (share, name).
    """

    title: str
    points: list[tuple[float, float]]
    marks: list[tuple[float, str]]
    levels: list[tuple[float, str]]
    legend: str


Part = ReportTable | Bars | ReportLine


class Report(NamedTuple):
    """A report.

    summary: one or two sentences. data: what --json prints. figures: headline figures of the page,
    as (figure, what it counts).
    """

    name: str
    summary: list[str]
    parts: list[Part]
    data: Any
    figures: Sequence[tuple[str, str]] = ()


def headline(count: int, noun: str) -> tuple[str, str]:
    """Return a headline figure that counts something: ("1", "session"), ("2", "sessions")."""
    number, _, counted = plural(count, noun).partition(" ")
    return number, counted


def table_rows(rows: Iterable[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the rows of --json as rows of a table."""
    return [tuple(row.values()) for row in rows]


def lines_of(report: Report, columns: int, style: Style) -> Iterator[str]:
    """Yield the lines of a report."""
    yield style("bold", report.name)
    for sentence in report.summary:
        yield from wrapped(one_line(sentence), columns)
    for part in report.parts:
        yield ""
        yield from lines_of_part(part, columns, style)


def lines_of_part(part: Part, columns: int, style: Style) -> Iterator[str]:
    """Yield the lines of a part of a report."""
    if isinstance(part, ReportTable):
        rows = [[cell(value) for value in row] for row in part.rows[:MOST_ROWS]]
        yield from table(
            rows,
            columns,
            heads=part.heads,
            right=part.numbers,
            flexible=max(_texts(part), default=-1),
            names=_texts(part),
        )
        if part.more:
            yield style("dim", f"and {part.more:,} more; --json lists all")
    elif isinstance(part, Bars):
        yield style("dim", clip(one_line(part.title), columns))
        yield from bars(part.rows, columns, partial(style, "green"))
    else:
        yield from _line(part, columns, style)


def cell(value: object) -> str:
    """Return a value as text; None is unknown."""
    if value is None:
        return "unknown"
    return f"{value:,}" if isinstance(value, (int, float)) else str(value)


def _texts(part: ReportTable) -> list[int]:
    """Return the text columns; if space is short, the last one shrinks first."""
    return [at for at in range(len(part.heads)) if at not in part.numbers]


def _line(part: ReportLine, columns: int, style: Style) -> Iterator[str]:
    yield style("dim", clip(one_line(part.title), columns))
    drawn = line_plot(part.points, part.marks, part.levels, columns)
    yield from (style("green", line) for line in drawn[:-1])
    yield style("yellow", drawn[-1])
    yield from wrapped(part.legend, columns)
