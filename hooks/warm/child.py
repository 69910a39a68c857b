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
from hooks.warm.rehearsal import rehearse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OFF = 3  # exit code: do not start it again
_BEAT = 2.0  # seconds between checks of the parent process
_PAUSE = 0.03  # seconds without a request before a process is forked for the next one
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
        serve(
            listener,
            folder,
            env,
            lambda: os.getppid() == parent and _code() == code,
            lambda: _code() == code,
        )
    finally:
        folder.close()
    return 0


def serve(
    listener: socket.socket,
    folder: Folder,
    env: Mapping[str, str],
    goes_on: Callable[[], bool],
    is_current: Callable[[], bool],
) -> None:
    """Serve while `goes_on()` is true and this process's output is open.

    A process forked ahead of time waits for the next request (see `hooks.warm.rehearsal`). When it
    has taken one, this process accepts and forks itself, until no request has come for `_PAUSE`;
    then it forks the next process that waits.
    """
    poll = select.poll()
    poll.register(1, 0)  # POLLERR or POLLHUP shows that nobody reads the output any more
    waiting: socket.socket | None = None
    poll.register(listener, select.POLLIN)
    while True:
        timeout = _BEAT if waiting else _PAUSE
        ready = {number for number, _ in poll.poll(timeout * 1000)}
        if 1 in ready or not goes_on():
            return
        if waiting and ready:  # it has taken a request, or has ended
            poll.unregister(waiting)
            waiting.close()
            waiting = None
            poll.register(listener, select.POLLIN)
        elif waiting:
            folder.tidy(time.time())
        elif ready:
            connection, _ = listener.accept()
            if _is_own(connection) and not os.fork():
                _call(connection, folder, env)
            connection.close()
        else:
            poll.unregister(listener)
            waiting = _waiting(listener, folder, env, is_current)
            poll.register(waiting, 0)  # POLLHUP shows that the other end is closed


def _waiting(
    listener: socket.socket,
    folder: Folder,
    env: Mapping[str, str],
    is_current: Callable[[], bool],
) -> socket.socket:
    """Fork the process that handles the next request; return a socket that it closes on taking it.

    It ends when this process does, whose end of the pair is the only one.
    """
    ours, theirs = socket.socketpair()
    if os.fork():
        theirs.close()
        return ours
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        ours.close()
        rehearse(env)
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        poll.register(theirs, 0)
        while True:
            if any(number == theirs.fileno() for number, _ in poll.poll()):
                break
            connection, _ = listener.accept()
            if not is_current():
                break
            if _is_own(connection):
                theirs.close()
                _call(connection, folder, env)
            connection.close()
    except BaseException as error:  # noqa: BLE001 (another process or the command hook handles the call)
        note(env, "warm", error)
    finally:
        os._exit(0)


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
