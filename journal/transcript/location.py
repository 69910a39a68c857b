"""Where Claude Code stores a session's transcript: `projects/FOLDER/SESSION.jsonl`."""

from __future__ import annotations

import os

_KEPT = 100  # characters of a folder's name that Claude Code never shortens


def folder_name(directory: str) -> str:
    """Return the folder name of a directory: every character but ASCII letters and digits is "-".

    Claude Code shortens long names, so compare such a name with the functions below.
    """
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in directory)


def is_folder_of(name: str, directory: str) -> bool:
    """Return whether Claude Code stores the transcripts of a directory in the folder `name`."""
    expected = {folder_name(path) for path in (directory, os.path.realpath(directory))}
    return any(
        name == whole or (len(whole) > _KEPT and name.startswith(whole[:_KEPT]))
        for whole in expected
    )


def may_be_below(name: str, root: str) -> bool:
    """Return whether the folder `name` may belong to a directory at or below `root`."""
    return bool(root) and name.startswith(folder_name(root)[:_KEPT])


def is_transcript_path(path: str, sid: str) -> bool:
    """Return whether a path that comes from a log can be that of session `sid`'s transcript."""
    return os.path.isabs(path) and os.path.basename(path) == f"{sid}.jsonl"
