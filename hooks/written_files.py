"""Find the files that a turn's shell commands wrote or restored, with git, after the turn.

It runs in the background: Stop only starts the process, and so does PreCompact in the middle of a
turn. Invariant: git runs for at most `SECONDS`, without index lock, and starts nothing that a
repository names: no file system monitor, hook, filter, signature check or submodule; files that the
log has as changed are not reported again; nothing is printed.
"""

from __future__ import annotations

import os

from hooks.context import BASH
from journal.files import lines_back
from journal.log.record import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Appended, Context
    from journal.events.hook_input import Call

SECONDS = 2.0
_PATHS = 60
_WALKED = 500  # files and folders of an untracked folder that are looked at
# Folders that only tools write to.
_TOOLS = frozenset(
    ".git __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .tox .venv node_modules "
    ".gradle .next .turbo .parcel-cache".split()
)
# Ignores bare repositories inside others: a clone could contain one with settings of its own.
_GIT = "git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit"
_STATUS = "status --porcelain=v1 -z --no-renames --untracked-files=normal --ignore-submodules=dirty"
_LOG = "log --name-only -z --format= --no-show-signature"


def spawn_after(call: Call, context: Context, appended: Appended) -> None:
    """Start the search, if this turn ran Bash in a git repository.

    It includes the directory in which Claude Code was started: commands may have left it since.
    """
    if context.fixed or not call.sid or not _ran_bash(call, appended):
        return
    started = context.project.work or context.project.root
    tops = dict.fromkeys(map(_repository_of, filter(None, (call.path("cwd"), started))))
    tops.pop("", None)
    if not tops:
        return
    from hooks.detached import spawn

    prompt = call.id_of("prompt_id")
    arguments = [context.directory, context.project.root, call.sid, prompt, context.iso, *tops]
    spawn("written-files", arguments, context.env)


def _ran_bash(call: Call, appended: Appended) -> bool:
    """Return whether the end of the log shows that the turn ran Bash; True if it is too long."""
    if appended.recent is None:
        return True
    line = next(lines_back(appended.tail, (BASH,)), b"")
    return bool(line) and call.id_of("prompt_id").encode() in line


def _repository_of(directory: str) -> str:
    """Return the directory, or one above it, that is a git repository or a worktree; else ""."""
    while True:
        git = os.path.join(directory, ".git")
        if os.path.isfile(git) or os.path.isfile(os.path.join(git, "HEAD")):
            return directory
        above = os.path.dirname(directory)
        if above == directory:
            return ""
        directory = above


def record(directory: str, root: str, sid: str, prompt: str, now: str, *places: str) -> int:
    """Append `files.changed` for the turn that just ended; return the number of files in it.

    directory: the journal's; root: the project's; places: directories of the repositories.
    """
    from journal.codec import digest, dumps
    from journal.files import relative_to
    from journal.log.append import Writer

    since, known, own = _turn(directory, sid)
    if not since:
        return 0
    found = dict.fromkeys(path for place in places for path in changed_since(place, since))
    real = os.path.realpath(root)
    paths = [path for path in (relative_to(real, path) for path in found) if path not in known]
    undone = (path for place in places if own for path in _restored(place, real, own))
    restored = list(dict.fromkeys(undone))
    if not paths and not restored:
        return 0
    event: dict[str, Any] = {
        "type": "files.changed",
        "v": 1,
        "sid": sid,
        "key": digest(dumps(["files.changed", sid, prompt, paths, *restored])),
        "paths": [path[:300] for path in paths[:_PATHS]],
        "count": len(paths),
    }
    if restored:
        event["restored"] = [path[:300] for path in restored[:_PATHS]]
    if prompt:
        event["prompt"] = prompt
    with Writer(directory, now) as writer:
        writer.append(event)
    return len(paths)


def _turn(directory: str, sid: str) -> tuple[int, set[str], dict[str, int]]:
    """Return the last turn's start (ms, 0 unknown) and the changed files that the log has since.

    Files that other sessions changed are included, because they are not this turn's work. The third
    value has the session's changed files and when it changed them (ms), if the turn discarded or
    stashed changes.
    """
    from journal.clock import millis
    from journal.codec import loads
    from journal.transcript.usage import lines_with
    from projections.git_undo import undoes

    since, known, own, is_undone = 0, set[str](), dict[str, int](), False
    needles = (b'"type":"prompt.submitted"', b'"changed":true', b'"type":"files.changed"', BASH)
    for line in lines_with(os.path.join(directory, ACTIVE), needles):
        try:
            fields: Any = loads(line)
        except ValueError:
            continue
        if not isinstance(fields, dict):
            continue
        is_own = fields.get("sid") == sid
        if fields.get("type") == "prompt.submitted":
            if is_own and not since:
                since = millis(fields["ts"]) or 0
            if since and not is_undone:
                break
        elif fields.get("tool") == "Bash":
            is_undone |= is_own and not since and undoes(str(fields.get("target")))
        else:
            paths = [str(path) for path in fields.get("paths") or [fields.get("target")]]
            if not since:
                known.update(paths)
            if is_own:
                own.update(dict.fromkeys(paths, millis(fields["ts"]) or 0))
    return since, known, own if is_undone else {}


def changed_since(cwd: str, since: int) -> list[str]:
    """Return the real paths of files that were changed, created or committed since a time in ms.

    Files that git lists but whose own modification time is older are left out.
    """
    top, status, commits = _state(cwd, since, "-20")
    found = [
        path
        for name in dict.fromkeys([*status, *commits])
        if _TOOLS.isdisjoint(name.split("/"))
        for path in _files_of(os.path.join(top, name))
    ]
    return [path for path in found if _written_at(path) >= since - 1000]


def _restored(cwd: str, root: str, own: dict[str, int]) -> list[str]:
    """Return those of a session's changed files that are as committed before it changed them.

    own: path, relative to `root`, → time of a change in ms.
    """
    top, status, commits = _state(cwd, min(own.values()), "--branches", "HEAD")
    named = {os.path.join(root, path): path for path in own}
    inside = [path for path in named if top and path.startswith(f"{top}/")]
    if not inside:
        return []
    tracked = _git(top, "ls-files", "-z", "--", *inside).split("\0")
    clean = [os.path.join(top, name) for name in tracked if name not in (*status, *commits, "")]
    return [named[path] for path in clean if path in named]


def _state(cwd: str, since: int, *which: str) -> tuple[str, list[str], list[str]]:
    """Return the top directory, and names in it: in `git status`, and committed since a time (ms).

    which: the commits, for `git log`. All are empty where git cannot run safely.
    """
    top = _git(cwd, "rev-parse", "--show-toplevel").rstrip("\n")
    settings = _git(cwd, "config", "--list", "--name-only", "-z").split("\0")
    filters = {name for name in settings if name.startswith("filter.")}
    if not top or len(settings) < 2 or any("=" in name for name in filters):  # `-c` cannot name it
        return "", [], []
    off = [word for name in filters for word in ("-c", f"{name}=")]
    status = _git(cwd, *off, *_STATUS.split())
    commits = _git(cwd, *_LOG.split(), f"--since=@{since // 1000}", *which)
    names = (name.strip("\n") for name in commits.split("\0"))
    return top, [row[3:] for row in status.split("\0") if row], [*filter(None, names)]


def _files_of(path: str) -> list[str]:
    """Return the path, or the files of an untracked folder (ends in "/") unless they are many.

    Files of a repository in it, such as a new worktree, are left out: git wrote them.
    """
    if not path.endswith("/"):
        return [path]
    path = path.rstrip("/")
    found: list[str] = []
    walked = 0
    for folder, names, files in os.walk(path):
        if ".git" in names or ".git" in files:
            names.clear()
            continue
        names[:] = [name for name in names if name not in _TOOLS]
        walked += len(names) + len(files)
        if walked > _WALKED:
            return [path]
        found += [os.path.join(folder, name) for name in files]
    return found


def _git(cwd: str, *arguments: str) -> str:
    """Run git and return its output; "" if it fails or takes too long."""
    import subprocess

    env = {name: os.environ[name] for name in ("HOME", "PATH", "LANG") if name in os.environ}
    env |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "none"}
    try:
        done = subprocess.run(  # noqa: S603 (git, with arguments of ours)
            [*_GIT.split(), *arguments],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS / 3,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def _written_at(path: str) -> int:
    """Return a file's modification time in ms; its folder's if the file is gone."""
    for candidate in (path, os.path.dirname(path)):
        try:
            return os.lstat(candidate).st_mtime_ns // 1_000_000
        except OSError:
            continue
    return 0
