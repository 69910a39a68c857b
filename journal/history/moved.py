"""Find directories that are gone and may be this project's, before it was moved or renamed.

A journal belongs to the path of its project, so a moved project begins a new one. Nothing records
where a directory went; Claude Code's transcripts tell only where it was. Invariant: reading only.
"""

import os
import shlex

from journal.clock import DAY_MS, millis
from journal.codec import dumps
from journal.files import open_readable
from journal.history.importer.find import Transcript
from journal.history.importer.owners import first_cwd
from journal.history.logs import is_log
from journal.history.replay.run import replay_all
from journal.history.scope import ProjectScope
from journal.home import Project
from journal.transcript.location import is_folder_of

_MOST = 4 * 1024 * 1024  # bytes of a transcript in which files are looked for
_NEW = 7 * DAY_MS  # ms since a project's first session


def moved_from(scope: ProjectScope, *, every: bool = False) -> list[str]:
    """Return directories with sessions that may have been this project's.

    They do not exist any more, have its name or stood beside it, have no session later than this
    project's first one, and their last session used a file that this project has, or no file.
    every: also for a project that is not new; most directories that stood beside such a project
    were other projects.
    """
    root = scope.project.root
    began = float("inf")
    if is_log(scope.directory):
        first = replay_all(scope.directory, (), stores=scope.stores).facts.first
        began = millis(first) or began
    newest: dict[str, Transcript] = {}
    for item in scope.transcripts:  # the least recently changed first
        folder = os.path.basename(os.path.dirname(item.path))
        if is_folder_of(folder, root):
            began = min(began, item.mtime // 1_000_000)
        elif not item.agent:
            newest[folder] = item
    earlier = (item for item in newest.values() if root and item.mtime // 1_000_000 < began)
    named = {first_cwd(item.path): item.path for item in earlier}
    gone = (at for at in named if os.path.isabs(at) and not os.path.lexists(at))
    beside, name = os.path.split(root)
    beside = beside if every or scope.now - began < _NEW else ""
    alike = (at for at in gone if beside == os.path.dirname(at) or name == os.path.basename(at))
    return sorted(at for at in alike if _may_be_of(root, at, named[at]))


def _may_be_of(root: str, directory: str, transcript: str) -> bool:
    """Return whether a transcript names a file below `directory` that is in `root`, or no file."""
    inside = b'"file_path":' + dumps(f"{directory}{os.sep}")[:-1]
    try:
        with os.fdopen(open_readable(transcript), "rb") as file:
            _, *found = file.read(_MOST).split(inside)
    except OSError:
        return True
    paths = {part.partition(b'"')[0] for part in found}
    return not paths or any(os.path.lexists(os.path.join(os.fsencode(root), at)) for at in paths)


def moved_note(home: str, directory: str) -> str:
    """Return the note that a directory is gone, and how to read its sessions."""
    lists = f"journal sessions --project {shlex.quote(directory)}"
    if not os.path.isdir(os.path.join(home, Project(directory).name)):
        lists = f"journal import, then {lists}"
    return f"{directory} is gone. If this project was there, its past sessions: {lists}"
