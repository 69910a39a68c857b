"""Where the installed code and the plugin's parts lie: in a checkout, or in a wheel.

Invariant: both are used in place. A wheel carries the parts of the plugin that are no code under
`cli/install/share` (pyproject.toml puts them there).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from cli.install.model import InstallError

__all__ = ["Source", "find"]


@dataclass(frozen=True)
class Source:
    """code: directory of journal/, hooks/ and cli/. parts: that of .claude-plugin/ and skills/."""

    code: str
    parts: str

    @property
    def hook(self) -> str:
        """The program the client runs for each event."""
        return os.path.join(self.code, "hooks", "run.py")

    @property
    def statusline(self) -> str:
        """The lean entry of the status line."""
        return os.path.join(self.code, "hooks", "statusline.py")

    @property
    def launcher(self) -> str:
        """What the `journal` wrapper of the installed plugin starts."""
        return os.path.join(self.code, "cli", "install", "launch.py")

    @property
    def version(self) -> str:
        """Version of the plugin manifest."""
        path = os.path.join(self.parts, ".claude-plugin", "plugin.json")
        with open(path, encoding="utf-8") as file:
            return str(json.load(file)["version"])


def find() -> Source:
    """Find this installation's own files; InstallError where a part is missing."""
    here = os.path.dirname(os.path.abspath(__file__))
    code = os.path.dirname(os.path.dirname(here))
    for parts in (code, os.path.join(here, "share")):
        if os.path.isfile(os.path.join(parts, ".claude-plugin", "plugin.json")):
            source = Source(code, parts)
            break
    else:
        raise InstallError(
            code, "has no .claude-plugin/plugin.json", "install context-journal anew"
        )
    for path in (source.hook, os.path.join(code, "hooks", "hooks.json")):
        if not os.path.isfile(path):
            raise InstallError(path, "is missing", "install context-journal anew")
    return source
