"""Find the project of a transcript: that of the directory in which its session began.

Invariant: the answer does not depend on what else is imported; a file is opened for it once.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any

from journal.history.importer.destinations import Destinations
from journal.history.importer.lines import LONGEST, open_transcript
from journal.history.importer.records import line_of
from journal.history.importer.text import time_of
from journal.transcript.location import folder_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from journal.history.importer.destinations import Destination
    from journal.history.importer.find import Transcript
    from journal.history.importer.state import FileState
    from journal.home import Project

_NAME = 200  # characters of a folder's name that are compared: Claude Code shortens long ones
_HEADS = (16 * 1024, 256 * 1024)  # bytes in which a first directory is looked for
_LINES = 200  # lines in which it is looked for
_MOST = 4 * LONGEST  # bytes: a first prompt with images is one long line, its directory at the end


class Owners:
    """Finds the projects of transcripts. found: all there are; home: the journal home."""

    def __init__(self, env: Mapping[str, str], home: str, found: Iterable[Transcript]) -> None:
        self.destinations = Destinations(env, home, self._first_cwd)
        self._paths = {item.sid: item.path for item in found if item.sid and not item.agent}
        self._heads: dict[str, tuple[str, str]] = {}

    def of(self, item: Transcript) -> Destination:
        """Return the project a transcript's own session belongs to."""
        cwd = self.cwd_of(item)
        return self.destinations.of(item.sid, cwd) if item.sid else self.destinations.at(cwd)

    def cwd_of(self, item: Transcript) -> str:
        """Return the first directory of the session that a transcript belongs to."""
        return self._head(_session_path(item))[0]

    def owned(
        self, found: Iterable[Transcript], project: Project, states: Mapping[str, FileState]
    ) -> list[Transcript]:
        """Return the transcripts of a project. states: path → what an import knows about it.

        Claude Code has one folder per directory that sessions began in, so one transcript of a
        folder tells whether the others have to be opened. Two directories can share a folder, but
        only where their names differ in signs alone; then the folder begins as the project's does.
        """
        chosen: list[Transcript] = []
        folders: dict[str, bool] = {}
        for item in found:
            folder = _folder(item)
            if folder not in folders:
                cwd = self.cwd_of(item)
                mine = not cwd or self.of(item).name == project.name
                folders[folder] = mine or _may_be_below(folder, project.root)
            state = states.get(item.path)
            if state is not None and state.project:
                if state.project == project.name:
                    chosen.append(item)
            elif folders[folder] and self.of(item).name == project.name:
                chosen.append(item)
        return chosen

    def _first_cwd(self, sid: str) -> str:
        """Return the directory a session began in, by its own transcript; "" without one."""
        path = self._paths.get(sid)
        return self._head(path)[0] if path else ""

    def began(self, item: Transcript) -> str:
        """Return when the session of a transcript began; "" if unknown."""
        return time_of(self._head(_session_path(item))[1])

    def _head(self, path: str) -> tuple[str, str]:
        if path not in self._heads:
            self._heads[path] = _head_of(path)
        return self._heads[path]


def first_cwd(path: str) -> str:
    """Return the first directory a transcript names; "" if it cannot be read."""
    return _head_of(path)[0]


def _head_of(path: str) -> tuple[str, str]:
    """Return the first directory a transcript names and the time of that line; "" if unknown."""
    try:
        with open_transcript(path) as file:
            return _head_in(file)
    except OSError:
        return "", ""


def _folder(item: Transcript) -> str:
    """Return the client's folder of a session, also for the transcript of a subagent."""
    return os.path.dirname(_session_path(item))


def _may_be_below(folder: str, root: str) -> bool:
    """Return whether a transcript folder may belong to a directory at or below `root`."""
    return bool(root) and os.path.basename(folder).startswith(folder_name(root)[:_NAME])


def _session_path(item: Transcript) -> str:
    """Return the path of the session's own transcript, also for the transcript of a subagent."""
    if not item.agent or not item.sid:
        return item.path
    return os.path.dirname(os.path.dirname(item.path)) + ".jsonl"


def _head_in(file: Any) -> tuple[str, str]:
    for size in _HEADS:
        head = os.pread(file.fileno(), size, 0)
        found = _first_in(head.split(b"\n", _LINES)[:_LINES])
        if found[0] or len(head) < size:
            return found
    return _first_in(islice(_lines(file), _LINES))


def _lines(file: Any) -> Iterator[bytes]:
    """Yield the lines of a file from its start on; one that is too long in pieces."""
    file.seek(0)
    while file.tell() < _MOST and (line := file.readline(LONGEST)):
        yield line


def _first_in(lines: Iterable[bytes]) -> tuple[str, str]:
    """Return directory and time of the first line that names a directory."""
    for data in lines:
        if b'"cwd"' in data:
            line = line_of(data)
            if line is not None and line.cwd:
                return line.cwd, line.timestamp or ""
    return "", ""
