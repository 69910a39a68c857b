"""Draw text plots: bars, and a line over time.

Invariant: no line is wider than requested, and the same data give the same text.
"""

from collections.abc import Callable, Sequence

from journal.text import clip, one_line, padded, width

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEVELS = " ▁▂▃▄▅▆▇█"
_LEAST = 8  # minimum columns of a plot
_SHORTEST = 7  # columns of a name of 4 and a bar of 1, with their gaps
_MOST = 100
_HEIGHT = 12  # lines of a plot, without the line of its marks
_UNIT = 2  # maximum columns per unit of a bar: a week with one compaction must not look full


def bars(
    rows: Sequence[tuple[str, float, str]],
    columns: int,
    paint: Callable[[str], str] = str,
) -> list[str]:
    """Return (label, value, note) as bars from zero, in lines of at most `columns`.

    paint: styles a bar.
    """
    if not rows:
        return []
    columns = min(columns, _MOST)
    names = [one_line(label) for label, _, _ in rows]
    notes = [clip(one_line(note), columns - _SHORTEST) for _, _, note in rows]
    note_width = max(map(width, notes))
    name_width = min(max(map(width, names)), max(4, columns - note_width - _LEAST - 2))
    space = columns - name_width - note_width - 2
    most = max(*(value for _, value, _ in rows), space / _UNIT)
    lines = []
    for name, (_, value, _), note in zip(names, rows, notes, strict=True):
        bar = paint(padded(_bar(value / most, space), space))
        lines.append(f"{padded(clip(name, name_width), name_width)} {bar} {note}".rstrip())
    return lines


def _bar(share: float, space: int) -> str:
    eighths = max(0, min(space * 8, round(share * space * 8)))
    if share > 0:
        eighths = max(1, eighths)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def line_plot(
    points: Sequence[tuple[float, float]],
    marks: Sequence[tuple[float, str]],
    levels: Sequence[tuple[float, str]],
    columns: int,
) -> list[str]:
    """Return the lines of a plot.

    The highest of several points in a column counts; a column without points repeats the last one.

    Args:
        points: (x, share of 1), by x.
        marks: (x, character), drawn below the plot.
        levels: (share of 1, name), drawn as horizontal lines.
        columns: width of a line.

    """
    if not points:
        return []
    columns = min(columns, _MOST)
    label = max((width(name) for _, name in levels), default=0) + 1
    space = max(_LEAST, columns - label)
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    heights = _columns(points, space, first, last)
    top = max(1.0, max((value for value in heights if value is not None), default=1.0))
    lines = []
    names = {round(share / top * (_HEIGHT - 1)): name for share, name in levels}
    for row in range(_HEIGHT - 1, -1, -1):
        cells = [_cell(value, row, top, ruled=row in names) for value in heights]
        lines.append(clip(padded(names.get(row, ""), label) + "".join(cells).rstrip(), columns))
    marked = [" "] * space
    for at, char in marks:
        marked[_column(at, space, first, last)] = char
    lines.append(clip((" " * label + "".join(marked)).rstrip(), columns))
    return lines


def _columns(
    points: Sequence[tuple[float, float]], space: int, first: float, last: float
) -> list[float | None]:
    found: list[float | None] = [None] * space
    for at, value in points:
        column = _column(at, space, first, last)
        found[column] = max(value, found[column] or 0.0)
    last_value: float | None = None
    for column, value_there in enumerate(found):
        last_value = value_there if value_there is not None else last_value
        found[column] = last_value
    return found


def _column(at: float, space: int, first: float, last: float) -> int:
    return max(0, min(space - 1, int((at - first) / (last - first) * space)))


def _cell(value: float | None, row: int, top: float, *, ruled: bool) -> str:
    filled = 0 if value is None else round(value / top * _HEIGHT * 8) - row * 8
    if filled >= 1:
        return _LEVELS[min(8, filled)]
    return "┈" if ruled else " "
