"""The project a session's events go to, with that project's settings.

Invariant: all of a session goes to one project, that of the directory its own transcript begins in,
as hooks file it under the directory Claude Code was started in; without such a transcript, that of
the first directory the session is seen in.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

from journal.config import CACHE_FILE, settings
from journal.events.hook_input import Call
from journal.home import client_dir, project_of


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


class Destinations:
    """Destinations by session. first_cwd: returns where a session began, "" if unknown."""

    def __init__(
        self, env: Mapping[str, str], home: str, first_cwd: Callable[[str], str] = lambda _sid: ""
    ) -> None:
        self._env = {**env, "CLAUDE_PROJECT_DIR": "", "JOURNAL_PROJECT": ""}
        self._home = home
        self._first_cwd = first_cwd
        self._by_session: dict[str, Destination] = {}
        self._by_directory: dict[str, Destination] = {}
        self._by_name: dict[str, Destination] = {}

    def of(self, sid: str, cwd: str) -> Destination:
        """Return the destination of a session; `cwd` decides if `first_cwd` returns ""."""
        found = self._by_session.get(sid)
        if found is None:
            found = self._by_session[sid] = self.at(self._first_cwd(sid) or cwd)
        return found

    def syncs(self) -> dict[str, str]:
        """Return each project's setting `append.sync`."""
        return {name: item.settings["append.sync"] for name, item in self._by_name.items()}

    def at(self, cwd: str) -> Destination:
        """Return the destination of a directory; what is not a path belongs to no project."""
        found = self._by_directory.get(cwd)
        if found is None:
            usable = os.path.isabs(cwd) and "\0" not in cwd and len(cwd) < 4096
            try:
                project = project_of(cwd if usable else "", self._env)
            except (OSError, ValueError):
                project = project_of("", self._env)
            found = self._by_name.get(project.name)
            if found is None:
                cache = os.path.join(self._home, project.name, CACHE_FILE)
                values = settings(cache, self._home, project.root or None, client_dir(self._env))
                found = self._by_name[project.name] = Destination(
                    project.name, project.root, values
                )
            self._by_directory[cwd] = found
        return found
