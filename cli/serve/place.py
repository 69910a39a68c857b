"""Journals by their name, for a process that works in no project.

Invariant: a name that came with a request is compared with the names there are and never made into
a path; nothing of the server's own working directory or session gets into an event.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.scope import Scope
from journal.errors import JournalError
from journal.history.timeline import journals
from journal.home import Project, client_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ConflictError",
    "JournalScope",
    "MissingError",
    "UnavailableError",
    "directory_of",
    "scope_of",
]

_OF_A_SESSION = (
    "JOURNAL_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "JOURNAL_PROJECT",
)


class MissingError(JournalError):
    """What a request names is not there."""


class ConflictError(JournalError):
    """What a request asks for cannot be, as things are."""


class UnavailableError(JournalError):
    """The journal cannot be read or written at the moment."""


class JournalScope(Scope):
    """A journal as commands see theirs; its project's directory is not known, nor needed."""

    def __init__(self, env: Mapping[str, str], home: str, name: str, session: str = "") -> None:
        clean = {key: value for key, value in env.items() if key not in _OF_A_SESSION}
        super().__init__({**clean, "JOURNAL_HOME": home}, session=session, cwd="")
        self.project = Project("")
        self.project.name = name
        self.directory = os.path.join(home, name)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Settings of the person; no project's own, and no cache of a project's is touched."""
        from journal.config.cache import settings

        cache = os.path.join(self.home, "cache", "serve.settings")
        return settings(cache, self.home, None, client_dir(self.env))


def directory_of(home: str, name: str) -> str:
    """Directory of the journal called `name`; MissingError where there is none."""
    for known, directory in journals(home):
        if known == name:
            return directory
    raise MissingError("", f"there is no project {name[:80]}", "GET /api/sessions names them")


def scope_of(env: Mapping[str, str], home: str, name: str, session: str = "") -> JournalScope:
    """Scope of the journal called `name`; MissingError where there is none."""
    directory_of(home, name)
    return JournalScope(env, home, name, session)
