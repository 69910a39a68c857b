"""Compare a text with the context a session has left.

Invariant: unknown is not zero: if a session's pressure is unknown, the sentence says why. The
estimate of a text depends only on the text.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from journal.text import estimate_tokens

_HIGH = 0.5  # share of the remaining context from which the bar warns


class ContextCost(NamedTuple):
    """The share of a session's remaining context that a text would take.

    level: empty, ok, high, over or unknown. sentence: for people. share: of the remaining tokens,
    None if these are none or unknown.
    """

    level: str
    sentence: str
    share: float | None = None


def cost_of(text: str, pressure: Mapping[str, Any] | None) -> ContextCost:
    """Compare a text with a session's pressure view; None if no session is chosen."""
    tokens = estimate_tokens(text)
    about = f"About {tokens:,} tokens" if tokens else "Nothing chosen yet"
    unknown = "unknown" if tokens else "empty"
    if pressure is None:
        compared = "; no live session is chosen to compare with" * bool(tokens)
        return ContextCost(unknown, about + compared)
    point = pressure.get("point")
    if not pressure["known"] or point is None:
        why = "its compaction threshold is unknown" if pressure["known"] else pressure["unknown"]
        why = f" ({why})" if why else ""
        return ContextCost(unknown, f"{about}; what the session has left is unknown{why}")
    until = "left until compaction"
    if not pressure.get("auto_compact", True):
        until = "left of the usable window (automatic compaction is off)"
    left = max(0, point - pressure["tokens"])
    if not left:
        return ContextCost("over" if tokens else "empty", f"{about}; nothing is {until}")
    share = tokens / left
    if not tokens:
        return ContextCost("empty", f"{about}; {left:,} {until}", share)
    percent = f"{share:.0%}" if share >= 0.01 else "less than 1%"
    level = "over" if share > 1 else "high" if share >= _HIGH else "ok"
    return ContextCost(level, f"{about}: {percent} of the {left:,} {until}", share)
