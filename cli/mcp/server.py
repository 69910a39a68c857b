"""The server of `journal mcp`: one message a line on stdin, one answer a line on stdout.

It loads neither typer nor a database before a tool needs it. Invariant: nothing but answers goes to
stdout; it ends with its input.
"""

from __future__ import annotations

import os
import sys
import uuid
from typing import IO, TYPE_CHECKING, Any

from cli.mcp.protocol import REQUEST, answer, error
from journal.codec import dumps
from journal.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from journal.history.tools.run import Result

LONGEST = 1024 * 1024
"""Bytes of a message; a longer one is refused and skipped."""


def serve(env: Mapping[str, str], project: str = "") -> int:
    """Answer until stdin ends. Raise UsageError if `project` is no directory.

    project: directory whose journal is meant, "" for this one.
    """
    cwd = os.path.abspath(os.path.expanduser(project)) if project else None
    if cwd is not None and not os.path.isdir(cwd):
        raise UsageError(f"--project {project}: no such directory", "name the project's directory")
    answers = os.dup(1)
    os.dup2(2, 1)  # whatever a library may print is not an answer
    own = {**env, "CLAUDE_PROJECT_DIR": cwd} if cwd is not None else env
    fresh = str(uuid.uuid4())  # where the client has no session, the server is one

    def call(name: str, arguments: Any) -> Result:
        from journal.history.tools import run

        return run.call(name, arguments, own, cwd=cwd, session=_session(own, cwd) or fresh)

    try:
        with os.fdopen(answers, "wb") as out:
            for data in _lines(sys.stdin.buffer):
                found = error(None, REQUEST, _TOO_LONG) if data is None else answer(data, call)
                if found is not None:
                    out.write(dumps(found) + b"\n")
                    out.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)  # the client is gone: there is nobody to flush for
    return 0


_TOO_LONG = f"Invalid Request: a message has at most {LONGEST} bytes"


def _lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """Yield each line that is not blank; None for one that is too long."""
    while data := file.readline(LONGEST + 1):
        if len(data) <= LONGEST:
            if data.strip():
                yield data
            continue
        while data and data[-1:] != b"\n":
            data = file.readline(LONGEST)
        yield None


def _session(env: Mapping[str, str], cwd: str | None) -> str:
    """Return the session of the client that started this server, "" unknown.

    The environment names the session that the client began with; after /clear or /resume it has
    another one. The log knows it by the client's process.
    """
    from journal.history.current import Current
    from journal.history.scope import ProjectScope
    from journal.process import start_of

    scope = ProjectScope(env, cwd=cwd)
    parent = os.getppid()
    begun = start_of(parent)
    if env.get("JOURNAL_SESSION", "").strip() or begun <= 0 or not scope.exists():
        return scope.current
    folded = Current(scope.directory)
    folded.read_on()
    nodes = reversed(folded.views.lineage.sessions.items())
    own = (sid for sid, node in nodes if (node.pid, node.pid_start) == (parent, begun))
    return next(own, scope.current)
