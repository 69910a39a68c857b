"""Compare a text with the context a session has left.

Invariant: unknown is not zero: where a session's pressure is unknown, the reason is given instead
of a number. The estimate of a text depends on the text alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.serve.schemas import ContextCost
from cli.view.context import made
from journal.text import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.scope import JournalScope

__all__ = ["cost_of", "pressure_of"]


def pressure_of(scope: JournalScope) -> dict[str, Any]:
    """Return the pressure view of the session a scope names."""
    return made(scope, "pressure")


def cost_of(session: str, text: str, pressure: Mapping[str, Any] | None) -> ContextCost:
    """Compare a text with a session's pressure view; None: no session is chosen."""
    tokens = estimate_tokens(text)
    context, point, unknown, compacts = None, None, "no session is chosen", True
    if pressure is not None:
        context = pressure["tokens"] if pressure["known"] else None
        compacts = pressure.get("auto_compact", True)
        point = pressure.get("point")
        unknown = str(pressure["unknown"] or "")
        if not unknown and point is None:
            unknown = "where the session is compacted is not known"
    remaining = None if context is None or point is None else max(0, point - context)
    return ContextCost(
        session=session,
        tokens=tokens,
        characters=len(text),
        context=context,
        point=point,
        remaining=remaining,
        share=round(tokens / remaining, 4) if remaining else None,
        fits=None if remaining is None else tokens <= remaining,
        unknown="" if remaining is not None else unknown,
        compacts=compacts,
    )
