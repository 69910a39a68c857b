"""Open journals by name, in a process that works in no project.

Invariant: a name from a request is compared with the existing names and never made into a path;
nothing of the server's own working directory or session gets into an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.scope import JournalScope
from cli.serve.errors import MissingError
from journal.history.logs import journals

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["directory_of", "scope_of"]


def directory_of(home: str, name: str) -> str:
    """Return the directory of the journal `name`; raise MissingError where there is none."""
    for existing, directory in journals(home):
        if existing == name:
            return directory
    raise MissingError("", f"there is no project {name[:80]}", "GET /api/sessions names them")


def scope_of(env: Mapping[str, str], home: str, name: str, session: str = "") -> JournalScope:
    """Return the scope of the journal `name`; raise MissingError where there is none."""
    directory_of(home, name)
    return JournalScope(env, home, name, session)
