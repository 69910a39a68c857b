"""How well search by words alone finds what is asked for, in three languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.search.index import Index
from tests.journal.history.search.relevance import made

if TYPE_CHECKING:
    from collections.abc import Iterator

# Lower limits, slightly below the figures measured at the last change of the ranking.
FLOOR = {"english": (0.575, 0.625), "japanese": (0.57, 0.67), "korean": (0.61, 0.68)}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Yield an index of the set, without a model."""
    home = tmp_path_factory.mktemp("relevance")
    assert made.write(home) >= 300
    found = Index(str(home), env={})
    found.update()
    yield found
    found.close()


def scores(index: Index, language: str) -> tuple[float, float, int]:
    """Return mean nDCG@10 and recall@10 over the queries of a language, and their number."""
    asked = [query for query in made.queries() if query.language == language]
    gains, recalls = [], []
    for query in asked:
        found = [hit.digest.sid for hit in index.search(query.text)]
        gains.append(made.ndcg(found, query.grades))
        recalls.append(made.recall(found, query.grades))
    return sum(gains) / len(asked), sum(recalls) / len(asked), len(asked)


def test_the_set_is_large_enough() -> None:
    """There are at least 60 queries, 20 in each language, and 300 sessions."""
    asked = [query.language for query in made.queries()]
    assert len(asked) >= 60
    assert min(asked.count(language) for language in FLOOR) >= 20
    assert len(made.topics()) * made.SESSIONS >= 300


@pytest.mark.parametrize("language", FLOOR)
def test_words_find_it(index: Index, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """BM25 alone stays above its lower limits."""
    gain, share, count = scores(index, language)
    with capsys.disabled():
        print(f"\n{language}: {count} queries, words: nDCG@10 {gain:.3f}, recall@10 {share:.3f}")
    assert gain >= FLOOR[language][0]
    assert share >= FLOOR[language][1]
