"""Export what changed since the last time, one file per table, project and month.

Invariant: a file is written only when its rows, the redaction or its columns changed. The manifest,
written last, lists the files; only files listed there are ever replaced or removed.
"""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from journal.codec import digest, loads
from journal.errors import JournalError, UsageError
from journal.files import open_regular
from journal.history.conversations.resume import Transcripts
from journal.history.export.columns import TIMES, VERSION, ExportOptions, select_of
from journal.history.export.target import Target
from journal.history.importer.owners import first_cwd
from journal.history.progress import Progress, ignore_progress
from journal.history.tables.columns import literal
from journal.history.tables.database import History
from journal.home import ensure_directory, project_of
from journal.identity import make_identity, remember_repo, stored_repo


class ExportResult(Struct):
    """The result. written, removed: names of files; rows of these; kept: unchanged files.

    excluded: lines of the journals that are not rows.
    """

    written: list[str] = []
    removed: list[str] = []
    kept: int = 0
    rows: int = 0
    excluded: int = 0


def _earlier_origin(home: str) -> str:
    """Return the id that version 0.1.0 gave a home; it changed with the host's name."""
    return digest("\0".join((os.uname().nodename, str(os.geteuid()), home)).encode(), 4)


def export(
    home: str,
    projects: list[str],
    target: Target,
    options: ExportOptions,
    *,
    dry: bool = False,
    progress: Progress = ignore_progress,
) -> ExportResult:
    """Bring the target up to date with the journals of these projects."""
    origin = make_identity(home).origin
    name = _manifest_name(origin)
    manifest = _manifest(target, name)
    earlier = _manifest_name(_earlier_origin(home))
    replaced = _manifest(target, earlier, version=1)["projects"]
    run = _Run(home, origin, target, options, dry=dry)
    changed = bool(replaced)
    for project in projects:
        progress(f"exporting {project}")
        entry = run.export(project, manifest["projects"].get(project, {}))
        if entry is not None:
            manifest["projects"][project] = entry
            changed = True
    for project in replaced:  # the same rows, under the id the home had then
        run.done.removed += _remove(target, replaced[project]["files"], dry=dry)
    if changed and not dry:
        _save(target, name, manifest)
        if replaced:
            target.remove(earlier)
    return run.done


def forget_project(home: str, project: str, target: Target, *, dry: bool = False) -> list[str]:
    """Remove the files of a project that this home exported; return their names."""
    name = _manifest_name(make_identity(home).origin)
    manifest = _manifest(target, name)
    known = manifest["projects"].pop(project, None)
    if known is None:
        found = ", ".join(sorted(manifest["projects"])) or "none"
        raise UsageError(f"no files of project {project} are there", f"projects there: {found}")
    removed = _remove(target, known["files"], dry=dry)
    if not dry:
        _save(target, name, manifest)
    return removed


def _remove(target: Target, names: Iterable[str], *, dry: bool) -> list[str]:
    removed = sorted(names)
    for name in () if dry else removed:
        target.remove(name)
    return removed


def _manifest_name(origin: str) -> str:
    return f"_manifest/{origin}.json"


def _save(target: Target, name: str, manifest: dict[str, Any]) -> None:
    target.write(name, json.dumps(manifest, indent=1, sort_keys=True).encode())


def _manifest(target: Target, name: str, version: int = VERSION) -> dict[str, Any]:
    text = target.read(name)
    empty: dict[str, Any] = {"version": VERSION, "projects": {}}
    if not text:
        return empty
    try:
        found: Any = loads(text)
    except ValueError as error:
        remedy = "remove it; the next export then writes all files again"
        raise JournalError(name, "is not the manifest of an export", remedy) from error
    valid = isinstance(found, dict) and isinstance(found.get("projects"), dict)
    return found if valid and found.get("version") == version else empty


class _Run(Struct, eq=False):
    """One export. done: its result so far."""

    home: str
    origin: str
    target: Target
    options: ExportOptions
    dry: bool
    done: ExportResult = field(default_factory=ExportResult)

    def export(self, project: str, previous: dict[str, Any]) -> dict[str, Any] | None:
        """Export a project; return its entry in the manifest, None if it stays as it is.

        previous: the entry so far, {} if there is none.
        """
        history = History(self.home, project, unsafe=True, person=self.options.person)
        try:
            history.make(["pressure"])
            self.done.excluded += history.excluded
            state = self._state(history, stored_repo(os.path.join(self.home, project)) or "")
            files: dict[str, Any] = previous.get("files", {})
            if state and previous.get("state") == state and all(map(self.target.has, files)):
                self.done.kept += len(files)
                return None
            history.make(TIMES)  # together: one pass over a log serves several tables
            return {"state": state, "files": self._write_changed(history, project, files)}
        finally:
            history.close()

    def _state(self, history: History, repo: str) -> str:
        """Return a digest of the logs and the options; "" if a log has no position."""
        logs = [[log.side, log.state] for log in history.logs]
        if not all(state for _side, state in logs):
            return ""
        identity = [self.options.identity, [self.origin, repo]]
        return digest(json.dumps([logs, *identity]).encode(), 16)

    def _write_changed(
        self, history: History, project: str, previous: dict[str, Any]
    ) -> dict[str, Any]:
        """Write the files of a project that changed; return all its files."""
        found: dict[str, Any] = {}
        options, done = self.options, self.done
        for table, time in TIMES.items():
            chosen = select_of(table, options.level, options.author, options.host)
            rows = f"(select {chosen}, strftime({time}, '%Y-%m') as _month from {table})"
            digests = "coalesce(_month, '0000-00') m, count(*), bit_xor(hash(t))::varchar"
            (months,) = history.query(f"select {digests} from {rows} t group by 1 order by 1")
            for month, count, checksum in months.all():
                name = f"{table}/project={project}/month={month}/part-{self.origin}.parquet"
                found[name] = [count, checksum, options.identity]
                if previous.get(name) == found[name] and self.target.has(name):
                    done.kept += 1
                    continue
                if not self.dry:
                    of_month = f"t where coalesce(_month, '0000-00') = {literal(month)}"
                    query = f'select * exclude (_month) from {rows} {of_month} order by "{time}"'
                    _write(history, query, name, self.target)
                done.written.append(name)
                done.rows += count
        done.removed += _remove(self.target, set(previous) - set(found), dry=self.dry)
        return found


def _write(history: History, query: str, name: str, target: Target) -> None:
    """Write the rows to a file in the journal home, then send it to the target."""
    directory = os.path.join(history.home, "cache", "export")
    ensure_directory(os.path.dirname(directory))
    ensure_directory(directory)
    path = os.path.join(directory, f"{os.getpid()}.parquet")
    os.close(open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC))
    try:
        history.write_parquet(query, {}, path)
        target.put(name, path)
    finally:
        os.unlink(path)


def find_repos(home: str, projects: Iterable[str], env: Mapping[str, str]) -> None:
    """Store the repositories of projects whose directory a transcript names."""
    unknown = {name for name in projects if stored_repo(os.path.join(home, name)) is None}
    if not unknown:
        return
    folders = {os.path.dirname(path): path for path in Transcripts(env).paths.values()}
    for path in folders.values():  # all transcripts of a folder are of one directory
        project = project_of(first_cwd(path), {**env, "CLAUDE_PROJECT_DIR": ""})
        if project.root and project.name in unknown:
            remember_repo(os.path.join(home, project.name), project.root, env)
