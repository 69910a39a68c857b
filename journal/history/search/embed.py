"""Compute vectors of texts with a small local model: the extra `semantic` (fastembed).

ONNX Runtime runs the model: loading it takes half a second, loading fastembed two more.
Invariant: nothing is downloaded except by `journal search --fetch-model`; a search loads a model
that is on this machine already, or searches by words. All vectors in an index are of one model;
with another model they are computed again.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from glob import glob
from importlib.util import find_spec
from typing import Any, NamedTuple

from journal.history.progress import Progress
from journal.history.search.columns import gist
from journal.history.search.database import Database
from journal.history.search.digests import digest_of
from journal.home import ensure_directory, journal_home
from journal.installation import extra_command

FETCH = "journal search --fetch-model"
_BATCH = 32  # sessions
_MISSING = "from sessions s where not exists (select 1 from vectors v where v.doc = s.doc)"
_NEAR = 0.3  # cosine below which two texts are unrelated


class Model(NamedTuple):
    """A supported model. file: its weights; english: it was trained on English only."""

    file: str
    english: bool


MODELS = {
    "all-MiniLM-L6-v2": Model("model.onnx", english=True),
    "paraphrase-multilingual-MiniLM-L12-v2": Model("model_optimized.onnx", english=False),
}
_PUBLISHER = "sentence-transformers"


class Installed(NamedTuple):
    """A model on this machine. name: as in the settings; folder: of the weights, "" for none.

    package: whether the extra is installed. version: name and size of the weights; it changes
    when vectors do.
    """

    name: str
    folder: str
    package: bool
    version: str


class Embedder:
    """A loaded model. version: see Installed; english: see Model."""

    def __init__(self, installed: Installed) -> None:
        import onnxruntime as ort
        from tokenizers import Tokenizer

        model = MODELS[installed.name]
        self.version = installed.version
        self.english = model.english
        self._tokenizer: Any = Tokenizer.from_file(os.path.join(installed.folder, "tokenizer.json"))
        self._tokenizer.enable_truncation(128)
        self._tokenizer.enable_padding()
        options = ort.SessionOptions()
        options.intra_op_num_threads = max(1, (os.cpu_count() or 2) // 2)
        # Optimising the graph takes longer than it saves on the few texts of one command.
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        self._session: Any = ort.InferenceSession(
            os.path.join(installed.folder, model.file), options, ["CPUExecutionProvider"]
        )
        self._inputs = {item.name for item in self._session.get_inputs()}

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """Return the vector of each text, of length 1: 32-bit floats."""
        return [vector.tobytes() for vector in self._embedded(texts)] if texts else []

    def nearest(self, text: str, vectors: Sequence[bytes]) -> list[int]:
        """Return the positions of the vectors that are similar to a text, most similar first."""
        import numpy as np

        if not vectors:
            return []
        (own,) = self._embedded([text])
        matrix = np.frombuffer(b"".join(vectors), dtype=np.float32).reshape(len(vectors), -1)
        cosines = matrix @ own
        order = np.argsort(-cosines, kind="stable")
        return [int(at) for at in order if cosines[at] >= _NEAR]

    def can_read(self, text: str) -> bool:
        """Return whether a text is in a language of the model."""
        letters = [char for char in text if char.isalpha()]
        plain = sum(char < "\u0250" for char in letters)  # Latin
        return not self.english or 2 * plain > len(letters)

    def _embedded(self, texts: Sequence[str]) -> Any:
        """Return the mean of each text's token vectors, normalized."""
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([item.ids for item in encoded], dtype=np.int64)
        mask = np.array([item.attention_mask for item in encoded], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self._session.run(None, {name: inputs[name] for name in self._inputs})[0]
        weights = mask[:, :, None].astype(np.float32)
        means = (output * weights).sum(1) / np.maximum(weights.sum(1), 1e-9)
        return (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)


def find(home: str, settings: Mapping[str, Any], env: Mapping[str, str]) -> Installed:
    """Find the package and the weights, loading neither.

    Weights are in `<home>/models/NAME` or, as fastembed lays them out, below `<home>/models` and
    FASTEMBED_CACHE_PATH.
    """
    name = str(settings.get("search.model") or "")
    name = name if name in MODELS else next(iter(MODELS))
    package = find_spec("fastembed") is not None
    folder = next(_folders(home, name, env), "") if package else ""
    size = os.path.getsize(os.path.join(folder, MODELS[name].file)) if folder else 0
    return Installed(name, folder, package, f"{name} {size}" if folder else "")


def load(installed: Installed, progress: Progress) -> Embedder | None:
    """Load a model; if that fails, report progress and return None."""
    if not installed.folder:
        return None
    try:
        return Embedder(installed)
    except Exception as error:  # noqa: BLE001 (whatever is wrong, search by words works)
        progress(f"The model in {installed.folder} cannot be loaded ({error}); searching by words.")
        return None


def state(settings: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """Return how a search works, and what enables search by meaning; for `journal doctor`."""
    installed = find(journal_home(env), settings, env)
    if not installed.package:
        return f"by words; for search by meaning: {extra_command('semantic')}"
    if not installed.folder:
        return f"by words; for search by meaning, download {installed.name} once: {FETCH}"
    return f"by words and meaning ({installed.name})"


def fetch(home: str, settings: Mapping[str, Any]) -> str:
    """Download the model of the settings into `<home>/models`; return its folder."""
    from fastembed import TextEmbedding

    name = find(home, settings, {}).name
    cache = os.path.join(home, "models")
    ensure_directory(cache)
    TextEmbedding(f"{_PUBLISHER}/{name}", cache_dir=cache)
    return next(_folders(home, name, {}), "")


def missing_vectors(connection: sqlite3.Connection, model: Embedder) -> int:
    """Return how many sessions have no vector of this model."""
    which = _MISSING if _model_of(connection) == model.version else "from sessions"
    return int(connection.execute(f"select count(*) {which}").fetchone()[0])


def fill_vectors(database: Database, model: Embedder, patience: float) -> int:
    """Compute vectors for `patience` seconds, newest sessions first; return how many are missing.

    At least one batch is computed.
    """
    end = time.monotonic() + patience
    while True:
        with database.writing() as connection:
            if _model_of(connection) != model.version:
                connection.execute("delete from vectors")
                connection.execute(
                    "insert or replace into facts values ('model', ?)", [model.version]
                )
            made = _fill(connection, model)
            left = missing_vectors(connection, model)
        if not made or not left or time.monotonic() > end:
            return left


def _fill(connection: sqlite3.Connection, model: Embedder) -> int:
    """Compute the vectors of one batch; return how many sessions it had."""
    sql = f"select s.doc, s.live, s.imported {_MISSING} order by s.started desc limit {_BATCH}"
    rows = connection.execute(sql).fetchall()
    texts = [gist(digest_of(live, imported)) for _, live, imported in rows]
    readable = [text for text in texts if text and model.can_read(text)]
    vectors = dict(zip(readable, model.vectors(readable), strict=True))
    connection.executemany(
        "insert into vectors values (?, ?)",  # null: none, and none to come
        [(row[0], vectors.get(text)) for row, text in zip(rows, texts, strict=True)],
    )
    return len(rows)


def _model_of(connection: sqlite3.Connection) -> str:
    rows = connection.execute("select value from facts where name = 'model'").fetchall()
    return str(rows[0][0]) if rows else ""


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
        stored = sorted(glob(os.path.join("models--*", "snapshots", "*"), root_dir=cache))
        yield from (os.path.join(cache, path) for path in stored if name.lower() in path.lower())
