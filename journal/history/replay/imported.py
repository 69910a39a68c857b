"""Step through the imported events of a project, to interleave them with its live events.

Invariant: they change only the sessions; no hook saw them, so they have no answers.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from journal.history.merged import Cite, TimelineRecord, by_time
from journal.history.replay.facts import ts_of
from journal.history.replay.steps import Step, steps
from journal.home import IMPORTED
from projections.fold import Fold
from projections.registry import REGISTRY

Edge = tuple[str, bool, int]
"""A position in the timeline, as `by_time` returns it."""

Placed = tuple[Edge, "Step"]

_CHANGED = ("sessions",)


def placed(found: Iterable[Step]) -> Iterator[Placed]:
    """Yield the steps of a live log with their positions in the timeline."""
    at = ""
    for step in found:
        at = max(at, ts_of(step.line))
        yield (at, False, step.seq), step


def imported_steps(
    entries: Iterable[TimelineRecord], names: Iterable[str], edge: Edge | None, last: int | None
) -> Iterator[Placed]:
    """Step through imported events up to `edge`; if `last` is given, only through the last ones.

    names: projections to compare.
    """
    changed = [name for name in names if name in _CHANGED]
    fold = Fold([REGISTRY[name] for name in changed])
    inside = entries if edge is None else (item for item in entries if by_time(item) <= edge)
    waiting: deque[TimelineRecord] = deque()
    for entry in inside if last is not None else ():
        waiting.append(entry)
        if last is not None and len(waiting) > last:
            first = waiting.popleft()
            fold.feed([(first.seq, first.line)])
    edges: deque[Edge] = deque()

    def records() -> Iterator[tuple[int, bytes]]:
        for entry in chain(waiting, () if last is not None else inside):
            edges.append(by_time(entry))
            yield entry.seq, entry.line

    for step in steps(records(), changed, {}, answers=False, fold=fold):
        step.cite = str(Cite(IMPORTED, step.seq))
        yield edges.popleft(), step
