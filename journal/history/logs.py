"""Find the logs of a journal home, and name its projects for people.

Invariant: each project has at most one live and one imported log.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from journal.home import IMPORTED
from journal.log.reached import seen_seq
from journal.log.record import ACTIVE
from journal.log.segment import segments

LIVE = "live"
"""The log that hooks and commands append to; the other side is IMPORTED."""

CUT = "import.cut"
"""File in an imported log: the import ended before it had read all transcripts of the project."""

_DIGEST = re.compile("-[0-9a-f]{8}$")  # of a project's path, in the name of its journal


def log_directories(home: str, only: Iterable[str] = ()) -> Iterator[tuple[str, str, str]]:
    """Yield (project, side, directory) for each directory that has, or had, a log, sorted by name.

    only: names of projects; all projects if empty. The caller checks whether there is a segment.
    Raise OSError if the home exists and cannot be listed.
    """
    names = sorted(set(only))
    if not names:
        try:
            names = sorted(os.listdir(home))
        except OSError:
            if os.path.lexists(home):
                raise
            return  # it, or what it would lie in, is not there
    for name in names:
        if name == "cache" or not name or os.sep in name or name.startswith("."):
            continue
        for side, below in ((LIVE, ""), (IMPORTED, IMPORTED)):
            directory = os.path.join(home, name, below).rstrip(os.sep)
            if os.path.isdir(directory) or _is_lost(directory, name, side):
                yield name, side, directory


def _is_lost(directory: str, name: str, side: str) -> bool:
    """Return whether there was a log where no directory is: readers then report the damage."""
    can_be_log = side == IMPORTED or _DIGEST.search(name) is not None
    return (can_be_log and os.path.lexists(directory)) or seen_seq(directory) > 0


def is_log(directory: str) -> bool:
    """Return whether a directory has a segment; False where that cannot be read."""
    try:
        return bool(segments(directory))
    except OSError:
        return False


def is_imported(home: str, project: str) -> bool:
    """Return whether an import of a project has run, and was not cut."""
    directory = os.path.join(home, project, IMPORTED)
    return os.path.isdir(directory) and not os.path.exists(os.path.join(directory, CUT))


def journals(home: str) -> list[tuple[str, str]]:
    """Return name and directory of every journal in a home, or [] if the home cannot be listed."""
    try:
        found = list(log_directories(home))
    except OSError:
        return []
    names = dict.fromkeys(
        project
        for project, side, directory in found
        if side == IMPORTED or os.path.exists(os.path.join(directory, ACTIVE))
    )
    return [(name, os.path.join(home, name)) for name in names]


class ProjectNames:
    """The journals of a home by name, read again once a journal was added or removed."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._changed = 0
        self._names: Mapping[str, str] = {}
        self._more: set[str] = set()

    def include(self, projects: Iterable[str]) -> None:
        """Name these projects as well, which may not have a journal yet."""
        self._more.update(projects)
        self._changed = -1

    def __call__(self, project: str) -> str:
        """Return the name of a journal for people."""
        return self.all(project).get(project, project)

    def all(self, wanted: str = "") -> Mapping[str, str]:
        """Return name → name for people. wanted: read the home again if it is not known yet."""
        try:
            changed = os.stat(self._home).st_mtime_ns
        except OSError:
            changed = 0
        if changed != self._changed or (wanted and wanted not in self._names):
            found = {name for name, _ in journals(self._home)}
            self._names = short_names(found | self._more)
            self._changed = changed
        return self._names


def short_names(projects: Iterable[str]) -> dict[str, str]:
    """Return each journal's name without its digest, where no other one has that name; sorted."""
    short = {name: without_digest(name) for name in sorted(projects)}
    counts = Counter(short.values())
    return {name: base if counts[base] == 1 else name for name, base in short.items()}


def without_digest(project: str) -> str:
    """Return the name of a journal without the digest of its project's path."""
    return _DIGEST.sub("", project)
