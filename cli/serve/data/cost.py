"""Compare a text with the context a session has left.

Invariant: unknown is not zero: where a session's pressure is unknown, the reason is given instead
of a number. The estimate of a text depends on the text alone.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from journal.text import estimate_tokens


class ContextCost(NamedTuple):
    """The share of a session's remaining context that a text would take.

    tokens: estimate of the text. remaining: tokens until Claude Code compacts the session, or
    until its window is full (compacts: false); None is unknown, and `unknown` says why. chosen:
    whether there is a session to compare with.
    """

    tokens: int
    remaining: int | None = None
    unknown: str = ""
    compacts: bool = True
    chosen: bool = True

    @property
    def share(self) -> float | None:
        """Return the share of the remaining tokens; None without any, or if that is unknown."""
        return self.tokens / self.remaining if self.remaining else None


def cost_of(text: str, pressure: Mapping[str, Any] | None) -> ContextCost:
    """Compare a text with a session's pressure view; None: no session is chosen."""
    tokens = estimate_tokens(text)
    if pressure is None:
        return ContextCost(tokens, unknown="no session is chosen", chosen=False)
    compacts, point = pressure.get("auto_compact", True), pressure.get("point")
    if pressure["known"] and point is not None:
        return ContextCost(tokens, max(0, point - pressure["tokens"]), compacts=compacts)
    unknown = "its compaction threshold is unknown"
    if not pressure["known"]:
        unknown = str(pressure["unknown"] or "")
    return ContextCost(tokens, unknown=unknown, compacts=compacts)
