"""List the transcripts, and the ones that Claude Code will delete soon.

Invariant: nothing is opened here; links are not followed.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from journal.clock import DAY_MS
from journal.codec import text as sound
from journal.config import client_files
from journal.config.client import client_values
from journal.errors import JournalError
from journal.home import client_dir

SOON = 7
"""Days before the deletion of a transcript from which the user is warned of it."""
_CLEANUP = 30  # days the client keeps a transcript unless its settings say otherwise


class Transcript(NamedTuple):
    """A transcript. mtime: ns; sid: the session it is named after; agent: its subagent, or ""."""

    path: str
    size: int
    mtime: int
    inode: int
    sid: str
    agent: str


def source_of(path: str, env: Mapping[str, str], cwd: str) -> str:
    """Return what to read: `path` or its `projects`; without a path, Claude Code's `projects`.

    Raise JournalError if `path` does not exist.
    """
    if not path:
        return os.path.join(client_dir(env), "projects")
    path = os.path.abspath(os.path.join(cwd, os.path.expanduser(path)))
    if not os.path.lexists(path):
        what = "there is no such file or directory"
        raise JournalError(path, what, "name a transcript or a folder")
    inside = os.path.join(path, "projects")
    return inside if os.path.isdir(inside) else path


def find(source: str, unreadable: dict[str, str] | None = None) -> list[Transcript]:
    """Return the transcripts, the least recently changed first.

    unreadable: gets the folders and files that are not listed for an error: path → why.
    """
    unreadable = {} if unreadable is None else unreadable
    if os.path.isfile(source):
        found = iter([_transcript(source, os.stat(source))])
    else:
        found = _below(source, unreadable)
    named = [item for item in found if _is_text(item.path, unreadable)]
    return sorted(named, key=lambda item: (item.mtime, item.path))


def newest(found: list[Transcript], most: int) -> list[Transcript]:
    """Return the transcripts changed last: up to `most` bytes, and at least one."""
    chosen: list[Transcript] = []
    left = most
    for item in reversed(found):
        left -= item.size
        if chosen and left < 0:
            break
        chosen.append(item)
    return chosen[::-1]


def _below(top: str, unreadable: dict[str, str]) -> Iterator[Transcript]:
    def note(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            unreadable[error.filename] = error.strerror or str(error)

    for folder, _, names in os.walk(top, onerror=note):
        for path in (f"{folder}/{name}" for name in names if name.endswith(".jsonl")):
            try:
                facts = os.lstat(path)
            except OSError as error:
                note(error)
            else:
                if stat.S_ISREG(facts.st_mode):
                    yield _transcript(path, facts)


def _is_text(path: str, unreadable: dict[str, str]) -> bool:
    """Return whether a path is UTF-8, as the state of imports and the log need it."""
    if sound(path) == path:
        return True
    unreadable[sound(path)] = "its name is not UTF-8"
    return False


def _transcript(path: str, facts: os.stat_result) -> Transcript:
    return Transcript(path, facts.st_size, facts.st_mtime_ns, facts.st_ino, *session_of(path))


def session_of(path: str) -> tuple[str, str]:
    """Return the session that a transcript is named after, and its subagent; "" for none."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(".jsonl")
    if not stem.startswith("agent-"):
        return stem, ""
    # <session>/subagents/agent-<id>.jsonl; older clients put it beside the session's own.
    inside = os.path.basename(folder) == "subagents"
    session = os.path.basename(os.path.dirname(folder)) if inside else ""
    return session, stem.removeprefix("agent-") or "unknown"


def cleanup_days(env: Mapping[str, str]) -> int:
    """Return the days after which the client deletes a transcript (`cleanupPeriodDays`)."""
    days = client_values(client_files(client_dir(env), None)).get("client.cleanupPeriodDays")
    return _CLEANUP if days is None else int(days)


def expiring(found: list[Transcript], now: int, days: int) -> list[Transcript]:
    """Return the transcripts the client deletes within a week, the next one first. now: ms."""
    bound = now - (days - SOON) * DAY_MS
    return [item for item in found if item.mtime // 1_000_000 < bound]
