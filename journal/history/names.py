"""Name the projects of a journal home for people: without the digest where that is unambiguous."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from journal.history.logs import journals

_DIGEST = re.compile("-[0-9a-f]{8}$")  # of a project's path, in the name of its journal


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
    """Return each journal's name without its digest, where no other one has that name."""
    short = {name: without_digest(name) for name in projects}
    counts = Counter(short.values())
    return {name: base if counts[base] == 1 else name for name, base in short.items()}


def without_digest(project: str) -> str:
    """Return the name of a journal without the digest of its project's path."""
    return _DIGEST.sub("", project)
