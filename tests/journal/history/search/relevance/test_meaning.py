"""How well search by words and meaning finds what is asked for, compared with words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.search.index import Index
from tests.journal.history.search.relevance import made
from tests.journal.history.search.relevance.test_words import FLOOR, scores
from tests.journal.history.search.weights import assemble

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.semantic
def test_meaning_does_not_lose_to_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hybrid search is at least as good as BM25 in every language, and better in the model's own."""
    made.write(tmp_path)
    alone = Index(str(tmp_path), env={})
    alone.update()
    words = {language: scores(alone, language) for language in FLOOR}
    assemble(tmp_path)
    both_ways = Index(str(tmp_path), env={})
    assert both_ways.embed(600) == 0
    both = {language: scores(both_ways, language) for language in FLOOR}
    both_ways.close()
    with capsys.disabled():
        for name, (gain, share, count) in both.items():
            print(f"\n{name}: {count} queries, words: nDCG@10 {words[name][0]:.3f}, recall@10 "
                  f"{words[name][1]:.3f}; hybrid: {gain:.3f}, {share:.3f}", end="")  # fmt: skip
        print()
    for name, (gain, share, _) in both.items():
        assert gain >= words[name][0]
        assert share >= words[name][1]
    assert both["english"][0] > words["english"][0] + 0.05
