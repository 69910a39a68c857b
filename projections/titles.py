"""The title of a session: one rule for views, tables, reports, lists and the page. Pure.

A title has a source. A source that is earlier in `SOURCES` ranks higher.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from journal.events.stage import StageStarted
from journal.events.turn import CommandExpanded
from journal.events.work import ProgressSaved, UnitStarted
from projections.projection import command_text
from projections.prose import (
    is_command,
    is_own,
    is_request,
    is_substantial,
    is_word,
    line,
    opening,
    without_images,
)
from projections.session import TITLE, Session

Changes = dict[str, Any]

SOURCES = ("custom", "ai", "summary", "request", "work", "extract", "prompt", "")
"""custom: the user named it; ai: Claude Code did; summary: the model that summarized it;
request: the first prompt that says what is wanted; work: a unit of work, stage or phase; extract:
the journal's own summary; prompt: any other prompt; "": there is none."""

REQUESTED = ("request", "prompt")
_FIRST_STAYS = ("request", "work", "prompt")  # of the others, the latest counts


def titled(session: Session, source: str, text: str, at: str) -> Changes:
    """Return what a title changes in a session; nothing if the one it has ranks higher."""
    text = line(text, TITLE)
    if not text or not _replaces(session, source, at):
        return {}
    return {"title": text, "title_source": source, "title_at": at}


def requested(session: Session, text: str, at: str) -> Changes:
    """Return what a prompt changes: a request is a title.

    The first short prompt stays the title, but a single word such as "go" is replaced by the next
    prompt with more words.
    """
    text = without_images(text)
    source = "request" if is_substantial(text) else "prompt"
    if source == session.title_source == "prompt" and is_word(session.title) and not is_word(text):
        session = replace(session, title_source="")
    if not _replaces(session, source, at) or not is_request(text):
        return {}
    return titled(session, source, opening(text, TITLE), at)


def without_withdrawn_title(session: Session, asked: Sequence[str]) -> Changes:
    """Return what changes in a session if a rewind withdrew the request that is its title.

    asked: the requests that remain; the first of them is the new title.
    """
    if session.title_source not in (*REQUESTED, "extract"):
        return {}
    changes: Changes = {"title": "", "title_source": "", "title_at": ""}
    for text in asked:
        changes |= requested(replace(session, **changes), text, session.title_at)
    return changes


def expanded(session: Session, event: CommandExpanded) -> Changes:
    """Return what a slash command changes; Claude Code reports it as a prompt just before.

    Of a command of this plugin, only the arguments can be a title.
    """
    changes: Changes = {}
    if is_command(session.title, event.name) and session.title_source in REQUESTED:
        changes = {"title": "", "title_source": "", "title_at": ""}
        session = replace(session, **changes)
    text = command_text(event)
    if is_own(text):
        text = event.args if is_substantial(event.args) else ""
    return changes | requested(session, text, event.ts)


def unit_name(event: UnitStarted) -> str:
    """Return the name of a unit of work."""
    return event.title or event.unit


def phase_name(event: ProgressSaved) -> str:
    """Return the name of a skill's phase."""
    name = event.name or (f"phase {event.phase}" if event.phase else "")
    return f"{event.skill}: {name}" if name else event.skill


def stage_name(event: StageStarted) -> str:
    """Return the name of a stage; "" if it has none."""
    return f"stage {event.stage}" if event.stage else ""


def with_title(session: Session, other: Session) -> Session:
    """Return `session` with the title of `other` if that one ranks higher."""
    if not other.title or not _replaces(session, other.title_source, other.title_at):
        return session
    return replace(
        session, title=other.title, title_source=other.title_source, title_at=other.title_at
    )


def _replaces(session: Session, source: str, at: str) -> bool:
    """Return whether a title from `source` replaces that of the session."""
    if source == session.title_source:
        return source not in _FIRST_STAYS and at >= session.title_at
    return SOURCES.index(source) < SOURCES.index(session.title_source)
