"""The command `journal import` and what it says.

Invariant: the exit code is 1 where a line in the middle of a transcript could not be used whole
or a file could not be read; an end that is torn is how a killed client leaves it, and no fault.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS, OK, warn
from cli.render.text import emit, emit_json, table
from journal.history.importer.find import cleanup_days
from journal.history.importer.run import Import, importing
from journal.text import one_line, wrapped
from projections.messages.wording import many

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["import_"]

_SHOWN = 5
_MIB = 1024 * 1024
_NAMES = (
    ("session.started", "session"), ("subagent.started", "subagent"),
    ("prompt.submitted", "prompt"), ("turn.ended", "turn"), ("usage.recorded", "API response"),
    ("tool.finished", "tool call"), ("tool.failed", "failed tool call"),
    ("compact.started", "compaction"), ("compact.finished", "summary", "summaries"),
    ("session.titled", "title"),
)  # fmt: skip


def import_(scope: Scope, *, path: str, since: str, dry_run: bool) -> int:
    """Import transcripts."""
    done = importing(scope, path, since, dry=dry_run)
    if scope.json:
        emit_json(_data(done))
    else:
        for line in _lines(done):  # the rows of a table are laid out already
            emit([line] if line.startswith("  ") else wrapped(line, scope.columns))
    for path_, why in done.unreadable.items():
        warn(f"{path_}: cannot be read: {why}")
    return FINDINGS if done.bad or done.long or done.unreadable else OK


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
        "not_kept": done.sink.off,
        "torn_ends": done.torn,
        "bad_lines": [{"path": p, "offset": at, "saved": saved} for p, at, saved in done.bad],
        "long_lines": done.long,
        "unreadable": done.unreadable,
        "cleanup_days": cleanup_days(done.scope.env),
        "expiring": [item.path for item in done.expiring],
    }


def _lines(done: Import) -> list[str]:
    if not done.found:
        return [f"no transcripts in {one_line(done.source)}"]
    count, changed = len(done.found), len(done.changed)
    read = f"{done.size / _MIB:,.1f} MiB, {done.lines:,} lines" if changed else "nothing is new"
    which = many(count, "transcript")
    lines = [f"{which} in {one_line(done.source)}: {changed:,} read, {read}"]
    if changed:
        lines += _added(done)
        lines += _odd(done)
    return lines + _soon(done)


def _added(done: Import) -> list[str]:
    columns = done.scope.columns
    added = done.sink.added
    if not added:
        return ["nothing in them is new"]
    verb = "would be added" if done.dry else "added"
    what = [many(added[kind], *names) for kind, *names in _NAMES if added[kind]]
    lines = [f"{verb}: {', '.join(what)}"]
    rows = [[name, f"{number:,}"] for name, number in done.sink.projects.most_common(_SHOWN)]
    lines += ["  " + line for line in table(rows, columns - 2, flexible=0, right=(1,))]
    more = len(done.sink.projects) - len(rows)
    if more > 0:
        lines.append(f"  and {more} more projects")
    if done.sink.repeated:
        lines.append(
            f"{done.sink.repeated:,} facts were known already, from a copy or another import"
        )
    return lines


def _odd(done: Import) -> list[str]:
    lines = []
    if done.sink.off:
        lines.append(f"{done.sink.off:,} facts of projects whose capture.level is off: not kept")
    if done.torn:
        ends = many(done.torn, "transcript ends", "transcripts end")
        lines.append(f"{ends} in the middle of a line")
    if done.long:
        lines.append(f"{many(done.long, 'line')} longer than 16 MiB: passed over")
    for path, offset, saved in done.bad[:_SHOWN]:
        what = f"{many(saved, 'record')} saved out of it" if saved else "nothing could be saved"
        lines.append(f"bad line at byte {offset:,} of {one_line(os.path.basename(path))}: {what}")
    if len(done.bad) > _SHOWN:
        lines.append(f"and {len(done.bad) - _SHOWN} more bad lines")
    return lines


def _soon(done: Import) -> list[str]:
    """Say what the client will delete."""
    soon = len(done.expiring)
    if not soon:
        return []
    days = cleanup_days(done.scope.env)
    kept = "would be kept" if done.dry else "are kept in the journal"
    which = many(soon, "transcript")
    what = f"Claude Code deletes transcripts after {days} days (cleanupPeriodDays)"
    return [f"{what}: {which} will be gone within a week; their facts {kept}, their texts are not"]
