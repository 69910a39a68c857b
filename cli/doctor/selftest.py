"""`journal doctor --selftest`: run and kill concurrent hook calls, and count the records.

The test journal is next to the user's own, so that the same file system, interpreter and hook
command are tested. Invariant: only the directory created here is written to, and it is removed only
if it is still the same directory.
"""

import fcntl
import os
import random
import shutil
import stat
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

from cli.doctor.home import filesystem
from cli.doctor.installation import Check, Installation
from cli.install import interpreter, probe
from journal.clock import iso, now_ms
from journal.errors import JournalError
from journal.files import last_lines
from journal.home import HOOK_ERRORS, project_of
from journal.log.append import Writer
from journal.log.findings import TORN, VALID
from journal.log.read import Reader
from journal.log.seal import seal
from journal.log.spool import SPOOL
from journal.log.verify import verify

_PREFIX = ".journal-selftest-"
_WRITERS = 4
_SECONDS = 4.0  # of racing
_UNTIL = 8.0  # seconds after which a slow machine races no more, so that all takes under 10 s
_KILLED = 0.4  # share of the calls that are killed, unless they end before
_SYNCS = 9
_TRY_LOCK = (
    "import fcntl, os, sys; "
    "fcntl.flock(os.open(sys.argv[1], os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB)"
)
_LOST = "do not trust this file system with a journal: set JOURNAL_HOME to a local directory"
_HOOK = "run: journal doctor, which checks the hook command"


@dataclass
class SelfTest:
    """The results.

    calls: hook calls started. acknowledged: calls that ended by themselves with exit code 0;
    killed: calls that this test killed; failed: all others. found, missing: acknowledged calls with
    and without a record; doubled: calls with more than one record; killed_found: killed calls with
    a record. torn: fragments of killed writers; damaged: other findings. excludes: whether the lock
    keeps other processes out. sync_ms: None if the file system refuses. errors: lines of the hooks'
    error log.
    """

    directory: str = ""
    file_system: str = ""
    seconds: float = 0.0
    calls: int = 0
    acknowledged: int = 0
    killed: int = 0
    failed: int = 0
    found: int = 0
    missing: int = 0
    doubled: int = 0
    killed_found: int = 0
    records: int = 0
    torn: int = 0
    damaged: int = 0
    seals: int = 0
    excludes: bool = False
    sync_ms: float | None = None
    hook_ms: float = 0.0
    floor_ms: float = 0.0
    ratio: float = 0.0
    errors: list[str] = field(default_factory=list)

    @property
    def data(self) -> dict[str, Any]:
        """Return it as --json prints it."""
        return {"ok": all(row.status == "ok" for row in rows(self)), **asdict(self)}


def run(install: Installation, *, seconds: float = _SECONDS, writers: int = _WRITERS) -> SelfTest:
    """Run the test with the installed hook command; raise JournalError if that is impossible."""
    began = time.monotonic()
    parent = install.home
    while not os.path.isdir(parent):
        parent = os.path.dirname(parent)
    found = SelfTest(parent, filesystem(parent))
    with _throwaway(parent) as folder:
        race = _Race(install, folder)
        _measure_sync(found, folder)
        cost = interpreter.compare(race.command, race.payload("cost"), race.env, race.project, 3)
        found.hook_ms, found.floor_ms = round(cost.command, 1), round(cost.floor, 1)
        found.ratio = round(cost.ratio, 2)
        left = max(0.5, _UNTIL - (time.monotonic() - began))
        race.run(min(seconds, left), writers, cost.command / 1000)
        race.count(found)
        found.excludes = _excludes(install.command[0], os.path.join(race.journal, "lock"))
    found.seconds = round(time.monotonic() - began, 1)
    return found


def rows(found: SelfTest) -> list[Check]:
    """Return the result as checks of the doctor; a failed one says what to do."""
    kind = found.file_system or "an unknown file system"
    raced = found.acknowledged > 0 and not (found.failed or found.errors)
    synced = found.sync_ms is not None
    race = (
        f"{found.calls} hook calls by {_WRITERS} writers, {found.killed} killed, "
        f"{found.failed} failed; the log was sealed {found.seals} times meanwhile"
    )
    records = (
        f"{found.acknowledged} acknowledged, {found.found} found, {found.missing} missing, "
        f"{found.doubled} doubled; {found.killed_found} of the killed calls are there too"
    )
    log = (
        f"{found.records} valid records, {found.damaged} damaged or out of order, "
        f"{found.torn} torn by a kill"
    )
    lock = "keeps other processes out" if found.excludes else "does not keep other processes out"
    fsync = f"{found.sync_ms} ms" if synced else "is refused: events may not survive a power loss"
    return [
        Check("selftest", "ok", f"{found.seconds} s on {kind}", found.directory),
        _row("race", race, good=raced, remedy=_HOOK, details=tuple(found.errors)),
        _row("records", records, good=not (found.missing or found.doubled)),
        _row("log", log, good=not found.damaged),
        _row("lock", lock, good=found.excludes),
        _row("fsync", fsync, good=synced),
        Check("hook", "ok", str(interpreter.StartupCost(found.hook_ms, found.floor_ms))),
    ]


def _row(
    name: str, what: str, *, good: bool, remedy: str = _LOST, details: tuple[str, ...] = ()
) -> Check:
    return Check(name, "ok" if good else "fail", what, "", "" if good else remedy, details)


class _Race:
    """Hook calls on a journal below `folder`, some of them killed, and how each one ended."""

    def __init__(self, install: Installation, folder: str) -> None:
        self.command = install.command
        self.env = probe.throwaway(folder, install.env.get("PATH", os.defpath), install.top)
        self.project, self.home = self.env["CLAUDE_PROJECT_DIR"], self.env["JOURNAL_HOME"]
        name = project_of(self.project, self.env).name
        self.journal = os.path.join(self.home, name)
        self.ended: dict[str, int] = {}  # call → exit code, negative if it was killed
        self.seals = 0

    def payload(self, use: str) -> bytes:
        """Build the hook input of one tool call."""
        tool = {"tool_name": "Bash", "tool_input": {"command": "true"}, "tool_use_id": use}
        return probe.payload("PostToolUse", self.project, **tool, tool_response={"stdout": ""})

    def run(self, seconds: float, writers: int, typical: float) -> None:
        """Call hooks for `seconds` while a thread seals the log. typical: seconds of a call."""
        end = time.monotonic() + seconds
        finished = threading.Event()
        with ThreadPoolExecutor(writers + 1) as pool:
            sealing = pool.submit(self._seal, finished)
            try:
                calling = [
                    pool.submit(self._call_until, end, f"selftest-{number}", typical)
                    for number in range(writers)
                ]
                for each in calling:
                    each.result()
            finally:
                finished.set()
            sealing.result()

    def _call_until(self, end: float, name: str, typical: float) -> None:
        chance = random.Random()  # noqa: S311
        number = 0
        while time.monotonic() < end:
            number += 1
            use = f"{name}-{number}"
            kill = chance.random() < _KILLED
            self.ended[use] = self._call(use, chance.uniform(0, 1.5 * typical) if kill else 30)

    def _call(self, use: str, timeout: float) -> int:
        with subprocess.Popen(  # noqa: S603 (the installed command, read back)
            self.command,
            env=self.env,
            cwd=self.project,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                process.communicate(self.payload(use), timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
        return process.returncode

    def _seal(self, finished: threading.Event) -> None:
        while not finished.wait(0.2):
            if os.path.isdir(self.journal):
                self.seals += bool(seal(self.journal, iso(now_ms({}))))

    def count(self, found: SelfTest) -> None:
        """Drain the spool into the log, and compare the log with the calls."""
        spool = os.path.join(self.journal, SPOOL)
        for _ in range(100):
            with Writer(self.journal, iso(now_ms({})), deadline=5.0):
                pass  # opening the log drains a part of the spool
            if not os.path.isdir(spool):
                break
        there: Counter[str] = Counter()
        for _, line in Reader(self.journal):
            there[line.partition(b'"use":"')[2].partition(b'"')[0].decode()] += 1
        ended = {use for use, code in self.ended.items() if code == 0}
        killed = {use for use, code in self.ended.items() if code < 0}
        found.calls = len(self.ended)
        found.acknowledged, found.killed = len(ended), len(killed)
        found.failed = found.calls - found.acknowledged - found.killed
        found.missing = sum(there[use] == 0 for use in ended)
        found.found = found.acknowledged - found.missing
        found.killed_found = sum(there[use] > 0 for use in killed)
        found.doubled = sum(there[use] > 1 for use in self.ended)
        report = verify(self.journal)
        found.records, found.torn = report.counts[VALID], report.counts[TORN]
        found.damaged = sum(report.counts.values()) - found.records - found.torn
        found.seals = self.seals
        errors = last_lines(os.path.join(self.home, HOOK_ERRORS))[:3]
        found.errors = [line.decode("utf-8", "replace") for line in errors]


def _measure_sync(found: SelfTest, folder: str) -> None:
    """Measure how long the disk takes to confirm a record; None if it refuses."""
    descriptor = os.open(os.path.join(folder, "sync"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    took = []
    try:
        for _ in range(_SYNCS):
            os.write(descriptor, b"x" * 300)
            began = time.perf_counter()
            os.fsync(descriptor)
            took.append(time.perf_counter() - began)
        found.sync_ms = round(1000 * median(took), 2)
    except OSError:
        found.sync_ms = None
    finally:
        os.close(descriptor)


def _excludes(python: str, path: str) -> bool:
    """Return whether another process can take the lock only while this one does not hold it."""
    argv = [python, "-I", "-S", "-c", _TRY_LOCK, path]
    with open(path, "rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        while_held = interpreter.run(argv)
    return while_held.returncode != 0 and interpreter.run(argv).returncode == 0


@contextmanager
def _throwaway(parent: str) -> Iterator[str]:
    """Create a directory in `parent`, and remove it afterwards if it is still the same one."""
    try:
        folder = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
    except OSError as error:
        what = f"a test directory cannot be made there: {error.strerror}"
        raise JournalError(parent, what, "run: journal doctor") from error
    made = os.lstat(folder)
    try:
        yield folder
    finally:
        now = os.lstat(folder)
        if not (stat.S_ISDIR(now.st_mode) and os.path.samestat(made, now)):
            what = "is no longer the directory that the test created: it was not removed"
            raise JournalError(folder, what, "check it, then remove it by hand")
        shutil.rmtree(folder)
