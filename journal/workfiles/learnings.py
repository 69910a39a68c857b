"""The learnings: entries of `.claude/context/learnings-TOPIC.md`, and how often each is confirmed.

An entry is an h3 or h2 section. Its metadata is a comment below the heading, or visible lines:

    ### Title
    <!-- confirmed: 3 | last: 2026-11-20 | phases: implement, debug -->

    - Confirmed: 3
    - Last confirmed: 2026-11-20
    - Phases: implement, debug

An h2 that only groups h3 entries is not an entry. An entry without metadata is unverified.
Invariant: the offsets of metadata delimit exactly its values, so that an edit can replace one.
"""

from __future__ import annotations

import os

from journal.workfiles import files
from journal.workfiles.dates import find_date
from journal.workfiles.markdown import (
    ASCII_KIN,
    HTML,
    TEXT,
    Heading,
    MarkdownLine,
    fold,
    headings,
    scan,
)
from journal.workfiles.work_log import digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

MOST_FILES = 32
LISTED_FILES = 10

COUNT, LAST, PHASES, OBSOLETE = "confirmed", "last", "phases", "obsolete"
_KEYS = {
    **dict.fromkeys(("confirmed", "confirmations", "confirmation count", "confirmed count"), COUNT),
    **dict.fromkeys(("times confirmed", "確認回数", "確認数", "확인 횟수"), COUNT),
    **dict.fromkeys(("last", "last confirmed", "last confirmation", "last confirmed on"), LAST),
    **dict.fromkeys(("最終確認", "最終確認日", "마지막 확인"), LAST),
    **dict.fromkeys(("phases", "phase", "confirmed in", "フェーズ", "確認フェーズ"), PHASES),
    **dict.fromkeys(("確認元フェーズ", "確認元", "단계"), PHASES),
    **dict.fromkeys(("obsolete", "廃止"), OBSOLETE),
}
_NO = {"", "no", "false", "0", "none", "-", "いいえ", "n"}
_DECOR = " \t*_`"
_BRACKETS = (("[", "]"), ("(", ")"), ("【", "】"), ("\uff08", "\uff09"))


def valid_name(name: str) -> bool:
    """Return whether a topic or phase name is valid: letters, digits, `-`, `_`, at most 64."""
    plain = name.replace("-", "").replace("_", "")
    return 0 < len(name) <= 64 and plain != "" and ("a" + plain).isidentifier()


class Metadata:
    """The metadata of one learning.

    confirmed: number of confirmations. last: date of the last one (ISO) or "". phases: in the order
    of the file. offsets: field → start and end of the part that a new value replaces (`3`), and the
    end of the whole value (`3 times`).
    """

    __slots__ = ("confirmed", "last", "obsolete", "offsets", "phases")

    def __init__(self, text: str, rows: Sequence[MarkdownLine]) -> None:
        self.confirmed = 0
        self.last = ""
        self.phases: tuple[str, ...] = ()
        self.obsolete = False
        self.offsets: dict[str, tuple[int, int, int]] = {}
        for kind in (HTML, TEXT):
            ignored = kind == TEXT and bool(self.counted())  # a comment overrides visible lines
            for row in rows:
                if row.kind == kind:
                    for key, start, end in _fields(text, row):
                        if key == OBSOLETE or not ignored:
                            self._read(key, text[start:end], start, end)

    def counted(self) -> list[tuple[int, int, int]]:
        """Return the offsets of the fields that a confirmation changes."""
        return [offsets for field, offsets in self.offsets.items() if field != OBSOLETE]

    def _read(self, field: str, raw: str, start: int, end: int) -> None:
        """Read a field if it has a valid value and is the first of its name."""
        value = raw.translate(ASCII_KIN)
        limit = end
        if field in self.offsets:
            return
        if field == COUNT:
            size = len(value) - len(value.lstrip("0123456789"))
            if not 0 < size <= 6 or value[size : size + 1] in {"-", "/", ".", "年", "년"}:
                return
            self.confirmed, end = int(value[:size]), start + size
        elif field == LAST:
            if not (date := find_date(value)):
                return
            self.last = date[:10]
            if value.startswith(date) and len(date) == 10:
                end = start + 10  # an edit keeps the text after the day
        elif field == PHASES:
            if not (names := _phase_names(value)):
                return
            self.phases = names
        elif value.lower() in _NO:
            return
        else:
            self.obsolete = True
        self.offsets[field] = (start, end, limit)


def _fields(text: str, row: MarkdownLine) -> Iterator[tuple[str, int, int]]:
    """Yield (field, start of the value, end of the value) for each `key: value` of a line.

    For a line with only the word `Obsolete`, that word is the value.
    """
    line = text[row.start : row.end].translate(ASCII_KIN)
    if line.lstrip().startswith(">"):
        return
    at, limit = 0, len(line)
    if row.kind == HTML:
        at = line.find("<!--") + 4 if "<!--" in line else 0
        limit = line.find("-->", at) if "-->" in line[at:] else limit
    stripped = line[at:limit].strip(_DECOR + "-+.")
    if _KEYS.get(stripped.lower()) == OBSOLETE and (row.kind == HTML or line[0] not in " \t"):
        start = row.start + line.find(stripped, at)
        yield OBSOLETE, start, start + len(stripped)
        return
    for segment in line[at:limit].split("|"):
        key, colon, value = segment.partition(":")
        field = _KEYS.get(fold(key.strip(_DECOR + "-+")).lower())
        lead = len(value) - len(value.lstrip(_DECOR))
        start = row.start + at + len(key) + len(colon) + lead
        if field and colon:
            yield field, start, start + len(value.strip(_DECOR))
        at += len(segment) + 1


def _phase_names(value: str) -> tuple[str, ...]:
    parts = value.replace("、", ",").replace("\uff0c", ",").replace("/", ",").split(",")
    names = [part.strip(_DECOR) for part in parts if part.strip(_DECOR)]
    sound = all(valid_name(name.replace(":", "-")) for name in names)
    return tuple(dict.fromkeys(names)) if sound else ()


def title_is_obsolete(title: str) -> bool:
    """Return whether a title is struck through, or has `[Obsolete]`, `(obsolete)`, `Obsolete:`."""
    low = title.translate(ASCII_KIN).lower()
    if len(low) > 4 and low.startswith("~~") and low.endswith("~~"):
        return True
    tags = [left + word + right for word in ("obsolete", "廃止") for left, right in _BRACKETS]
    return any(tag in low for tag in tags) or low.lstrip(" *_").startswith(("obsolete:", "廃止:"))


class Learning:
    """One entry of a learnings file.

    digest: of the title. file: its path. line: of the heading, from 1. start, end: offsets of the
    entry in characters. confirmed: number of confirmations. last: date of the last one (ISO) or "".
    phases: in the order of the file. metadata: offsets of these fields in the text.
    """

    def __init__(self, heading: Heading, file: str, end: int, metadata: Metadata) -> None:
        self.title = heading.title
        self.digest = digest_of(heading.title)
        self.file = file
        self.line = heading.row + 1
        self.start = heading.start
        self.end = end
        self.metadata = metadata
        self.confirmed = metadata.confirmed
        self.last = metadata.last
        self.phases = metadata.phases
        self.obsolete = metadata.obsolete or title_is_obsolete(heading.title)

    def has_metadata(self) -> bool:
        """Return whether it has any metadata, or is obsolete."""
        return self.obsolete or bool(self.metadata.offsets)


def topic_path(topic: str) -> str:
    """Return the path of a topic's file below the project. Raises ValueError for a bad name."""
    if not valid_name(topic):
        raise ValueError(f"topic {topic[:80]!r}: letters, digits, - and _ only, at most 64")
    return f"{files.WORK}/learnings-{topic}.md"


def parse_learnings(text: str, file: str) -> list[Learning]:
    """Return the entries of a learnings file in file order; `file` is its path, for display."""
    rows = scan(text)
    titles = [heading for heading in headings(text, rows) if heading.level <= 3]
    found: list[Learning] = []
    group: Learning | None = None  # the h2 to which h3 sections without metadata belong
    for heading, after in zip(titles, [*titles[1:], None], strict=False):
        stop = after.row if after else len(rows)
        end = after.start if after else len(text)
        entry = Learning(heading, file, end, Metadata(text, rows[heading.row + 1 : stop]))
        if heading.level == 3 and group is not None and not entry.has_metadata():
            group.end = end
            continue
        if heading.level < 3:
            group = entry if heading.level == 2 and entry.has_metadata() else None
        if heading.level == 3 or (
            heading.level == 2 and (group or after is None or after.level != 3)
        ):
            found.append(entry)
    return found


def summary(learnings: Sequence[Learning]) -> dict[str, Any]:
    """Return the counts of learnings without the obsolete ones.

    The keys are total, unverified (never confirmed), average (of the confirmations of confirmed
    entries, one decimal, or None), last (latest date or ""), and files (at most 10, each with path,
    total, unverified, average).
    """
    live = [entry for entry in learnings if not entry.obsolete]
    by_file: dict[str, list[Learning]] = {entry.file: [] for entry in learnings}
    for entry in live:
        by_file[entry.file].append(entry)
    return {
        **_counts(live),
        "last": max((entry.last for entry in live), default=""),
        "files": [
            {"path": path, **_counts(entries)}
            for path, entries in sorted(by_file.items())[:LISTED_FILES]
        ],
    }


def _counts(entries: Sequence[Learning]) -> dict[str, Any]:
    counts = [entry.confirmed for entry in entries if entry.confirmed]
    return {
        "total": len(entries),
        "unverified": len(entries) - len(counts),
        "average": round(sum(counts) / len(counts), 1) if counts else None,
    }


def read_learnings(project_root: str) -> list[Learning] | None:
    """Return the learnings of a project, or None if there is no learnings file.

    At most 32 files are read, together with as many bytes and lines as one work file may have.
    """
    folder = files.work_dir(project_root)
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError):
        return None
    found: list[Learning] = []
    budget, lines, read = files.LIMIT, files.LINES, 0
    for name in names:
        if not (name.startswith("learnings-") and name.endswith(".md") and name.isprintable()):
            continue
        path = f"{files.WORK}/{name}"
        content = files.read_inside(project_root, path, budget, lines)
        if content is not None:
            found += parse_learnings(content[0], path)
            budget -= content[1].st_size
            lines -= content[0].count("\n") + content[0].count("\r")
            read += 1
        if read == MOST_FILES:
            break
    return found if read else None


def learning_facts(project_root: str) -> dict[str, Any] | None:
    """Return the `summary` of a project's learnings, or None if there is no learnings file."""
    found = read_learnings(project_root)
    return None if found is None else summary(found)
