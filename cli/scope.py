"""Where a command works: the project, its journal, the session, the clock.

Invariant: environment, clock and working directory are looked at here and handed down; a session
is the one that was named or the client's own, never a guess.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.error import warn
from cli.render.text import Style, columns
from journal.clock import iso, millis, now_ms
from journal.errors import JournalError, UsageError
from journal.home import Project, branch_of, client_dir, journal_home, project_of, project_start

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Scope", "moment_of"]

_SESSION_NAMES = ("JOURNAL_SESSION", "CLAUDE_CODE_SESSION_ID")
_UNITS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}
_DAY = 86_400_000


class Scope:
    """What a command was called with.

    env, cwd; now (ms) and its ISO form; home: the journal home; project; directory: its journal.
    json: JSON was asked for. asked: the session that was named, "" for none.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        project: str = "",
        json: bool = False,
        session: str = "",
        cwd: str | None = None,
    ) -> None:
        self.env = env
        self.now = now_ms(env)
        self.iso = iso(self.now)
        self.cwd = _cwd() if cwd is None else cwd
        self.home = journal_home(env)
        self.asked_project = project
        self.project = self._project(project)
        self.directory = os.path.join(self.home, self.project.name)
        self.json = json
        self.asked = session
        self.style = Style(env)

    @cached_property
    def columns(self) -> int:
        """Columns to write in."""
        return columns(self.env)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Settings in effect, as hooks get them."""
        from journal.config.cache import settings

        root = self.project.root or None
        cache = os.path.join(self.directory, "settings.cache")
        return settings(cache, self.home, root, client_dir(self.env))

    @property
    def current(self) -> str:
        """Session the client runs this command in, "" outside of one."""
        for name in _SESSION_NAMES:
            if value := self.env.get(name, "").strip():
                return value
        return ""

    def exists(self) -> bool:
        """Whether this project has a journal."""
        return os.path.isdir(self.directory)

    def must_exist(self) -> None:
        """JournalError (3) where this project has no journal."""
        if self.exists():
            return
        root = self.project.root or "no project"
        raise JournalError(
            self.directory,
            f"there is no journal of {root}",
            "it begins with the first event; another project: --project DIR",
        )

    def writing_session(self) -> str:
        """Session a writing command belongs to; "" is said on stderr."""
        sid = self._named() if self.asked else self.current
        if not sid:
            warn("no session: the event belongs to the project alone (--session ID names one)")
        return sid

    def _named(self) -> str:
        """Session asked for: one that is known, by a beginning of its id too, or a new one."""
        from cli.read import chosen, sessions_in

        known = sessions_in(self.directory) if self.exists() else set()
        begun = [sid for sid in known if sid.startswith(self.asked)]
        return chosen(self.asked, known) if begun else self.asked

    def own_session(self, found: str) -> str:
        """Return the session a view of work shows: the one found, else that of Claude Code.

        A session without events in the journal has no work, and shows none of another session.
        """
        return found if found or self.asked or not self.current else self.sid_of(self.current)

    def sid_of(self, sid: str) -> str:
        """Return a session ID as events hold it."""
        return str(self.event("", sid)["sid"])

    def event(self, kind: str, sid: str, **body: Any) -> dict[str, Any]:
        """Build an event of a command, as hooks build theirs: empty members are left out."""
        from journal.events.hook_input.call import Call

        branch = branch_of(self.cwd) if self.cwd else ""
        data = {"session_id": sid, "cwd": os.path.realpath(self.cwd) if self.cwd else ""}
        call = Call(data, "", self.project.root, self.settings, {"branch": branch})
        return call.event(kind, "", **body)

    def _project(self, asked: str) -> Project:
        if not asked:
            return project_of(project_start(self.env, self.cwd), self.env)
        path = os.path.abspath(os.path.join(self.cwd, os.path.expanduser(asked)))
        named = os.sep not in asked and not os.path.isdir(path)
        if named and os.path.isdir(os.path.join(self.home, asked)) and asked not in (".", ".."):
            project = Project("")
            project.name = asked
            return project
        if os.path.isfile(path):
            raise UsageError(f"--project {asked}: is a file", "name the project's directory")
        return project_of(path, {**self.env, "CLAUDE_PROJECT_DIR": ""})


def moment_of(text: str, now: int, *, end: bool = False) -> int | str:
    """Give a seq (int) or a time (ISO 8601 in UTC) of SEQ|TIME.

    TIME: ISO 8601, a date, or an age such as 90s, 30m, 2h, 3d, 1w. end: a date means its last
    millisecond rather than its first. UsageError for anything else.
    """
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    unit = _UNITS.get(text[-1:])
    if unit and text[:-1].isascii() and text[:-1].isdigit() and len(text) < 10:
        return iso(now - int(text[:-1]) * unit)
    value = millis(text)
    if value is None:
        raise UsageError(
            f"{text!r} is neither a sequence number nor a time",
            "a time is 2026-11-21, 2026-11-21T20:31, 2026-11-21T20:31:05Z, 30m, 2h or 3d",
        )
    if end and len(text) == len("2026-11-21"):
        value += _DAY - 1
    return iso(value)


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
