"""Find the project that a session's events go to, with that project's settings.

Invariant: all events of a session go to one project. It is the project of the first directory in
the session's own transcript, because hooks use the directory in which Claude Code was started;
without such a transcript, that of the first directory that any line names. If this directory no
longer exists, such as a removed worktree, it is the project whose log recorded the session. The
result does not depend on what else is imported, and each file is opened only once for it.
"""

import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from journal.config import CACHE_FILE, last_settings, settings
from journal.events.hook_input import Call
from journal.files import open_readable
from journal.history.importer.find import Transcript
from journal.history.importer.lines import LONGEST
from journal.history.importer.records import line_of
from journal.history.importer.state import FileState
from journal.history.importer.text import time_of
from journal.history.logs import LIVE, log_directories
from journal.home import Project, client_dir, project_of
from journal.log.record import ACTIVE
from journal.transcript.location import may_be_below

_WORKTREES = ("/.claude/worktrees/", "/.worktrees/")  # Claude Code's own, and a convention
_TIME = re.compile(rb'"timestamp": ?"([\d:.TZ-]+)"')
_BLOCK = 16 * 1024  # bytes read at a time: the first directory is near the beginning
_LINES = 200  # lines in which it is looked for
_MOST = 4 * LONGEST  # bytes: a first prompt with images is one long line, its directory at the end


class Destination:
    """A project: `name` its directory in the journal home, `root` its real path.

    is_captured: whether its settings allow capture at all. full, prompts: how much of a text is
    recorded, as in `journal.events.hook_input.Call`.
    """

    def __init__(self, name: str, root: str, values: dict[str, Any]) -> None:
        self.name = name
        self.root = root
        self.settings = values
        self.is_captured = values["capture.level"] != "off"
        call = Call({}, "", root, values, {})
        self.full, self.prompts = call.full, call.prompts


class ProjectFinder:
    """Finds the projects of transcripts. found: all there are; home: the journal home."""

    def __init__(self, env: Mapping[str, str], home: str, found: Iterable[Transcript]) -> None:
        self._env = {**env, "CLAUDE_PROJECT_DIR": "", "JOURNAL_PROJECT": ""}
        self._home = home
        self._paths = {item.sid: item.path for item in found if item.sid and not item.agent}
        self._heads: dict[str, tuple[str, str]] = {}
        self._errors: dict[str, OSError] = {}
        self._by_session: dict[str, Destination] = {}
        self._by_directory: dict[str, Destination] = {}
        self._by_name: dict[str, Destination] = {}

    def of(self, item: Transcript) -> Destination:
        """Return the project a transcript's own session belongs to."""
        cwd = self.cwd_of(item)
        return self.of_session(item.sid, cwd) if item.sid else self._at(cwd)

    def of_session(self, sid: str, cwd: str) -> Destination:
        """Return the project of a session; `cwd` decides if it has no transcript of its own."""
        found = self._by_session.get(sid)
        if found is None:
            path = self._paths.get(sid)
            directory = (self._head(path)[0] if path else "") or cwd
            name = "" if os.path.isdir(directory) else self._recorded.get(sid, "")
            found = self._named(name) if name else self._at(directory)
            self._by_session[sid] = found
        return found

    def directory_of(self, destination: Destination) -> str:
        """Return the directory of a project's journal."""
        return os.path.join(self._home, destination.name)

    def cwd_of(self, item: Transcript) -> str:
        """Return the first directory of the session that a transcript belongs to."""
        return self._head(_session_path(item))[0]

    def owned(
        self, found: list[Transcript], project: Project | None, states: Mapping[str, FileState]
    ) -> list[Transcript]:
        """Return the transcripts of a project, or of all projects if it is None.

        states: path → what an import knows about it.

        Claude Code has one folder per directory that sessions began in, so one transcript of a
        folder tells whether the others have to be opened. Two directories share a folder only if
        their names differ in nothing but punctuation; then the folder's name begins like the
        project's. Unreadable transcripts are included, because nobody knows whose they are.
        """
        if project is None:
            return found
        chosen: list[Transcript] = []
        folders: dict[str, bool] = {}
        for item in found:
            folder = os.path.dirname(_session_path(item))
            state = states.get(item.path)
            if state is not None and state.project:
                if state.project == project.name:
                    chosen.append(item)
                continue
            if folder not in folders:
                cwd = self.cwd_of(item)
                mine = not cwd or not os.path.isdir(cwd) or self.of(item).name == project.name
                folders[folder] = mine or may_be_below(os.path.basename(folder), project.root)
            if folders[folder] and (self.error_of(item) or self.of(item).name == project.name):
                chosen.append(item)
        return chosen

    def error_of(self, item: Transcript) -> OSError | None:
        """Return why the transcript that names the project cannot be read, None if it can."""
        path = _session_path(item)
        self._head(path)
        return self._errors.get(path)

    def began(self, item: Transcript) -> str:
        """Return when the session of a transcript began; "" if unknown."""
        return time_of(self._head(_session_path(item))[1])

    def _head(self, path: str) -> tuple[str, str]:
        if path not in self._heads:
            self._heads[path] = "", ""
            try:
                self._heads[path] = _head_of(path)
            except FileNotFoundError:
                pass  # of a subagent whose session has no transcript any more
            except OSError as error:
                self._errors[path] = error
        return self._heads[path]

    def _at(self, cwd: str) -> Destination:
        """Return the destination of a directory; without a path, of no project."""
        found = self._by_directory.get(cwd)
        if found is None:
            usable = os.path.isabs(cwd) and "\0" not in cwd and len(cwd) < 4096
            try:
                project = project_of(_main_checkout(cwd) if usable else "", self._env)
            except (OSError, ValueError):
                project = project_of("", self._env)
            found = self._by_name.get(project.name)
            if found is None or found.root != project.root:
                cache = os.path.join(self._home, project.name, CACHE_FILE)
                values = settings(cache, self._home, project.root or None, client_dir(self._env))
                found = self._by_name[project.name] = Destination(
                    project.name, project.root, values
                )
            self._by_directory[cwd] = found
        return found

    def _named(self, name: str) -> Destination:
        """Return the destination of a project whose root is no longer known."""
        found = self._by_name.get(name)
        if found is None:
            cache = os.path.join(self._home, name, CACHE_FILE)
            values = last_settings(cache, self._home, client_dir(self._env))
            found = self._by_name[name] = Destination(name, "", values)
        return found

    @cached_property
    def _recorded(self) -> dict[str, str]:
        """Return session → project of all sessions that hooks have recorded."""
        found: dict[str, str] = {}
        for project, side, directory in log_directories(self._home):
            if side == LIVE and os.path.exists(os.path.join(directory, ACTIVE)):
                from journal.history.replay.run import replay_all  # loads all views

                sessions = replay_all(directory, (), stores=False).facts.sessions
                found |= dict.fromkeys(sessions, project)
        return found


def originals_first(owners: ProjectFinder, items: Iterable[Transcript]) -> list[Transcript]:
    """Return originals before copies, and a session, with its prompts, before its subagents."""
    return sorted(items, key=lambda item: (owners.began(item), bool(item.agent)))


def first_cwd(path: str) -> str:
    """Return the first directory a transcript names; "" if it cannot be read."""
    try:
        return _head_of(path)[0]
    except OSError:
        return ""


def _main_checkout(directory: str) -> str:
    """Return the checkout that a removed worktree was in, by the usual folders; else itself."""
    for folder in _WORKTREES:
        checkout, found, _ = directory.partition(folder)
        if checkout and found and not os.path.isdir(directory):
            return checkout
    return directory


def _head_of(path: str) -> tuple[str, str]:
    """Return the first directory that a transcript names, and the latest time up to there.

    Both are "" if unknown. A fork's transcript repeats the lines of another session, but first has
    a line with the time of the fork, or a snapshot of the files at that time.
    """
    began = ""
    with os.fdopen(open_readable(path), "rb", buffering=_BLOCK) as file:
        for _ in range(_LINES):
            data = file.readline(LONGEST) if file.tell() < _MOST else b""
            if not data:
                break
            line = line_of(data) if b'"cwd"' in data else None
            if line is not None and line.cwd:
                return line.cwd, max(began, line.timestamp or "")
            began = max([began, *(time.decode() for time in _TIME.findall(data))])
    return "", ""


def _session_path(item: Transcript) -> str:
    """Return the path of the session's own transcript, also for the transcript of a subagent."""
    if not item.agent or not item.sid:
        return item.path
    return os.path.dirname(os.path.dirname(item.path)) + ".jsonl"
