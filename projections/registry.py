"""All projections by name, for commands. Hooks fold only `views.HOOK_PROJECTIONS`."""

from __future__ import annotations

from projections import digests, learnings, sessions
from projections.views import HOOK_PROJECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.projection import Projection

REGISTRY: dict[str, Projection] = {
    item.name: item
    for item in (
        *HOOK_PROJECTIONS,
        sessions.PROJECTION,
        learnings.PROJECTION,
        digests.PROJECTION,
    )
}
