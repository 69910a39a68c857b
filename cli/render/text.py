"""What a command prints: tables, JSON, colour, the width of the terminal.

Invariant: no control, bidirectional or other unprintable character of an event reaches the
terminal; no line is wider than requested; with --json, stdout is only JSON.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from cli.render.progress import clear_progress
from journal.text import clip, escaped, one_line, padded, width, wrapped

if TYPE_CHECKING:
    from journal.history.usage.report import UsageRow

UNLIMITED = 1_000_000
"""Columns without a terminal."""

_ID = 8  # characters of a session ID that are shown
_LEAST = 20
_GAP = "  "  # between two columns
_EXCERPT = 120  # columns
_NARROW = 8  # columns that a cut text needs to be of use
_NAME = 12  # columns that a name cut in its middle needs to be of use
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")  # noqa: RUF001 - spreadsheets take the wide ones too
_QUOTED = re.compile(r'[",\r\n]')
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"Resume: |[a-z]+ +/\S*$")  # a line that is not folded
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def columns(env: Mapping[str, str], stream: TextIO | None = None) -> int:
    """Return the columns to write in: COLUMNS, else the terminal's; UNLIMITED without one.

    stream: the output, None for stdout.
    """
    given = env.get("COLUMNS", "")
    if given.isdigit() and int(given):
        return max(_LEAST, int(given))
    try:
        found = os.get_terminal_size((stream or sys.stdout).fileno()).columns
        return max(_LEAST, found or 80)  # a terminal that does not know its size says 0
    except (OSError, ValueError, AttributeError):
        return UNLIMITED


def table(
    rows: Sequence[Sequence[object]],
    columns: int,
    *,
    heads: Sequence[str] = (),
    flexible: int = -1,
    names: Iterable[int] = (),
    right: Iterable[int] = (),
    records: bool = True,
) -> list[str]:
    """Lay out rows in lines of at most `columns` (0: as wide as they are); no rows, no lines.

    flexible: index of the column to cut first (the last one by default). names: indexes of columns,
    the widest of which is cut next, in its middle. If that is not enough, each row becomes a record
    of lines `head  cell`; without heads or `records`, the widest columns are cut. right: indexes of
    right-aligned columns.
    """
    if not rows:
        return []
    cells = [[one_line(str(cell)) for cell in row] for row in ([heads, *rows] if heads else rows)]
    sizes = [max(width(row[at]) for row in cells) for at in range(len(cells[0]))]
    flexible %= len(sizes)
    named = max((at for at in names if at != flexible), key=sizes.__getitem__, default=-1)
    space = columns - len(_GAP) * (len(sizes) - 1)
    if columns and not _narrow(sizes, space, flexible, named):
        if heads and records:
            return records_of(cells[0], cells[1:], columns)
        while sum(sizes) > space and max(sizes) > 1:
            sizes[sizes.index(max(sizes))] -= 1
    aligned = set(right)
    lines = []
    for row in cells:
        parts = [
            padded((_cut_middle if at == named else clip)(cell, size), size, right=at in aligned)
            for at, (cell, size) in enumerate(zip(row, sizes, strict=True))
        ]
        line = _GAP.join(parts).rstrip()
        lines.append(clip(line, columns) if columns else line)
    return lines


def _narrow(sizes: list[int], space: int, flexible: int, named: int) -> bool:
    """Narrow the flexible column, then the one of names, to `space`; return whether they fit."""
    least = min(sizes[flexible], _NARROW)
    over = sum(sizes) - space
    cut = max(0, min(over, sizes[flexible] - least))
    if over > cut and named >= 0:
        both = sizes[flexible] + sizes[named] - over
        if both >= least + _NAME:
            shared = min(sizes[flexible], max(least, both // 2))
            sizes[flexible], sizes[named] = shared, both - shared
            return True
    sizes[flexible] -= cut
    return over <= cut


def _cut_middle(text: str, columns: int) -> str:
    """Cut a name to `columns`, keeping its two ends: paths and branches differ at the end."""
    if width(text) <= columns:
        return text
    tail, space = "", columns // 2
    for char in reversed(text):
        if width(char + tail) > space:
            break
        tail = char + tail
    return clip(text, columns - width(tail)) + tail


def records_of(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> list[str]:
    """Return each row as lines `head  cell`, without empty cells; a blank line between rows."""
    label = max(map(width, heads)) + 2
    lines: list[str] = []
    for row in rows:
        lines += [""] if lines else []
        for head, cell in zip(heads, row, strict=True):
            shown = labelled(padded(head, label), cell, columns, least=1) if cell else []
            lines += [clip(line, columns) for line in shown]
    return lines


def labelled(head: str, text: str, columns: int, least: int = 8) -> list[str]:
    """Return a text after a head; further lines are aligned with its beginning.

    least: minimum columns of the text; if the head leaves fewer, the text begins on the next line.
    """
    if columns - width(head) < least:
        return [head.rstrip(), *wrapped(text, columns, "    ")]
    first, *rest = wrapped(text, columns - width(head))
    return [head + first, *(" " * width(head) + line for line in rest)]


def folded(lines: Iterable[str], columns: int) -> Iterator[str]:
    """Yield lines of at most `columns`; further lines are aligned with the text.

    A line to copy (how to resume a session, or a name with a path) is not broken, nor is a styled
    line, which has its width already.
    """
    for line in lines:
        if width(line) <= columns or _WHOLE.match(line) or "\x1b" in line:
            yield line
            continue
        text = line.lstrip(" ")
        item = "- " if text.startswith("- ") else ""
        indent = " " * (len(line) - len(text))
        first, *rest = wrapped(text.removeprefix(item), columns, indent + " " * len(item))
        yield f"{indent}{item}{first[len(indent) + len(item) :]}"
        yield from rest


def excerpt_of(source: str | bytes) -> str:
    """Return the beginning of a faulty text, escaped, as one indented line."""
    text = source.decode("utf-8", "backslashreplace") if isinstance(source, bytes) else source
    return clip("  | " + escaped(text), _EXCERPT)


def dollars(cost: float | None, unpriced: Mapping[str, int] | None = None) -> str:
    """Return a cost as text, with `?` for an unknown one and for the models without a price."""
    if cost is None:
        return "?"
    text = f"${cost:,.2f}" if cost >= 0.005 or not cost else "<$0.01"
    return f"{text} + ?" if unpriced else text


def compaction_cost(row: "UsageRow") -> str:
    """Return the part of a row's cost that compactions caused; "-" without a compaction."""
    compacted = row.compactions or row.requests or row.compacted.total
    return dollars(row.compact_cost, row.unpriced) if compacted else "-"


def too_low(row: "UsageRow") -> str:
    """Return the sentence about the output tokens that transcripts of a report lack."""
    return (
        f"OUTPUT and COST are too low: of {row.begun:,} of {row.replies:,} replies, the "
        "transcripts contain only the count of output tokens with which the reply began."
    )


def short_id(sid: str) -> str:
    """Return the beginning of a session ID; of a part of a session also the part's number."""
    head, dot, part = sid.partition(".")
    return head[:_ID] + dot + part


def session_label(sid: str, titles: Mapping[str, str]) -> str:
    """Return the short ID of a session with its title."""
    return f"{short_id(sid)} {titles.get(sid, '')}".strip()


def split_at_matches(text: str, spans: Iterable[Sequence[int]]) -> tuple[tuple[str, bool], ...]:
    """Split a snippet at its matches. spans: (from, to) in characters, in any order."""
    parts: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted((int(a), int(b)) for a, b in spans):
        low, high = max(at, start), min(len(text), end)
        if low < high:
            parts += [(text[at:low], False), (text[low:high], True)]
            at = high
    return tuple(part for part in (*parts, (text[at:], False)) if part[0])


class Style:
    """Colour, if stdout is a terminal and NO_COLOR is not set."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.on = sys.stdout.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"

    def __call__(self, name: str, text: str) -> str:
        """Return `text` in a colour (bold, dim, red, green, yellow), or as it is."""
        code = _COLOURS.get(name)
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and code else text


def emit(lines: Iterable[str]) -> None:
    """Print lines on stdout."""
    for line in lines:
        _write(line + "\n")


def _write(text: str) -> None:
    clear_progress()
    sys.stdout.write(text)


def json_of(value: Any, *, indent: int | None = None) -> str:
    """Return JSON in which every unprintable character is an escape, and no other one is.

    JSON is UTF-8: on an output with another encoding, all characters but ASCII are escapes.
    """
    separators = None if indent else (",", ":")
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    ascii_only = encoding.lower() not in ("utf-8", "utf8")
    text = json.dumps(
        value, ensure_ascii=ascii_only, indent=indent, separators=separators, default=_plain
    )
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def emit_json(value: Any) -> None:
    """Print one JSON value on stdout: a list with one item a line, an object indented."""
    if isinstance(value, list):
        emit_array(value)
    else:
        _write(json_of(value, indent=2) + "\n")


def emit_array(items: Iterable[Any]) -> None:
    """Print a JSON array on stdout, one item a line, without holding it in memory."""
    lead = "[\n"
    for item in items:
        _write(lead + json_of(item))
        lead = ",\n"
    _write("[]\n" if lead == "[\n" else "\n]\n")


def members(item: object, *names: str) -> dict[str, Any]:
    """Return members of an object for JSON; an empty text is null."""
    found = ((name, getattr(item, name)) for name in names)
    return {name: None if value == "" else value for name, value in found}


def _plain(value: Any) -> Any:
    from msgspec.structs import asdict, astuple  # members that have their default too

    is_row = value.__struct_config__.array_like
    return astuple(value) if is_row else asdict(value)


def print_csv(rows: Iterable[Iterable[object]]) -> None:
    """Print rows as CSV; a text that a spreadsheet would take for a formula gets a `'`.

    None is an empty cell; a text that is a number stays a number.
    """
    for row in rows:
        cells = ["" if value is None else str(value) for value in row]
        line = ",".join(
            '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell
            for cell in map(_no_formula, cells)
        )
        _write((line or '""') + "\n")


def _no_formula(cell: str) -> str:
    return "'" + cell if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell
