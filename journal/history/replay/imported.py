"""Step through the imported events of a project, to interleave them with its live events.

Invariant: they change only the sessions; no hook saw them, so they have no answers.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from journal.history.merged import Cite, TimelineRecord, by_time
from journal.history.replay.facts import ts_of
from journal.history.replay.steps import Step, steps
from journal.home import IMPORTED
from projections.fold import Fold
from projections.registry import REGISTRY

TimelinePosition = tuple[str, bool, int]
"""A position in the timeline, as `by_time` returns it."""

PlacedStep = tuple[TimelinePosition, "Step"]

_CHANGED = ("sessions",)


def with_positions(found: Iterable[Step]) -> Iterator[PlacedStep]:
    """Yield the steps of a live log with their positions in the timeline."""
    at = ""
    for step in found:
        at = max(at, ts_of(step.line))
        yield (at, False, step.seq), step


def imported_steps(
    entries: Iterable[TimelineRecord],
    names: Iterable[str],
    end: TimelinePosition | None,
    last: int | None,
) -> Iterator[PlacedStep]:
    """Step through imported events up to `end`; if `last` is given, only through the last ones.

    names: projections to compare.
    """
    changed = [name for name in names if name in _CHANGED]
    fold = Fold([REGISTRY[name] for name in changed])
    inside = entries if end is None else (item for item in entries if by_time(item) <= end)
    chosen: Iterable[TimelineRecord] = inside
    if last is not None:
        chosen = newest = deque[TimelineRecord]()
        for entry in inside:
            newest.append(entry)
            if len(newest) > last:
                first = newest.popleft()
                fold.feed([(first.seq, first.line)])
    positions: deque[TimelinePosition] = deque()

    def records() -> Iterator[tuple[int, bytes]]:
        for entry in chosen:
            positions.append(by_time(entry))
            yield entry.seq, entry.line

    for step in steps(records(), changed, {}, answers=False, fold=fold):
        step.cite = str(Cite(IMPORTED, step.seq))
        yield positions.popleft(), step
