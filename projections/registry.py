"""All projections by name, for commands. Hooks fold only `views.HOOK_PROJECTIONS`."""

from projections import digests, learnings, sessions
from projections.projection import Projection
from projections.views import HOOK_PROJECTIONS

REGISTRY: dict[str, Projection] = {
    item.name: item
    for item in (
        *HOOK_PROJECTIONS,
        sessions.PROJECTION,
        learnings.PROJECTION,
        digests.PROJECTION,
    )
}
