"""Search by meaning, with an embedder: without the package, without weights, and with both."""

from __future__ import annotations

import os
import socket
from array import array
from typing import TYPE_CHECKING

import pytest

from journal.history.search import embed
from tests.journal.history.search.model import Model, sids, with_model
from tests.journal.history.search.weights import assemble

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.history.search.conftest import Home

NAME = "all-MiniLM-L6-v2"


def test_meaning_adds_what_words_miss(home: Home) -> None:
    """A session that shares no word with the query is found by meaning, but not without a model."""
    home.session("fruit", "prune the orchard")
    home.session("metal", "the smith is back")
    home.session("sea", "a ship in the harbour")
    index = with_model(home, Model())
    assert sids(index, "apple pear") == ["fruit"]
    (hit,) = index.search("apple pear")
    assert hit.ways == {"meaning": 1}
    assert (hit.spans, hit.snippet != "") == ([], True)
    assert sids(with_model(home, None), "apple pear") == []


def test_both_ways_are_fused(home: Home) -> None:
    """A session found by both words and meaning ranks above one found by either alone."""
    home.session("near", "prune the orchard")
    home.session("both", "the apple orchard is dry")
    home.session("word", "apple computer and iron copper smith")
    (first, *_rest) = with_model(home, Model()).search("apple")
    assert first.digest.sid == "both"
    assert set(first.ways) == {"words", "meaning"}


def test_filters_hold_for_meaning_too(home: Home) -> None:
    """Filters by project, date and status also limit search by meaning."""
    home.session("a", "prune the orchard", project="a-00000001")
    home.session("b", "prune the orchard", project="b-00000002", over=False)
    index = with_model(home, Model())
    assert sorted(sids(index, "pear")) == ["a", "b"]
    assert sids(index, "pear", project="a-00000001") == ["a"]
    assert sids(index, "pear", status="open") == ["b"]
    assert sids(index, "pear", since="2030-01-01") == []


def test_a_language_the_model_does_not_know_is_left_to_words(home: Home) -> None:
    """Japanese text, in queries or sessions, is never passed to an English model."""
    home.session("ja", "果樹園の木を切る")
    home.session("en", "prune the orchard")
    model = Model()
    index = with_model(home, model)
    assert sids(index, "果樹園") == ["ja"]
    assert model.asked == []
    assert sids(index, "pear") == ["en"]
    assert index.embed(60) == 0
    assert not any("果樹園" in text for text in model.asked)


def test_without_the_package_everything_else_works(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the package search by words works, and the state names the command that installs it."""
    monkeypatch.setattr(embed, "find_spec", lambda _name: None)
    home.session("a", "prune the orchard")
    assert home.found("orchard") == ["a"]
    told = embed.state({}, {"JOURNAL_HOME": str(home.top)})
    assert "-m pip install 'fastembed>=" in told


def test_without_weights_nothing_is_fetched(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without weights nothing is downloaded: words are found, and the state says how to fetch them."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(embed, "find_spec", lambda _name: object())
    home.session("a", "prune the orchard")
    assert home.found("orchard") == ["a"]
    told = embed.state({"search.model": "paraphrase-multilingual-MiniLM-L12-v2"},
                       {"JOURNAL_HOME": str(home.top)})  # fmt: skip
    assert "paraphrase-multilingual-MiniLM-L12-v2" in told
    assert embed.FETCH in told


@pytest.mark.parametrize("layout", ["models/{n}", "models/fast-{n}",
                         "models/models--Qdrant--{n}-onnx/snapshots/1f2e"])  # fmt: skip
def test_where_weights_are_looked_for(
    home: Home, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights are found in a folder of their own or in the package's layout, if both files exist."""
    monkeypatch.setattr(embed, "find_spec", lambda _name: object())
    folder = home.top / layout.format(n=NAME)
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"x" * 10)
    assert embed.find(str(home.top), {}, {}).folder == ""
    (folder / "tokenizer.json").write_text("{}")
    found = embed.find(str(home.top), {}, {})
    assert (found.folder, found.version) == (str(folder), f"{NAME} 10")
    elsewhere = {"FASTEMBED_CACHE_PATH": str(home.top / "models")}
    if layout != "models/{n}":
        assert embed.find("/nowhere", {}, elsewhere).folder == str(folder)


def test_broken_weights_are_said_once(home: Home) -> None:
    """Weights that cannot be loaded are reported once on stderr, and words are still found."""
    pytest.importorskip("fastembed")
    folder = home.top / "models" / NAME
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"no model")
    (folder / "tokenizer.json").write_text("{}")
    home.session("a", "prune the orchard")
    assert home.found("orchard pear") == ["a"]
    assert home.found("orchard pear") == ["a"]
    assert "".join(home.reports).count("cannot be loaded") == 1


@pytest.mark.semantic
def test_the_real_model(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With real weights, loaded by the package without network, a paraphrase is found."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assemble(home.top)
    home.session("auth", "Users are sent to the wrong page after signing in")
    home.session("leak", "The daemon grows until it is killed")
    home.session("cake", "A recipe for apple cake")
    home.index.update()
    assert home.index.embed(600) == 0
    (hit, *_rest) = home.index.search("process consumes more and more memory")
    assert (hit.digest.sid, hit.ways) == ("leak", {"meaning": 1})
    model = home.index._loaded()
    assert model is not None
    (vector,) = model.vectors(["hello"])
    values = array("f", vector)
    assert len(values) == 384
    assert abs(sum(x * x for x in values) - 1) < 1e-3
    told = embed.state({}, {"JOURNAL_HOME": str(home.top)})
    assert told == f"by words and meaning ({NAME})"
    assert os.listdir(home.top / "models") == [NAME]


def test_the_model_is_loaded_only_where_words_are_not_enough(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If one session has every word of a query no model is loaded; otherwise it is loaded once."""
    loaded: list[str] = []

    def load(*_: object) -> Model:
        loaded.append("once")
        return Model()

    monkeypatch.setattr(embed, "load", load)
    home.session("fruit", "prune the orchard")
    home.session("metal", "the smith is back")
    assert home.found("prune orchard") == ["fruit"]
    assert loaded == []
    assert home.found("apple") == ["fruit"]
    assert loaded == ["once"]
    assert home.index.search("smith")[0].ways == {"words": 1, "meaning": 1}
    assert loaded == ["once"]


def test_words_of_a_session_that_is_filtered_out_are_not_enough(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session with every word does not count if the filter excludes it: the model is loaded."""
    loaded: list[str] = []
    monkeypatch.setattr(embed, "load", lambda *_: loaded.append("once"))
    home.session("fruit", "prune the orchard")
    assert home.found("orchard", status="open") == []
    assert loaded == ["once"]
