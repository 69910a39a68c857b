"""Find the logs of a journal home: each project has at most one live and one imported log."""

import os
from collections.abc import Iterable, Iterator

from journal.home import IMPORTED
from journal.log.record import ACTIVE

LIVE = "live"
"""The log that hooks and commands append to; the other side is IMPORTED."""


def log_directories(home: str, only: Iterable[str] = ()) -> Iterator[tuple[str, str, str]]:
    """Yield (project, side, directory) for each directory that may hold a log, sorted by name.

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
            if os.path.isdir(directory):
                yield name, side, directory


def is_imported(home: str, project: str) -> bool:
    """Return whether an import of a project has run."""
    return os.path.isdir(os.path.join(home, project, IMPORTED))


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
