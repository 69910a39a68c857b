"""Where Claude Code stores a session's transcript: `projects/FOLDER/SESSION.jsonl`."""

from __future__ import annotations

import os


def folder_name(directory: str) -> str:
    """Return the folder name of a directory: every character but ASCII letters and digits is "-".

    Claude Code shortens long names, so compare only the beginning of such a name.
    """
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in directory)


def is_transcript_path(path: str, sid: str) -> bool:
    """Return whether a path that comes from a log can be that of session `sid`'s transcript."""
    return os.path.isabs(path) and os.path.basename(path) == f"{sid}.jsonl"
