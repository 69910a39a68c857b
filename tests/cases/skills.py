"""What several modules of skill-progress cases share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from journal.workfiles.progress_file import file_name
from tests.cases.world import SID

if TYPE_CHECKING:
    from tests.cases.workshop import Workshop


def own_file(sid: str = SID) -> str:
    """Return the path of a session's progress file, relative to the project."""
    return f"docs/plans/{file_name(sid)}"


def crowd(world: Workshop, *, stale: int = 12, fresh: int = 6, size: int = 20) -> None:
    """Create progress in `stale` old and `fresh` recent other sessions, and in this session."""
    for number in range(stale + fresh):
        if number == stale:
            world.after(hours=80)
        sid = f"{number:08}-aaaa-4bbb-8ccc-000000000000"
        world.save(f"skill-{number}", sid=sid, summary="b" * size, name="N" * min(size, 100),
                   next="n" * size)  # fmt: skip
    world.save("own-skill", 2, summary="b" * size, next="n" * size)


def timeless(text: str) -> str:
    """Remove what differs from one run to the next: seqs, clock, number of the compaction."""
    return re.sub(r"#\d+|\d\d:\d\d UTC|compaction \d+ of this session", "", text)
