"""A model of meaning in three dimensions, and an index that has it."""

from __future__ import annotations

from array import array
from operator import mul
from typing import TYPE_CHECKING

from journal.history.search import embed
from journal.history.search.index import Index
from journal.history.search.ranking import Filter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.journal.history.search.conftest import Home


class Model:
    """A model with three dimensions: how much a text is about fruit, metal and the sea."""

    english = True
    words = (("apple", "pear", "orchard"), ("iron", "copper", "smith"), ("ship", "tide", "sailor"))

    def __init__(self, version: str = "model 1") -> None:
        self.version = version
        self.asked: list[str] = []

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vector of each text."""
        return [array("f", self.vector(text)).tobytes() for text in texts]

    def vector(self, text: str) -> list[float]:
        """Return one vector."""
        self.asked.append(text)
        found = [float(sum(word in text for word in group)) for group in self.words]
        length = sum(x * x for x in found) ** 0.5 or 1.0
        return [x / length for x in found]

    def nearest(self, text: str, vectors: Sequence[bytes]) -> list[int]:
        """Return the positions of the vectors near a text, nearest first."""
        own = self.vector(text)
        far = [-sum(map(mul, own, array("f", vector))) for vector in vectors]
        return [at for at in sorted(range(len(far)), key=far.__getitem__) if far[at] <= -0.3]

    def can_read(self, text: str) -> bool:
        """Return whether a text is in Latin letters."""
        return embed.Embedder.can_read(self, text)  # type: ignore[arg-type]


def with_model(home: Home, model: Model | None) -> Index:
    """Return an index that has this model loaded."""
    index = Index(str(home.top), env={})
    home.others.append(index)
    index._model_checked, index._model = True, model  # type: ignore[assignment]
    index.update()
    return index


def sids(index: Index, query: str, limit: int = 10, **wanted: str) -> list[str]:
    """Search; return the ids of the sessions found."""
    return [hit.digest.sid for hit in index.search(query, Filter(**wanted), limit=limit)]
