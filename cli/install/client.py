"""Claude Code's command line: find it, read its version, run its `plugin` subcommands.

Invariant: the client runs with the caller's environment, without standard input, for a bounded
time; the error of a failed call contains its last line of output. A marketplace the user added is
never replaced or removed; Claude Code updates the plugin from there.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cli.install import code_copy
from cli.install.model import MARKETPLACE
from journal.errors import JournalError

_TIMEOUT = 120  # seconds


@dataclass(frozen=True)
class Client:
    """path: the executable. cwd: where it runs (a project scope belongs to a directory)."""

    path: str
    env: Mapping[str, str]
    cwd: str

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Return (exit code, stdout, stderr): 127 if it does not start, 124 after the timeout."""
        try:
            done = subprocess.run(  # noqa: S603 (the client found or named by the user)
                [self.path, *arguments],
                cwd=self.cwd,
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124, "", f"gave no answer within {_TIMEOUT} s"
        except OSError as error:
            return 127, "", str(error.strerror)
        return done.returncode, done.stdout, done.stderr

    def run_checked(self, *arguments: str, remedy: str) -> str:
        """Run it and return stdout. Raise JournalError with its last line if it fails."""
        code, out, err = self.run(*arguments)
        if code:
            reason = (err.strip() or out.strip() or f"exit code {code}").splitlines()[-1].strip()
            raise JournalError(self.path, f"{' '.join(arguments[:3])}: {reason}", remedy)
        return out

    def version(self) -> str:
        """Return its version, such as `2.1.330`; "" if it prints none."""
        code, out, _ = self.run("--version")
        return out.split(" ")[0].strip() if code == 0 else ""

    def plugins(self) -> list[dict[str, Any]]:
        """Return the installed plugins, as the client lists them; [] if it fails."""
        return self._listed("plugin", "list", "--json")

    def plugin(self, name: str) -> list[dict[str, Any]]:
        """Return the entries of the plugin with that ID."""
        return [entry for entry in self.plugins() if entry.get("id") == name]

    def marketplaces(self) -> list[dict[str, Any]]:
        """Return the marketplaces it knows (name, source; repo, url or path); [] if it fails."""
        return self._listed("plugin", "marketplace", "list", "--json")

    def _listed(self, *arguments: str) -> list[dict[str, Any]]:
        code, out, _ = self.run(*arguments)
        try:
            found = json.loads(out) if code == 0 else []
        except ValueError:
            return []
        return [entry for entry in found if isinstance(entry, dict)]


def find(named: str, env: Mapping[str, str], cwd: str) -> Client | None:
    """Find the client: `named`, else `claude` on PATH, else None.

    Raises JournalError if `named` is not an executable.
    """
    if named:
        path = os.path.abspath(named)
        if not os.access(path, os.X_OK) or os.path.isdir(path):
            raise JournalError(path, "is not an executable", "name the client with --client PATH")
        return Client(path, env, cwd)
    on_path = shutil.which("claude", path=env.get("PATH", os.defpath))
    return Client(on_path, env, cwd) if on_path else None


def other_marketplace(
    home: str, client: Client | None, settings: Iterable[Mapping[str, Any]]
) -> str:
    """Return the marketplace of our name that is not ours: its repository, address or directory.

    Args:
        home: the journal home.
        client: lists the marketplaces that it knows; None to skip that.
        settings: values of the settings files that may declare one.

    """
    known = client.marketplaces() if client else []
    sources: list[Any] = [entry for entry in known if entry.get("name") == MARKETPLACE]
    for values in settings:
        declared = values.get("extraKnownMarketplaces")
        if isinstance(declared, dict) and isinstance(declared.get(MARKETPLACE), dict):
            sources.append(declared[MARKETPLACE].get("source"))
    for source in sources:
        if isinstance(source, dict) and source.get("path") != code_copy.link(home):
            names = ("repo", "url", "path", "package", "source")
            return str(next((source[name] for name in names if source.get(name)), "unknown"))
    return ""


def is_gone(where: str) -> bool:
    """Return whether a marketplace is a directory that no longer exists."""
    return os.path.isabs(where) and not os.path.exists(where)
