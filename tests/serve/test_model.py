"""What the page and the API stand on: the tree, the meter, the curves, sending, many at once."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.errors import JournalError
from tests.serve.conftest import OTHER, SID

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.serve.model import Model
from cli.serve.parts.meter import estimate, measured
from cli.serve.place import ConflictError, MissingError, UnavailableError
from cli.serve.shapes import ObservationIn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cli.conftest import Place

pytestmark = pytest.mark.page


@pytest.fixture
def model(told: Place) -> Iterator[Model]:
    """Give the model of a home with two sessions."""
    found = Model(str(told.home), told.env)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 8, 2), ("日本語", 3), ("한국어 ab", 4)],
)
def test_the_estimate(text: str, tokens: int) -> None:
    """Four letters of a Latin script make a token, any other character one."""
    assert estimate(text) == tokens


@given(st.text(), st.text())
def test_the_estimate_grows_with_the_text(one: str, two: str) -> None:
    """Together they take at least what each takes, and at most what both take apart."""
    both = estimate(one + two)
    assert max(estimate(one), estimate(two)) <= both <= estimate(one) + estimate(two)


GAUGE = {"known": True, "unknown": None, "tokens": 100_000, "point": 160_000, "window": 200_000,
         "auto_compact": True}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "remaining", "unknown"),
    [
        ({}, 60_000, ""),
        ({"auto_compact": False}, 100_000, ""),
        ({"tokens": 170_000}, 0, ""),
        ({"known": False, "unknown": "the reading is too old"}, None, "the reading is too old"),
        ({"known": False, "tokens": None, "unknown": "no reading yet"}, None, "no reading yet"),
        ({"point": None, "window": None}, None, "where the session is compacted is not known"),
    ],
    ids=["known", "no auto-compact", "past the point", "stale", "no reading", "no point"],
)
def test_what_remains(changes: dict[str, object], remaining: int | None, unknown: str) -> None:
    """Point less tokens; what is not known is null and says why, it is not zero."""
    found = measured("s", "x" * 4000, {**GAUGE, **changes})
    assert (found.tokens, found.remaining, found.unknown) == (1000, remaining, unknown)
    assert found.fits == (None if remaining is None else remaining >= 1000)


def test_no_session_is_no_budget() -> None:
    """A text alone is weighed, against nothing."""
    found = measured("", "x" * 8, None)
    assert (found.tokens, found.remaining, found.fits) == (2, None, None)
    assert found.unknown


def test_the_meter_reads_what_the_view_shows(model: Model, told: Place) -> None:
    """Before and after a reading it is the pressure view of that session's journal."""
    name = told.directory.name
    before = model.meter("text", OTHER)
    assert (before.remaining, bool(before.unknown)) == (None, True)
    reading = {"session_id": OTHER, "cwd": str(told.project), "model": {"id": "claude-opus-4-1"},
               "context_window": {"context_window_size": 200_000, "current_usage": {
                   "input_tokens": 50_000, "cache_creation_input_tokens": 0,
                   "cache_read_input_tokens": 0, "output_tokens": 0}}}  # fmt: skip
    told.journal("statusline", stdin=json.dumps(reading))
    shown = told.journal("view", "pressure", "--project", name, "--session", OTHER).data
    after = model.meter("text", OTHER)
    assert shown["known"]
    assert (after.context, after.point) == (shown["tokens"], shown["point"])
    assert after.remaining == shown["point"] - shown["tokens"]


def test_the_tree(model: Model, told: Place) -> None:
    """Project, day, session; every session once; a query leaves those it finds."""
    (project,) = model.tree()
    assert (project.project, project.count) == (told.directory.name, 2)
    ids = [card.id for day in project.days for card in day.sessions]
    assert ids == [OTHER, SID]
    (found,) = model.tree("wrong total", status="open")
    assert [card.id for day in found.days for card in day.sessions] == [OTHER]
    assert model.tree("zzzz") == []


def test_live_sessions_are_those_not_over(model: Model, told: Place) -> None:
    """One that ended is not offered to send to; one that begins is."""
    assert [item.id for item in model.live()] == [OTHER]
    told.hook("SessionEnd", OTHER, reason="other")
    told.hook("SessionStart", "fresh", source="startup")
    model.refresh()
    assert [item.id for item in model.live()] == ["fresh"]


def test_curves_are_those_of_stats(model: Model, told: Place) -> None:
    """The page's curves hold the readings and compactions `journal stats` counts."""
    shown = told.journal("stats", "compactions", "--json").data
    found = model.compactions()
    assert [(item["seq"], item["trigger"]) for item in found.items] == [
        (item["seq"], item["trigger"]) for item in shown
    ]
    assert sum(count for _, count in found.weeks) == len(shown) > 0
    (tooth,) = model.pressure()
    assert tooth.session == SID
    assert [row[1] for row in tooth.compactions] == [item["tokens"] for item in shown]
    assert all(0 < share < 200 for _, share in tooth.points)
    assert model.pressure(since="2030-01-01") == []


def test_a_log_that_grew_is_read_again(model: Model, told: Place) -> None:
    """What was kept of a history is not shown once the log says more."""
    before = len(model.compactions().items)
    told.hook("PreCompact", SID, trigger="manual", custom_instructions="")
    told.hook("SessionStart", SID, source="compact")
    assert len(model.compactions().items) == before + 1


@pytest.mark.parametrize("ref", ["", " ", "/", "../x", "nobody", "shop/nobody"])
def test_what_names_no_session(model: Model, ref: str) -> None:
    """It is said to be missing."""
    with pytest.raises(MissingError):
        model.past(ref)


def test_what_only_a_transcript_told_of_is_not_added_to(
    model: Model, told: Place, events: Callable[[], list[bytes]]
) -> None:
    """An exported part has no hooks: nothing can be recorded of it or sent to it."""
    assert told.journal("export-session", "--session", SID, "--pick", "1").code == 0
    model.refresh()
    part = next(card for card in model.sessions().items if card.kind == "exported")
    assert part.of == SID
    before = events()
    with pytest.raises(ConflictError):
        model.observe(ObservationIn(session=part.id, title="x"))
    with pytest.raises(ConflictError):
        model.send(part.id, model.pack([SID]))
    assert events() == before
    assert model.observations(part.id).items


def test_many_at_once(model: Model, told: Place) -> None:
    """Writers and readers in many threads: each observation is recorded once, nobody fails."""
    before = len(model.observations(OTHER).items)
    with ThreadPoolExecutor(8) as pool:
        written = [
            pool.submit(model.observe, ObservationIn(session=OTHER, title=f"step {n}"))
            for n in range(16)
        ]
        read = [pool.submit(work) for _ in range(4)
                for work in (model.tree, model.live, model.pressure,
                             lambda: model.meter("x", OTHER), lambda: model.search("total"))]  # fmt: skip
        seqs = {job.result().seq for job in written}
        for job in read:
            job.result()
    found = model.observations(OTHER).items[before:]
    assert len(seqs) == 16
    assert sorted(item.title for item in found) == sorted(f"step {n}" for n in range(16))
    assert told.journal("verify", "--strict").code == 0


def test_a_stop_lets_nobody_wait(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for an index that is being made is told that the server stops."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(_: object) -> int:
        begun.set()
        assert go_on.wait(60)
        return 0

    monkeypatch.setattr("cli.serve.parts.shelf.Shelf.update", slow)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(model.live)
        assert begun.wait(60)
        model.index.stop()
        with pytest.raises(UnavailableError, match="stopping"):
            asked.result(60)
    assert not model.close()
    go_on.set()
    assert model.close()


def test_an_index_that_cannot_be_made_is_said(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault reaches whoever asks; once it is gone the next question is answered."""

    def broken(_: object) -> int:
        raise JournalError("cache", "no room on the disk", "make room")

    with monkeypatch.context() as patched:
        patched.setattr("cli.serve.parts.shelf.Shelf.update", broken)
        with pytest.raises(UnavailableError, match="no room"):
            model.live()
    assert [item.id for item in model.live()] == [OTHER]
