"""Stock: the entries of `.claude/context/learnings-TOPIC.md` and how far each is confirmed.

Invariant: `add` only appends and `confirm` touches one entry's metadata; every other character of
the file stays as it is.

An entry is an h3 or h2 section. Its metadata is a comment below the heading, or visible lines:

    ### Title
    <!-- confirmed: 3 | last: 2026-11-20 | phases: implement, debug -->

    - Confirmed: 3
    - Last confirmed: 2026-11-20
    - Phases: implement, debug

An h2 that only groups h3 entries is none itself. Without metadata an entry is unverified.
"""

from __future__ import annotations

import os

from journal.workfiles import files
from journal.workfiles.dates import find_date
from journal.workfiles.markdown import fold, headings, scan
from journal.workfiles.metadata import COUNT, LAST, PHASES, Metadata, title_is_obsolete, valid_name
from journal.workfiles.work_log import digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from journal.workfiles.markdown import Heading

MOST_FILES = 32
LISTED_FILES = 10
TITLE_CHARACTERS = 200


class Learning:
    """One entry of a learnings file.

    title, digest (of the title), file, line (from 1), start and end (characters), confirmed
    (times), last (ISO date or ""), phases (in the order written), obsolete; `metadata` has the
    places of these in the text.
    """

    __slots__ = (
        "confirmed",
        "digest",
        "end",
        "file",
        "last",
        "line",
        "metadata",
        "obsolete",
        "phases",
        "start",
        "title",
    )

    def __init__(self, mark: Heading, file: str, end: int, metadata: Metadata) -> None:
        self.title = mark.title
        self.digest = digest_of(mark.title)
        self.file = file
        self.line = mark.row + 1
        self.start = mark.start
        self.end = end
        self.metadata = metadata
        self.confirmed = metadata.confirmed
        self.last = metadata.last
        self.phases = metadata.phases
        self.obsolete = metadata.obsolete or title_is_obsolete(mark.title)

    def __repr__(self) -> str:
        return f"Learning({self.title!r}, {self.confirmed}, {self.last!r}, {self.phases!r})"

    def marked(self) -> bool:
        """Say whether anything is said of it beside its title and body."""
        return self.obsolete or bool(self.metadata.spots)


def topic_path(topic: str) -> str:
    """Return the path of a topic's file below the project. ValueError for an unsound name."""
    if not valid_name(topic):
        raise ValueError(f"topic {topic[:80]!r}: letters, digits, - and _ only, at most 64")
    return f"{files.WORK}/learnings-{topic}.md"


# Reading


def parse_learnings(text: str, file: str) -> list[Learning]:
    """List the entries of a learnings file in file order; `file` is its path for the reader."""
    rows = scan(text)
    marks = [mark for mark in headings(text, rows) if mark.level <= 3]
    found: list[Learning] = []
    group: Learning | None = None  # the h2 that h3 sections without metadata belong to
    for index, mark in enumerate(marks):
        after = marks[index + 1] if index + 1 < len(marks) else None
        stop = after.row if after else len(rows)
        end = after.start if after else len(text)
        entry = Learning(mark, file, end, Metadata(text, rows[mark.row + 1 : stop]))
        if mark.level == 3 and group is not None and not entry.marked():
            group.end = end
            continue
        if mark.level < 3:
            group = entry if mark.level == 2 and entry.marked() else None
        if mark.level == 3 or (mark.level == 2 and (group or not _is_h3(after))):
            found.append(entry)
    return found


def _is_h3(mark: Heading | None) -> bool:
    return mark is not None and mark.level == 3


# Counting


def _average(entries: Sequence[Learning]) -> float | None:
    counts = [entry.confirmed for entry in entries if entry.confirmed]
    return round(sum(counts) / len(counts), 1) if counts else None


def summary(learnings: Sequence[Learning]) -> dict[str, Any]:
    """Count learnings; obsolete ones are left out.

    Shape: total, unverified (never confirmed), average (confirmations, over the confirmed only,
    one decimal, None without any), last (latest date or ""), files (at most 10, each path, total,
    unverified, average).
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
    return {
        "total": len(entries),
        "unverified": sum(1 for entry in entries if not entry.confirmed),
        "average": _average(entries),
    }


def read_learnings(project_root: str) -> list[Learning] | None:
    """Read the learnings of a project, at most 32 files and 2 MiB in all; None without files."""
    folder = files.work_dir(project_root)
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError):
        return None
    found: list[Learning] = []
    budget, read = files.LIMIT, 0
    for name in names:
        if not (name.startswith("learnings-") and name.endswith(".md") and name.isprintable()):
            continue
        path = f"{files.WORK}/{name}"
        got = files.read_inside(project_root, path, budget)
        if got is not None:
            found += parse_learnings(got[0], path)
            budget -= got[1].st_size
            read += 1
        if read == MOST_FILES:
            break
    return found if read else None


def learning_facts(project_root: str) -> dict[str, Any] | None:
    """Give the `summary` of a project's learnings, None where it has no learnings file."""
    found = read_learnings(project_root)
    return None if found is None else summary(found)


# Writing


def add(text: str, title: str, body: str, phase: str, today: str, confirmed: int = 0) -> str:
    """Append an entry: unverified, or with `confirmed` 1 where it is drawn from confirmed ones.

    ValueError for a bad title, phase or date, or a title in use. A body that would break the
    file's structure (headings, an open fence) is set as a quote.
    """
    title = fold(title)
    if not title or len(title) > TITLE_CHARACTERS or not title.isprintable():
        raise ValueError(f"a title is one line of 1 to {TITLE_CHARACTERS} characters")
    if title_is_obsolete(title):
        raise ValueError(f"{title!r} would be marked obsolete from the start")
    _check(phase, today)
    known = parse_learnings(text, "")
    if any(entry.digest == digest_of(title) and not entry.obsolete for entry in known):
        raise ValueError(f"{title!r} is there already; confirm it instead")
    closing = " ###" if title.rstrip("#")[-1:] in {"", " "} else ""
    when = f"{'last' if confirmed else 'added'}: {today[:10]}"
    mark = f" {title}{closing}\n<!-- confirmed: {confirmed} | {when} | phases: {phase} -->\n"
    plain = body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    quoted = "\n".join(f"> {line}".rstrip() for line in plain.split("\n"))
    titles = [*(entry.title for entry in known), title]
    level = "##" if known and not _is_deep(text, known[-1]) else "###"  # as the one before it
    for shown in (plain, quoted):
        new = _append(text, level + mark + (f"\n{shown}\n" if plain else ""))
        # A further entry behind it shows whether the body leaves something open.
        further = _append(new, f"{level} probe\n<!-- confirmed: 0 -->\n")
        after = parse_learnings(new, "")
        probed = [entry.title for entry in parse_learnings(further, "")]
        if probed == [*titles, "probe"] and len(after) == len(titles) and not after[-1].obsolete:
            return new
    raise ValueError("the file ends inside a code fence or a comment; close it first")


def _is_deep(text: str, entry: Learning) -> bool:
    return text[entry.start : entry.start + 8].lstrip().startswith("###")


def _append(text: str, entry: str) -> str:
    break_ = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith(("\n", "\r")):
        text += break_
    return text + (break_ if text.strip("\ufeff") else "") + entry.replace("\n", break_)


def _check(phase: str, today: str) -> None:
    if not valid_name(phase.replace(":", "-")):
        raise ValueError(f"phase {phase[:80]!r}: letters, digits, -, _ and : only, at most 64")
    if find_date(today)[:10] != today[:10] or not today:
        raise ValueError(f"date {today[:40]!r}: want YYYY-MM-DD")


def confirm(text: str, title_or_digest: str, phase: str, today: str) -> tuple[str, Learning]:
    """Confirm one entry once more: count + 1, the later date, the phase joined.

    The entry is named by its title, the digest of it, or a beginning that fits only one title.
    LookupError, with what comes close, where none or several fit, or the entry is obsolete.
    """
    _check(phase, today)
    entries = parse_learnings(text, "")
    entry = _pick(entries, fold(title_or_digest))
    last = max(entry.last, today[:10])
    values = {
        COUNT: str(entry.confirmed + 1),
        LAST: last,
        PHASES: ", ".join(dict.fromkeys((*entry.phases, phase))),
    }
    spots = entry.metadata.spots
    same = {LAST: last == entry.last, PHASES: phase in entry.phases}
    edits = [(*spots[f][:2], v) for f, v in values.items() if f in spots and not same.get(f)]
    missing = " | ".join(f"{f}: {v}" for f, v in values.items() if f not in spots)
    if not entry.metadata.counted():
        edits = [_comment_below(text, entry, missing)]
    elif missing:
        anchor = min(entry.metadata.counted())[2]
        edits.append((anchor, anchor, f" | {missing}"))
    for start, end, value in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        text = text[:start] + value + text[end:]
    again = parse_learnings(text, "")[entries.index(entry)]
    return text, again


def _comment_below(text: str, entry: Learning, fields: str) -> tuple[int, int, str]:
    mark = next(m for m in headings(text, scan(text)) if m.start == entry.start)
    head = text[entry.start : mark.body]
    break_ = (
        "\r\n" if head.endswith("\r\n") or ("\r\n" in text and not head.endswith("\n")) else "\n"
    )
    if head.endswith(("\n", "\r")):
        return mark.body, mark.body, f"<!-- {fields} -->{break_}"
    return mark.body, mark.body, f"{break_}<!-- {fields} -->"


def _pick(entries: Sequence[Learning], name: str) -> Learning:
    low = name.lower()
    fits = [e for e in entries if low in (e.title.lower(), e.digest)]
    if not fits and low:
        fits = [e for e in entries if e.title.lower().startswith(low)]
    if len(fits) == 1 and not fits[0].obsolete:
        return fits[0]
    if len(fits) == 1:
        raise LookupError(f"{fits[0].title!r} is marked obsolete; take the mark away first")
    if fits:
        listed = ", ".join(f"{e.title!r} (line {e.line}, {e.digest})" for e in fits[:5])
        raise LookupError(f"{name!r} fits {len(fits)} learnings: {listed}")
    near = _close(low, [entry.title for entry in entries])
    hint = f"; close to it: {', '.join(repr(title) for title in near)}" if near else ""
    raise LookupError(f"no learning {name!r}{hint}")


def _close(name: str, titles: Sequence[str]) -> list[str]:
    """List up to 3 titles that share many letter pairs with a name."""
    pairs = {name[i : i + 2] for i in range(max(len(name) - 1, 1))}
    scored = []
    for title in titles:
        low = title.lower()
        other = {low[i : i + 2] for i in range(max(len(low) - 1, 1))}
        score = 2 * len(pairs & other) / (len(pairs) + len(other))
        if score >= 0.3 or (name and name in low):
            scored.append((-score, title))
    return [title for _, title in sorted(scored)[:3]]


def merged(first: Learning, second: Learning) -> tuple[int, str, tuple[str, ...]]:
    """Give (confirmed, last, phases) of two entries told as one: sum, later date, union."""
    phases = tuple(dict.fromkeys((*first.phases, *second.phases)))
    return first.confirmed + second.confirmed, max(first.last, second.last), phases
