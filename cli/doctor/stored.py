"""Check what the journal has stored: errors, last events, spool, findings, transcripts.

Invariant: nothing is written except the record of a notice that is shown once.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cli.doctor import home
from cli.doctor.installation import Check, Installation, Status
from cli.read import advised
from cli.render.text import short_id
from journal.clock import DAY_MS, millis
from journal.config.load import load
from journal.files import last_lines
from journal.history.importer.find import SOON, cleanup_days, expiring
from journal.history.logs import log_directories
from journal.history.replay.facts import LATE
from journal.home import HOOK_ERRORS, IMPORTED, client_dir
from journal.log.counter import MISSED, OVERLAPS, count_in
from journal.log.findings import VALID
from journal.log.read import Reader
from journal.log.record import ACTIVE
from journal.log.spool import SPOOL, waiting
from journal.log.verify import verify
from journal.text import ago, plural

_OWN_TOOL = b'"tool":"mcp__journal__'  # Claude Code runs no hook for the tools of a module
_NOTICE = "notice:stage-thresholds"  # member `what` of the `advice.given` that records it


def hook_errors(install: Installation) -> list[Check]:
    """Show the errors of hooks, which hooks only log."""
    path = os.path.join(install.home, HOOK_ERRORS)
    lines = [line.decode("utf-8", "replace") for line in last_lines(path)]
    if not lines:
        return [Check("hook errors", "ok", "none")]
    last = millis(lines[-1].split(" ", 1)[0])
    fresh = last is None or install.scope.now - last < 7 * DAY_MS
    what = f"{len(lines)} logged, the last {ago(last, install.scope.now)}"
    shown = tuple(reversed(lines[-3:]))
    remedy = "report the last line; delete the file once it is solved"
    return [Check("hook errors", "warn" if fresh else "note", what, path, remedy, shown)]


def last_events(install: Installation) -> list[Check]:
    """Show when each type of event was last recorded, so that a hook that never runs is missed."""
    path = os.path.join(install.directory, ACTIVE)
    seen = {str(r["type"]): str(r["ts"]) for r in last_records(path) if "type" in r and "ts" in r}
    if not seen:
        what = "no event of this project yet"
        return [Check("last events", "note", what, path, "start a session in it")]
    latest = sorted(seen.items(), key=lambda item: item[1], reverse=True)
    now = install.scope.now
    details = tuple(f"{kind} {ago(millis(ts), now)}" for kind, ts in latest)
    return [Check("last events", "ok", details[0], path, details=details[1:])]


def spooled(install: Installation) -> list[Check]:
    """Count the hook calls, in all projects, that are not in a log yet, and the lost events."""
    rows = []
    for folder in _folders(install.home):
        spool = os.path.join(folder, SPOOL)
        if (left := waiting(folder)) < 0:
            what, remedy = "cannot be read", "make it a folder that you can read and write"
            rows.append(Check("spool", "warn", what, spool, remedy))
        elif left:
            what = f"{plural(left, 'call')} in the spool; the next hook call appends what is there"
            rows.append(Check("spool", "note", what, spool))
        if (bad := waiting(folder, (".bad", ".tmp"))) > 0:
            what = f"{plural(bad, 'file')} could not be appended to the log"
            remedy = "read them: they are plain lines of JSON"
            rows.append(Check("spool", "warn", what, spool, remedy))
        missed, lost = os.path.join(folder, MISSED), count_in(folder, MISSED)
        if lost:
            what = f"{plural(lost, 'event')} lost (was the disk full or read-only?)"
            remedy = "fix the cause; the next event records the gap"
            if lost < 0:
                what = "how many events were lost is not counted: this is not a file"
                remedy = "move it out of the way"
            rows.append(Check("missed", "warn", what, missed, remedy))
    return rows or [Check("spool", "ok", "empty; no event was lost")]


def findings(install: Installation) -> list[Check]:
    """Check that every line of this project's journal is valid and in order."""
    folder = install.directory
    logs = ("findings", folder), ("imported", os.path.join(folder, IMPORTED))
    return [_found(name, path) for name, path in logs if os.path.lexists(path)]


def lock(install: Installation) -> list[Check]:
    """Check that no two hooks wrote to a log at the same time, which the lock should prevent."""
    remedy = "run: journal repair; set JOURNAL_HOME to a local directory; then delete that file"
    rows = []
    for folder in _folders(install.home):
        path = os.path.join(folder, OVERLAPS)
        count = count_in(folder, OVERLAPS)
        if count < 0:
            what = "two writers at once would not be counted: this is not a file"
            rows.append(Check("lock", "warn", what, path, "move it out of the way"))
        elif count:
            what = f"the file system granted it to two writers, {plural(count, 'time')}"
            rows.append(Check("lock", "warn", what, path, remedy))
    return rows or [Check("lock", "ok", "no two hooks wrote at the same time")]


def _found(name: str, folder: str) -> Check:
    if not os.path.isdir(folder):
        return Check.no_directory(name, folder)
    report = verify(folder)
    events = plural(report.counts[VALID], "event")
    missed = report.found.missed
    if not report.findings and not missed:
        return Check(name, "ok", f"no damage in {events}", folder)
    if not report.findings:
        what = f"{plural(missed, 'event')} never recorded, {events} in order"
        return Check(name, "note", what, folder)
    counts = ", ".join(f"{n} {name}" for name, n in report.counts.items() if n and name != VALID)
    shown = tuple(repr(finding) for finding in report.findings[:3])
    # Not faults: the torn end that a killed writer leaves, and a gap that a record explains.
    status: Status = "warn" if report.exit_code else "note"
    what = f"{counts} in {events}"
    return Check(name, status, what, folder, "run: journal verify", shown)


def reconciled(install: Installation) -> list[Check]:
    """Count the events that hooks missed and that were added from transcripts later."""
    folder = install.directory
    if not os.path.isdir(folder):
        return []
    count = sum(LATE in line and _OWN_TOOL not in line for _, line in Reader(folder))
    if not count:
        what = "no hook missed an event that a transcript has"
        return [Check("reconciled", "ok", what, folder)]
    what = f"{plural(count, 'event')} came from the transcripts: no hook recorded them"
    return [Check("reconciled", "note", what, folder, "journal events --json shows them: via")]


def budget(install: Installation) -> list[Check]:
    """Show how much processor time hooks used in the last session, and its budget."""
    from journal.history.current import Current  # needs msgspec

    folder = install.directory
    if not os.path.isdir(folder):
        return []
    current = Current(folder)
    current.read_on()
    sessions = current.views.ledger.sessions
    if not sessions:
        return []
    limit = install.scope.configuration.settings["capture.budget"]
    sid, spent = next(reversed(sessions.items()))
    what = (
        f"{spent.us / 1e6:,.1f} s of processor time in {plural(spent.calls, 'call')} of the last "
        f"session ({short_id(sid)}), {f'budget {limit:,} s' if limit else 'no budget'}"
    )
    if not limit or spent.seconds < limit:
        return [Check("hook cost", "ok", what)]
    what += f": {plural(spent.short, 'tool call')} recorded in short form"
    remedy = f"to change it: journal config set capture.budget {2 * limit}"
    return [Check("hook cost", "note", what, remedy=remedy)]


def moved(install: Installation) -> list[Check]:
    """Name directories that may be this project's before it was moved."""
    from journal.history.moved import moved_from, moved_note  # needs msgspec

    found = moved_from(install.scope, every=True)
    return [Check("moved", "note", moved_note(install.home, directory)) for directory in found]


def transcripts(install: Installation) -> list[Check]:
    """Count the transcripts that Claude Code will soon delete and that are not imported."""
    # Needs msgspec; another check reports if that is missing.
    from journal.history.importer.state import load_state

    source = os.path.join(client_dir(install.env), "projects")
    days = cleanup_days(install.env)
    files = load_state(install.home).files
    soon = []
    for item in expiring(install.scope.transcripts, install.scope.now, days):
        state = files.get(item.path)
        if state is None or state.since or not state.is_of(item):
            soon.append(item)
    if not soon:
        what = "Claude Code deletes none soon that is not imported"
        return [Check("transcripts", "ok", what, source)]
    which = plural(len(soon), "transcript")
    what = (
        f"{which} not imported yet: Claude Code deletes them within {SOON} days "
        f"(cleanupPeriodDays is {days})"
    )
    shown = tuple(item.path for item in soon[:3])
    return [Check("transcripts", "note", what, source, "run: journal import", shown)]


def configuration(install: Installation) -> list[Check]:
    """Show entries of the configuration files that are not used, and whether capture is off."""
    loaded = install.scope.configuration
    rows = []
    if loaded.settings["capture.level"] == "off":
        own = load(install.home, None).settings["capture.level"] == "off"
        whose = "by you" if own else "by the project"
        what = f"capture.level is off, set {whose}: nothing is recorded here"
        rows.append(Check("capture", "note", what, remedy="journal config shows where"))
    rows += [
        Check("configuration", "warn", problem.what, problem.where, problem.remedy)
        for problem in loaded.problems
    ]
    return rows or [Check("configuration", "ok", "no problems")]


def stage_thresholds(install: Installation) -> list[Check]:
    """Note, once, that stage thresholds are now percentages of the context until compaction."""
    loaded = install.scope.configuration
    keys = [
        key
        for key, origin in loaded.origins.items()
        if key.startswith("stage.thresholds") and origin != "default"
    ]
    if not keys or _was_given(install):
        return []
    now = "are now percentages of the context left until compaction, not of the window (shown once)"
    remedy = "journal tune compares them with past cycles"
    return [Check("stage budgets", "note", f"{', '.join(keys)} {now}", remedy=remedy)]


def _was_given(install: Installation) -> bool:
    """Return whether the project's journal has the notice; record it if not.

    Without a journal nothing is recorded, and the notice appears again.
    """
    scope = install.scope
    if not scope.exists():
        return False
    if advised(scope.directory, _NOTICE)[0]:
        return True
    scope.append(scope.event("advice.given", "", what=_NOTICE, channel="cli"))
    return False


def past_sessions(install: Installation) -> list[Check]:
    """Show how past sessions are searched, and how to add search by meaning."""
    from journal.history.search.embed import state

    settings = install.scope.configuration.settings
    return [Check("search", "ok", state(settings, install.env))]


def _folders(top: str) -> list[str]:
    """Return the directories of all logs, even of those with only spooled or lost events."""
    return [folder for _, _, folder in log_directories(top)] if os.path.isdir(top) else []


def last_records(path: str) -> Iterator[dict[str, Any]]:
    """Yield the records in the last MiB of a log; `findings` reports lines that are not records."""
    for line in last_lines(path):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


CHECKS: tuple[Callable[[Installation], Iterable[Check]], ...] = (
    home.home,
    home.space,
    hook_errors,
    last_events,
    spooled,
    lock,
    findings,
    reconciled,
    budget,
    moved,
    transcripts,
    configuration,
    past_sessions,
    stage_thresholds,
)
