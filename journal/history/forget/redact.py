"""Replace a secret in a whole journal home: `journal redact`.

The files beside the logs change first, then the logs; then everything derived is deleted.
Invariant: afterwards only exempt files and those reported as `failed` may have the secret, and no
copy of it was made. The same call finishes a run that was cut short.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec import Struct, field

from journal.errors import JournalError
from journal.history.current import catch_up
from journal.history.forget.replace import Replacer
from journal.history.forget.stored import (
    DERIVED,
    OWN,
    TEXT,
    files_of,
    projects_of,
    rename_quarantined,
    replace_in,
)
from journal.history.importer.state import carry_over
from journal.history.locks import import_lock
from journal.history.logs import log_directories
from journal.history.team.positions import mark_altered, name_of
from journal.home import IMPORTED
from journal.identity import make_identity
from journal.log.append import PATIENCE, Writer
from journal.log.rewrite import begin, finish, rewrite
from journal.log.rewrite_watch import is_unfinished
from journal.log.segment import segments
from journal.log.spool import waiting

_DRAINS = 64  # times that a writer empties the spool


class Redaction(Struct):
    """The result: what was found and, unless dry, replaced. Paths are relative to the home.

    records: directory of a log → segment → number of records. files: file → number of lines.
    dropped: derived files. failed: file → why it may still have the secret. resumed: whether an
    earlier run had been cut short.
    """

    records: dict[str, dict[str, int]] = {}
    files: dict[str, int] = {}
    failed: dict[str, str] = {}
    dropped: list[str] = []
    resumed: bool = False

    @property
    def total(self) -> int:
        """Return the number of records and lines."""
        records = sum(sum(segments.values()) for segments in self.records.values())
        return sum(self.files.values()) + records


def redact_home(
    home: str, only: Iterable[str], now: str, replacer: Replacer, *, dry: bool
) -> Redaction:
    """Replace what the replacer finds in the logs and files of some projects, or of all.

    only: the projects, none for all. The import lock is held throughout, the lock of a log only for
    moments. dry: only count. Raise JournalError if a log cannot be rewritten.
    """
    projects = list(only) or projects_of(home)
    if dry:
        return _Run(home, projects, now, replacer, dry=True).run()
    with import_lock(home), carry_over(home):
        return _Run(home, projects, now, replacer, dry=False).run()


def logs_in(home: str, projects: Iterable[str]) -> list[str]:
    """Return the directories of the logs of some projects."""
    names = list(projects)
    found = log_directories(home, names) if names else ()
    return [path for _, _, path in found if os.path.isdir(path) and segments(path)]


def drop(paths: Iterable[str]) -> Iterator[str]:
    """Delete derived files; yield the ones that existed."""
    for path in paths:
        with suppress(FileNotFoundError):
            os.unlink(path)
            yield path


class _Run(Struct, eq=False):
    home: str
    projects: list[str]
    now: str
    replacer: Replacer
    dry: bool
    logs: list[str] = []
    found: Redaction = field(default_factory=Redaction)

    def run(self) -> Redaction:
        found = self.found
        self.logs = logs_in(self.home, self.projects)
        found.resumed = any(map(is_unfinished, self.logs))
        if not self.dry:
            for directory in self.logs:
                begin(directory)
                self._drain(directory)
        for name in self.projects:
            if self.replacer.text(name) != name:
                found.failed[name] = "the name of this directory has it, from the project's own"
        self._change_files()
        for directory in self.logs:
            self._change_log(directory)
        paths = files_of(self.home, self.projects, DERIVED)
        if self.dry:
            found.dropped = [self._name(path) for path in paths]
            return found
        found.dropped = [self._name(path) for path in drop(paths)]
        self._alter_exports()
        for project in self.projects:
            files = sum(path.startswith(project + os.sep) for path in found.files)
            for directory in logs_in(self.home, [project]):
                finish(directory, self.now, self._event(directory, files))
                files = 0  # the first log of a project counts them
                if os.path.basename(directory) != IMPORTED:
                    catch_up(directory, self.now)
        return found

    def _drain(self, directory: str) -> None:
        """Let a writer empty the spool, so that its records change with the others."""
        for _ in range(_DRAINS):
            with Writer(directory, self.now, deadline=PATIENCE):
                pass
            if waiting(directory) <= 0:
                return

    def _change_files(self) -> None:
        for kind in (TEXT, OWN):
            for path in files_of(self.home, self.projects, kind):
                name = self._name(path)
                try:
                    count = replace_in(path, self.replacer, dry=self.dry or kind == OWN)
                except JournalError as error:
                    self.found.failed[name] = error.what
                    continue
                if count and kind == OWN:
                    self.found.failed[name] = "this file is yours and stays as it is; edit it"
                elif count:
                    self.found.files[name] = count

    def _change_log(self, directory: str) -> None:
        if not self.dry:
            self.replacer.quarantined = rename_quarantined(directory)
        done = rewrite(directory, self.now, self.replacer, dry=self.dry)
        if done:
            self.found.records[self._name(directory)] = done

    def _alter_exports(self) -> None:
        """Make the next export to a team's tables write all rows of the changed logs again."""
        path = os.path.join(self.home, "cache", "export")
        origin = make_identity(self.home).origin if os.path.isdir(path) else ""
        for project, side, directory in log_directories(self.home, self.projects):
            if origin and (self.found.resumed or self._name(directory) in self.found.records):
                mark_altered(self.home, name_of(origin, project, side))

    def _event(self, directory: str, files: int) -> dict[str, object] | None:
        """Return the event that a log gets; None if nothing of it changed, and no files did."""
        records = self.found.records.get(self._name(directory), {})
        if not (records or files or self.found.resumed):
            return None
        return {
            "type": "journal.redacted",
            "v": 1,
            "sid": "",
            "by": self.replacer.by,
            "records": sum(records.values()),
            "segments": len(records),
            "files": files,
        }

    def _name(self, path: str) -> str:
        return os.path.relpath(path, self.home)
