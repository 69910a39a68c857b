"""Remove old data by class: `journal gc`.

Old records of a class lose their texts and keep their numbers: each stays, with its seq, as a
tombstone (`record.is_tombstone`), so the counts of sessions, calls and compactions do not change.
Old files of a class are deleted. Invariant: a class without a maximum age loses nothing.
"""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from typing import NamedTuple

from journal.clock import DAY_MS, iso, millis
from journal.history.archive.files import FOLDER as CONVERSATIONS
from journal.history.current import catch_up
from journal.history.forget.redact import logs_in
from journal.history.importer.state import carry_over, note_removed
from journal.history.locks import import_lock
from journal.home import IMPORTED
from journal.log.record import TOMBSTONE, frame, is_tombstone, type_of, unframe
from journal.log.repair import QUARANTINE
from journal.log.rewrite import begin, finish, rewrite
from journal.log.rewrite_watch import is_unfinished
from journal.transcript.backup import FOLDER as BACKUPS

RECORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "observations": {
        "tool.finished": ("target", "digest", "error"),
        "tool.failed": ("target", "digest", "error"),
        "files.changed": ("paths", "restored"),
    },
    "prompts": {
        "prompt.submitted": ("text", "end"),
        "command.expanded": ("args",),
        "turn.ended": ("message",),
        "turn.failed": ("message",),
    },
}
"""Class → type → members that go."""

FILES = {"conversations": (CONVERSATIONS, BACKUPS), "quarantine": (QUARANTINE,)}
"""Class → folders whose files go."""

CLASSES = (*RECORDS, *FILES)


class Collected(NamedTuple):
    """What a class lost: number of records or files, and bytes (of records: uncompressed)."""

    number: int = 0
    saved: int = 0

    def plus(self, other: "Collected") -> "Collected":
        """Return the sum of both."""
        return Collected(self.number + other.number, self.saved + other.saved)


def setting_of(name: str) -> str:
    """Return the name of the setting with a class's maximum age in days; 0 is no maximum."""
    return f"gc.{name}_days"


def collect(
    home: str, projects: list[str], now: str, days: Mapping[str, int], *, dry: bool
) -> dict[str, Collected]:
    """Remove texts and files that are older than the limit of their class. dry: only count.

    Raise JournalError if a log cannot be rewritten, or an import is running.
    """
    at = millis(now) or 0
    limits = {name: iso(at - days[name] * DAY_MS) for name in CLASSES if name in days}
    total = dict.fromkeys(limits, Collected())
    with ExitStack() as held:
        if not dry:
            held.enter_context(import_lock(home))
            held.enter_context(carry_over(home))
        for project in projects:
            files = _old_files(os.path.join(home, project), limits)
            found = {
                name: Collected(len(sizes), sum(sizes.values())) for name, sizes in files.items()
            }
            if not dry:
                _remove(home, project, [path for sizes in files.values() for path in sizes])
            lost = list(found.items())
            for directory in logs_in(home, [project]):
                lost += _empty_records(directory, now, limits, found, dry=dry).items()
                found = {}
            for name, part in lost:
                total[name] = total[name].plus(part)
    return total


class _Emptied:
    """A `Change` that makes tombstones of the records that are older than their class's limit."""

    def __init__(self, limits: Mapping[str, str]) -> None:
        self._members = {
            kind: (name, limits[name], members)
            for name, kinds in RECORDS.items()
            if name in limits
            for kind, members in kinds.items()
        }
        self.done: dict[str, Collected] = {}

    def record(self, line: bytes) -> bytes:
        """Return the tombstone of a record, or the record."""
        rule = self._members.get(type_of(line))
        if rule is None or is_tombstone(line):
            return line
        name, limit, members = rule
        try:
            fields = unframe(line)
        except ValueError:
            return line
        is_old = "" < str(fields.get("ts", "")) < limit
        if not is_old or fields.keys().isdisjoint(members):
            return line
        seq = fields.pop("seq")
        if "paths" in members and isinstance(fields.get("paths"), list):
            fields.setdefault("count", len(fields["paths"]))
        rest = {member: value for member, value in fields.items() if member not in members}
        new = frame(seq, {**rest, TOMBSTONE: 1})[:-1]
        lost = Collected(1, len(line) - len(new))
        self.done[name] = self.done.get(name, Collected()).plus(lost)
        return new

    def other(self, line: bytes) -> bytes:
        """Return bytes that are not a record unchanged."""
        return line


def _remove(home: str, project: str, paths: list[str]) -> None:
    """Delete files, and record that stored conversations were removed on purpose."""
    note_removed(home, project, {os.path.basename(path) for path in paths})
    for path in paths:
        os.unlink(path)


def _empty_records(
    directory: str, now: str, limits: dict[str, str], files: dict[str, Collected], *, dry: bool
) -> dict[str, Collected]:
    """Empty the old records of one log; return them. The event that it gets counts `files` too."""
    counting = _Emptied(limits)
    rewrite(directory, now, counting, dry=True)
    done = {**counting.done, **files}
    if dry or not (done or is_unfinished(directory)):
        return counting.done
    begin(directory)
    rewrite(directory, now, _Emptied(limits))
    event = {
        "type": "journal.collected",
        "v": 1,
        "sid": "",
        "before": {name: time for name, time in limits.items() if name in done},
        "removed": {name: lost.number for name, lost in done.items()},
        "saved": sum(lost.saved for lost in done.values()),
    }
    finish(directory, now, event)
    if os.path.basename(directory) != IMPORTED:
        catch_up(directory, now)
    return counting.done


def _old_files(top: str, limits: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return the old files of each class, with their sizes."""
    found: dict[str, dict[str, int]] = {}
    for name, folders in FILES.items():
        limit = (millis(limits[name]) or 0) * 1_000_000 if name in limits else 0
        for folder in (os.path.join(top, log, name) for log in ("", IMPORTED) for name in folders):
            if not limit or not os.path.isdir(folder):
                continue
            with os.scandir(folder) as entries:
                for entry in entries:
                    facts = entry.stat(follow_symlinks=False)
                    if entry.is_file(follow_symlinks=False) and facts.st_mtime_ns < limit:
                        found.setdefault(name, {})[entry.path] = facts.st_size
    return found
