"""What a recovery says of the work log."""

from __future__ import annotations

from typing import Any

import pytest

from journal.config.schema import DEFAULTS
from projections.compound import Compound, Flow
from projections.facts.session import LastCompaction
from projections.messages.message import TEXT_LIMIT, Input
from projections.messages.work_log import work_files, work_log_line
from projections.views import Views


class _Event:
    sid = "s"
    seq = 9


def line(state: Compound, **more: Any) -> str:
    """Return the line of a recovery."""
    return work_log_line(
        Input(Views(compound=state), _Event(), DEFAULTS, TEXT_LIMIT), LastCompaction(**more)
    )


FLOW = Flow(entries=2, digests=["1", "2"], headings=["b", "a"], path="progress.md")


@pytest.mark.parametrize(
    ("state", "more", "start"),
    [(Compound(), {}, ""),
     (Compound(flow=FLOW), {"unpromoted": 2}, "2 work-log entries were not saved as learnings"),
     (Compound(flow=FLOW, ran=5), {"unpromoted": 1, "promoted": 3}, "A compound ran before it (#5)"),
     (Compound(ran=5, ran_at="2026-11-21T08:00:00.000Z"), {"unpromoted": 0},
      "What was worth saving in the work log is saved: a compound ran before the compaction (#5, ")],
)  # fmt: skip
def test_what_was_not_saved(state: Compound, more: dict[str, Any], start: str) -> None:
    """The count is that before the compaction; without entries or a compound nothing is said."""
    found = line(state, **more)
    assert found.startswith(start)
    assert bool(found) == bool(start)


def test_the_newest_headings_are_named() -> None:
    """Three headings are quoted, and the file is named."""
    found = line(Compound(flow=FLOW), unpromoted=4, headings=["d", "c", "b", "a"])
    assert "progress.md" in found
    assert '; most recent: "d", "c", "b".' in found


def test_the_files_of_other_texts() -> None:
    """The work log and the files of learnings are named elsewhere."""
    assert work_files(Compound()) == set()
    assert work_files(Compound(flow=FLOW)) == {"progress.md"}
