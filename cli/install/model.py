"""The options and results of setup and uninstall, as plain data that the application prints."""

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from journal.errors import JournalError
from journal.home import client_dir

PLUGIN = "journal"
MARKETPLACE = "context-journal"  # one name for every source, so that the client never has it twice
ID = f"{PLUGIN}@{MARKETPLACE}"

Status = Literal["done", "unchanged", "planned", "skipped", "failed"]


@dataclass(frozen=True)
class SetupOptions:
    """How to install.

    scope: "user" or "project" (then `project` is the directory whose .claude is written).
    client: path of the client; "" looks for `claude` on PATH.
    env: the environment that says where home, settings and journal are.
    """

    statusline: bool = False
    scope: Literal["user", "project"] = "user"
    project: str = field(default_factory=os.getcwd)
    client: str = ""
    dry_run: bool = False
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def user_settings_path(self) -> str:
        """Return the user's settings file."""
        return os.path.join(client_dir(self.env), "settings.json")

    @property
    def settings_path(self) -> str:
        """Return the settings file that setup and Claude Code write.

        For a project it is the one that is not shared: the paths in it are this machine's.
        """
        if self.scope == "project":
            return os.path.join(os.path.abspath(self.project), ".claude", "settings.local.json")
        return self.user_settings_path

    @property
    def client_scope(self) -> str:
        """Return the scope of `claude plugin` that writes `settings_path`."""
        return "local" if self.scope == "project" else "user"


@dataclass(frozen=True)
class SetupStep:
    """One step, done or not. remedy: what to do next, "" for nothing."""

    what: str
    status: Status
    where: str = ""
    remedy: str = ""


@dataclass
class SetupResult:
    """steps: in order. to_type: lines to type in Claude Code, if setup did not find it.

    checked: after an uninstall, each place that may still have something of ours.
    """

    steps: list[SetupStep] = field(default_factory=list)
    to_type: tuple[str, ...] = ()
    checked: list[SetupStep] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Return whether nothing failed."""
        return not any(step.status == "failed" for step in (*self.steps, *self.checked))

    def add(self, what: str, status: Status, where: str = "", remedy: str = "") -> None:
        """Append a step."""
        self.steps.append(SetupStep(what, status, where, remedy))

    def attempt(self, part: Callable[[], None]) -> None:
        """Run a part; if it fails, append a failed step."""
        try:
            part()
        except JournalError as error:
            self.add(error.what, "failed", error.path, error.remedy)
        except OSError as error:
            why = str(error.strerror or error)
            if isinstance(error, shutil.Error):  # it has the errors of all files
                why = error.args[0][0][2].partition("] ")[2].partition(":")[0]
            self.add(why, "failed", str(error.filename or ""))

    def as_data(self) -> dict[str, Any]:
        """Return the result as `--json` prints it."""
        return {"ok": self.ok, **asdict(self)}
