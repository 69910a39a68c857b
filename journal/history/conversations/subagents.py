"""Find the transcripts of a session's subagents, and insert them into its conversation.

Invariant: symbolic links are not followed; the metadata beside a transcript is read up to a limit.
"""

import os

from journal.codec import loads
from journal.files import read_regular
from journal.history.conversations.model import Entry
from journal.history.conversations.text import clean
from journal.history.importer.find import find

_META = 64 * 1024  # bytes of the metadata beside a subagent's transcript
_AGENTS = 500  # subagents read per session


def subagents(folder: str) -> list[tuple[str, str]]:
    """Return (agent, file) of the subagents of a session, in the order in which they ended."""
    found = [item for item in find(os.path.join(folder, "subagents")) if item.agent]
    return [(clean(item.agent, 128)[0] or "unknown", item.path) for item in found[:_AGENTS]]


def use_of(path: str) -> str:
    """Return the ID of the tool call that started a subagent, or "" if it is not recorded."""
    try:
        meta = loads(read_regular(path.removesuffix(".jsonl") + ".meta.json", _META))
    except (OSError, ValueError, RecursionError):
        return ""
    found = meta.get("toolUseId") if isinstance(meta, dict) else ""
    return found if isinstance(found, str) else ""


def insert(main: list[Entry], side: list[Entry], use: str) -> None:
    """Insert a subagent's entries after the call that started it; if unknown, by their time."""
    if not side:
        return
    calls = ((n, entry.tool) for n, entry in enumerate(main, 1) if use and entry.tool)
    at = next((n for n, call in calls if call.use == use), 0)
    if not at:
        began = side[0].at
        at = next((n for n, entry in enumerate(main) if entry.at > began), len(main))
    while at < len(main) and main[at].agent:
        at += 1
    main[at:at] = side
