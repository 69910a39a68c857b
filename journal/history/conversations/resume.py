"""Find Claude Code's transcripts, and the command that resumes a session.

Claude Code finds a session by its ID among the transcripts of the directory it is started in.
Invariant: a command is offered only if both the transcript and its directory exist, and it can be
pasted into a shell unchanged; otherwise the reason is returned.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from journal.history.conversations.model import Resume
from journal.history.importer.find import Transcript, find
from journal.history.importer.owners import first_cwd
from journal.home import client_dir
from journal.text import quoted
from journal.transcript.location import is_folder_of, is_transcript_path
from projections.digest import Digest

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,127}")
_SHOWN = 120  # characters of a path that a reason shows


class Transcripts:
    """Claude Code's transcripts by session. The folder is listed once, unless `listed` has it."""

    def __init__(
        self, env: Mapping[str, str], listed: Callable[[], Iterable[Transcript]] | None = None
    ) -> None:
        self.folder = os.path.join(client_dir(env), "projects")
        self._listed = listed or (lambda: find(self.folder))

    @cached_property
    def paths(self) -> dict[str, str]:
        """Return session → path of its transcript: of several, the one Claude Code resumes."""
        found: dict[str, str] = {}
        for sid, path in ((item.sid, item.path) for item in self._listed() if not item.agent):
            if os.path.dirname(os.path.dirname(path)) == self.folder:
                known = found.setdefault(sid, path)
                if path != known and (_is_in_its_folder(path) or not _is_in_its_folder(known)):
                    found[sid] = path
        return found

    def path(self, digest: Digest) -> str:
        """Return the transcript of a session, or "" if it no longer exists.

        If the session was imported from another folder, return the transcript there.
        """
        if digest.of:
            return ""
        return self.paths.get(digest.sid) or recorded_path(digest)

    def resume(self, digest: Digest) -> Resume:
        """Return the command that resumes a session, or why there is none."""
        sid = digest.sid
        if digest.of:
            return Resume(why=f"a part of session {quoted(digest.of, _SHOWN)}: resume that one")
        if not _ID.fullmatch(sid):
            return Resume(why="it is not a session ID of Claude Code")
        path = self.paths.get(sid)
        if path is None:
            elsewhere = self.path(digest)
            if elsewhere:
                where = quoted(os.path.dirname(elsewhere), _SHOWN)
                return Resume(why=f"its transcript is in {where}, where Claude Code does not look")
            return Resume(why="its transcript does not exist")
        return _resumed(sid, path)


def recorded_path(digest: Digest) -> str:
    """Return the transcript path that a log records for a session, or "" if there is no such file.

    Because the path comes from a log, its file name must be that of this session's transcript.
    """
    path = digest.session.transcript
    return path if is_transcript_path(path, digest.sid) and os.path.isfile(path) else ""


def _is_in_its_folder(path: str) -> bool:
    return is_folder_of(os.path.basename(os.path.dirname(path)), first_cwd(path))


def _resumed(sid: str, path: str) -> Resume:
    directory = first_cwd(path)
    if not directory:
        return Resume(why="its transcript names no directory")
    if not directory.isprintable():
        return Resume(why="the name of its directory has unprintable characters")
    if not os.path.isdir(directory):
        return Resume(why=f"its directory is gone: {quoted(directory, _SHOWN)}")
    if not _is_in_its_folder(path):
        return Resume(why="its transcript is in the folder of another directory")
    return Resume(command=f"cd {shlex.quote(directory)} && claude --resume {sid}")
