"""The scope of a program: the project of a directory, its journal, its settings, the clock.

Commands and the model's tools build one. Invariant: a session is either named or comes from Claude
Code; it is never guessed.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from journal.clock import iso, now_ms
from journal.home import (
    Project,
    branch_of,
    client_dir,
    journal_home,
    project_of,
    project_start,
    working_directory,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from journal.history.importer.find import Transcript
    from journal.history.logs import ProjectNames

_SESSION_NAMES = ("JOURNAL_SESSION", "CLAUDE_CODE_SESSION_ID")


class ProjectScope:
    """A project and its journal, as seen from a directory.

    env, cwd; now (ms), iso: the clock; home: the journal home; project; directory: its journal.
    session: of the caller, "" to take it from the environment. stores: whether derived state may be
    written beside the log.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        cwd: str | None = None,
        session: str = "",
        stores: bool = True,
    ) -> None:
        self.env = env
        self.stores = stores
        self._session = session
        self.now = now_ms(env)
        self.iso = iso(self.now)
        self.cwd = working_directory() if cwd is None else cwd
        self.home = journal_home(env)
        self.project = self._project()
        self.directory = os.path.join(self.home, self.project.name)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Return the settings in effect, the same as in hooks."""
        from journal.config import CACHE_FILE, settings

        root = self.project.root or None
        cache = os.path.join(self.directory, CACHE_FILE)
        return settings(cache, self.home, root, client_dir(self.env), store=self.stores)

    @cached_property
    def names(self) -> ProjectNames:
        """Return what names the projects of this home for people."""
        from journal.history.logs import ProjectNames

        return ProjectNames(self.home)

    @cached_property
    def transcripts(self) -> list[Transcript]:
        """Return all of Claude Code's transcripts, the least recently changed first."""
        from journal.history.importer.find import find, source_of

        return find(source_of("", self.env, ""))

    @property
    def current(self) -> str:
        """Return the caller's session, or that in which Claude Code runs this; "" for none."""
        named = (self.env.get(name, "").strip() for name in _SESSION_NAMES)
        return self._session or next(filter(None, named), "")

    def exists(self) -> bool:
        """Return whether this project has a journal, or something else in its place."""
        return os.path.lexists(self.directory)

    def append(self, *events: dict[str, Any]) -> list[int]:
        """Append events built by `event`, in one write; return their seqs."""
        from journal.history.current import append_events

        sync = self.settings["append.sync"]
        return append_events(self.directory, self.iso, events, sync=sync)

    def sid_of(self, sid: str) -> str:
        """Return a session ID in the form that events store."""
        from journal.events.hook_input import safe_id

        return safe_id(sid)

    def event(self, kind: str, sid: str, *, key: str = "", **body: Any) -> dict[str, Any]:
        """Build an event of a session the way hooks do: empty members are left out.

        key: what makes another such event a repeat, "" for none.
        """
        from journal.events.hook_input import Call

        branch = branch_of(self.cwd) if self.cwd else ""
        data = {"session_id": sid, "cwd": os.path.realpath(self.cwd) if self.cwd else ""}
        call = Call(data, "", self.project.root, self.settings, {"branch": branch})
        return call.event(kind, key, **body)

    def _project(self) -> Project:
        return project_of(project_start(self.env, self.cwd), self.env)
