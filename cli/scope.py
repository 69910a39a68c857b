"""The scope of a command: the project, its journal, the session, the clock.

Invariant: only this module reads the environment, the clock and the working directory; a session
is the one that the user named, or Claude Code's; it is never guessed.
"""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.error import OK
from cli.render.text import Style, columns, emit, emit_json, folded
from journal.errors import JournalError, UsageError
from journal.files import is_inside
from journal.history.logs import without_digest
from journal.history.scope import ProjectScope
from journal.home import Project, client_dir, project_of
from journal.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from journal.config.load import LoadedSettings
    from journal.history.conversations.resume import Transcripts

SESSION_VARIABLES = (
    "JOURNAL_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "JOURNAL_PROJECT",
)
_ALIKE = 0.6  # least similarity of a name to suggest: shop for "shp", not for "nope"
# Claude Code sets these for the commands it runs; a person sets other names.
_INSIDE = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID")


class Scope(ProjectScope):
    """The shared options of a command and its environment.

    json: print JSON. asked: the session of --session, "" for none. no_import: import nothing
    unasked. every: the command concerns all projects. waiting: number of past sessions that are not
    imported, of all projects (True) or of this one (False), once it is known. begins: whether a
    command that records found no event of `asked`, so its own events begin that session.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        project: str = "",
        json: bool = False,
        session: str = "",
        cwd: str | None = None,
        no_import: bool = False,
        every: bool = False,
    ) -> None:
        self.asked_project = project
        super().__init__(env, cwd=cwd)
        self.json = json
        self.asked = session
        self.no_import = no_import
        self.every = every
        self.waiting: dict[bool, int] = {}
        self.begins = False
        self.style = Style(env)

    @cached_property
    def columns(self) -> int:
        """Terminal columns of the output."""
        return columns(self.env)

    @cached_property
    def configuration(self) -> LoadedSettings:
        """Return the configuration files in effect: values, where each comes from, problems."""
        from journal.config.load import load

        return load(self.home, self.project.root or None)

    @cached_property
    def by_session(self) -> Transcripts:
        """Return Claude Code's transcripts by session."""
        from journal.history.conversations.resume import Transcripts

        return Transcripts(self.env, lambda: self.transcripts)

    @property
    def only(self) -> str:
        """Return the project that the command concerns, "" for all."""
        return "" if self.every else self.project.name

    @property
    def is_attended(self) -> bool:
        """Return whether a person reads the output in a terminal, outside of Claude Code."""
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        return not (self.json or self.is_inside) and at_terminal

    @property
    def is_inside(self) -> bool:
        """Return whether Claude Code runs the command."""
        return any(self.env.get(name) for name in _INSIDE)

    def show(self, value: Any, lines: Iterable[str]) -> int:
        """Print a result and return OK: one JSON value for --json, else lines that fit."""
        if self.json:
            emit_json(value)
        else:
            emit(folded(lines, self.columns))
        return OK

    def reads(self, *, every: bool = False) -> None:
        """Note that the command reads the logs, so that it reports their damage at the end.

        every: the logs of all projects, even if the command concerns one.
        """
        from cli.damage import add_logs

        add_logs(self.home, () if every or self.every else (self.project.name,))

    def path(self, typed: str) -> str:
        """Return a typed path relative to the working directory, with ~ expanded."""
        return os.path.join(self.cwd, os.path.expanduser(typed))

    def path_outside_home(self, option: str, typed: str) -> str:
        """Return the path of an option's value. Raise UsageError if it is in the journal home."""
        path = self.path(typed)
        if is_inside(path, self.home):
            raise UsageError(f"{option} {typed} is inside the journal home", "name one outside it")
        return path

    def read_file(self, typed: str, most: int = -1) -> str:
        """Return the text of a file, or of stdin for `-`, at most `most` characters of it."""
        if typed == "-":
            return sys.stdin.read(most)
        path = self.path(typed)
        try:
            with open(path, encoding="utf-8") as file:
                return file.read(most)
        except UnicodeDecodeError as error:
            raise JournalError(path, "is not a text in UTF-8", "name a text file") from error

    @staticmethod
    def typed(text: str) -> str:
        """Return a text as it was typed, or the content of stdin for `-`."""
        return sys.stdin.read() if text == "-" else text

    @staticmethod
    def ask(question: str) -> str:
        """Print a question on stderr, and return the line that is typed."""
        print(question, end=" ", file=sys.stderr, flush=True)
        return sys.stdin.readline()

    def must_exist(self) -> None:
        """Raise JournalError if this project has no journal."""
        if self.exists():
            return
        from journal.history.moved import moved_from, moved_note

        begins = "it begins with the next Claude Code session there"
        moved = moved_from(self)
        raise JournalError(
            "",
            f"no journal {self.purpose} yet",
            f"{begins if self.is_set_up() else 'to record sessions: journal setup'}"
            + "; sessions of other projects: journal sessions --all" * self.has_others()
            + "".join(f"; {moved_note(self.home, directory)}" for directory in moved),
        )

    def has_others(self) -> bool:
        """Return whether there are sessions of other projects, imported or not."""
        from journal.history.logs import journals
        from journal.history.new_transcripts import past_sessions

        if any(name != self.project.name for name, _ in journals(self.home)):
            return True
        return past_sessions(self, every=True).sessions > past_sessions(self).sessions

    @property
    def purpose(self) -> str:
        """Return a phrase for messages: which directory this journal is for."""
        return f"for {self.project.root or 'sessions outside of projects'}"

    def is_set_up(self) -> bool:
        """Return whether `journal setup` has installed anything for this journal home."""
        return os.path.exists(os.path.join(self.home, "install.json"))

    def own_session(self, found: str) -> str:
        """Return the session that a view of work shows: the one found, else Claude Code's.

        If Claude Code's session has no events in the journal, the view is empty and does not show
        another session's work.
        """
        return found if found or self.asked or not self.current else self.sid_of(self.current)

    @cached_property
    def name_of(self) -> Callable[[str], str]:
        """Return the name of a project for people, without its digest if that is unambiguous.

        A command whose projects are not of this home replaces it.
        """
        return self.names

    def _journal_named(self, asked: str) -> str:
        """Return the journal with a name, with or without its digest; "" if there is none."""
        if os.sep in asked or asked in (".", ".."):
            return ""
        if os.path.isdir(os.path.join(self.home, asked)):
            return asked
        return next((name for name, short in self.names.all().items() if short == asked), "")

    def _project(self) -> Project:
        asked = self.asked_project
        if not asked:
            return super()._project()
        path = os.path.abspath(self.path(asked))
        if not os.path.isdir(path) and (name := self._journal_named(asked)):
            project = Project("")
            project.name = name
            return project
        if os.path.isfile(path):
            raise UsageError(f"--project {asked}: is a file", "name the project's directory")
        project = project_of(path, {**self.env, "CLAUDE_PROJECT_DIR": ""})
        # A directory that is gone may have a journal; one inside a project has none of its own.
        gone = project.root == path and os.path.isdir(os.path.join(self.home, project.name))
        if not os.path.isdir(path) and not gone:
            raise UsageError(f"--project {one_line(asked)}: no such directory", self._near(asked))
        return project

    def _near(self, asked: str) -> str:
        """Return the remedy for the name of a project that does not exist."""
        from difflib import get_close_matches

        names: dict[str, list[str]] = {}  # as it may be typed → journals, as reports name them
        for name, short in self.names.all().items():
            for form in {name, without_digest(name)}:
                names.setdefault(form, []).append(short)
        found = get_close_matches(os.path.basename(asked.rstrip(os.sep)), names, 1, _ALIKE)
        start = f"did you mean {' or '.join(names[found[0]])}? " if found else ""
        return f"{start}journal sessions --all lists the projects that have a journal"


class JournalScope(Scope):
    """The scope of a journal whose project directory is unknown and not needed."""

    def __init__(self, env: Mapping[str, str], home: str, name: str, session: str = "") -> None:
        clean = {key: value for key, value in env.items() if key not in SESSION_VARIABLES}
        super().__init__({**clean, "JOURNAL_HOME": home}, session=session, cwd="")
        self.project = Project("")
        self.project.name = name
        self.directory = os.path.join(home, name)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Return the user's settings, without a project's own or its cache."""
        from journal.config import settings

        cache = os.path.join(self.home, "cache", "serve.settings")
        return settings(cache, self.home, None, client_dir(self.env))
