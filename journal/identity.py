"""The identity of a journal home (origin, person) and the repositories of its projects.

`identity.json` in the home holds random ids, created when first needed, and the number of times
each project's history was restarted. `repo` in a project's directory holds its git remote.
Invariant: no id reveals host, user or path. It starts no process but reads git's files.
"""

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from journal.codec import loads
from journal.errors import JournalError, off_error
from journal.files import read_regular
from journal.home import git_dir
from journal.redaction import redact
from journal.replace_file import write_atomic

IDENTITY = "identity.json"
_REPO = "repo"
_MOST = 1024 * 1024  # bytes of any of these files
_LONGEST = 256  # characters of a repository's name
_SCHEMES = ("ssh", "git+ssh", "ssh+git", "https", "http", "git")
# Other names of one host, and hosts that ignore the case of owner and name.
_HOSTS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
}
# Parts of a path that only one of the ways to write it has.
_EXTRA_PARTS = {"dev.azure.com": ("v3", "_git")}
# For such a path on a server use only its last part; the rest may name a person.
_FOLDERS = ("home", "Users", "root", "srv", "var", "opt", "mnt", "media", "volume1", "Volumes")
_FOLDED = ("github.com", "gitlab.com", "bitbucket.org", "dev.azure.com", "codeberg.org")


class Identity(NamedTuple):
    """origin, person: 16 hex digits each, "" if not made yet.

    epochs: project → how often its history began; those that began once are missing.
    """

    origin: str = ""
    person: str = ""
    epochs: dict[str, int] = {}  # noqa: RUF012 (a default that nobody changes)


def identity_of(home: str) -> Identity:
    """Read the identity of a home; return an empty one if the file is missing.

    Raises JournalError if the file has another content.
    """
    path = os.path.join(home, IDENTITY)
    try:
        found: Any = loads(read_regular(path, _MOST))
        epochs = {str(name): int(number) for name, number in found.get("epochs", {}).items()}
        return Identity(str(found["origin"]), str(found["person"]), epochs)
    except FileNotFoundError:
        return Identity()
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"is not the identity of a journal home ({type(error).__name__})"
        remedy = "restore it from a backup; without it exports begin again under a new origin"
        raise JournalError(path, what, remedy) from error


def make_identity(home: str) -> Identity:
    """Return the identity of a home; create it if missing."""
    found = identity_of(home)
    if found.origin:
        return found
    identity = Identity(os.urandom(8).hex(), os.urandom(8).hex())
    path = os.path.join(home, IDENTITY)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:  # fails if another process was first; its identity is valid
        write_atomic(temporary, _text(identity), sync=True)
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            os.unlink(temporary)
    except OSError as error:
        raise off_error(path, error) from error
    return identity_of(home)


def save_epochs(home: str, epochs: dict[str, int]) -> None:
    """Store the epochs of some projects; keep those of the others."""
    found = make_identity(home)
    changed = found._replace(epochs={**found.epochs, **epochs})
    write_atomic(os.path.join(home, IDENTITY), _text(changed), sync=True)


def _text(identity: Identity) -> bytes:
    return json.dumps(identity._asdict(), indent=1, sort_keys=True).encode() + b"\n"


# -- repositories ---------------------------------------------------------------------------------


def stored_repo(directory: str) -> str | None:
    """Return the stored repository of a project; None if none was stored yet."""
    try:
        text = read_regular(os.path.join(directory, _REPO), _MOST).decode("utf-8", "replace")
    except OSError:
        return None
    return redact(text.strip())


def remember_repo(directory: str, root: str, env: Mapping[str, str]) -> str:
    """Return the repository of a project, and store it beside its log if it changed."""
    repo = repo_of(root, env)
    if repo != stored_repo(directory) and os.path.isdir(directory) and os.path.isdir(root):
        write_atomic(os.path.join(directory, _REPO), repo.encode() + b"\n")
    return repo


def repo_of(root: str, env: Mapping[str, str]) -> str:
    """Return the remote of a checkout as host/owner/name, "" without one.

    Uses the remote `origin`, else the first one. root: the main checkout, or a bare repository.
    """
    remotes: dict[str, str] = {}
    bases: dict[str, str] = {}  # what `url.BASE.insteadOf` abbreviates, by the abbreviation
    kind = section = ""
    of_user = env.get("GIT_CONFIG_GLOBAL") or os.path.join(env.get("HOME") or "/", ".gitconfig")
    for line in [*_config_lines(_config_of(root)), *_config_lines(of_user, follow=True)]:
        if line.startswith("["):
            kind, _, name = line.strip("[]").partition(" ")
            section = name.strip().strip('"')
            continue
        name, _, value = (part.strip().strip('"') for part in line.partition("="))
        which = (kind.strip().lower(), name.lower())
        if which == ("remote", "url"):
            remotes.setdefault(section, value)
        elif which == ("url", "insteadof"):
            bases.setdefault(value, section)
    url = remotes.get("origin") or next(iter(remotes.values()), "")
    short = max((each for each in bases if url.startswith(each)), key=len, default="")
    return normalized(bases.get(short, "") + url.removeprefix(short))


def _config_of(root: str) -> str:
    """Return the path of a repository's git configuration; "" without one."""
    git = os.path.join(root, ".git")
    if not os.path.lexists(git) and os.path.isfile(os.path.join(root, "HEAD")):
        return os.path.join(root, "config")  # a bare repository, of which only worktrees are used
    try:
        return os.path.join(git_dir(git) or git, "config")
    except (OSError, ValueError):
        return ""


def _config_lines(path: str, *, follow: bool = False) -> list[str]:
    """Return the lines of a git configuration; [] if it cannot be read."""
    try:
        config = read_regular(path, _MOST, follow=follow).decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    return [line.strip() for line in config.splitlines()]


def normalized(url: str) -> str:
    """Return the address of a remote as host/owner/name, the same for all ways to write it.

    User, password, port, query and `.git` are left out; "" for a local path and for anything else.
    """
    scheme, separator, rest = url.strip().partition("://")
    if separator:
        if scheme.lower() not in _SCHEMES:
            return ""
        address, _, path = rest.partition("/")
        host = address.rpartition("@")[2]
        host = host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    else:  # as scp has it: user@host:path
        address, colon, path = scheme.partition(":")
        host = address.rpartition("@")[2]
        drive = len(address) == 1  # C:\shop
        if not colon or drive or "/" in address or "\\" in address or path.startswith(("//", ":")):
            return ""
    path = path.partition("?")[0].partition("#")[0]
    parts = [part for part in path.split("/") if part not in ("", "~")]
    host = host.lower().rstrip(".")
    host = _HOSTS.get(host, host)
    parts = [part for part in parts if part not in _EXTRA_PARTS.get(host, (".git",))]
    if len(parts) > 2 and parts[0] == "scm" and scheme.lower().startswith("http"):
        parts = parts[1:]  # Bitbucket Server, which has it in addresses of HTTP alone
    if parts:
        parts[-1] = parts[-1].removesuffix(".git")
        parts = parts[-1:] if parts[0] in _FOLDERS else parts
    found = "/".join([host, *parts])
    plain = found.isprintable() and not any(mark in found for mark in (" ", "\\", "@"))
    if not host or not any(parts) or ".." in parts or not plain or len(found) > _LONGEST:
        return ""
    return redact(found.lower() if host in _FOLDED else found)
