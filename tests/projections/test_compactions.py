"""How the records of one compaction in two logs are paired."""

from __future__ import annotations

from msgspec.structs import replace

from projections.compactions import same_pairs
from projections.session import Compaction


def test_compactions_close_together_are_paired_by_time() -> None:
    """A hook's record belongs to the nearest of a transcript's, each to one at most."""
    at = ["2026-11-21T08:00:00.000Z", "2026-11-21T08:00:20.000Z", "2026-11-21T08:00:50.000Z"]
    of = [Compaction(seq=n, at=text, done_seq=n) for n, text in enumerate(at, 1)]
    assert same_pairs(of[1:], of) == {1: 0, 2: 1}
    assert same_pairs(of[:1], of[1:]) == {0: 0}
    assert same_pairs([replace(of[0], done_seq=0)], of) == {}
