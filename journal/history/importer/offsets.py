"""Where a session's facts go: the project of its directory, and that project's settings.

Invariant: all of a session goes to one project, that of the directory its own transcript begins in,
as hooks file it under the directory the client was started in; without such a transcript, that of
the first directory it is seen in.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from journal.config.cache import settings
from journal.events.hook_input.call import Call
from journal.history.importer import IMPORTED
from journal.home import client_dir, project_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Place", "Places"]


class Place:
    """A project. directory: its imported log; kept: whether its settings allow capture at all.

    full, prompts: how much of a text, as `journal.events.hook_input.call.Call` has them.
    """

    def __init__(self, name: str, root: str, home: str, values: dict[str, Any]) -> None:
        self.name = name
        self.root = root
        self.directory = os.path.join(home, name, IMPORTED)
        self.settings = values
        self.kept = values["capture.level"] != "off"
        call = Call({}, "", root, values, {})
        self.full, self.prompts = call.full, call.prompts


class Places:
    """Places by session. directory: gives the one a session began in, "" where nothing tells."""

    def __init__(
        self, env: Mapping[str, str], home: str, directory: Callable[[str], str] = lambda _sid: ""
    ) -> None:
        self.env = {**env, "CLAUDE_PROJECT_DIR": "", "JOURNAL_PROJECT": ""}
        self.home = home
        self.client = client_dir(env)
        self._directory = directory
        self._by_session: dict[str, Place] = {}
        self._by_directory: dict[str, Place] = {}
        self._by_name: dict[str, Place] = {}

    def of(self, sid: str, cwd: str) -> Place:
        """Give the place of a session; `cwd` counts where nothing else tells its directory."""
        place = self._by_session.get(sid)
        if place is None:
            place = self._by_session[sid] = self.at(self._directory(sid) or cwd)
        return place

    def syncs(self) -> dict[str, str]:
        """How long an append waits for the disk, by project."""
        return {name: place.settings["append.sync"] for name, place in self._by_name.items()}

    def at(self, cwd: str) -> Place:
        """Give the place of a directory; one that is no path belongs to no project."""
        place = self._by_directory.get(cwd)
        if place is None:
            usable = os.path.isabs(cwd) and "\0" not in cwd and len(cwd) < 4096
            try:
                project = project_of(cwd if usable else "", self.env)
            except (OSError, ValueError):
                project = project_of("", self.env)
            place = self._by_name.get(project.name)
            if place is None:
                cache = os.path.join(self.home, project.name, "settings.cache")
                values = settings(cache, self.home, project.root or None, self.client)
                place = self._by_name[project.name] = Place(
                    project.name, project.root, self.home, values
                )
            self._by_directory[cwd] = place
        return place
