"""Flow: the dated h2 sections of `.claude/context/progress.md`, and their trimming by date.

Invariant: what `trim` keeps and what it removes hold together every character of the text once.
An entry without evidence of its date is never removed.
"""

from __future__ import annotations

from binascii import crc32

from journal.workfiles import files
from journal.workfiles.dates import date_order, find_date
from journal.workfiles.markdown import ASCII_KIN, BLANK, TEXT, fold, headings, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from journal.workfiles.markdown import Heading, Row

    Ranked = tuple["FlowEntry", tuple[int, int]]

PROGRESS = ".claude/context/progress.md"
MOST_DIGESTS = 64
HEADING_CHARACTERS = 120

_DATE_KEYS = {"date", "日付", "日時", "日期", "날짜"}
_ASCENDING = 1
_DESCENDING = -1
_UNKNOWN = 0


class FlowEntry:
    """One h2 section: heading, date ("" or as `find_date` gives it), start and end, digest.

    `start` and `end` are offsets in characters, the blank lines behind the section included; an
    h1 ends a section as the next h2 does. `digest` is the CRC-32 of the folded heading in hex.
    """

    __slots__ = ("date", "digest", "end", "heading", "start")

    def __init__(self, heading: str, date: str, start: int, end: int) -> None:
        self.heading = heading
        self.date = date
        self.start = start
        self.end = end
        self.digest = digest_of(heading)

    def __repr__(self) -> str:
        return f"FlowEntry({self.heading!r}, {self.date!r}, {self.start}, {self.end})"


def digest_of(title: str) -> str:
    """Return eight hex digits that name a heading, whatever its whitespace."""
    return f"{crc32(fold(title).encode('utf-8', 'surrogatepass')):08x}"


def parse_flow(text: str) -> list[FlowEntry]:
    """List the h2 sections of a text in file order."""
    rows = scan(text)
    marks = [mark for mark in headings(text, rows) if mark.level <= 2]
    entries = []
    for index, mark in enumerate(marks):
        if mark.level == 2:
            end = marks[index + 1].start if index + 1 < len(marks) else len(text)
            date = find_date(mark.title) or _date_below(text, rows, mark)
            entries.append(FlowEntry(mark.title, date, mark.start, end))
    return entries


def _date_below(text: str, rows: Sequence[Row], mark: Heading) -> str:
    """Read a `Date: …` line within the three lines below a heading."""
    for row in rows[mark.row + 1 : mark.row + 4]:
        if row.kind == BLANK:
            continue
        if row.kind != TEXT:
            break
        line = text[row.start : row.end].translate(ASCII_KIN)
        key, colon, rest = line.partition(":")
        if colon and key.strip("-*+>_ \t").lower() in _DATE_KEYS and (date := find_date(rest)):
            return date
    return ""


def _evidence(entry: FlowEntry, seen: Mapping[str, str]) -> tuple[int, int] | None:
    date = entry.date or find_date(seen.get(entry.digest, ""))
    return date_order(date) if date else None


def _direction(ranked: Sequence[Ranked]) -> int:
    """Say which way a file runs, if all its dates agree on it."""
    days = [when[0] for _, when in ranked]
    times = [when for _, when in ranked if when[1] >= 0]
    for way in (_ASCENDING, _DESCENDING):
        step = slice(None, None, way)
        if days[step] == sorted(days) and times[step] == sorted(times):
            strict = len(set(days)) > 1 or len(set(times)) > 1
            return way if strict else _UNKNOWN
    return _UNKNOWN


def newest_first(entries: Sequence[FlowEntry], seen: Mapping[str, str]) -> list[FlowEntry]:
    """Order entries by date, the newest first.

    `seen` maps a heading's digest to the ISO time the journal first saw it; it dates the entries
    that carry no date. One with neither keeps its place beside its older neighbour in the file,
    newest on top unless the dates run the other way; that is for display, `trim` removes no such
    entry. Entries of one day without times keep file order in the same way.
    """
    evidence = [(entry, _evidence(entry, seen)) for entry in entries]
    dated = [(entry, when) for entry, when in evidence if when is not None]
    if _direction(dated) == _ASCENDING:
        evidence.reverse()
    below = (0, -1)
    keyed = []
    for entry, when in reversed(evidence):
        if when is not None and (when[1] >= 0 or when[0] != below[0]):
            below = when
        keyed.append((below, entry))
    keyed.reverse()
    return [entry for _, entry in sorted(keyed, key=lambda pair: pair[0], reverse=True)]


def _outdated(text: str, ranked: list[Ranked], keep: int) -> list[FlowEntry]:
    """Pick what is older than the newest `keep`, as far as the evidence orders it."""
    if keep <= 0:
        return [entry for entry, _ in ranked]
    cut = sorted((when[0] for _, when in ranked), reverse=True)[keep - 1]
    old = [entry for entry, when in ranked if when[0] < cut]
    tied = [(entry, when) for entry, when in ranked if when[0] == cut]
    slots = keep - sum(1 for _, when in ranked if when[0] > cut)
    if len(tied) > slots and all(when[1] >= 0 for _, when in tied):
        second = sorted((when[1] for _, when in tied), reverse=True)[slots - 1]
        old += [entry for entry, when in tied if when[1] < second]
        slots -= sum(1 for _, when in tied if when[1] > second)
        tied = [(entry, when) for entry, when in tied if when[1] == second]
    if len(tied) > slots:
        # What the evidence leaves open, the direction of the file decides; without one all stay.
        # What would remain is asked as well, so that a second trimming finds nothing more.
        gone = _removable(text, old)
        rest = [pair for pair in ranked if pair[0].start not in gone]
        way = _direction(ranked) or _direction(rest)
        if way == _DESCENDING:
            old += [entry for entry, _ in tied[slots:]]
        elif way == _ASCENDING:
            old += [entry for entry, _ in tied[: len(tied) - slots]]
    return old


def trim(text: str, keep: int, seen: Mapping[str, str]) -> tuple[str, list[tuple[FlowEntry, str]]]:
    """Keep the newest `keep` dated entries; return the new text and the removed sections whole.

    Undated entries stay and are not counted. What is removed comes in file order. An entry stays
    too where its going would change how the rest reads.
    """
    entries = parse_flow(text)
    ranked = [(e, when) for e in entries if (when := _evidence(e, seen)) is not None]
    if len(ranked) <= max(keep, 0):
        return text, []
    gone = _removable(text, _outdated(text, ranked, keep))
    kept = [entry for entry in entries if entry.start not in gone]
    removed = [(e, text[e.start : e.end]) for e in entries if e.start in gone]
    shorter = _without(text, [entry for entry, _ in removed])
    if not _same(kept, text, parse_flow(shorter), shorter):
        return text, []
    return shorter, removed


def _removable(text: str, entries: Sequence[FlowEntry]) -> set[int]:
    """Give the starts of the entries that can go, each run of neighbours weighed by itself.

    A run is shortened from its end until what follows it can stand behind what is before it.
    """
    old = sorted(entries, key=lambda entry: entry.start)
    starts: set[int] = set()
    index = 0
    while index < len(old):
        stop = index + 1
        while stop < len(old) and old[stop].start == old[stop - 1].end:
            stop += 1
        last = stop
        while last > index and not _joins(text, old[index].start, old[last - 1].end):
            last -= 1
        starts.update(entry.start for entry in old[index:last])
        index = stop
    return starts


def _joins(text: str, before: int, after: int) -> bool:
    """Say whether the heading at `after` still is one right behind text[:before]."""
    if text[after : after + 1] in {"", "#"}:
        return True
    if text[after] in " \t":  # it could fall into a list
        return False
    lines = (
        text[max(0, before - 256) : before].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    )
    return lines[-1] in {"", "\ufeff"} and not "".join(lines[-2:-1]).strip()


def _without(text: str, removed: Sequence[FlowEntry]) -> str:
    parts, at = [], 0
    for entry in removed:
        parts.append(text[at : entry.start])
        at = entry.end
    parts.append(text[at:])
    return "".join(parts)


def _same(left: Sequence[FlowEntry], text: str, right: Sequence[FlowEntry], other: str) -> bool:
    return [(e.heading, e.date, text[e.start : e.end]) for e in left] == [
        (e.heading, e.date, other[e.start : e.end]) for e in right
    ]


def flow_facts(project_root: str, seen: Mapping[str, str]) -> dict[str, Any] | None:
    """Say what a hook records of the flow, None without a readable progress.md in the project.

    Shape: entries (count), headings (the 3 most recent, each at most 120 characters), digests (at
    most 64, newest first), path (below the project), dated (how many carry a date themselves).
    """
    found = files.read_inside(project_root, PROGRESS)
    if found is None:
        return None
    entries = newest_first(parse_flow(found[0]), seen)
    return {
        "entries": len(entries),
        "headings": [files.printable(e.heading, HEADING_CHARACTERS) for e in entries[:3]],
        "digests": [entry.digest for entry in entries[:MOST_DIGESTS]],
        "path": PROGRESS,
        "dated": sum(1 for entry in entries if entry.date),
    }
