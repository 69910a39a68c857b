"""Link the command `journal` and its man page below ~/.local, unless they are installed already.

The links point to the copy in use; `man` searches ~/.local/share/man because ~/.local/bin is on
PATH. Invariant: only links of ours are replaced or removed.
"""

import os
import shutil
import sys
from collections.abc import Mapping

from cli.install import code_copy, source
from cli.install.model import SetupResult

_COMMAND = os.path.join("bin", "journal")
_PAGE = os.path.join("share", "man", "man1", "journal.1")


def command(home: str) -> str:
    """Return the command of the copy in use."""
    return os.path.join(code_copy.link(home), _COMMAND)


def link(home: str, env: Mapping[str, str], result: SetupResult) -> None:
    """Make `journal` a command, or report how to start it."""
    found = _found(env)
    path = _in_home(env, _COMMAND)
    own = _own(home)
    if found and os.path.realpath(found) in own:
        result.add("journal is on PATH", "unchanged", found)
        return
    if not os.path.lexists(path):
        _link(path, command(home))
    elif os.path.realpath(path) not in own:
        what = "another command has the name journal"
        result.add(what, "skipped", path, f"start ours as {command(home)}")
        return
    if found:
        remedy = f"put {os.path.dirname(path)} first, or start ours as {path}"
        result.add("another journal comes first on PATH", "skipped", found, remedy)
    elif os.path.dirname(path) in env.get("PATH", "").split(os.pathsep):
        result.add("journal is on PATH", "done", path)
    else:
        line = 'export PATH="$HOME/.local/bin:$PATH"'
        remedy = f"to put it on PATH, run this and add it to your shell's profile: {line}"
        result.add("journal is installed", "done", path, remedy)


def link_page(home: str, env: Mapping[str, str], result: SetupResult) -> None:
    """Link the man page, unless one exists beside the command or at the path of ours."""
    path = _in_home(env, _PAGE)
    for other in _pages(env):
        if not _links_to(other, _page(home)):
            result.add("the man page already exists", "unchanged", other)
            return
    made = _link(path, _page(home))
    result.add("man page: man journal", "done" if made else "unchanged", path)


def plan(home: str, env: Mapping[str, str], result: SetupResult) -> None:
    """Report the links that setup would make, where the names are free."""
    found, path = _found(env), _in_home(env, _COMMAND)
    ours = bool(found) and os.path.realpath(found) in _own(home)
    if not ours and not os.path.lexists(path):
        result.add("link the command journal", "planned", path)
    if not _pages(env):
        result.add("link the man page", "planned", _in_home(env, _PAGE))


def links(home: str, env: Mapping[str, str]) -> list[str]:
    """Return the links of setup that exist."""
    ours = {_in_home(env, _COMMAND): command(home), _in_home(env, _PAGE): _page(home)}
    return [path for path, target in ours.items() if _links_to(path, target)]


def _found(env: Mapping[str, str]) -> str:
    return shutil.which("journal", path=env.get("PATH", os.defpath)) or ""


def _own(home: str) -> set[str]:
    """Return the real paths of our command, in the copy and beside the running code."""
    paths = [os.path.join(above, _COMMAND) for above in (sys.prefix, source.TOP)]
    # After `pip install --user`, the running command is not below sys.prefix.
    return {os.path.realpath(path) for path in (command(home), sys.argv[0], *paths)}


def _page(home: str) -> str:
    return os.path.join(code_copy.link(home), "cli", "journal.1")


def _pages(env: Mapping[str, str]) -> list[str]:
    """Return the man pages that exist: beside the command on PATH, and at the path of ours."""
    found = _found(env)
    beside = [os.path.join(os.path.dirname(os.path.dirname(found)), _PAGE)] if found else []
    return [path for path in (*beside, _in_home(env, _PAGE)) if os.path.lexists(path)]


def _in_home(env: Mapping[str, str], name: str) -> str:
    return os.path.join(env.get("HOME") or os.path.expanduser("~"), ".local", name)


def _link(path: str, target: str) -> bool:
    """Make a link; return False if it is there already."""
    if _links_to(path, target):
        return False
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)
    return True


def _links_to(path: str, target: str) -> bool:
    return os.path.islink(path) and os.readlink(path) == target
