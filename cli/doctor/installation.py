"""The installation that `journal doctor` examines, and the type of a check's result.

Invariant: each part is read once, from where Claude Code reads it; a result that is not "ok" says
what to do.
"""

import glob
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from cli.install import client, code_copy, source
from cli.install.model import ID, PLUGIN
from cli.install.settings import Settings
from cli.scope import Scope
from journal.errors import JournalError
from journal.files import is_inside
from journal.home import client_dir

Status = Literal["ok", "note", "warn", "fail"]
MANAGED = "/etc/claude-code"
if sys.platform == "darwin":
    MANAGED = "/Library/Application Support/ClaudeCode"


@dataclass(frozen=True)
class Check:
    """The result of one check.

    status: "ok"; "note" (worth knowing, in order); "warn" (works, but not as meant); "fail".
    details: further lines, the most important first.
    """

    name: str
    status: Status
    what: str
    where: str = ""
    remedy: str = ""
    details: tuple[str, ...] = ()

    @classmethod
    def no_directory(cls, name: str, path: str) -> "Check":
        """Return the failure of a path that is not a directory, but should be one."""
        remedy = "move it: " + shlex.join(["mv", path, f"{path}.old"])
        return cls(name, "fail", "is not a directory", path, remedy)


class Installation:
    """The installation and project that the checks examine; each part is looked up once.

    scope: environment, project and settings; nothing is stored through it. named: path of Claude
    Code, "" to look for it. Raises JournalError if `named` is not an executable.
    """

    def __init__(self, scope: Scope, named: str = "") -> None:
        self.scope = scope
        scope.stores = False
        self.env, self.home, self.directory = scope.env, scope.home, scope.directory
        self.root = os.path.abspath(scope.project.root or scope.cwd)
        self.version = source.version()
        self.client = client.find(named, scope.env, self.root)
        self.unreadable: list[JournalError] = []

    @cached_property
    def entries(self) -> list[dict[str, Any]]:
        """Return the client's entries of plugins that have our name."""
        listed = self.client.plugins() if self.client else []
        return [each for each in listed if str(each.get("id", "")).partition("@")[0] == PLUGIN]

    @cached_property
    def other(self) -> str:
        """Return the marketplace from which Claude Code has the plugin if the user added it."""
        values = [values for _, values in self.settings]
        return client.other_marketplace(self.home, self.client, values)

    @property
    def set_up(self) -> bool:
        """Return whether `journal setup` has made the plugin."""
        return bool(code_copy.copy_in_use(self.home))

    @cached_property
    def top(self) -> str:
        """Return the directory whose hooks run: Claude Code's, else setup's, else this code's."""
        for entry in self.entries:
            folder = folder_of(entry)
            if entry["id"] == ID and os.path.isfile(os.path.join(folder, "hooks", "hooks.json")):
                return folder
        return code_copy.link(self.home) if self.set_up else source.TOP

    @cached_property
    def command(self) -> list[str]:
        """Return the command line of the hooks, with the path of its interpreter."""
        found = code_copy.hook_commands(self.top)["SessionStart"]
        path = shutil.which(found[0], path=self.env.get("PATH", os.defpath))
        return [path or found[0], *found[1:]]

    @cached_property
    def managed(self) -> list[tuple[str, dict[str, Any]]]:
        """Return (path, values) of the administrator's settings files that set something."""
        files = managed_files()
        return [(path, values) for path, values in self.settings if path in files and values]

    @cached_property
    def settings(self) -> list[tuple[str, dict[str, Any]]]:
        """Return (path, values) of the settings files in force, the strongest first.

        Also add those that cannot be read, which Claude Code ignores too, to `unreadable`.
        """
        own = os.path.join(self.root, ".claude")
        paths = (
            *managed_files(),
            os.path.join(own, "settings.local.json"),
            os.path.join(own, "settings.json"),
            os.path.join(client_dir(self.env), "settings.json"),
        )
        found = []
        for path in dict.fromkeys(paths):
            if path.startswith(own) and not is_inside(path, self.root):
                continue  # a link in a repository to a file elsewhere
            try:
                found.append((path, Settings(path).values))
            except JournalError as error:
                self.unreadable.append(error)
        return found


def managed_files() -> list[str]:
    """Return the settings files of the machine's administrator, the strongest first."""
    added = sorted(glob.glob(os.path.join(MANAGED, "managed-settings.d", "*.json")), reverse=True)
    return [*added, os.path.join(MANAGED, "managed-settings.json")]


def folder_of(entry: dict[str, Any]) -> str:
    """Return the directory the client loads a plugin from."""
    return str(entry.get("readFromFolder") or entry.get("installPath") or "")
