"""Open journals by name, in a process that works in no project.

Invariant: a name from a request is compared with the existing names and never made into a path;
nothing of the server's own working directory or session gets into an event.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.scope import Scope
from cli.serve.errors import MissingError
from journal.history.logs import journals
from journal.home import Project, client_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ProjectScope", "directory_of", "scope_of"]

_SESSION_VARIABLES = (
    "JOURNAL_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "JOURNAL_PROJECT",
)


class ProjectScope(Scope):
    """The scope of a journal whose project directory is unknown and not needed."""

    def __init__(self, env: Mapping[str, str], home: str, name: str, session: str = "") -> None:
        clean = {key: value for key, value in env.items() if key not in _SESSION_VARIABLES}
        super().__init__({**clean, "JOURNAL_HOME": home}, session=session, cwd="")
        self.project = Project("")
        self.project.name = name
        self.directory = os.path.join(home, name)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Return the person's settings, without a project's own or its cache."""
        from journal.config.cache import settings

        cache = os.path.join(self.home, "cache", "serve.settings")
        return settings(cache, self.home, None, client_dir(self.env))


def directory_of(home: str, name: str) -> str:
    """Return the directory of the journal `name`; raise MissingError where there is none."""
    for existing, directory in journals(home):
        if existing == name:
            return directory
    raise MissingError("", f"there is no project {name[:80]}", "GET /api/sessions names them")


def scope_of(env: Mapping[str, str], home: str, name: str, session: str = "") -> ProjectScope:
    """Return the scope of the journal `name`; raise MissingError where there is none."""
    directory_of(home, name)
    return ProjectScope(env, home, name, session)
