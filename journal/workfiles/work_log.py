"""Parse and trim the work log: the dated h2 sections of `.claude/context/progress.md`.

Invariant: the text that `trim` returns and the sections that it removes are together the whole
text. An entry without a date is never removed.
"""

from __future__ import annotations

from binascii import crc32

from journal.text import plain_line
from journal.workfiles import files
from journal.workfiles.dates import date_order, find_date
from journal.workfiles.markdown import ASCII_KIN, BLANK, TEXT, fold, headings, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from journal.workfiles.markdown import Heading, MarkdownLine

    Ranked = tuple["FlowEntry", tuple[int, int]]

PROGRESS = ".claude/context/progress.md"
MOST_DIGESTS = 64
HEADING_CHARACTERS = 120

_DATE_KEYS = {"date", "日付", "日時", "日期", "날짜"}
_ASCENDING = 1
_DESCENDING = -1
_UNKNOWN = 0


class FlowEntry:
    """One h2 section, which ends before the next h2 or h1.

    date: as `find_date` returns it, or "". start, end: offsets in characters; blank lines after the
    section are included. digest: of the heading, see `digest_of`.
    """

    __slots__ = ("date", "digest", "end", "heading", "start")

    def __init__(self, heading: str, date: str, start: int, end: int) -> None:
        self.heading = heading
        self.date = date
        self.start = start
        self.end = end
        self.digest = digest_of(heading)


def digest_of(title: str) -> str:
    """Return the CRC-32 of a heading with folded white space, as eight hex digits."""
    return f"{crc32(fold(title).encode('utf-8', 'surrogatepass')):08x}"


def parse_flow(text: str) -> list[FlowEntry]:
    """Return the h2 sections of a text in file order."""
    rows = scan(text)
    found = [heading for heading in headings(text, rows) if heading.level <= 2]
    entries = []
    for index, heading in enumerate(found):
        if heading.level == 2:
            end = found[index + 1].start if index + 1 < len(found) else len(text)
            date = find_date(heading.title) or _date_below(text, rows, heading)
            entries.append(FlowEntry(heading.title, date, heading.start, end))
    return entries


def _date_below(text: str, rows: Sequence[MarkdownLine], heading: Heading) -> str:
    """Return the date of a `Date: …` line within the three lines below a heading, else ""."""
    for row in rows[heading.row + 1 : heading.row + 4]:
        if row.kind == BLANK:
            continue
        if row.kind != TEXT:
            break
        line = text[row.start : row.end].translate(ASCII_KIN)
        key, colon, rest = line.partition(":")
        if colon and key.strip("-*+>_ \t").lower() in _DATE_KEYS and (date := find_date(rest)):
            return date
    return ""


def _date_of(entry: FlowEntry, first_seen: Mapping[str, str]) -> tuple[int, int] | None:
    date = entry.date or find_date(first_seen.get(entry.digest, ""))
    return date_order(date) if date else None


def _direction(ranked: Sequence[Ranked]) -> int:
    """Return whether the dates of a file ascend or descend; _UNKNOWN if neither or all equal."""
    days = [when[0] for _, when in ranked]
    times = [when for _, when in ranked if when[1] >= 0]
    for way in (_ASCENDING, _DESCENDING):
        step = slice(None, None, way)
        if days[step] == sorted(days) and times[step] == sorted(times):
            strict = len(set(days)) > 1 or len(set(times)) > 1
            return way if strict else _UNKNOWN
    return _UNKNOWN


def newest_first(entries: Sequence[FlowEntry], first_seen: Mapping[str, str]) -> list[FlowEntry]:
    """Return the entries by date, the newest first.

    An entry without a date has that of `first_seen` or, without one, that of its older neighbour in
    the file. Entries of equal date stay in the order of the file, which is newest first unless its
    dates ascend.

    first_seen: digest of a heading → ISO time at which the journal first saw it.
    """
    dates = [(entry, _date_of(entry, first_seen)) for entry in entries]
    dated = [(entry, when) for entry, when in dates if when is not None]
    if _direction(dated) == _ASCENDING:
        dates.reverse()
    below = (0, -1)
    keyed = []
    for entry, when in reversed(dates):
        if when is not None and (when[1] >= 0 or when[0] != below[0]):
            below = when
        keyed.append((below, entry))
    keyed.reverse()
    return [entry for _, entry in sorted(keyed, key=lambda pair: pair[0], reverse=True)]


def _outdated(text: str, ranked: list[Ranked], most: int) -> list[FlowEntry]:
    """Return the entries that are certainly older than the newest `most`, by their dates."""
    if most <= 0:
        return [entry for entry, _ in ranked]
    cut = sorted((when[0] for _, when in ranked), reverse=True)[most - 1]
    old = [entry for entry, when in ranked if when[0] < cut]
    tied = [(entry, when) for entry, when in ranked if when[0] == cut]
    slots = most - sum(1 for _, when in ranked if when[0] > cut)
    if len(tied) > slots and all(when[1] >= 0 for _, when in tied):
        second = sorted((when[1] for _, when in tied), reverse=True)[slots - 1]
        old += [entry for entry, when in tied if when[1] < second]
        slots -= sum(1 for _, when in tied if when[1] > second)
        tied = [(entry, when) for entry, when in tied if when[1] == second]
    if len(tied) > slots:
        # Among equal dates, the direction of the file decides; if it has none, all of them stay.
        # The direction of the remaining entries also counts, so that trimming again removes nothing
        # more.
        excess = _removable(text, old)
        rest = [pair for pair in ranked if pair[0].start not in excess]
        way = _direction(ranked) or _direction(rest)
        if way == _DESCENDING:
            old += [entry for entry, _ in tied[slots:]]
        elif way == _ASCENDING:
            old += [entry for entry, _ in tied[: len(tied) - slots]]
    return old


def trim(
    text: str, most: int, first_seen: Mapping[str, str]
) -> tuple[str, list[tuple[FlowEntry, str]]]:
    """Return the text with the newest `most` dated entries, and (entry, text) of the removed ones.

    Entries without a date stay and do not count. An entry also stays if its removal would change
    how the rest is parsed. The removed entries are in the order of the file.
    """
    entries = parse_flow(text)
    ranked = [
        (entry, when) for entry in entries if (when := _date_of(entry, first_seen)) is not None
    ]
    if len(ranked) <= max(most, 0):
        return text, []
    excess = _removable(text, _outdated(text, ranked, most))
    rest = [entry for entry in entries if entry.start not in excess]
    removed = [(entry, text[entry.start : entry.end]) for entry in entries if entry.start in excess]
    shorter = _without(text, [entry for entry, _ in removed])
    if _contents(rest, text) != _contents(parse_flow(shorter), shorter):
        return text, []
    return shorter, removed


def _removable(text: str, entries: Sequence[FlowEntry]) -> set[int]:
    """Return the start offsets of the entries that can be removed.

    Each run of adjacent entries is shortened from its end until the text after it can follow the
    text before it.
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


def _joins(text: str, start: int, after: int) -> bool:
    """Return whether the heading at `after` is still a heading if it follows text[:start]."""
    if text[after : after + 1] in {"", "#"}:
        return True
    if text[after] in " \t":  # it could become part of a list
        return False
    lines = text[max(0, start - 256) : start].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[-1] in {"", "\ufeff"} and not "".join(lines[-2:-1]).strip()


def _without(text: str, removed: Sequence[FlowEntry]) -> str:
    parts, at = [], 0
    for entry in removed:
        parts.append(text[at : entry.start])
        at = entry.end
    parts.append(text[at:])
    return "".join(parts)


def _contents(entries: Sequence[FlowEntry], text: str) -> list[tuple[str, str, str]]:
    return [(entry.heading, entry.date, text[entry.start : entry.end]) for entry in entries]


def read_flow(project_root: str) -> list[FlowEntry] | None:
    """Return the entries of a project's work log, or None if progress.md cannot be read."""
    found = files.read_inside(project_root, PROGRESS)
    return None if found is None else parse_flow(found[0])


def flow_facts(entries: Sequence[FlowEntry], first_seen: Mapping[str, str]) -> dict[str, Any]:
    """Return the facts that a hook records about the work log.

    The keys are entries (their number), headings (the 3 newest, at most 120 characters each),
    digests (at most 64, newest first), path (relative to the project), and dated (the number of
    entries that have a date).
    """
    entries = newest_first(entries, first_seen)
    return {
        "entries": len(entries),
        "headings": [plain_line(entry.heading, HEADING_CHARACTERS) for entry in entries[:3]],
        "digests": [entry.digest for entry in entries[:MOST_DIGESTS]],
        "path": PROGRESS,
        "dated": sum(1 for entry in entries if entry.date),
    }
