"""Notices of a hook that cannot answer: no typed library here, or nothing can be appended.

Standard library only, and no views: there are none when these are shown.
"""

from __future__ import annotations

__all__ = ["WHAT", "answers_off", "capture_off", "journal_off", "lock_fails"]

WHAT = "answers-off"
"""What the `advice.given` event of it is about: it is shown once per session."""


def answers_off(interpreter: str, why: str, command: str) -> str:
    """Return the notice for an interpreter that records but cannot answer.

    Args:
        interpreter: its path.
        why: what it lacks, as a predicate: "has no msgspec".
        command: path of the journal command.

    """
    return (
        f"journal: hooks record events, but answers are off: {interpreter} {why}. "
        f"To turn them on, run once: {command} setup (it puts msgspec where hooks find it)"
    )


def journal_off(path: str, what: str, remedy: str) -> str:
    """Return the notice that hooks cannot append. what: the trouble with `path`, as a predicate."""
    fix = f" To turn it on: {remedy}." if remedy else ""
    return f"journal is off: {path} {what}.{fix}"


def capture_off(file: str) -> str:
    """Return the notice that a project switches recording off. file: its settings file."""
    return (
        f'journal: {file} of this project sets capture.level = "off", so nothing is recorded here. '
        "If that is not your choice, remove the line. This is said once."
    )


def lock_fails(directory: str) -> str:
    """Return the notice that two hooks wrote at the same time, though each held the lock."""
    return (
        f"journal: two hooks wrote to {directory} at the same time: the file system there grants "
        "a lock to both, as some network file systems do. Nothing is lost, but the log is not in "
        "order: run journal repair, then set JOURNAL_HOME to a directory on a local disk."
    )
