"""A journal whose folds are stored often, and what a fold of all of it gives."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

import cli.read
import journal.history.replay.run
import journal.history.replay.stored
import journal.log.read
from cli.read import fold
from journal.history.replay.facts import sid_of, ts_of
from journal.history.replay.run import replay_all, within
from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import type_of
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.projections.timeline import fields_of

NOW = "2026-11-22T00:00:00.000Z"
BATCH = 2048
ENCODE = msgspec.json.encode


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in small batches, and store states after each."""
    monkeypatch.setattr(journal.log.read, "BATCH", BATCH)
    monkeypatch.setattr(journal.history.replay.run, "SAVE_AFTER", BATCH)
    monkeypatch.setattr(journal.history.replay.run, "_NEAREST", BATCH)
    monkeypatch.setattr(journal.history.replay.stored, "_NEAR", 8)
    monkeypatch.setattr(cli.read, "need_history", lambda _scope: None)


class Log:
    """A journal in a home of its own, with the expected and the actual results of a fold."""

    def __init__(self, top: str) -> None:
        self.home = Path(top) / "journal"
        self.directory = self.home / "shop"
        self.scope: Any = SimpleNamespace(now=0, directory=str(self.directory))

    @property
    def active(self) -> Path:
        """The active segment."""
        return self.directory / "active.jsonl"

    @property
    def checkpoints(self) -> list[Path]:
        """The files of stored states."""
        return sorted((self.home / "cache" / "shop" / "live" / "folds").glob("*"))

    def add(self, lines: list[str]) -> None:
        """Append the events that the lines describe, each at its own time."""
        for line in lines:
            fields = fields_of(line)
            with Writer(str(self.directory), fields.pop("ts"), sync="none") as writer:
                writer.append(fields)

    def flip(self, at: int) -> None:
        """Flip a bit of the first segment."""
        path = min(self.directory.glob("*.jsonl*"), default=self.active)
        data = bytearray(path.read_bytes())
        data[at % len(data)] ^= 1
        path.write_bytes(data)

    def truth(self, names: list[str], bound: int | str | None) -> dict[str, Any]:
        """Return the result of a fold from the first record."""
        reader = Reader(str(self.directory))
        records = list(reader)
        found = [item for item in records if bound is None or within(item, bound)]
        whole = Fold([REGISTRY[name] for name in names]).feed(found)
        lasts: dict[str, tuple[int, str]] = {}
        for seq, line in found:
            if sid := sid_of(line):
                lasts[sid] = (seq, ts_of(line))
        return {
            **result_of(whole, reader),
            "events": len(found),
            "first": ts_of(found[0][1]) if found else "",
            "ts": ts_of(found[-1][1]) if found else "",
            "last_type": type_of(found[-1][1]) if found else "",
            "sessions": lasts,
        }

    def command_result(self, names: list[str], bound: int | str | None) -> dict[str, Any]:
        """Return the result that a command gets."""
        upto = bound if isinstance(bound, int) else 0
        until = bound if isinstance(bound, str) else ""
        folded = fold(self.scope, names, until, upto=upto)
        lasts = {sid: (seq, folded.last(sid)) for sid, seq in folded.sessions.items()}
        return {
            **result_of(folded.fold, folded.reader),
            "events": folded.facts.events,
            "first": folded.facts.first,
            "ts": folded.facts.ts,
            "last_type": folded.facts.last_type,
            "sessions": lasts,
        }


def result_of(whole: Fold, reader: Reader) -> dict[str, Any]:
    """Return what a fold and its reader found, to compare."""
    states = {name: ENCODE(state) for name, state in whole.states.items()}
    gaps = [(first, last) for first, last, _ in reader.found.gaps]
    counts = {name: count for name, count in reader.found.counts.items() if count}
    return {"states": states, "unknown": whole.unknown, "seq": whole.seq, "counts": counts,
            "keys": whole.recent_keys(), "complete": reader.found.complete, "gaps": gaps}  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Return a log of several batches in one segment."""
    made = Log(str(tmp_path))
    made.add([f"a 09:{minute % 60:02} prompt word{minute} key k{minute}" for minute in range(80)])
    return made


def start_of(log: Log, names: tuple[str, ...] = ("recovery",)) -> int:
    """Fold the log; return the seq at which the fold could start."""
    return replay_all(str(log.directory), names).start
