"""Notice to the person, at startup, that a settings file has mistakes."""

from __future__ import annotations

from journal.text import plural
from projections.messages.message import Answer, Reason, switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.messages.message import Input, Response

__all__ = ["respond"]


def respond(given: Input) -> Response:
    """Answer SessionStart(startup)."""
    count = given.settings.get("config.problems", 0)
    if not count:
        return None
    yield switch(given.settings, "start.announce")
    yield Reason("settings", plural(count, "problem"), passed=True)
    return Answer(
        message=f"journal: {plural(count, 'problem')} in the configuration. Run: journal config"
    )
