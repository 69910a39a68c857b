"""Read the conversation of a session from the best source available.

Sources, in order: the transcript while it exists, the copy that an import stored, the events of the
journal, which hold the beginnings of texts. Invariant: what a compaction dropped is computed in the
same way for every source.
"""

import os
from collections.abc import Collection
from pathlib import PurePath

from journal.history.archive.files import conversation
from journal.history.conversations.model import Conversation, Entry
from journal.history.conversations.recorded import decisions_in, read_journal
from journal.history.conversations.resume import Transcripts
from journal.history.conversations.text import clean
from journal.history.conversations.transcript import read_lines, read_transcript
from journal.history.importer.state import stored_parts
from journal.home import Project
from projections.digest import Digest, title_of
from projections.facts.presence import left_out_of
from projections.facts.session import KnownFacts


def conversation_of(
    digest: Digest,
    directory: str,
    transcripts: Transcripts,
    *,
    project: str = "",
    details: bool | Collection[str] = False,
) -> Conversation:
    """Read the conversation of a session.

    directory: journal of its project. details: whether to read inputs and outputs of tool calls, or
    the IDs of the calls to read them for; only a transcript or its copy has them.
    """
    session = digest.session
    made = Conversation(digest.sid, project, title_of(digest), resume=transcripts.resume(digest))
    made.started, made.last = session.started, session.last
    made.branch, made.model = session.branch, session.model
    made.files, made.decisions = list(session.files), list(digest.decisions)
    path = transcripts.path(digest)
    began = "" if digest.of else session.started
    read = _transcript(path, details, began)
    if read is not None:
        made.source, made.path = "transcript", path
    elif not digest.of:
        read = _archived(directory, digest.sid, details, began)
        made.source, made.skipped = "archive", read.skipped
    if read is not None and read.entries:
        _fill(made, read, digest, decisions_in(digest, directory))
    else:
        made.source = "journal"
        made.entries, made.tokens = read_journal(digest, directory)
    made.whole = made.source != "journal"
    if made.directory:
        _shorten_paths(made, os.path.basename(directory))
    _mark_dropped(made.entries)
    return made


def _transcript(path: str, details: bool | Collection[str], began: str) -> Conversation | None:
    if not path:
        return None
    try:
        read = read_transcript(path, details=details, began=began)
    except OSError:  # just deleted, or not readable by us: use the stored copy or the journal
        return None
    return read if read.entries else None


def _archived(
    directory: str, sid: str, details: bool | Collection[str], began: str
) -> Conversation:
    damaged: list[int] = []
    stored = stored_parts(*os.path.split(directory), sid)
    lines = conversation(directory, sid, damaged, stored)
    read = read_lines(lines, details=details, began=began)
    read.skipped.damaged = len(damaged)
    return read


def _fill(made: Conversation, read: Conversation, digest: Digest, decisions: list[Entry]) -> None:
    made.entries = _with_decisions(read.entries, decisions)
    made.decisions = made.decisions or [entry.text for entry in decisions]
    made.skipped, made.tokens = read.skipped, read.tokens
    made.started, made.last = made.started or read.started, made.last or read.last
    made.branch, made.model = made.branch or read.branch, made.model or read.model
    made.directory = clean(read.directory, 4096)[0]
    made.files = list(dict.fromkeys((*made.files, *read.files)))
    if read.title and digest.session.title_source not in ("custom", "ai"):
        made.title = read.title


def _with_decisions(entries: list[Entry], decisions: list[Entry]) -> list[Entry]:
    """Put each decision before the first later entry of the main thread."""
    merged: list[Entry] = []
    waiting = list(decisions)
    for entry in entries:
        while waiting and not entry.agent and waiting[0].at < entry.at:
            merged.append(waiting.pop(0))
        merged.append(entry)
    return merged + waiting


def _shorten_paths(made: Conversation, project: str) -> None:
    """Make paths relative to the project, as in the journal of that name.

    If that is not above the session's directory, they become relative to the latter.
    """
    above = [made.directory, *map(str, PurePath(made.directory).parents)]
    found = next((path for path in above if Project(path).name == project), made.directory)
    top = found.rstrip(os.sep) + os.sep
    for entry in made.entries:
        if entry.tool is not None:  # "Grep PATTERN PATH"
            entry.tool.about = f" {entry.tool.about}".replace(f" {top}", " ")[1:]
    made.files = list(dict.fromkeys(path.removeprefix(top) for path in made.files))


def _mark_dropped(entries: list[Entry]) -> None:
    """Record on each compaction how much it replaced, and what its summary does not mention."""
    count = 0
    paths: dict[str, None] = {}
    decisions: list[str] = []
    for entry in entries:
        if entry.agent:
            continue
        if entry.compaction is not None:
            known = KnownFacts([*paths][::-1], decisions[::-1])
            entry.compaction.replaced = max(0, count - entry.compaction.kept)
            entry.compaction.dropped = left_out_of(entry.compaction.summary, known)
            count, paths, decisions = entry.compaction.kept, {}, []
            continue
        count += 1
        if entry.kind == "decision":
            decisions.append(entry.text)
        if entry.tool is not None and entry.tool.changes and entry.tool.about:
            paths.pop(entry.tool.about, None)
            paths[entry.tool.about] = None
