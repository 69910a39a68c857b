"""Write what a session was from its digest: extractive, offline, no word that is not in it.

Invariant: pure and deterministic; the same digest gives the same summary, of at most
`LIMIT` characters.
"""

from __future__ import annotations

from msgspec import Struct

from projections.digest import title_of
from projections.prose import clip, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.digest import Digest

__all__ = ["LIMIT", "Summary", "summarize"]

LIMIT = 2000  # characters


class Summary(Struct, frozen=True, omit_defaults=True):
    """What `session.summarized` carries."""

    title: str = ""
    summary: str = ""
    decisions: list[str] = []
    files: list[str] = []
    engine: str = "extractive"


def summarize(digest: Digest) -> Summary:
    """Write the summary of one session."""
    asked = line(digest.prompts[0], 300) if digest.prompts else ""
    return Summary(
        title=title_of(digest),
        summary=clip(asked, LIMIT),
        decisions=digest.decisions[-20:],
        files=digest.session.files,
    )
