"""Check the journal on disk: directory, space, errors, last events, spool, findings, transcripts.

Invariant: reading only; sizes and times are those of the files, never guessed.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from typing import TYPE_CHECKING, Any, Literal

from cli.doctor.rows import Check
from cli.render.text import short_id
from journal.clock import millis, now_ms
from journal.config.load import load
from journal.files import read_tail
from journal.history.importer import IMPORTED
from journal.history.importer.find import SOON, cleanup_days, expiring, find
from journal.history.replay.facts import LATE
from journal.home import client_dir
from journal.log.findings import VALID
from journal.log.overlap import OVERLAPS, overlaps
from journal.log.read import Reader
from journal.log.verify import verify
from journal.text import ago, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cli.doctor.installed import Installation
    from journal.history.importer.find import Transcript
    from journal.history.importer.state import FileState

__all__ = ["CHECKS", "filesystem", "last_records"]

# flock and O_APPEND are not to be trusted between hosts on these.
_REMOTE = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "afs", "ceph", "lustre", "virtiofs")
_TAIL = 1024 * 1024
_DAY = 86_400_000  # ms


def home(install: Installation) -> Iterator[Check]:
    """Check that the journal home is a private directory on a filesystem of this host."""
    name = "home"
    try:
        facts = os.stat(install.home)
    except FileNotFoundError:
        yield Check(name, "note", "does not exist yet: the first event creates it", install.home)
        return
    if not stat.S_ISDIR(facts.st_mode):
        remedy = f"move it: mv {install.home} {install.home}.old"
        yield Check(name, "fail", "is not a directory", install.home, remedy)
        return
    faults: list[tuple[Literal["warn", "fail"], str, str]] = []
    if facts.st_uid != os.geteuid():
        what = f"belongs to user {facts.st_uid}"
        faults.append(("fail", what, "set JOURNAL_HOME to a directory of your own"))
    elif facts.st_mode & 0o002:
        what = "is writable by everyone: hooks record nothing"
        faults.append(("fail", what, f"run: chmod 700 {install.home}"))
    elif facts.st_mode & 0o077:
        what = f"has mode {facts.st_mode & 0o777:04o}: other users can read it"
        faults.append(("warn", what, f"run: chmod 700 {install.home}"))
    kind = filesystem(install.home)
    if kind.split(".")[0] in _REMOTE:
        what = f"is on {kind}, where locks may fail: use it from a single host only"
        faults.append(("warn", what, "set JOURNAL_HOME to a local directory"))
    if not os.access(install.home, os.W_OK) or os.statvfs(install.home).f_flag & os.ST_RDONLY:
        faults.append(("fail", "cannot be written to: hooks record nothing", "make it writable"))
    for status, what, remedy in faults:
        yield Check(name, status, what, install.home, remedy)
    if not faults:
        yield Check(name, "ok", f"private, on {kind or 'an unknown filesystem'}", install.home)


def space(install: Installation) -> list[Check]:
    """Check that the disk has space for events."""
    at = install.home
    while not os.path.isdir(at):
        at = os.path.dirname(at)
    free = shutil.disk_usage(at).free
    what = f"{free / 1e9:.1f} GB free" if free >= 1e9 else f"{free / 1e6:.0f} MB free"
    if free >= 100e6:
        return [Check("disk", "ok", what, at)]
    status: Literal["fail", "warn"] = "fail" if free < 1e6 else "warn"
    return [Check("disk", status, what, at, "free some space on that disk")]


def hook_errors(install: Installation) -> list[Check]:
    """Show the errors of hooks, which are silent where they happen."""
    path = os.path.join(install.home, "hook-errors.log")
    lines = [line.decode("utf-8", "replace") for line in _last_lines(path)]
    if not lines:
        return [Check("hook errors", "ok", "none")]
    last = millis(lines[-1].split(" ", 1)[0])
    fresh = last is None or now_ms(install.env) - last < 7 * _DAY
    what = f"{len(lines)} logged, the last {ago(last, now_ms(install.env))}"
    shown = tuple(reversed(lines[-3:]))
    remedy = "report the last line; delete the file once it is solved"
    return [Check("hook errors", "warn" if fresh else "note", what, path, remedy, shown)]


def last_events(install: Installation) -> list[Check]:
    """Show when each type of event was last recorded: a hook that stopped running shows here."""
    path = os.path.join(install.directory, "active.jsonl")
    seen = {str(r["type"]): str(r["ts"]) for r in last_records(path) if "type" in r and "ts" in r}
    if not seen:
        what = "no event of this project yet"
        return [Check("last events", "note", what, path, "start a session in it")]
    latest = sorted(seen.items(), key=lambda item: item[1], reverse=True)
    now = now_ms(install.env)
    details = tuple(f"{kind} {ago(millis(ts), now)}" for kind, ts in latest)
    return [Check("last events", "ok", details[0], path, details=details)]


def spooled(install: Installation) -> list[Check]:
    """Count what is still outside the log, in any project's journal."""
    rows = []
    for folder in _journals(install.home):
        spool = os.path.join(folder, "spool")
        names = os.listdir(spool) if os.path.isdir(spool) else []
        left = [name for name in names if name.endswith(".jsonl")]
        bad = [name for name in names if name.endswith((".bad", ".tmp"))]
        if left:
            what = f"{len(left)} calls wait outside the log; the next hook call appends them"
            rows.append(Check("spool", "note", what, spool))
        if bad:
            what = f"{len(bad)} files could not be appended to the log"
            remedy = "read them: they are plain lines of JSON"
            rows.append(Check("spool", "warn", what, spool, remedy))
        missed = os.path.join(folder, "missed")
        if os.path.exists(missed):
            what = f"{os.path.getsize(missed)} events were lost (was the disk full or read-only?)"
            remedy = "fix the cause; the next event records the gap"
            rows.append(Check("missed", "warn", what, missed, remedy))
    return rows or [Check("spool", "ok", "nothing waits outside the log, and no event was lost")]


def findings(install: Installation) -> list[Check]:
    """Check that every line of this project's journal is valid and in order."""
    folder = install.directory
    imported = os.path.join(folder, IMPORTED)
    rows = [_found("findings", folder)] if os.path.isdir(folder) else []
    return rows + ([_found("imported", imported)] if os.path.isdir(imported) else [])


def lock(install: Installation) -> list[Check]:
    """Check that no two hooks wrote to a log at the same time: the lock is to prevent that."""
    remedy = "run: journal repair; set JOURNAL_HOME to a local directory; then delete that file"
    rows = []
    for folder in _journals(install.home):
        path = os.path.join(folder, OVERLAPS)
        count = overlaps(folder)
        if count < 0:
            what = "two writers at once would not be counted: this is not a file"
            rows.append(Check("lock", "warn", what, path, "move it out of the way"))
        elif count:
            what = f"the file system granted it to two writers, {plural(count, 'time')}"
            rows.append(Check("lock", "warn", what, path, remedy))
    return rows or [Check("lock", "ok", "no two hooks wrote at the same time")]


def _found(name: str, folder: str) -> Check:
    report = verify(folder)
    events = f"{report.counts[VALID]:,} events"
    missed = report.found.missed
    if not report.findings and not missed:
        return Check(name, "ok", f"none in {events}", folder)
    if not report.findings:
        what = f"{plural(missed, 'event')} never recorded, {events} in order"
        return Check(name, "note", what, folder)
    counts = ", ".join(f"{n} {name}" for name, n in report.counts.items() if n and name != VALID)
    shown = tuple(repr(finding) for finding in report.findings[:3])
    # A killed writer leaves a torn end, and a repaired gap has its record: no fault.
    status: Literal["note", "warn"] = "warn" if report.exit_code else "note"
    what = f"{counts} in {events}"
    return Check(name, status, what, folder, "run: journal verify", shown)


def reconciled(install: Installation) -> list[Check]:
    """Count the events that no hook recorded and that came from the transcripts later."""
    folder = install.directory
    if not os.path.isdir(folder):
        return []
    count = sum(LATE in line for _, line in Reader(folder))
    if not count:
        return [Check("reconciled", "ok", "hooks recorded all that the transcripts have", folder)]
    what = f"{plural(count, 'event')} came from the transcripts: no hook recorded them"
    return [Check("reconciled", "note", what, folder, "journal events --json shows them: via")]


def budget(install: Installation) -> list[Check]:
    """Show what hooks have cost the last session, by their own account, and its budget."""
    from journal.history.current import Current  # needs a package

    folder = install.directory
    if not os.path.isdir(folder):
        return []
    current = Current(folder)
    current.read_on()
    sessions = current.views.ledger.sessions
    if not sessions:
        return []
    limit = install.configuration.settings["capture.budget"]
    sid, spent = next(reversed(sessions.items()))
    what = (
        f"{spent.us / 1e6:,.1f} s of processor time in {plural(spent.calls, 'call')} of the last "
        f"session ({short_id(sid)}), {f'budget {limit:,} s' if limit else 'no budget'}"
    )
    if not limit or spent.seconds < limit:
        return [Check("hook cost", "ok", what)]
    what += f": {plural(spent.short, 'tool call')} recorded in short form"
    remedy = "to change it: journal config set capture.budget"
    return [Check("hook cost", "note", what, remedy=remedy)]


def transcripts(install: Installation) -> list[Check]:
    """Count the transcripts that Claude Code deletes soon and that were not imported."""
    # Needs a package; another check reports that it is missing.
    from journal.history.importer.state import load_state

    source = os.path.join(client_dir(install.env), "projects")
    days = cleanup_days(install.env)
    files = load_state(install.home).files
    soon = [
        item
        for item in expiring(find(source), now_ms(install.env), days)
        if not _imported(item, files.get(item.path))
    ]
    if not soon:
        what = "all that Claude Code deletes soon are imported"
        return [Check("transcripts", "ok", what, source)]
    which = plural(len(soon), "transcript")
    what = (
        f"{which} not imported yet: Claude Code deletes them within {SOON} days "
        f"(cleanupPeriodDays is {days})"
    )
    shown = tuple(item.path for item in soon[:3])
    return [Check("transcripts", "note", what, source, "run: journal import", shown)]


def _imported(item: Transcript, state: FileState | None) -> bool:
    return state is not None and not state.since and state.is_of(item.size, item.mtime, item.inode)


def configuration(install: Installation) -> list[Check]:
    """Show what the configuration files contain and nothing uses."""
    loaded = install.configuration
    rows = []
    if loaded.settings["capture.level"] == "off":
        own = load(install.home, None).settings["capture.level"] == "off"
        whose = "by you" if own else "by the project"
        what = f"capture.level is off, set {whose}: nothing is recorded here"
        rows.append(Check("capture", "note", what, remedy="journal config shows where"))
    for problem in loaded.problems:
        where = f"{problem.path}:{problem.line}" if problem.line else problem.path
        rows.append(Check("configuration", "warn", problem.what, where, problem.remedy))
    return rows or [Check("configuration", "ok", "no problems")]


def past_sessions(install: Installation) -> list[Check]:
    """Show how past sessions are searched, and how to add search by meaning."""
    from journal.history.search.embed import state

    settings = install.configuration.settings
    return [Check("search", "ok", state(settings, install.env))]


def filesystem(path: str, table: str = "/proc/self/mountinfo") -> str:
    """Return the type of the filesystem `path` is on, "" if it cannot be read."""
    real = os.path.realpath(path)
    best = ("", "")
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                fields, _, after = line.partition(" - ")
                mount = fields.split(" ")[4].encode().decode("unicode_escape")
                if (real + "/").startswith(mount.rstrip("/") + "/") and len(mount) >= len(best[0]):
                    best = (mount, after.split(" ")[0])
    except (OSError, IndexError, UnicodeError):
        return ""
    return best[1]


def _journals(top: str) -> list[str]:
    if not os.path.isdir(top):
        return []
    folders = (os.path.join(top, name) for name in sorted(os.listdir(top)))
    return [
        folder
        for folder in folders
        if os.path.exists(os.path.join(folder, "active.jsonl"))
        or os.path.isdir(os.path.join(folder, "spool"))
        or os.path.exists(os.path.join(folder, "missed"))
    ]


def last_records(path: str) -> Iterator[dict[str, Any]]:
    """Yield the records in the last MiB of a log; `findings` reports the lines that are none."""
    for line in _last_lines(path):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def _last_lines(path: str) -> list[bytes]:
    """Return the whole lines in the last MiB of a file; none if it cannot be read."""
    try:
        data = read_tail(path, _TAIL)
    except OSError:
        return []
    return (data if len(data) < _TAIL else data[data.find(b"\n") + 1 :]).splitlines()


CHECKS: tuple[Callable[[Installation], Iterable[Check]], ...] = (
    home, space, hook_errors, last_events, spooled, lock, findings, reconciled, budget,
    transcripts, configuration, past_sessions,
)  # fmt: skip
