"""The command `journal import` and its output.

Invariant: the exit code is 1 if a line in the middle of a transcript is damaged or too long, or a
file is unreadable. A torn last line is not a fault: a killed Claude Code leaves one.
"""

import os
from collections import Counter
from typing import Any

from cli.error import FINDINGS, OK
from cli.render.progress import progress
from cli.render.text import table
from cli.scope import Scope
from journal.bound import parse_time
from journal.files import is_inside
from journal.history.importer.find import cleanup_days, expiring, source_of
from journal.history.importer.run import Import
from journal.history.new_transcripts import summarize_imported, text_limit
from journal.home import Project, client_dir
from journal.text import one_line, plural

_SHOWN = 5
_MIB = 1024 * 1024
_NAMES = (
    ("session.started", "session"),
    ("subagent.started", "subagent"),
    ("prompt.submitted", "prompt"),
    ("turn.ended", "turn"),
    ("usage.recorded", "API response"),
    ("tool.finished", "tool call"),
    ("tool.failed", "failed tool call"),
    ("compact.started", "compaction"),
    ("compact.finished", "summary", "summaries"),
    ("session.titled", "title"),
)


def import_(scope: Scope, *, path: str, since: str, dry_run: bool) -> int:
    """Import past sessions from Claude Code's transcripts."""
    done = run_import(scope, path, since, dry=dry_run)
    if not dry_run:
        summarize_imported(done, scope.iso)
    days = cleanup_days(scope.env)
    found = done.found if _is_of_client(scope, done.source) else []
    soon = [item.path for item in expiring(found, scope.now, days)]
    lines = _summary(scope, done) + problems(done)
    if soon:
        lines.append(_expiry(len(soon), days, dry=done.dry))
    scope.show({**_data(done), "cleanup_days": days, "expiring": soon}, lines)
    return FINDINGS if done.bad or done.long or done.unreadable else OK


def run_import(
    scope: Scope, path: str, since: str, *, dry: bool = False, only: Project | None = None
) -> Import:
    """Run an import and show its progress. Raise UsageError if `since` is not a time.

    path: as typed, "" for Claude Code's own; only: import this project alone.
    """
    start = parse_time(since, scope.now)
    show = progress()

    def show_share(done: int, size: int) -> None:
        show(f"{min(1.0, done / max(1, size)):.0%} of {size / _MIB:,.0f} MiB read")

    source = source_of(path, scope.env, scope.cwd)
    run = Import(
        scope.env,
        scope.home,
        scope.iso,
        source,
        since=start,
        dry=dry,
        only=only,
        limit=text_limit(scope.settings),
        progress=show_share,
    )
    return run.run()


def _data(done: Import) -> dict[str, Any]:
    return {
        "source": done.source,
        "transcripts": len(done.found),
        "read": len(done.changed),
        "bytes": done.size,
        "lines": done.lines,
        "dry_run": done.dry,
        "added": dict(sorted(done.sink.added.items())),
        "projects": dict(sorted(done.sink.projects.items())),
        "known_already": done.sink.repeated,
        "not_kept": done.sink.not_captured,
        "torn_ends": done.torn,
        "bad_lines": [{"path": p, "offset": at, "saved": inside} for p, at, inside in done.bad],
        "long_lines": done.long,
        "unreadable": done.unreadable,
    }


def _summary(scope: Scope, done: Import) -> list[str]:
    source = one_line(done.source)
    if not done.found:
        return [f"No transcripts in {source}. Name another folder: journal import PATH"]
    lines = [f"Found {plural(len(done.found), 'transcript')} in {source}"]
    if not done.changed:
        lines[0] += ". All of them have been imported before: nothing is new"
        return lines
    size = f"{done.size / _MIB:,.1f} MiB, " if done.size > _MIB / 10 else ""
    size += plural(done.lines, "line")
    lines[0] += f". Read {len(done.changed):,} new or changed: {size}"
    return lines + _added(scope, done)


def _added(scope: Scope, done: Import) -> list[str]:
    added, projects = done.sink.added, done.sink.projects
    lines = []
    if added:
        counts = added - Counter({"prompt.submitted": done.sink.delegated})  # as all reports
        counts["tool.finished"] += added["tool.failed"]
        what = ", ".join(plural(counts[kind], *names) for kind, *names in _NAMES if counts[kind])
        lines.append(f"{'Would add' if done.dry else 'Added'} {what}")
        rows = [
            [scope.name_of(name), f"{number:,}"] for name, number in projects.most_common(_SHOWN)
        ]
        heads = ("PROJECT", "EVENTS")
        laid_out = table(rows, scope.columns - 2, heads=heads, flexible=0, right=(1,))
        lines += ["  " + line for line in laid_out]
        if len(projects) > len(rows):
            lines.append(f"  and {len(projects) - len(rows)} more projects")
    elif done.sink.repeated or done.sink.not_captured or _is_of_client(scope, done.source):
        lines.append("Nothing in them is new")
    else:
        lines.append("They contain no records of Claude Code")
    if done.sink.repeated:
        skipped = plural(done.sink.repeated, "event")
        lines.append(f"Skipped {skipped} already recorded from a copy or an earlier import")
    return lines


def problems(done: Import) -> list[str]:
    """Return lines about what an import could not read or skipped."""
    lines = [f"{one_line(name)} cannot be read: {why}" for name, why in done.unreadable.items()]
    if done.sink.not_captured:
        skipped = plural(done.sink.not_captured, "event")
        lines.append(f"Skipped {skipped} of projects whose capture.level is off")
    if done.torn:
        ends = plural(done.torn, "transcript ends", "transcripts end")
        lines.append(f"{ends} in the middle of a line")
    if done.long:
        lines.append(f"Skipped {plural(done.long, 'line')} longer than 16 MiB")
    for path, offset, inside in done.bad[:_SHOWN]:
        place = f"byte {offset:,} of {one_line(os.path.basename(path))}"
        read = f"; imported {plural(inside, 'record')} found inside it" if inside else ""
        lines.append(f"Skipped a line that is no record, at {place}{read}")
    if len(done.bad) > _SHOWN:
        lines.append(f"and {len(done.bad) - _SHOWN} more bad lines")
    return lines


def _is_of_client(scope: Scope, source: str) -> bool:
    """Return whether Claude Code manages the source: it deletes no other transcripts."""
    return is_inside(source, os.path.join(client_dir(scope.env), "projects"))


def _expiry(count: int, days: int, *, dry: bool) -> str:
    """Return the note on the transcripts that Claude Code will delete soon."""
    will = "An import records" if dry else "The journal has"
    return (
        f"Claude Code deletes transcripts after {days} days (cleanupPeriodDays). Within a week it "
        f"deletes {plural(count, 'transcript')}. {will} their events and conversations, so "
        "that search and `journal show` still have them; long outputs of tools are shortened."
    )
