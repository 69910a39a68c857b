"""`journal verify | repair | seal | rebuild`: the journal as files.

Each command also covers the log of imported facts. Invariant: verify changes nothing, and what
repair takes out of a segment stays in quarantine.
"""

import os
import shutil
import time
from typing import Any

from cli.error import OK, finding_lines, only_one
from cli.render.text import emit, emit_json, table
from cli.scope import Scope
from journal.checkpoint import SNAPSHOT
from journal.events.base import Unknown
from journal.events.registry import decode
from journal.history.current import HOOK_BYTES, Current, catch_up
from journal.history.damage import CHANGING
from journal.history.logs import log_directories
from journal.history.replay.run import replay_all
from journal.home import cache_of
from journal.log.append import PATIENCE, Writer
from journal.log.reached import REACHED, seen_seq
from journal.log.record import type_of
from journal.log.repair import repair as repair_log
from journal.log.rewrite_watch import is_unfinished
from journal.log.seal import seal as seal_log
from journal.log.segment import segments
from journal.log.verify import Verification
from journal.log.verify import verify as verify_log
from journal.text import plural, wrapped

_SHOWN = 20


def verify(scope: Scope, *, strict: bool, salvage: bool) -> int:
    """Check every line of every segment."""
    only_one({"--strict": strict, "--salvage": salvage})
    scope.must_exist()
    return _shown(
        scope,
        [
            (directory, verify_log(directory, strict=strict, salvage=salvage, known=_is_read))
            for directory in _logs(scope)
        ],
    )


def repair(scope: Scope) -> int:
    """Rewrite damaged segments without their bad lines."""
    scope.must_exist()
    return _shown(
        scope, [(directory, repair_log(directory, scope.iso)) for directory in _logs(scope)]
    )


def seal(scope: Scope, *, no_compress: bool) -> int:
    """Close the active segment and compress what is sealed."""
    scope.must_exist()
    sealed: dict[str, None] = {}
    for directory in _logs(scope):
        paths = seal_log(directory, scope.iso, compress=False)
        if directory == scope.directory:
            # The hooks cannot go on in a compressed segment: store their views as of the new one.
            catch_up(directory, scope.iso)
        if not no_compress:
            packed = seal_log(directory, scope.iso)
            paths = [path for path in paths if f"{path}.gz" not in packed] + packed
        sealed.update(dict.fromkeys(os.path.relpath(path, scope.directory) for path in paths))
    names = list(sealed)
    scope.show(
        {"journal": scope.directory, "sealed": names},
        [f"sealed {name}" for name in names] or ["nothing to seal"],
    )
    if names:
        replay_all(scope.directory)
    return OK


def _logs(scope: Scope) -> list[str]:
    """Return the directories of the project's logs: the hooks' log, then the imported one."""
    both = log_directories(scope.home, [scope.project.name])
    found = [directory for _, _, directory in both if segments(directory) or seen_seq(directory)]
    return found or [scope.directory]


def rebuild(scope: Scope) -> int:
    """Delete all that is derived from the project's logs, and fold the hooks' snapshot again."""
    scope.must_exist()
    path = os.path.join(scope.directory, SNAPSHOT)
    with Writer(scope.directory, scope.iso, deadline=PATIENCE):
        _remove(path)
    _drop_caches(scope)
    started = time.perf_counter()
    current = Current(scope.directory)
    is_stored = False
    while current.read_on() and current.position is not None and not is_stored:
        with Writer(scope.directory, scope.iso, deadline=PATIENCE) as writer:
            is_stored = current.advance(writer, HOOK_BYTES)
            current.store()
    took = time.perf_counter() - started
    replay_all(scope.directory)
    size = os.path.getsize(path) if os.path.exists(path) else 0
    facts = {
        "journal": scope.directory,
        "seq": current.fold.seq,
        "seconds": round(took, 3),
        "kept": size > 0,
    }
    snapshot = (
        "snapshot stored" if size else "snapshot too large to store: each answer reads the log"
    )
    return scope.show(
        facts, [f"rebuilt from {plural(current.fold.seq, 'event')} in {took:.3f} s; {snapshot}"]
    )


def _drop_caches(scope: Scope) -> None:
    """Delete what commands derived from the project's logs, files and folders alike.

    The position up to which a log was read stays, because nothing else holds it, and so do locks.
    The index of all projects is deleted only if something else than a file has its name.
    """
    for directory in _logs(scope):
        top = cache_of(directory)
        tables = os.path.join(top, "tables")
        for folder in (top, tables):
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                path = os.path.join(folder, name)
                plain = os.path.isfile(path) and not os.path.islink(path)
                if path != tables and not (plain and name in (REACHED, "lock")):
                    _remove(path)
    index = os.path.join(scope.home, "cache", "sessions.sqlite")
    if not os.path.isfile(index) or os.path.islink(index):
        _remove(index)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def _is_read(line: bytes) -> bool:
    return not isinstance(decode(line, type_of(line)), Unknown)


def _shown(scope: Scope, reports: list[tuple[str, Verification]]) -> int:
    """Print what was found in each log; return the exit code. JSON: the second is `imported`."""
    if scope.json:
        (first, *others) = [_data(*item) for item in reports]
        emit_json({**first, "imported": others[0]} if others else first)
    else:
        for number, (directory, report) in enumerate(reports):
            emit(["", f"{os.path.basename(directory)}:"] if number else [])
            if is_unfinished(directory):
                emit([CHANGING])
            _show(scope, report)
    return max(report.exit_code for _, report in reports)


def _show(scope: Scope, report: Verification) -> None:
    for finding in report.findings[:_SHOWN]:
        emit(finding_lines(finding))
    if len(report.findings) > _SHOWN:
        emit([f"and {len(report.findings) - _SHOWN} more; --json has them all"])
    for item in report.repaired:
        where = f"; original: {item['quarantined']}" if item["quarantined"] else ""
        taken = f"{plural(item['kept'], 'line')} kept, {item['removed']} removed"
        emit([f"repaired {item['segment']}: {taken}{where}"])
    rows = [
        (
            os.path.basename(row.segment.path),
            f"{row.first}-{row.last}" if row.records else "-",
            f"{row.records:,}",
            f"{row.size:,}",
            row.bad or "-",
        )
        for row in report.rows
    ]
    heads = ("SEGMENT", "SEQ", "RECORDS", "BYTES", "BAD")
    emit(table(rows, scope.columns, heads=heads, flexible=0, right=(2, 3, 4)))
    counts = ", ".join(f"{count:,} {name}" for name, count in report.counts.items() if count)
    emit(wrapped(f"{counts or 'no record'}; {_verdict(report)}", scope.columns))
    if report.tombstones:
        emit(wrapped(f"journal gc emptied {report.tombstones:,} of the records", scope.columns))


def _verdict(report: Verification) -> str:
    if not report.exit_code:
        return "in order" if not report.findings else "only known losses"
    if report.mode == "salvage":
        return f"{plural(report.lost, 'record')} lost"
    return "not in order; run: journal repair"


def _data(directory: str, report: Verification) -> dict[str, Any]:
    return {
        "journal": directory,
        "ok": not report.exit_code,
        "mode": report.mode,
        "counts": report.counts,
        "lost": report.lost,
        "gaps": [[first, last] for first, last, _ in report.found.gaps],
        "known_gaps": len(report.found.known),
        "tombstones": report.tombstones,
        "segments": [
            {
                "name": os.path.basename(row.segment.path),
                "sealed": row.segment.sealed,
                "first": row.first or None,
                "last": row.last or None,
                "records": row.records,
                "bytes": row.size,
                "bad": row.bad,
            }
            for row in report.rows
        ],
        "findings": [
            {
                "verdict": finding.verdict,
                "path": finding.path,
                "line": finding.line or None,
                "offset": finding.offset,
                "what": finding.what,
                "excerpt": finding.excerpt.decode("utf-8", "backslashreplace"),
            }
            for finding in report.findings
        ],
        "repaired": report.repaired,
    }
