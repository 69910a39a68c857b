"""`journal gc` removes texts and changes no count on any surface."""

from __future__ import annotations

import tempfile

from hypothesis import given
from hypothesis import strategies as st

from journal.history.forget.collect import RECORDS, collect
from journal.log.read import Reader
from journal.log.record import is_tombstone
from journal.log.verify import verify
from tests.laws.surfaces import Journals, surfaces, view
from tests.projections.drawn import LINES
from tests.support.examples import examples

LATER = "2028-01-01T00:00:00.000Z"


@given(
    lines=LINES,
    where=st.lists(st.sampled_from(["live", "imported", "both"]), min_size=1),
    data=st.data(),
)
@examples(24, sample=1)
def test_every_surface_counts_as_before(
    lines: list[str], where: list[str], data: st.DataObject
) -> None:
    """All counts stay the same, whatever class is removed and however the events are split."""
    classes = data.draw(st.sets(st.sampled_from(sorted(RECORDS)), min_size=1))
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        journals = Journals(top)
        journals.add([(line, where[at % len(where)]) for at, line in enumerate(lines)])
        before = {"view": view(journals), **surfaces(journals)}
        done = collect(
            journals.home, list(journals.named()), LATER, dict.fromkeys(classes, 1), dry=False
        )
        assert {"view": view(journals), **surfaces(journals)} == before
        for scope in journals.scopes.values():
            for directory in (scope.directory, f"{scope.directory}/imported"):
                report = verify(directory)
                assert (report.exit_code, report.findings) == (0, [])
                emptied = sum(is_tombstone(line) for _, line in Reader(directory))
                assert report.tombstones == emptied
        assert all(one.number >= 0 for one in done.values())
