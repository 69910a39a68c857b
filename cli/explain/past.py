"""Why a past session was offered or not, and what becomes of the texts that were sent.

Told only where there is something to tell: a past to offer, or a text that waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.explain.reason import Reason
from projections.messages.pack import is_asking
from projections.messages.related import candidates
from projections.queue import waiting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.explain.situation import Case

__all__ = ["past"]


def past(case: Case, settings: Mapping[str, Any]) -> list[Reason]:
    """Give the looks at past sessions and at what waits, for a start or a prompt."""
    start = case.kind == "session.started"
    if not case.event.sid or not (start or case.kind == "prompt.submitted"):
        return []
    return [*_sent(case, start=start), *_related(case, settings, start=start)]


def _said(case: Case, what: str) -> list[str]:
    """Reasons of what is injected now of a kind."""
    says = case.said.says if case.said is not None else []
    return [item["reason"] for item in says if item.get("what") == what]


def _sent(case: Case, *, start: bool) -> list[Reason]:
    items = waiting(case.views.queue, case.views.lineage, case.event.sid)
    if not items:
        return []
    taken = len(_said(case, "pack"))
    value = f"{len(items)} of this lineage wait, {taken} go along"
    if start and case.event.source != "compact":
        value += "; a start takes none, the next prompt does"
    elif not start and not is_asking(case.event):
        value += "; a command of the journal, a notification or a blank takes none"
    elif taken < len(items):
        value += "; for the others there is no room here"
    return [Reason("sent texts", value, seqs=tuple(item.seq for item in items))]


def _related(case: Case, settings: Mapping[str, Any], *, start: bool) -> list[Reason]:
    keys = ("related.enabled", "related.max_chars" if start else "related.prompts")
    cards = candidates(case.views, case.event)
    node = case.views.lineage.sessions.get(case.event.sid)
    first = node is not None and node.asked == case.event.seq
    if not cards or not (first or (start and case.event.source == "startup")):
        return []
    known = f"{len(cards)} of other lineages are known, "
    found = _said(case, "related")
    if not all(settings[key] for key in keys):
        value = known + "offers are off"
    elif found:
        value = known + f"told {found[0]}"
    else:
        value = known + ("none finds room" if start else "none fits the request and is new to it")
    return [Reason("past sessions", value, keys=keys)]
