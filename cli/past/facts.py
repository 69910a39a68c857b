"""The fields of a past session for --json, the same in every command that lists or finds some."""

from typing import Any

from msgspec.structs import asdict

from cli.render.text import members
from journal.history.conversations.model import Resume
from journal.history.conversations.resume import Transcripts
from journal.history.search.index import Hit, PastSession
from journal.history.session_text import content_of
from projections.digest import Digest, duration_ms, outcome, status, title_of

_TITLE_SOURCES = {
    "custom": "custom",
    "ai": "ai",
    "summary": "summary",
    "extract": "summary",
    "request": "prompt",
    "prompt": "prompt",
}
# Of a session that a search found: enough to choose one.
_OF_HIT = (
    "session project title status outcome started last branch imported resume no_resume".split()
)


def facts_of(
    past: PastSession | Hit, transcripts: Transcripts, *, full: bool = False
) -> dict[str, Any]:
    """Return the fields of a session for --json. full: with those of its Markdown block."""
    digest = past.digest
    session = digest.session
    facts: dict[str, Any] = {
        "session": digest.sid,
        "project": past.project,
        "status": status(digest),
        "title": title_of(digest),
        "title_source": _TITLE_SOURCES.get(session.title_source),
        "started": session.started or None,
        "ended": session.ended or (session.last if digest.imported else "") or None,
        "last": session.last or None,
        "duration_ms": duration_ms(digest),
        "outcome": outcome(digest),
        **members(session, "branch", "model", "prompts", "turns", "tools", "failures", "files"),
        **members(session, "compactions", "tokens"),
        "marks": [asdict(mark) for mark in digest.marks],
        "summarized": bool(digest.summary_seq),
        "imported": digest.imported,
        "of": digest.of or None,
        "seq": digest.seq,
        **resume_facts(transcripts.resume(digest)),
    }
    return {**facts, **_content_facts(digest)} if full else facts


def _content_facts(digest: Digest) -> dict[str, Any]:
    parts = content_of(digest)
    return {
        "summary": parts.summary,
        "decisions": parts.decisions,
        "files": parts.files,
        "asked": digest.prompts,
        "units": digest.units,
        "engine": digest.engine or None,
        "source": parts.seq,
    }


def facts_of_hit(hit: Hit, transcripts: Transcripts) -> dict[str, Any]:
    """Return the fields of a hit; spans are offsets in the snippet."""
    facts = facts_of(hit, transcripts)
    return {
        **{name: facts[name] for name in _OF_HIT},
        "seq": hit.digest.first,
        "score": round(hit.score, 6),
        "ways": hit.ways,
        "snippet": hit.snippet,
        "spans": [list(span) for span in hit.spans],
        "found_in": hit.kind or None,
    }


def resume_facts(resume: Resume) -> dict[str, Any]:
    """Return the fields about how to resume a session."""
    return {"resume": resume.command or None, "no_resume": resume.why or None}
