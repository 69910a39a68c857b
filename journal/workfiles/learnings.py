"""The learnings: entries of `.claude/context/learnings-TOPIC.md`, and how often each is confirmed.

An entry is an h3 or h2 section. Its metadata is a comment below the heading, or visible lines:

    ### Title
    <!-- confirmed: 3 | last: 2026-11-20 | phases: implement, debug -->

    - Confirmed: 3
    - Last confirmed: 2026-11-20
    - Phases: implement, debug

An h2 that only groups h3 entries is not an entry. An entry without metadata is unverified.
"""

from __future__ import annotations

import os

from journal.workfiles import files
from journal.workfiles.markdown import Heading, headings, scan
from journal.workfiles.metadata import Metadata, title_is_obsolete, valid_name
from journal.workfiles.work_log import digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MOST_FILES = 32
LISTED_FILES = 10


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
