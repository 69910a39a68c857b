"""Start a script of this package as a process that outlives the hook, and return at once."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["spawn"]

# What says where errors are noted; nothing secret goes along.
_ENV = ("HOME", "JOURNAL_HOME", "CLAUDE_CONFIG_DIR", "JOURNAL_NOW", "PATH", "LC_ALL", "LANG")


def spawn(script: str, arguments: Sequence[str], env: Mapping[str, str]) -> None:
    """Start `script` (a path) with this interpreter. OSError where no process can be made."""
    argv = [sys.executable, "-I", "-S", os.path.abspath(script), *arguments]
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    given = {name: env[name] for name in _ENV if name in env}
    # A session of its own: what ends the client's process group does not end it. Every other
    # descriptor of ours closes by itself, and `subprocess` would cost more than the whole hook.
    os.posix_spawn(sys.executable, argv, given, file_actions=nowhere, setsid=True)
