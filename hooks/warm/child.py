"""The warm child: `python3 -I -S hooks/warm/child.py`, started by `hooks/register.js`.

It imports the hooks once, prints the path of its socket and forks for each request, so that a call
costs a fork instead of an interpreter's start. It ends when Claude Code ends, when the code on disk
changes, and if hooks are switched off.
Invariant: it keeps no state that a call reads or writes, and accepts only this user's processes.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from hooks.context import Context, is_switched_off
from hooks.errors import note
from hooks.facts import pid_of
from hooks.warm.call import answer
from hooks.warm.folder import Folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OFF = 3  # exit code: do not start it again
_BEAT = 2.0  # seconds between checks of the parent process
_LONGEST = 12  # seconds a call may take
_WATCHED = ("hooks/capture.py", "hooks/hooks.json", ".claude-plugin/plugin.json")


def main(env: Mapping[str, str]) -> int:
    """Serve until Claude Code ends; return the exit code."""
    data, client = env.get("CLAUDE_PLUGIN_DATA", ""), pid_of(env)
    if is_switched_off(env) or not data or not client:
        return OFF
    if not Context(env, env.get("CLAUDE_PROJECT_DIR", "")).settings["capture.warm"]:
        return OFF
    parent, code = os.getppid(), _code()
    folder = Folder(data, client)
    try:
        listener = folder.listen()
        _load()
        signal.signal(signal.SIGTERM, _end)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print(folder.socket, flush=True)
        folder.sweep()
        serve(listener, folder, env, lambda: os.getppid() == parent and _code() == code)
    finally:
        folder.close()
    return 0


def serve(
    listener: socket.socket, folder: Folder, env: Mapping[str, str], goes_on: Callable[[], bool]
) -> None:
    """Serve while `goes_on()` is true and this process's output is open."""
    poll = select.poll()
    poll.register(1, 0)  # POLLERR or POLLHUP shows that nobody reads the output any more
    poll.register(listener, select.POLLIN)
    while True:
        ready = {number for number, _ in poll.poll(_BEAT * 1000)}
        if 1 in ready or not goes_on():
            return
        if not ready:
            folder.tidy(time.time())
            continue
        connection, _ = listener.accept()
        if _is_own(connection) and not os.fork():
            _call(connection, folder, env)
        connection.close()


def _call(connection: socket.socket, folder: Folder, env: Mapping[str, str]) -> None:
    """Handle one request in the forked process; it never returns."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.alarm(_LONGEST)
        answer(connection, folder, env)
    except BaseException as error:  # noqa: BLE001 (the command hook handles the call)
        note(env, "warm", error)
    finally:
        os._exit(0)


def _is_own(connection: socket.socket) -> bool:
    """Return whether the peer is a process of this user.

    On systems that do not tell, the mode of the socket's directory keeps other users out.
    """
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    form = struct.Struct("3i")
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, form.size)
    return bool(form.unpack(raw)[1] == os.getuid())


def _load() -> None:
    """Import the modules that calls need, and freeze them, so that forks share their memory."""
    import journal.log.append
    import projections.prefilter  # noqa: F401
    from hooks.packages import ready
    from journal.events import hook_input

    for module, _ in hook_input.BUILDERS.values():
        __import__(f"journal.events.hook_input.{module}")
    if ready():
        import journal.transcript.usage  # noqa: F401
        from projections.messages import MESSAGES

        for name in MESSAGES:
            __import__(f"projections.messages.{name}")
    gc.collect()
    gc.freeze()
    gc.disable()  # a call lives for milliseconds


def _code() -> tuple[tuple[int, int], ...]:
    """Return a value that changes when the code on disk is replaced."""
    found = []
    for name in _WATCHED:
        try:
            status = os.stat(os.path.join(sys.path[0], name))
            found.append((status.st_ino, status.st_mtime_ns))
        except OSError:
            found.append((0, 0))
    return tuple(found)


def _end(*_: object) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    try:
        code = main(os.environ)
    except SystemExit:
        code = 0
    except BaseException as error:  # noqa: BLE001 (the command hooks work without it)
        note(os.environ, "warm", error)
        code = 1
    os._exit(code)
