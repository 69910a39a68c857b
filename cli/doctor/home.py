"""Check where the journal is stored: the directory of the home, its filesystem, free space.

Invariant: reading only.
"""

import os
import shlex
import shutil
import stat
from collections.abc import Iterator

from cli.doctor.installation import Check, Installation, Status

# File systems on which flock and O_APPEND are unreliable between hosts.
_REMOTE = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "afs", "ceph", "lustre", "virtiofs")


def home(install: Installation) -> Iterator[Check]:
    """Check that the journal home is a private directory on a filesystem of this host."""
    name = "home"
    try:
        facts = os.stat(install.home)
    except OSError:
        yield _absent_home(install)
        return
    if not stat.S_ISDIR(facts.st_mode):
        yield Check.no_directory(name, install.home)
        return
    faults: list[tuple[Status, str, str]] = []
    if facts.st_uid != os.geteuid():
        what = f"belongs to user {facts.st_uid}"
        faults.append(("fail", what, "set JOURNAL_HOME to a directory of your own"))
    elif facts.st_mode & 0o002:
        what = "is writable by everyone: hooks record nothing"
        faults.append(("fail", what, f"run: chmod 700 {shlex.quote(install.home)}"))
    elif facts.st_mode & 0o077:
        what = f"has mode {facts.st_mode & 0o777:04o}: other users can read it"
        faults.append(("warn", what, f"run: chmod 700 {shlex.quote(install.home)}"))
    kind = filesystem(install.home)
    if kind.split(".")[0] in _REMOTE:
        what = f"is on {kind}, where locks may fail: use it from a single host only"
        faults.append(("warn", what, "set JOURNAL_HOME to a local directory"))
    if not os.access(install.home, os.W_OK) or os.statvfs(install.home).f_flag & os.ST_RDONLY:
        faults.append(("fail", "cannot be written to: hooks record nothing", "make it writable"))
    for status, what, remedy in faults:
        yield Check(name, status, what, install.home, remedy)
    if not faults:
        yield Check(name, "ok", f"private, on {kind or 'an unknown filesystem'}", install.home)


def _absent_home(install: Installation) -> Check:
    """Check that a journal home that does not exist yet can be created."""
    parent = os.path.dirname(install.home)
    while not os.path.lexists(parent):
        parent = os.path.dirname(parent)
    if os.path.isdir(parent) and os.access(parent, os.W_OK | os.X_OK):
        return Check("home", "note", "does not exist yet: the first event creates it", install.home)
    remedy = f"make {parent} a directory that you can write to, or set JOURNAL_HOME to one"
    return Check("home", "fail", "cannot be created: nothing is recorded", install.home, remedy)


def space(install: Installation) -> list[Check]:
    """Check that the disk has space for events."""
    at = install.home
    while not os.path.isdir(at):
        at = os.path.dirname(at)
    free = shutil.disk_usage(at).free
    what = f"{free / 1e9:.1f} GB free" if free >= 1e9 else f"{free / 1e6:.0f} MB free"
    if free >= 100e6:
        return [Check("disk", "ok", what, at)]
    remedy = "free some space on that disk"
    return [Check("disk", "fail" if free < 1e6 else "warn", what, at, remedy)]


def filesystem(path: str, table: str = "/proc/self/mountinfo") -> str:
    """Return the type of the filesystem of `path`, "" if it cannot be read.

    table: in the format of mountinfo.
    """
    real = os.path.realpath(path)
    best = ("", "")
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                fields, _, after = line.partition(" - ")
                mount = fields.split(" ")[4].encode().decode("unicode_escape")
                if (real + "/").startswith(mount.rstrip("/") + "/") and len(mount) >= len(best[0]):
                    best = (mount, after.split(" ")[0])
    except (OSError, IndexError, UnicodeError):
        return ""
    return best[1]
