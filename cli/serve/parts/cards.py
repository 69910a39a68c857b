"""Past sessions as the API and the page show them: digests in, shapes out. Pure.

Invariant: every text is bounded by the digest it comes from; nothing is escaped here, for nothing
here is markup: whoever shows it escapes it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from cli.serve.parts.meter import estimate
from cli.serve.shapes import Card, Day, Failure, Mark, Match, ProjectNode, Story
from journal.clock import millis
from projections.digest import duration_ms, outcome, status, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from journal.history.search.index import Hit, Past

__all__ = ["card_of", "match_of", "source_of", "story_of", "tree_of"]


def card_of(past: Past) -> Card:
    """One session in a list."""
    return Card(**_facts(past))


def _facts(past: Past | Hit) -> dict[str, Any]:
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


def story_of(past: Past, block: str) -> Story:
    """One session as a whole. block: what a pack tells of it."""
    digest, session = past.digest, past.digest.session
    return Story(
        **_facts(past),
        summary=digest.summary,
        engine=digest.engine,
        prompt_texts=list(digest.prompts),
        decision_texts=list(digest.decisions or digest.summary_decisions),
        file_names=list(digest.summary_files or session.files),
        compact_summaries=list(digest.compacts),
        messages=list(digest.messages),
        units=list(digest.units),
        errors=[
            Failure(
                seq=item.seq,
                tool=item.tool,
                target=item.target,
                error=item.error,
                repaired=item.repaired or None,
            )
            for item in digest.failures
        ],
        marks=[
            Mark(kind=item.kind, what=item.what, count=item.count, seq=item.seq, last=item.last)
            for item in digest.marks
        ],
        source=source_of(past),
        block=block,
        block_tokens=estimate(block),
    )


def source_of(past: Past) -> str:
    """Event that what is told of a session rests on, as PROJECT#SEQ."""
    from cli.past.render import told

    return f"{past.project}#{told(past.digest).seq}"


def match_of(hit: Hit) -> Match:
    """One hit of a search."""
    return Match(
        session=Card(**_facts(hit)),
        score=float(hit.score),
        snippet=hit.snippet,
        spans=[(int(start), int(end)) for start, end in hit.spans],
        ways={str(way): int(rank) for way, rank in hit.ways.items()},
    )


def tree_of(cards: Iterable[Card]) -> list[ProjectNode]:
    """Sessions (newest first) by project and day; the project with the newest session first."""
    projects: dict[str, dict[str, list[Card]]] = {}
    for card in cards:
        days = projects.setdefault(card.project, {})
        days.setdefault(_day(card.started or card.last), []).append(card)
    return [
        ProjectNode(
            project=name,
            count=sum(len(found) for found in days.values()),
            days=[Day(day=day, sessions=days[day]) for day in sorted(days, reverse=True)],
        )
        for name, days in projects.items()
    ]


def _day(at: str) -> str:
    """Date of a time where the person is, who is on this very machine."""
    ms = millis(at)
    return time.strftime("%Y-%m-%d", time.localtime(ms / 1000)) if ms is not None else ""
