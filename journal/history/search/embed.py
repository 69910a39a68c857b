"""Texts as vectors, by a small model that runs here: the extra `semantic` (fastembed).

Invariant: nothing is fetched unless a person asks for it with
`python -m journal.history.search.embed`. A search loads a model that is on this machine already, or
does without.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.home import ensure_directory, journal_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["MODELS", "Embedder", "Found", "fetch", "find", "load", "main", "state"]

SIZE = 384
"""Dimensions of the vectors; those of the models named here."""

EXTRA = "pip install 'context-journal[semantic]'"
FETCH = "python -m journal.history.search.embed"
_BATCH = 16


class Model(NamedTuple):
    """A model that can be chosen. file: its weights; english: it knows no other language."""

    name: str
    file: str
    english: bool


MODELS = {
    "all-MiniLM-L6-v2": Model("sentence-transformers/all-MiniLM-L6-v2", "model.onnx", english=True),
    "paraphrase-multilingual-MiniLM-L12-v2": Model(
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", "model_optimized.onnx",
        english=False,
    ),
}  # fmt: skip
_DEFAULT = "all-MiniLM-L6-v2"


class Found(NamedTuple):
    """What there is. name: as in the settings; folder: with the weights, "" for none.

    installed: the package is there. mark: name and size of the weights; other weights, other
    vectors.
    """

    name: str
    folder: str
    installed: bool
    mark: str


class Embedder:
    """A loaded model. mark: see Found; english: what it makes of other languages is chance."""

    def __init__(self, found: Found) -> None:
        from fastembed import TextEmbedding

        model = MODELS[found.name]
        self.mark = found.mark
        self.english = model.english
        # A folder of weights: nothing is looked up anywhere.
        self._model: Any = TextEmbedding(
            model.name,
            specific_model_path=found.folder,
            local_files_only=True,
            threads=max(1, (os.cpu_count() or 2) // 2),
        )

    def vectors(self, texts: Sequence[str]) -> Iterator[list[float]]:
        """Give the vector of each text, of length 1."""
        for vector in self._model.embed(list(texts), batch_size=_BATCH):
            yield [float(value) for value in vector]

    def knows(self, text: str) -> bool:
        """Whether a text is in a language the model was made for."""
        letters = [char for char in text if char.isalpha()]
        plain = sum(char < "\u0250" for char in letters)  # Latin
        return not self.english or 2 * plain > len(letters)


def find(home: str, settings: Mapping[str, Any], env: Mapping[str, str]) -> Found:
    """Look for the package and the weights, loading neither.

    Weights are looked for in `<home>/models/NAME` and, as the package lays them out, below
    `<home>/models` and FASTEMBED_CACHE_PATH.
    """
    asked = str(settings.get("search.model") or _DEFAULT)
    name = asked if asked in MODELS else _DEFAULT
    installed = find_spec("fastembed") is not None
    folder = next(_folders(home, name, env), "") if installed else ""
    size = os.path.getsize(os.path.join(folder, MODELS[name].file)) if folder else 0
    return Found(name, folder, installed, f"{name} {size}" if folder else "")


def load(found: Found) -> Embedder | None:
    """Load a model that was found; None, with a line on stderr, where it cannot be."""
    if not found.folder:
        return None
    try:
        return Embedder(found)
    except Exception as error:  # noqa: BLE001 (whatever is wrong with it, words still find)
        from cli.error import warn

        warn(f"the model in {found.folder} cannot be loaded ({error}); searching by words alone")
        return None


def state(settings: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """Say whether a search goes by meaning, and if not, what to do; for `journal doctor`."""
    found = find(journal_home(env), settings, env)
    if not found.installed:
        return f"by words; for search by meaning: {EXTRA}"
    if not found.folder:
        return f"by words; {found.name} is not here, to fetch it once: {FETCH}"
    return f"by words and meaning ({found.name})"


def fetch(home: str, settings: Mapping[str, Any]) -> str:
    """Fetch the model of the settings from its hub into `<home>/models`; give where it lies."""
    from fastembed import TextEmbedding

    name = find(home, settings, {}).name
    cache = os.path.join(home, "models")
    ensure_directory(cache)
    TextEmbedding(MODELS[name].name, cache_dir=cache)
    return next(_folders(home, name, {}), "")


def _folders(home: str, name: str, env: Mapping[str, str]) -> Iterator[str]:
    file = MODELS[name].file
    for folder in _candidates(home, name, env):
        if all(os.path.isfile(os.path.join(folder, part)) for part in (file, "tokenizer.json")):
            yield folder


def _candidates(home: str, name: str, env: Mapping[str, str]) -> Iterator[str]:
    own = os.path.join(home, "models")
    yield os.path.join(own, name)
    for cache in filter(None, (own, env.get("FASTEMBED_CACHE_PATH"))):
        yield os.path.join(cache, f"fast-{name}")
        try:
            kept = sorted(item for item in os.listdir(cache) if item.startswith("models--"))
        except OSError:
            continue
        for item in kept:
            if name.lower() in item.lower():
                snapshots = os.path.join(cache, item, "snapshots")
                listed = sorted(os.listdir(snapshots)) if os.path.isdir(snapshots) else []
                yield from (os.path.join(snapshots, revision) for revision in listed)


def main() -> int:
    """Fetch the model where it is not here yet, and make the vectors of all sessions."""
    from cli.error import report
    from cli.scope import Scope
    from journal.errors import JournalError
    from journal.history.search.index import Index

    scope = Scope(os.environ)
    try:
        found = find(scope.home, scope.settings, scope.env)
        if not found.installed:
            raise JournalError("", "the extra semantic is not installed", EXTRA)  # noqa: TRY301
        folder = found.folder or fetch(scope.home, scope.settings)
        index = Index(scope.home, settings=scope.settings, env=scope.env)
        index.update()
        left = index.embed(float("inf"))
        index.close()
    except Exception as error:  # noqa: BLE001 (told, not raised)
        return report(error, scope.env)
    print(f"model: {folder or 'not there'}; sessions without a vector: {left}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
