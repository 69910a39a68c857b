"""Print a report in a terminal.

Invariant: no line is wider than requested; colour is used only if it is on.
"""

from collections.abc import Iterator

from cli.render.text import Style, table
from cli.stats.draw import bars, line_plot
from cli.stats.report import MOST_ROWS, Bars, Part, Report, ReportLine, ReportTable
from journal.text import clip, one_line, wrapped


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
        yield from bars(part.rows, columns, style if style.on else None, "green")
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
