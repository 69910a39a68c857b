"""Build the session objects of the API and the page from digests. Pure.

Invariant: the digest bounds every text; nothing is escaped here, for nothing here is markup:
whoever shows it escapes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.serve.schemas import FailedCall, Repetition, SearchHit, SessionDetail, SessionRow
from journal.history.packs import source_of
from journal.text import estimate_tokens
from projections.digest import duration_ms, outcome, status, title_of

if TYPE_CHECKING:
    from journal.history.search.index import Hit, PastSession

__all__ = ["detail_of", "hit_of", "row_of"]


def row_of(past: PastSession | Hit) -> SessionRow:
    """Return a session as a row of a list."""
    return SessionRow(**_members(past))


def _members(past: PastSession | Hit) -> dict[str, Any]:
    digest, session = past.digest, past.digest.session
    return {
        "id": digest.sid,
        "project": past.project,
        "title": title_of(digest),
        "status": status(digest),
        "outcome": outcome(digest),
        "kind": "exported" if digest.of else "imported" if digest.imported else "live",
        "started": session.started,
        "last": session.last or session.ended or session.started,
        "branch": session.branch,
        "model": session.model,
        "prompts": session.prompts,
        "tools": session.tools,
        "failures": session.failures,
        "compactions": session.compactions,
        "files": len(digest.summary_files or session.files),
        "decisions": len(digest.decisions or digest.summary_decisions),
        "tokens": session.tokens,
        "duration_ms": duration_ms(digest),
        "summarized": bool(digest.summary),
        "of": digest.of,
    }


def detail_of(past: PastSession, block: str) -> SessionDetail:
    """Return a session as a whole. block: its text in a pack."""
    digest, session = past.digest, past.digest.session
    return SessionDetail(
        **_members(past),
        summary=digest.summary,
        engine=digest.engine,
        prompt_texts=list(digest.prompts),
        decision_texts=list(digest.decisions or digest.summary_decisions),
        file_names=list(digest.summary_files or session.files),
        compact_summaries=list(digest.compacts),
        messages=list(digest.messages),
        units=list(digest.units),
        errors=[
            FailedCall(
                seq=call.seq,
                tool=call.tool,
                target=call.target,
                error=call.error,
                repaired=call.repaired or None,
            )
            for call in digest.failures
        ],
        marks=[
            Repetition(kind=one.kind, what=one.what, count=one.count, seq=one.seq, last=one.last)
            for one in digest.marks
        ],
        source=source_of(past),
        block=block,
        block_tokens=estimate_tokens(block),
    )


def hit_of(hit: Hit) -> SearchHit:
    """Return one result of a search."""
    return SearchHit(
        session=row_of(hit),
        score=float(hit.score),
        snippet=hit.snippet,
        spans=[(int(start), int(end)) for start, end in hit.spans],
        ways={str(way): int(rank) for way, rank in hit.ways.items()},
    )
