"""Find the files that a turn's shell commands wrote, with git, in the background after the turn.

Stop only starts the process, and so does PreCompact in the middle of a turn. Invariant: git runs
for at most `SECONDS`, without index lock, and starts nothing that a repository names: no file
system monitor, hook, filter, signature check or submodule; files that the log has as changed are
not reported again; nothing is printed.
"""

from __future__ import annotations

import os

from journal.files import lines_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Appended, Context
    from journal.events.hook_input import Call

SECONDS = 2.0
_PATHS = 60
_WALKED = 500  # files and folders of an untracked folder that are looked at
# Folders that tools write for themselves; no person works in them.
_TOOLS = frozenset(
    ".git __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .tox .venv node_modules "
    ".gradle .next .turbo .parcel-cache".split()
)
# A folder that is a repository by its content, as a clone can have, counts for nothing.
_GIT = "git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit"
_STATUS = "status --porcelain=v1 -z --no-renames --untracked-files=normal --ignore-submodules=dirty"
_LOG = "log --name-only -z --format= -20 --no-show-signature"
_BASH = b'"tool":"Bash"'


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
    line = next(lines_back(appended.tail, (_BASH,)), b"")
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

    since, known = _turn(directory, sid)
    if not since:
        return 0
    found = dict.fromkeys(path for place in places for path in changed_since(place, since))
    real = os.path.realpath(root)
    paths = [path for path in (relative_to(real, path) for path in found) if path not in known]
    if not paths:
        return 0
    event: dict[str, Any] = {
        "type": "files.changed",
        "v": 1,
        "sid": sid,
        "key": digest(dumps(["files.changed", sid, prompt, paths])),
        "paths": [path[:300] for path in paths[:_PATHS]],
        "count": len(paths),
    }
    if prompt:
        event["prompt"] = prompt
    with Writer(directory, now) as writer:
        writer.append(event)
    return len(paths)


def _turn(directory: str, sid: str) -> tuple[int, set[str]]:
    """Return the last turn's start (ms, 0 unknown) and the changed files that the log has since.

    Those of other sessions count, too: what one of them changed is not this turn's work.
    """
    from journal.clock import millis
    from journal.codec import loads
    from journal.transcript.usage import lines_with

    known: set[str] = set()
    needles = (b'"type":"prompt.submitted"', b'"changed":true', b'"type":"files.changed"')
    for line in lines_with(os.path.join(directory, "active.jsonl"), needles):
        try:
            fields: Any = loads(line)
        except ValueError:
            continue
        if not isinstance(fields, dict):
            continue
        if fields.get("type") != "prompt.submitted":
            known.update(map(str, fields.get("paths") or [fields.get("target")]))
        elif fields.get("sid") == sid:
            return millis(fields["ts"]) or 0, known
    return 0, known


def changed_since(cwd: str, since: int) -> list[str]:
    """Return the real paths of files that were changed, created or committed since a time in ms.

    Files that git lists but whose own modification time is older are left out.
    """
    top = _git(cwd, "rev-parse", "--show-toplevel").rstrip("\n")
    settings = _git(cwd, "config", "--list", "--name-only", "-z").split("\0")
    filters = {name for name in settings if name.startswith("filter.")}
    if not top or len(settings) < 2 or any("=" in name for name in filters):  # `-c` cannot name it
        return []
    off = [word for name in filters for word in ("-c", f"{name}=")]
    status = _git(cwd, *off, *_STATUS.split())
    commits = _git(cwd, *_LOG.split(), f"--since=@{since // 1000}")
    names = [row[3:] for row in status.split("\0") if row]
    names += [name.strip("\n") for name in commits.split("\0")]
    found = [
        path
        for name in dict.fromkeys(filter(None, names))
        if _TOOLS.isdisjoint(name.split("/"))
        for path in _files_of(os.path.join(top, name))
    ]
    return [path for path in found if _written_at(path) >= since - 1000]


def _files_of(path: str) -> list[str]:
    """Return the path, or the files of an untracked folder (ends in "/") unless they are many.

    Those of a repository in it, such as a new worktree, were not written by this one's commands.
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
