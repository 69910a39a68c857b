"""The journal home, and the project that a directory belongs to.

Each project has one directory, named by a readable slug and 8 hex digits of a hash of its real
path. Files have mode 0600, directories 0700. Invariant: no part of a path comes unhashed from an id
or a hook's input. It starts no process: it finds git checkouts by their `.git`.
"""

from __future__ import annotations

import os
import stat

from journal.codec import digest
from journal.errors import JournalOffError, off_error
from journal.files import open_readable
from journal.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNFILED = "unfiled"
IMPORTED = "imported"  # subfolder of a journal: the log of imported sessions
HOOK_ERRORS = "hook-errors.log"  # file of the home: a line for each error of a hook
STATUS_LINE = "statusline.json"  # file of the home: the status line the user had before ours

# Never projects themselves; below the second row, only with a .git or .journal-root.
_CONTAINERS = frozenset((
    "/", "/home", "/Users", "/root", "/tmp", "/var", "/var/tmp", "/private/tmp",  # noqa: S108
    "/private/var/tmp", "/opt", "/srv", "/mnt", "/media", "/run", "/Volumes", "/usr/local",
    "/usr/local/src", "/usr/src", "/data", "/dev/shm",  # noqa: S108
))  # fmt: skip
_SYSTEM = (
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/sys", "/usr",
    "/run", "/System", "/Library", "/Applications",
)  # fmt: skip
_WITHIN = ("/usr/local/src/", "/usr/src/", "/run/user/", "/dev/shm/")  # noqa: S108


class Project:
    """A project: `root` is its real path ("" for none), `name` its directory in the journal home.

    work: the directory with the work files (work log, learnings, plan, progress) in use. Linked
    worktrees and subdirectories of a monorepo share the journal but have their own work files.
    """

    def __init__(self, root: str, work: str = "") -> None:
        self.root = root
        self.work = work or root
        if not root:
            self.name = UNFILED
            return
        name = redact(os.path.basename(root))
        base = "".join(c if c.isalnum() or c in "._" else "-" for c in name)
        self.name = f"{base.strip('.-')[:32] or 'project'}-{digest(os.fsencode(root), 4)}"


def client_dir(env: Mapping[str, str]) -> str:
    """Return the directory of Claude Code's settings: CLAUDE_CONFIG_DIR, else ~/.claude."""
    return env.get("CLAUDE_CONFIG_DIR") or os.path.join(_user_home(env), ".claude")


def journal_home(env: Mapping[str, str]) -> str:
    """Return JOURNAL_HOME, else `journal` in Claude Code's directory. It need not exist."""
    return os.path.abspath(env.get("JOURNAL_HOME") or os.path.join(client_dir(env), "journal"))


def working_directory() -> str:
    """Return the working directory of this process, "" if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def project_start(env: Mapping[str, str], cwd: str) -> str:
    """Return the directory of CLAUDE_PROJECT_DIR, else JOURNAL_PROJECT, else `cwd`; "" for none."""
    for candidate in (env.get("CLAUDE_PROJECT_DIR"), env.get("JOURNAL_PROJECT"), cwd):
        if candidate and os.path.isabs(candidate) and _is_name(candidate):
            return candidate
    return ""


def _is_name(path: str) -> bool:
    """Return whether a path is possible: no NUL, and every character can be encoded."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def project_of(start: str, env: Mapping[str, str]) -> Project:
    """Return the project that `start` (absolute) belongs to; `Project("")` for none."""
    if not start:
        return Project("")
    directory = os.path.realpath(start)
    refused = _refused(env)
    named = start in (env.get("CLAUDE_PROJECT_DIR"), env.get("JOURNAL_PROJECT"))
    at = directory
    while at not in refused:
        top = at if os.path.lexists(os.path.join(at, ".journal-root")) else _git_top(at)
        if top in refused:
            return Project("")
        if top:
            return Project(top, _work(directory, at, named=named))
        parent = os.path.dirname(at)
        if parent == at:
            break
        at = parent
    if directory in refused or _is_system(directory) or not os.path.isabs(directory):
        return Project("")
    return Project(directory)


def _work(directory: str, top: str, *, named: bool) -> str:
    """Return the directory with the work files: the one Claude Code was started in.

    If only the working directory is known, return the nearest directory with work files, up to the
    top of the checkout.
    """
    if named:
        return directory
    at = directory
    while at != top:
        if os.path.isdir(os.path.join(at, ".claude", "context")):
            return at
        at = os.path.dirname(at)
    return top


def branch_of(directory: str) -> str:
    """Return the branch checked out at `directory`, a short commit if detached, "" without git."""
    at = directory
    while at and at != os.path.dirname(at):
        dot_git = os.path.join(at, ".git")
        try:
            head = _read_line(os.path.join(git_dir(dot_git) or dot_git, "HEAD"))
        except (OSError, ValueError):
            at = os.path.dirname(at)
            continue
        return head[16:] if head.startswith("ref: refs/heads/") else head[:12]
    return ""


def ensure_directory(path: str) -> None:
    """Create `path` as a directory with mode 0700. Raises JournalOffError."""
    facts = _facts_of(path)
    if facts is None:
        parent = os.path.dirname(path)
        if not os.path.isdir(parent):
            ensure_directory(parent)
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            pass
        except OSError as error:
            raise off_error(path, error) from error
        facts = os.lstat(path)
    _check(path, facts)


def check_directory(path: str) -> None:
    """Raise JournalOffError if `path` exists and is not a directory of this user alone."""
    facts = _facts_of(path)
    if facts is not None:
        _check(path, facts)


def check_readable(path: str) -> None:
    """Raise JournalOffError as `check_directory`, and if the directory cannot be listed."""
    check_directory(path)
    if os.path.isdir(path) and not os.access(path, os.R_OK | os.X_OK):
        raise JournalOffError(path, "cannot be read", _remedy("run: chmod 700 {0}", path))


def _facts_of(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalOffError(path, f"cannot be used: {error.strerror}") from error


def cache_of(directory: str) -> str:
    """Return where commands keep what they derive from a log: `cache/PROJECT/SIDE` of the home."""
    project, side = directory.rstrip("/"), "live"
    if project.endswith(f"/{IMPORTED}"):
        project, side = project.removesuffix(f"/{IMPORTED}"), IMPORTED
    home, _, name = project.rpartition("/")
    return f"{home}/cache/{name}/{side}"


def _check(path: str, facts: os.stat_result) -> None:
    if stat.S_ISLNK(facts.st_mode):
        try:
            facts = os.stat(path)
        except OSError as error:
            remedy = "it is a symbolic link: put a real directory in its place"
            raise JournalOffError(path, f"cannot be used: {error.strerror}", remedy) from error
    if not stat.S_ISDIR(facts.st_mode):
        advice = "set JOURNAL_HOME to a directory, or move the file away: mv {0} {0}.old"
        raise JournalOffError(path, "is not a directory", _remedy(advice, path))
    if facts.st_uid != os.geteuid():
        raise JournalOffError(
            path, "belongs to another user", "set JOURNAL_HOME to a directory of your own"
        )
    if facts.st_mode & 0o002:
        raise JournalOffError(path, "is writable by everyone", _remedy("run: chmod 700 {0}", path))


def _remedy(command: str, path: str) -> str:
    """Return a command with a path that a shell reads as one word."""
    from shlex import quote  # a hook that works does not load it

    return command.format(quote(path))


def _user_home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")


def _refused(env: Mapping[str, str]) -> frozenset[str]:
    refused = {os.path.realpath(_user_home(env))}
    temporary = env.get("TMPDIR")
    if temporary:
        refused.add(os.path.realpath(temporary))
    return _CONTAINERS | refused


def _is_system(path: str) -> bool:
    if path.startswith(_WITHIN):
        return False
    return any(path == top or path.startswith(top + "/") for top in _SYSTEM)


def _git_top(directory: str) -> str:
    """Return the main checkout if `directory` is the top of a repository or linked worktree."""
    dot_git = os.path.join(directory, ".git")
    try:
        mode = os.lstat(dot_git).st_mode
    except OSError:
        return ""
    if stat.S_ISDIR(mode) or stat.S_ISLNK(mode):
        return directory
    try:
        folder = git_dir(dot_git)
        common = _read_line(os.path.join(folder, "commondir"))
    except (OSError, ValueError):
        return directory  # a submodule, or a .git file that leads nowhere
    common = os.path.realpath(os.path.join(folder, common))
    main = os.path.dirname(common) if os.path.basename(common) == ".git" else common
    # The directory's content is not trusted: its .git file counts only if the repository it names
    # points back to it. Otherwise a clone could claim to belong to any repository.
    inside = os.path.dirname(folder) == os.path.join(common, "worktrees")
    return main if inside and os.path.isdir(main) and _points_back(folder, dot_git) else directory


def _points_back(folder: str, dot_git: str) -> bool:
    try:
        git_file = _read_line(os.path.join(folder, "gitdir"))
    except (OSError, ValueError):
        return False
    return os.path.realpath(git_file) == os.path.realpath(dot_git)


def git_dir(dot_git: str) -> str:
    """Return the path that a `.git` file names; "" if `.git` is a directory."""
    if os.path.isdir(dot_git):
        return ""
    line = _read_line(dot_git)
    if not line.startswith("gitdir: "):
        raise ValueError("not a .git file")
    return os.path.realpath(os.path.join(os.path.dirname(dot_git), line[8:]))


def _read_line(path: str) -> str:
    descriptor = open_readable(path)
    try:
        return (
            os.read(descriptor, 4096).decode("utf-8", "surrogateescape").split("\n", 1)[0].strip()
        )
    finally:
        os.close(descriptor)
