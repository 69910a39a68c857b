"""Notices about settings whose meaning has changed, each given once per project.

Invariant: a notice is recorded as `advice.given` with what `notice:NAME`; without a journal nothing
is recorded, and the notice appears again.
"""

from cli.doctor.installation import Installation
from cli.doctor.rows import Check
from cli.read import advised

_NOTICE = "notice:stage-thresholds"


def stage_thresholds(install: Installation) -> list[Check]:
    """Note, once, that stage thresholds are now percentages of the context until compaction."""
    loaded = install.scope.configuration
    keys = [
        key
        for key, origin in loaded.origins.items()
        if key.startswith("stage.thresholds") and origin != "default"
    ]
    if not keys or _was_given(install):
        return []
    now = "percentages are of the room until compaction now, no longer of the window (said once)"
    remedy = "journal tune weighs them against past cycles"
    return [Check("stage budgets", "note", f"{', '.join(keys)}: {now}", remedy=remedy)]


def _was_given(install: Installation) -> bool:
    """Return whether the project's journal has the notice; record it where it has not."""
    scope = install.scope
    if not scope.exists():
        return False
    if advised(scope.directory, _NOTICE)[0]:
        return True
    scope.append(scope.event("advice.given", "", what=_NOTICE, channel="cli"))
    return False
