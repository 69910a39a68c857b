"""Start a script of this package as a process that outlives the hook."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Enough to find the journal home and the error log; no secrets are passed on.
_ENV = ("HOME", "JOURNAL_HOME", "CLAUDE_CONFIG_DIR", "JOURNAL_NOW", "PATH", "LC_ALL", "LANG")


def spawn(script: str, arguments: Sequence[str], env: Mapping[str, str]) -> None:
    """Start `script` (a path) with this interpreter; do not wait for it. Raises OSError."""
    argv = [sys.executable, "-I", "-S", os.path.abspath(script), *arguments]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    environment = {name: env[name] for name in _ENV if name in env}
    # setsid: a signal to the client's process group does not reach it. All other descriptors are
    # close-on-exec. Importing `subprocess` would cost more than the whole hook.
    os.posix_spawn(sys.executable, argv, environment, file_actions=nowhere, setsid=True)
