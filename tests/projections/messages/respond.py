"""Ask one message about an event, with views made of a few facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.config.schema import DEFAULTS
from projections.messages import _run
from projections.messages.message import TEXT_LIMIT, Answer, Input

if TYPE_CHECKING:
    from projections.views import Views


def ask(name: str, views: Views, event: Any, **settings: Any) -> tuple[str, Answer | None]:
    """Return the check that silenced a message, "" for none, and its answer."""
    reasons, answer = _run(name, Input(views, event, {**DEFAULTS, **settings}, TEXT_LIMIT))
    failed = [reason.what for reason in reasons if reason.passed is False]
    return (failed[0] if failed else ""), answer
