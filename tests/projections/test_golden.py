"""Data on disk stays readable: frozen journals, their views, and upcasters between versions."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

import journal.events.registry
from journal.events.base import Unknown
from journal.events.registry import CURRENT, KINDS, UPCASTERS, decode, upcast
from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import frame, type_of
from journal.log.repair import repair
from journal.log.seal import seal
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.contract.strict import violations
from tests.golden.make import JOURNALS, VERSIONS, stale, versions, views_of

if TYPE_CHECKING:
    from pathlib import Path

FROZEN = sorted(path.parent.name for path in JOURNALS.glob("*/active.jsonl"))
NOW = "2026-11-22T00:00:00.000Z"


def test_there_are_frozen_journals() -> None:
    """The frozen journals are the recorded streams, a session of every answer, and every event."""
    assert len(FROZEN) == 7
    kinds = {
        type_of(line) for name in FROZEN for _, line in Reader(str(JOURNALS / name))
    }  # fmt: skip
    handled = {kind for item in REGISTRY.values() for kind in item.handlers}
    assert handled <= kinds


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_journal_has_the_views_it_always_had(name: str) -> None:
    """A frozen journal reads without findings or unknown events, and has its frozen views."""
    reader = Reader(str(JOURNALS / name))
    wrong = [item for _, line in reader if type_of(line) in KINDS for item in violations(line)]
    assert wrong == []
    assert reader.found.complete
    assert not reader.found.listed
    frozen = json.loads((JOURNALS / name / "views.json").read_text(encoding="utf-8"))
    assert views_of(JOURNALS / name) == frozen


def test_a_version_of_a_projection_has_one_state() -> None:
    """A changed state needs a new version: old checkpoints must not pass for new ones.

    Names and form of the code may change as they like; tests/golden/README.md says what to do.
    """
    frozen = json.loads(VERSIONS.read_text(encoding="utf-8"))
    now = versions()
    assert stale(now, frozen) == [], "raise their versions, then make views projections"
    assert now == frozen, "run: python -m tests.golden.make views projections"


def test_another_state_at_the_same_version_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler with a changed result is reported until its projection gets a new version."""
    before = json.loads(VERSIONS.read_text(encoding="utf-8"))
    lineage = REGISTRY["lineage"]
    ended = lineage.handlers["session.ended"]
    monkeypatch.setattr(ended, "function", lambda node, _event: node)
    assert stale(versions(), before) == ["lineage"]
    monkeypatch.setattr(lineage, "version", lineage.version + 1)
    assert stale(versions(), before) == []


# -- upcasters ------------------------------------------------------------------------------------


def test_every_released_version_leads_to_the_current_one() -> None:
    """From version 1 on there is an upcaster for each version."""
    wanted = {(kind, at) for kind in KINDS for at in range(1, CURRENT.get(kind, 1))}
    assert wanted <= UPCASTERS.keys()


def _renamed(old: str, new: str):
    def step(fields: dict) -> dict:
        fields[new] = fields.pop(old)
        fields["v"] += 1
        return fields

    return step


CHAIN = {("flow.noted", 1): _renamed("note", "words"), ("flow.noted", 2): _renamed("words", "text")}
OLD = {"ts": "t", "type": "flow.noted", "v": 1, "sid": "s", "note": "hello"}


def _registered(monkeypatch: pytest.MonkeyPatch, chain: dict) -> None:
    """Let version 3 of `flow.noted` be the current one, with these upcasters to it."""
    monkeypatch.setattr("journal.events.registry.UPCASTERS", chain)
    monkeypatch.setattr("journal.events.registry.CURRENT", {"flow.noted": 3})


def test_a_chain_of_upcasters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 1 becomes 2, then 3, and the input stays unchanged."""
    _registered(monkeypatch, CHAIN)
    given = dict(OLD)
    raised = upcast(given)
    assert (raised["v"], raised["text"]) == (3, "hello")
    assert given == OLD
    assert upcast({**OLD, "v": 3})["v"] == 3


@pytest.mark.parametrize(
    "fields, chain",
    [
        (OLD, {("flow.noted", 2): CHAIN["flow.noted", 2]}),
        (OLD, {("flow.noted", 1): CHAIN["flow.noted", 1]}),
        ({**OLD, "v": 4}, CHAIN),
        ({**OLD, "v": 0}, CHAIN),
        (OLD, {("flow.noted", 1): lambda fields: {**fields, "v": 3}}),
        (OLD, {("flow.noted", 1): dict}),
    ],
    ids=["first-missing", "second-missing", "later", "before-the-first", "skips", "stands-still"],
)
def test_a_gap_in_the_chain(fields: dict, chain: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no chain leads to the current version it is an error, not an endless loop."""
    _registered(monkeypatch, chain)
    with pytest.raises(LookupError):
        upcast(fields)


def test_records_of_an_old_version_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of an old version counts like a new one; without an upcaster it is Unknown."""
    monkeypatch.setattr(journal.events.registry, "_decoders", {})
    monkeypatch.setitem(CURRENT, "flow.noted", 3)
    for step, function in CHAIN.items():
        monkeypatch.setitem(UPCASTERS, step, function)
    new = {"ts": "t", "type": "flow.noted", "v": 3, "sid": "s", "text": "again"}
    records = [(1, frame(1, OLD)[:-1]), (2, frame(2, new)[:-1])]
    fold = Fold(REGISTRY.values()).feed(records)
    assert fold.states["compound"].notes == ["again", "hello"]
    assert fold.unknown == {}
    monkeypatch.delitem(UPCASTERS, ("flow.noted", 2))
    assert isinstance(decode(records[0][1], "flow.noted"), Unknown)
    fold = Fold(REGISTRY.values()).feed(records)
    assert fold.states["compound"].notes == ["again"]
    assert fold.unknown == {"flow.noted": 1}


FOREIGN = {
    "type": {"ts": "t", "type": "weather.changed", "v": 1, "sid": "s", "deep": {"a": [1, "é"]}},
    "version": {"ts": "t", "type": "turn.ended", "v": 99, "sid": "s", "message": "later"},
    "shape": {"ts": "t", "type": "turn.ended", "v": 1, "sid": "s", "size": "many"},
    "member": {"ts": "t", "type": "turn.ended", "v": 1, "sid": "s", "novelty": [True]},
    "spaced": {"ts": "t", "type": "Weather Changed/../x", "v": 1, "sid": "s"},
}


def test_what_is_not_known_is_kept_byte_for_byte(tmp_path: Path) -> None:
    """Unknown types, later versions and odd bodies survive read, repair and seal byte for byte."""
    place = tmp_path / "j"
    shutil.copytree(JOURNALS / "words", place)
    (place / "views.json").unlink()
    log = place / "active.jsonl"
    first = len(log.read_bytes().splitlines()) + 1
    lines = [frame(seq, fields) for seq, fields in enumerate(FOREIGN.values(), first)]
    with log.open("ab") as file:
        file.write(lines[0] + lines[1] + b'{"rubbish\n' + b"".join(lines[2:]))
    kept = [line[:-1] for line in lines]

    def found() -> list[bytes]:
        return [line for seq, line in Reader(str(place)) if first <= seq < first + len(lines)]

    assert found() == kept
    report = repair(str(place), NOW)
    assert len(report.repaired) == 1
    assert found() == kept
    assert seal(str(place), NOW)
    assert found() == kept
    with Writer(str(place), NOW) as writer:
        writer.append({"type": "flow.noted", "v": 1, "sid": "s", "text": "after"})
    reader = Reader(str(place))
    fold = Fold(REGISTRY.values()).feed(reader)
    assert reader.found.complete
    assert fold.states["compound"].notes[0] == "after"
    assert fold.unknown == {"turn.ended": 2}
    assert [type(decode(line, type_of(line))).__name__ for line in kept] == [
        "Unknown", "Unknown", "Unknown", "TurnEnded", "Unknown",
    ]  # fmt: skip
